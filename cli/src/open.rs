//! `shangmi open`

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use aead_stream::DecryptorBE32;
use sm4_gcm::Sm4Gcm;
use zeroize::Zeroizing;

use crate::args::OpenArgs;
use crate::container::{HEADER_LEN, Header, HeaderError, TAG_LEN};
use crate::error::{Error, Status};
use crate::input::{self, Input};
use crate::key::{self, Key};
use crate::name;
use crate::output::{self, Access, NewFile, Target};
use crate::progress::Progress;
use crate::seal::SUFFIX;
use crate::segments::Segments;

const COPY_LEN: usize = 64 * 1024;

pub(crate) fn run(args: &OpenArgs) -> Result<Status, Error> {
    let target = target(args)?;
    input::keep_apart(&args.common.key, &args.input)?;
    target.keep_apart(&[&args.input, &args.common.key])?;
    let key = key::read(&args.common.key)?;
    let source = Input::open(&args.input).map_err(|error| input::failed(&args.input, &error))?;
    let mut progress = Progress::new(
        !args.common.no_progress,
        &input::shown(&args.input),
        source.size,
    );
    let explain = |failure, shown: &str| match failure {
        Failure::Read(error) => input::failed(&args.input, &error),
        Failure::Write(error) => Error::io(shown, &error),
        Failure::Header(error) => refused_header(&args.input, error),
        Failure::NotVerified => not_verified(&args.input),
    };
    match target {
        Target::Stdout => {
            let folder = std::env::temp_dir();
            let shown = format!("temporary file in {}", name::shown(&folder));
            let mut spool =
                tempfile::tempfile_in(&folder).map_err(|error| Error::io(&shown, &error))?;
            open(&key, source.file, &mut spool, &mut progress)
                .map_err(|failure| explain(failure, &shown))?;
            drop(progress);
            spool.rewind().map_err(|error| Error::io(&shown, &error))?;
            copy_to_stdout(spool, &shown)?;
        }
        Target::File(path) => {
            let mut out = NewFile::create(&path, Access::Owner, args.common.force)?;
            open(&key, source.file, &mut out, &mut progress)
                .map_err(|failure| explain(failure, &name::shown(&path)))?;
            out.commit()?;
        }
    }
    Ok(Status::Success)
}

fn target(args: &OpenArgs) -> Result<Target, Error> {
    if let Some(path) = &args.output {
        return Ok(Target::named(path));
    }
    if name::is_dash(&args.input) {
        return Ok(Target::Stdout);
    }
    if args
        .input
        .extension()
        .is_some_and(|extension| extension == &SUFFIX[1..])
    {
        return Ok(Target::File(args.input.with_extension("")));
    }
    // Such a file has no extension.
    let why = if args.input.file_name().is_some_and(|name| name == SUFFIX) {
        format!("would have no name left without {SUFFIX}")
    } else {
        format!("does not end in {SUFFIX}")
    };
    Err(Error::Failed(format!(
        "{} {why}: say with -o where to write",
        name::shown(&args.input)
    )))
}

fn refused_header(path: &Path, error: HeaderError) -> Error {
    let shown = input::shown(path);
    match error {
        HeaderError::Magic => Error::Refused(format!("{shown}: not a file that shangmi sealed")),
        HeaderError::Unknown => Error::Refused(format!(
            "{shown}: sealed in a format that this version of shangmi does not know, or damaged"
        )),
        HeaderError::SegmentSize => not_verified(path),
    }
}

/// One message for all: which byte was wrong, and how, is nobody's business who does not have the key.
fn not_verified(path: &Path) -> Error {
    Error::Refused(format!(
        "{}: did not verify: this is not the key it was sealed with, or it was cut short, damaged or changed; \
         nothing was written",
        input::shown(path)
    ))
}

/// Why a stream could not be opened.
#[derive(Debug)]
enum Failure {
    Read(io::Error),
    Write(io::Error),
    Header(HeaderError),
    NotVerified,
}

/// Writes the plaintext of a sealed stream. Only after success may anybody be shown what was written.
fn open(
    key: &Key,
    mut from: impl Read,
    mut to: impl Write,
    progress: &mut Progress,
) -> Result<(), Failure> {
    let associated = read_header(&mut from)?;
    let header = Header::decode(&associated).map_err(Failure::Header)?;
    progress.add(HEADER_LEN);
    let file_key = header.file_key(key);
    let mut decryptor = DecryptorBE32::<Sm4Gcm>::new((&*file_key).into(), header.prefix().into());
    let mut segments = Segments::new(from, header.segment_size.bytes() + TAG_LEN);
    let mut buffer = segments.buffer(0);
    let mut first = true;
    loop {
        let last = segments.next(&mut buffer).map_err(Failure::Read)?;
        progress.add(buffer.len());
        // Each plaintext has one sealed form only: a last segment without any belongs to the empty one.
        if buffer.len() <= TAG_LEN && !first {
            return Err(Failure::NotVerified);
        }
        first = false;
        if last {
            decryptor
                .decrypt_last_in_place(&associated, &mut *buffer)
                .map_err(|_| Failure::NotVerified)?;
            return to.write_all(&buffer).map_err(Failure::Write);
        }
        decryptor
            .decrypt_next_in_place(&associated, &mut *buffer)
            .map_err(|_| Failure::NotVerified)?;
        to.write_all(&buffer).map_err(Failure::Write)?;
    }
}

fn read_header(from: &mut impl Read) -> Result<[u8; HEADER_LEN], Failure> {
    let mut bytes = [0; HEADER_LEN];
    match from.read_exact(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Err(Failure::Header(HeaderError::Magic))
        }
        Err(error) => Err(Failure::Read(error)),
    }
}

fn copy_to_stdout(mut from: File, shown: &str) -> Result<(), Error> {
    let mut to = output::stdout().map_err(|error| Error::stdout(&error))?;
    let mut buffer = Zeroizing::new(vec![0; COPY_LEN]);
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => to
                .write_all(&buffer[..read])
                .map_err(|error| Error::stdout(&error))?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::io(shown, &error)),
        }
    }
}
