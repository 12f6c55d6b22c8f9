//! The progress bar: on a terminal, for work that takes a while.

use core::time::Duration;
use std::io::IsTerminal;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is done sooner shows no bar.
const PATIENCE: Duration = Duration::from_millis(700);

const KNOWN: &str = "{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left";
const UNKNOWN: &str = "{msg} {spinner} {bytes} {bytes_per_sec}";

/// Counts the bytes of one file. Dropped, it leaves a clean line.
#[derive(Debug)]
pub(crate) struct Progress(Option<Counting>);

#[derive(Debug)]
struct Counting {
    bar: ProgressBar,
    started: Instant,
    shown: bool,
}

impl Progress {
    /// Starts to count towards `total` bytes, if it is known.
    pub(crate) fn new(wanted: bool, name: &str, total: Option<u64>) -> Self {
        if !wanted || !std::io::stderr().is_terminal() {
            return Self(None);
        }
        let (bar, template) = match total {
            Some(total) => (ProgressBar::new(total), KNOWN),
            None => (ProgressBar::no_length(), UNKNOWN),
        };
        // It has to count unseen, or its first estimate of the speed would be absurd.
        bar.set_draw_target(ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self(Some(Counting {
            bar: bar.with_message(name.to_owned()),
            started: Instant::now(),
            shown: false,
        }))
    }

    /// Tells of `bytes` more bytes.
    pub(crate) fn add(&mut self, bytes: usize) {
        if let Some(counting) = &mut self.0 {
            counting.bar.inc(bytes as u64);
            if !counting.shown && counting.started.elapsed() >= PATIENCE {
                counting
                    .bar
                    .set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
                counting.shown = true;
            }
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(counting) = &self.0 {
            counting.bar.finish_and_clear();
        }
    }
}
