//! `shangmi hash --check`: files against the digests that a checksum file has for them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use crate::args::HashArgs;
use crate::batch::Batch;
use crate::checkline::{Entry, Parser};
use crate::error::{Error, Status, complain, reason};
use crate::hash::{DIGEST_LEN, Hasher, escaped};
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
    let mut check = Check {
        args,
        hasher,
        batch: Batch::new(),
        count: Count::default(),
    };
    let mut line = Vec::new();
    loop {
        // What is known is to be seen before more of the list is waited for.
        if reader.buffer().is_empty() {
            check.settle()?;
        }
        match read_line(&mut reader, &mut line) {
            Ok(true) => {}
            Ok(false) => break,
            Err(_) => {
                check.settle()?;
                complain(&format!("{shown}: read error"));
                return Ok(false);
            }
        }
        check.count.lines += 1;
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        // Standard input cannot be the list and an entry of it.
        let entry = parser
            .parse(&line)
            .filter(|entry| !(stdin && entry.name == b"-"));
        if let Some(entry) = entry {
            check.entry(entry)?;
        } else {
            check.count.malformed += 1;
            if args.warn {
                check.settle()?;
                complain(&format!(
                    "{shown}: {}: improperly formatted SM3 checksum line",
                    check.count.lines
                ));
            }
        }
    }
    check.settle()?;
    Ok(summarise(&shown, args, &check.count))
}

/// The check of one list.
struct Check<'a> {
    args: &'a HashArgs,
    hasher: &'a mut Hasher,
    /// Entries whose files have been read, but not yet hashed.
    batch: Batch<Entry>,
    count: Count,
}

impl Check<'_> {
    /// Takes up an entry. What is printed comes in the order of the entries.
    fn entry(&mut self, entry: Entry) -> Result<(), Error> {
        self.count.entries += 1;
        let Some(path) = name::from_bytes(entry.name.clone()) else {
            self.settle()?;
            let path = String::from_utf8_lossy(&entry.name).into_owned();
            let error = io::ErrorKind::InvalidFilename.into();
            return self.unreadable(&entry, path.as_ref(), &error);
        };
        let large = match self.batch.add(&path, &entry) {
            Ok(None) if self.batch.is_full() => return self.settle(),
            Ok(None) => return Ok(()),
            other => other,
        };
        self.settle()?;
        match large.and_then(|large| large.map(|l| self.hasher.go_on(&path, l)).transpose()) {
            Ok(found) => found.map_or(Ok(()), |found| self.compare(&entry, found)),
            Err(error) => self.unreadable(&entry, &path, &error),
        }
    }

    /// Comes to a verdict on all entries taken up so far.
    fn settle(&mut self) -> Result<(), Error> {
        let found: Vec<_> = self.batch.finish().collect();
        found
            .iter()
            .try_for_each(|(entry, found)| self.compare(entry, *found))
    }

    fn compare(&mut self, entry: &Entry, found: [u8; DIGEST_LEN]) -> Result<(), Error> {
        let same = found == entry.digest;
        if same {
            self.count.matched += 1;
        } else {
            self.count.different += 1;
        }
        if self.args.quiet && same {
            return Ok(());
        }
        self.print(entry, if same { "OK" } else { "FAILED" })
    }

    fn unreadable(&mut self, entry: &Entry, path: &Path, error: &io::Error) -> Result<(), Error> {
        if self.args.ignore_missing && error.kind() == io::ErrorKind::NotFound {
            return Ok(());
        }
        complain(&format!("{}: {}", name::shown(path), reason(error)));
        self.count.unreadable += 1;
        self.print(entry, "FAILED open or read")
    }

    fn print(&self, entry: &Entry, verdict: &str) -> Result<(), Error> {
        if self.args.status {
            return Ok(());
        }
        print_verdict(&entry.name, verdict).map_err(|error| Error::stdout(&error))
    }
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
