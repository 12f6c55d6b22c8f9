//! The folder of third-party vectors, which the environment variable `SHANGMI_VECTORS` names.

use std::env;
use std::fs;
use std::io::{Write, stderr};
use std::path::PathBuf;

/// Writes past the capture of the test harness: these lines are to be seen when tests pass, too.
fn say(line: &str) {
    writeln!(stderr(), "{line}").expect("standard error takes a line");
}

/// The content of a third-party file, or nothing (and a line that says so) when no folder is named.
///
/// # Panics
/// When a folder is named and the file is not in it.
pub fn read(name: &str) -> Option<Vec<u8>> {
    let Some(folder) = env::var_os("SHANGMI_VECTORS") else {
        say(&format!("{name}: SKIPPED: SHANGMI_VECTORS is not set"));
        return None;
    };
    let path = PathBuf::from(folder).join(name);
    Some(fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

/// [`read`] for text.
///
/// # Panics
/// As [`read`], and when the file is not UTF-8.
pub fn read_text(name: &str) -> Option<String> {
    read(name).map(|bytes| String::from_utf8(bytes).unwrap_or_else(|e| panic!("{name}: {e}")))
}

/// Prints how many cases of a file were tested, and insists on the number.
///
/// # Panics
/// When there were more or fewer than `expected`.
pub fn report(name: &str, tested: usize, expected: usize) {
    say(&format!("{name}: {tested} cases"));
    assert_eq!(tested, expected, "{name}: cases tested, cases expected");
}

/// Prints what of a file is left aside and why, and insists on the number.
///
/// # Panics
/// When there were more or fewer than `expected`.
pub fn report_other(name: &str, what: &str, seen: usize, expected: usize) {
    say(&format!("{name}: {seen} entries left aside: {what}"));
    assert_eq!(seen, expected, "{name}: entries of {what}");
}
