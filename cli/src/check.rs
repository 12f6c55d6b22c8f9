//! `shangmi hash --check`: files against the digests that a checksum file has for them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use crate::args::HashArgs;
use crate::checkline::{Entry, Parser};
use crate::error::{Error, Status, complain, reason};
use crate::hash::{Hasher, escaped};
use crate::input::Input;
use crate::name;

/// A longer line cannot be one of a checksum file; it is not kept in memory.
const LINE_MAX: u64 = 64 * 1024;

pub(crate) fn run(
    files: &[PathBuf],
    args: &HashArgs,
    hasher: &mut Hasher,
) -> Result<Status, Error> {
    let mut parser = Parser::default();
    let mut status = Status::Success;
    for file in files {
        if !check_list(file, args, hasher, &mut parser)? {
            status = Status::CheckFailed;
        }
    }
    Ok(status)
}

/// What was found in one checksum file.
#[derive(Debug, Default)]
struct Count {
    lines: u64,
    entries: u64,
    malformed: u64,
    unreadable: u64,
    matched: u64,
    different: u64,
}

/// Checks all that one checksum file names, and says whether all is well.
fn check_list(
    list: &Path,
    args: &HashArgs,
    hasher: &mut Hasher,
    parser: &mut Parser,
) -> Result<bool, Error> {
    let stdin = name::is_dash(list);
    let shown = if stdin {
        "'standard input'".into()
    } else {
        name::shown(list)
    };
    let mut reader = match Input::open(list) {
        Ok(input) => BufReader::new(input.file),
        Err(error) => {
            complain(&format!("{shown}: {}", reason(&error)));
            return Ok(false);
        }
    };
    let mut count = Count::default();
    let mut line = Vec::new();
    loop {
        match read_line(&mut reader, &mut line) {
            Ok(true) => {}
            Ok(false) => break,
            Err(_) => {
                complain(&format!("{shown}: read error"));
                return Ok(false);
            }
        }
        count.lines += 1;
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        // Standard input cannot be the list and an entry of it.
        let entry = parser
            .parse(&line)
            .filter(|entry| !(stdin && entry.name == b"-"));
        if let Some(entry) = entry {
            count.entries += 1;
            check_entry(entry, args, hasher, &mut count)?;
        } else {
            count.malformed += 1;
            if args.warn {
                complain(&format!(
                    "{shown}: {}: improperly formatted SM3 checksum line",
                    count.lines
                ));
            }
        }
    }
    Ok(summarise(&shown, args, &count))
}

/// Hashes the file of an entry and prints how it compares.
fn check_entry(
    entry: Entry,
    args: &HashArgs,
    hasher: &mut Hasher,
    count: &mut Count,
) -> Result<(), Error> {
    let Entry { digest, name } = entry;
    let found = match name::from_bytes(name.clone()) {
        Some(path) => hasher.digest(&path).map_err(|error| (path, error)),
        None => Err((
            String::from_utf8_lossy(&name).into_owned().into(),
            io::ErrorKind::InvalidFilename.into(),
        )),
    };
    let verdict = match found {
        Err((_, error)) if args.ignore_missing && error.kind() == io::ErrorKind::NotFound => {
            return Ok(());
        }
        Err((path, error)) => {
            complain(&format!("{}: {}", name::shown(&path), reason(&error)));
            count.unreadable += 1;
            "FAILED open or read"
        }
        Ok(found) if found == digest => {
            count.matched += 1;
            "OK"
        }
        Ok(_) => {
            count.different += 1;
            "FAILED"
        }
    };
    if args.status || (args.quiet && verdict == "OK") {
        return Ok(());
    }
    print_verdict(&name, verdict).map_err(|error| Error::stdout(&error))
}

fn print_verdict(name: &[u8], verdict: &str) -> io::Result<()> {
    let mut text = Vec::new();
    // As in sha256sum, only a name that would break the line is escaped here.
    if name.contains(&b'\n') {
        text.push(b'\\');
        text.extend_from_slice(&escaped(name).1);
    } else {
        text.extend_from_slice(name);
    }
    text.extend_from_slice(format!(": {verdict}\n").as_bytes());
    let mut out = io::stdout().lock();
    out.write_all(&text)?;
    out.flush()
}

/// Prints the warnings about a checksum file and says whether all is well.
fn summarise(shown: &str, args: &HashArgs, count: &Count) -> bool {
    if count.entries == 0 {
        complain(&format!(
            "{shown}: no properly formatted checksum lines found"
        ));
        return false;
    }
    if !args.status {
        warn(
            count.malformed,
            "line is improperly formatted",
            "lines are improperly formatted",
        );
        warn(
            count.unreadable,
            "listed file could not be read",
            "listed files could not be read",
        );
        warn(
            count.different,
            "computed checksum did NOT match",
            "computed checksums did NOT match",
        );
        if args.ignore_missing && count.matched == 0 {
            complain(&format!("{shown}: no file was verified"));
        }
    }
    count.matched > 0
        && count.different == 0
        && count.unreadable == 0
        && !(args.strict && count.malformed > 0)
}

fn warn(number: u64, one: &str, many: &str) {
    match number {
        0 => {}
        1 => complain(&format!("WARNING: 1 {one}")),
        _ => complain(&format!("WARNING: {number} {many}")),
    }
}

/// Reads the next line without its end (newline, or carriage return and newline). Of a line that is too long, only
/// the beginning is kept, which no parser takes for an entry. False at the end of the file.
fn read_line(reader: &mut BufReader<File>, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    if reader.take(LINE_MAX).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    } else if line.len() as u64 == LINE_MAX {
        reader.skip_until(b'\n')?;
        line.truncate(1);
    }
    Ok(true)
}
