//! `shangmi hash`: digests of files, in the formats of `sha256sum`.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sm3::{Digest, Sm3};

use crate::args::HashArgs;
use crate::batch::{Batch, Large};
use crate::check;
use crate::error::{Error, Status, complain, reason};
use crate::name;
use crate::progress::Progress;

/// Bytes of an SM3 digest.
pub(crate) const DIGEST_LEN: usize = 32;

const READ_LEN: usize = 128 * 1024;

pub(crate) fn run(args: &HashArgs) -> Result<Status, Error> {
    let stdin = [PathBuf::from("-")];
    let files = if args.files.is_empty() {
        &stdin[..]
    } else {
        &args.files[..]
    };
    let mut hasher = Hasher::new(!args.no_progress);
    if args.check {
        return check::run(files, args, &mut hasher);
    }
    let mut status = Status::Success;
    let mut batch = Batch::new();
    for file in files {
        let large = match batch.add(file, &&**file) {
            Ok(None) if batch.is_full() => {
                print(batch.finish(), args)?;
                continue;
            }
            Ok(None) => continue,
            other => other,
        };
        // What comes before this file is to be seen before it is read.
        print(batch.finish(), args)?;
        let digest =
            large.and_then(|large| large.map(|large| hasher.go_on(file, large)).transpose());
        match digest {
            Ok(digest) => print(digest.map(|digest| (&**file, digest)), args)?,
            Err(error) => {
                complain(&format!("{}: {}", name::shown(file), reason(&error)));
                status = Status::CheckFailed;
            }
        }
    }
    print(batch.finish(), args)?;
    Ok(status)
}

/// Prints the lines of files.
fn print<'a>(
    files: impl IntoIterator<Item = (&'a Path, [u8; DIGEST_LEN])>,
    args: &HashArgs,
) -> Result<(), Error> {
    let lines: Vec<_> = files
        .into_iter()
        .flat_map(|(file, digest)| line(file, &digest, args))
        .collect();
    let mut out = io::stdout().lock();
    out.write_all(&lines)
        .and_then(|()| out.flush())
        .map_err(|error| Error::stdout(&error))
}

/// Hashes one file after the other through one buffer.
pub(crate) struct Hasher {
    buffer: Vec<u8>,
    progress: bool,
}

impl Hasher {
    fn new(progress: bool) -> Self {
        Self {
            buffer: vec![0; READ_LEN],
            progress,
        }
    }

    /// The SM3 digest of a file that is no longer at its beginning.
    pub(crate) fn go_on(&mut self, path: &Path, large: Large) -> io::Result<[u8; DIGEST_LEN]> {
        let Large { begin, mut rest } = large;
        let mut progress = Progress::new(self.progress, &name::shown(path), rest.size);
        let mut sm3 = Sm3::new_with_prefix(&begin);
        progress.add(begin.len());
        loop {
            match rest.file.read(&mut self.buffer) {
                Ok(0) => return Ok(sm3.finalize().into()),
                Ok(read) => {
                    sm3.update(&self.buffer[..read]);
                    progress.add(read);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// The line that says `file` has `digest`, with its end.
fn line(file: &Path, digest: &[u8; DIGEST_LEN], args: &HashArgs) -> Vec<u8> {
    let raw = file.as_os_str().as_encoded_bytes();
    let (escape, name) = if args.zero {
        (false, raw.to_vec())
    } else {
        escaped(raw)
    };
    let mut hex = [0; 2 * DIGEST_LEN];
    crate::hex::encode(digest, &mut hex);
    let mark = if args.binary { b" *" } else { b"  " };
    let parts: [&[u8]; 4] = if args.tag {
        [b"SM3 (", &name, b") = ", &hex]
    } else {
        [&hex, mark, &name, b""]
    };
    let mut line = Vec::new();
    if escape {
        line.push(b'\\');
    }
    line.extend_from_slice(&parts.concat());
    line.push(if args.zero { 0 } else { b'\n' });
    line
}

/// The name with backslash, newline and carriage return written as `\\`, `\n`, `\r`, and whether it had any.
pub(crate) fn escaped(name: &[u8]) -> (bool, Vec<u8>) {
    let mut result = Vec::with_capacity(name.len());
    for &byte in name {
        match byte {
            b'\\' => result.extend_from_slice(b"\\\\"),
            b'\n' => result.extend_from_slice(b"\\n"),
            b'\r' => result.extend_from_slice(b"\\r"),
            _ => result.push(byte),
        }
    }
    (result.len() != name.len(), result)
}
