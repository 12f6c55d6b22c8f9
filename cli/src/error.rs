//! How a command ends.

use std::io::{self, Write};
use std::process::ExitCode;

/// A command that could do its work: was everything it looked at right?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Success,
    CheckFailed,
}

/// Why a command stopped, with the message for its user.
#[derive(Debug)]
pub(crate) enum Error {
    /// The data is not what it should be: exit code 1.
    Refused(String),
    /// Wrong usage, or something could not be read or written: exit code 2.
    Failed(String),
    /// The reader of standard output went away. It knows, so nothing is said: exit code 2.
    BrokenPipe,
}

impl Error {
    /// An operation on `subject` (a file's printable name) that the system refused.
    pub(crate) fn io(subject: &str, error: &io::Error) -> Self {
        Self::Failed(format!("{subject}: {}", reason(error)))
    }

    /// A failed write to standard output.
    pub(crate) fn stdout(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::BrokenPipe;
        }
        Self::io("standard output", error)
    }

    /// Says on standard error what happened, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Refused(message) => {
                complain(&message);
                ExitCode::from(1)
            }
            Self::Failed(message) => {
                complain(&message);
                ExitCode::from(2)
            }
            Self::BrokenPipe => ExitCode::from(2),
        }
    }
}

/// One line on standard error, after the program's name.
pub(crate) fn complain(message: &str) {
    // If standard error is gone too, the exit code is all that is left to say it.
    let _ = writeln!(io::stderr(), "shangmi: {message}");
}

/// The system's words for an error, without the number that Rust adds, and the path that `tempfile` adds to it: that
/// of a temporary file, which its user has never heard of.
pub(crate) fn reason(error: &io::Error) -> String {
    let mut text = error.to_string();
    if let Some(end) = text.find(" (os error ") {
        text.truncate(end);
    }
    text
}
