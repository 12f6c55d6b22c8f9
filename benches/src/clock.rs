//! Time in core cycles, and whether the machine was quiet.
//!
//! Neither a timestamp counter nor a wall clock counts the cycles of a core whose frequency moves. A chain of dependent
//! multiplications does: its length in cycles is known, so timing it tells the frequency of that moment. It says nothing
//! of a neighbour on the same core, who takes execution ports and not latency; a second piece of known work, bound by
//! ports, shows him. And the thread's own clock stands still while another thread has the core.

use crate::stats::quantile;
use std::{hint::black_box, time::Instant};

/// Cycles from one dependent 64-bit multiplication to the next: 3 on current x86-64 cores. On other architectures the
/// unit of the report is a third of such a multiplication, whatever that takes.
const LATENCY: f64 = 3.0;
/// Multiplications in the chain.
const CHAIN: u32 = 2048;
/// Passes of the port-bound work.
const PASSES: u32 = 512;
/// How far the frequency may move over a sample, as a share.
const FREQUENCY_TOLERANCE: f64 = 0.01;
/// How far the port-bound work may be from its usual time, as a share.
const WORK_TOLERANCE: f64 = 0.05;

/// A stretch of time.
#[derive(Clone, Copy, Debug)]
pub struct Lap {
    /// How long the thread ran.
    pub nanoseconds: f64,
    /// Whether it ran all the time.
    pub alone: bool,
}

/// A stopwatch.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    thread: Option<f64>,
    wall: Instant,
}

impl Stopwatch {
    /// Starts.
    #[must_use]
    pub fn start() -> Self {
        Self {
            thread: thread_time(),
            wall: Instant::now(),
        }
    }

    /// The time since the start.
    #[must_use]
    pub fn lap(self) -> Lap {
        let wall = self.wall.elapsed().as_nanos() as f64;
        let thread = self
            .thread
            .zip(thread_time())
            .map(|(start, end)| end - start);
        lap(wall, thread)
    }
}

/// What a wall clock and the thread's clock tell together. The latter is read outside of the former, so it tells more
/// unless the thread had to wait.
fn lap(wall: f64, thread: Option<f64>) -> Lap {
    match thread {
        Some(thread) if thread < wall - 500.0 => Lap {
            nanoseconds: thread,
            alone: false,
        },
        _ => Lap {
            nanoseconds: wall,
            alone: true,
        },
    }
}

/// Nanoseconds that this thread has run, where the system counts them.
#[cfg(unix)]
fn thread_time() -> Option<f64> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Some(time.tv_sec as f64 * 1e9 + time.tv_nsec as f64)
}

#[cfg(not(unix))]
fn thread_time() -> Option<f64> {
    None
}

/// What the machine was like at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Gauge {
    /// Core cycles per nanosecond.
    pub frequency: f64,
    /// Cycles that the port-bound work took.
    work: f64,
}

/// The clock of a run.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Cycles that the port-bound work takes when nobody disturbs it.
    usual: f64,
}

impl Clock {
    /// Learns what is usual on this machine. Takes some 20 ms.
    #[must_use]
    pub fn new() -> Self {
        let work: Vec<_> = (0..3000).map(|_| gauge().work).collect();
        Self {
            usual: quantile(&work, 0.5).expect("there are samples"),
        }
    }

    /// Looks at the machine; again, though not for ever, while it is not as usual.
    #[must_use]
    pub fn gauge(&self) -> Gauge {
        let mut seen = gauge();
        for _ in 0..4 {
            if self.is_usual(seen) {
                break;
            }
            seen = gauge();
        }
        seen
    }

    /// Whether the two pieces of known work took what they usually take beside each other.
    fn is_usual(&self, gauge: Gauge) -> bool {
        (gauge.work / self.usual - 1.0).abs() <= WORK_TOLERANCE
    }

    /// Whether the machine was the same, and as usual, at two moments.
    #[must_use]
    pub fn steady(&self, before: Gauge, after: Gauge) -> bool {
        let moved = (before.frequency / after.frequency - 1.0).abs();
        moved <= FREQUENCY_TOLERANCE && self.is_usual(before) && self.is_usual(after)
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}

/// Looks at the machine. Takes some 5 µs.
fn gauge() -> Gauge {
    let frequency = f64::from(CHAIN) * LATENCY / undisturbed(chain);
    Gauge {
        frequency,
        work: undisturbed(work) * frequency,
    }
}

/// Nanoseconds that some work takes; it is done again, though not for ever, if another thread came in between.
fn undisturbed(work: fn()) -> f64 {
    let time = || {
        let watch = Stopwatch::start();
        work();
        watch.lap()
    };
    let mut lap = time();
    for _ in 0..4 {
        if lap.alone {
            break;
        }
        lap = time();
    }
    lap.nanoseconds
}

/// Multiplications that wait for one another.
fn chain() {
    let mut x = black_box(3_u64);
    for _ in 0..CHAIN {
        // No compiler folds repeated squares.
        x = x.wrapping_mul(x);
    }
    black_box(x);
}

/// Independent chains of short operations: more of them than there are ports.
fn work() {
    let mut lanes = black_box([1_u64, 2, 3, 4, 5, 6, 7, 8]);
    for pass in 0..u64::from(PASSES) {
        for lane in &mut lanes {
            *lane = lane.rotate_left(7) ^ lane.wrapping_add(pass);
        }
    }
    black_box(lanes);
}

#[cfg(test)]
mod tests {
    use super::{Clock, Gauge, Stopwatch, lap};

    #[test]
    fn disturbance_is_seen() {
        let clock = Clock { usual: 1000.0 };
        let gauge = |frequency, work| Gauge { frequency, work };
        assert!(clock.steady(gauge(2.5, 1000.0), gauge(2.51, 1040.0)));
        assert!(!clock.steady(gauge(2.5, 1000.0), gauge(2.6, 1000.0)));
        assert!(!clock.steady(gauge(2.5, 1000.0), gauge(2.5, 1300.0)));
        assert!(!clock.steady(gauge(2.5, 1300.0), gauge(2.5, 1000.0)));
        // The chain was held up and not the other work.
        assert!(!clock.steady(gauge(1.5, 600.0), gauge(1.5, 600.0)));
    }

    #[test]
    fn waiting_is_seen_and_not_counted() {
        let times = |wall, thread| {
            let lap = lap(wall, thread);
            (lap.nanoseconds, lap.alone)
        };
        assert_eq!(times(40_000.0, None), (40_000.0, true));
        assert_eq!(times(40_000.0, Some(40_400.0)), (40_000.0, true));
        assert_eq!(times(40_000.0, Some(31_000.0)), (31_000.0, false));
    }

    #[cfg(unix)]
    #[test]
    fn sleeping_is_waiting() {
        let watch = Stopwatch::start();
        std::thread::sleep(std::time::Duration::from_millis(20));
        let lap = watch.lap();
        assert!(!lap.alone && lap.nanoseconds < 15e6);
    }

    #[test]
    fn the_usual_is_learnt() {
        assert!(Clock::new().usual > 100.0);
    }
}
