//! The key: its file, and `shangmi keygen`.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use zeroize::Zeroizing;

use crate::args::KeygenArgs;
use crate::error::{Error, Status};
use crate::hex;
use crate::input::{self, Input};
use crate::name;
use crate::output::{self, Access, NewFile, Target};

/// Bytes of an SM4 key.
pub(crate) const KEY_LEN: usize = 16;

/// A key's digits and the end of the line.
const LINE_LEN: usize = 2 * KEY_LEN + 1;

/// Room for a key line with blanks and line ends around it.
const FILE_MAX: usize = 128;

/// A key that is wiped when it goes.
pub(crate) type Key = Zeroizing<[u8; KEY_LEN]>;

/// `shangmi keygen`
pub(crate) fn generate(args: &KeygenArgs) -> Result<Status, Error> {
    let target = args.output.as_deref().map_or(Target::Stdout, Target::named);
    if target == Target::Stdout {
        output::refuse_closed_stdout()?;
    }
    let mut key = Key::default();
    getrandom::fill(&mut key[..]).map_err(|error| {
        Error::Failed(format!(
            "the system's random number generator failed: {error}"
        ))
    })?;
    let mut line = Zeroizing::new([b'\n'; LINE_LEN]);
    hex::encode(&key[..], &mut line[..2 * KEY_LEN]);
    match target {
        Target::Stdout => output::stdout()
            .and_then(|mut out| out.write_all(&line[..]))
            .map_err(|error| Error::stdout(&error))?,
        Target::File(path) => {
            let mut file = NewFile::create(&path, Access::Owner, args.force)?;
            file.write_all(&line[..])
                .map_err(|error| Error::io(&name::shown(&path), &error))?;
            file.commit()?;
        }
    }
    Ok(Status::Success)
}

/// Reads the key from its file.
pub(crate) fn read(path: &Path) -> Result<Key, Error> {
    let input = Input::open(path).map_err(|error| input::failed(path, &error))?;
    warn_if_public(path, &input.file);
    let mut text = Zeroizing::new([0; FILE_MAX]);
    let mut len = 0;
    let mut file = input.file;
    // One byte of room stays empty in every file that is short enough.
    while len < FILE_MAX {
        match file.read(&mut text[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(input::failed(path, &error)),
        }
    }
    let mut key = Key::default();
    if len == FILE_MAX || !hex::decode(text[..len].trim_ascii(), &mut key[..]) {
        return Err(Error::Failed(format!(
            "{}: not a key: one line of {} hexadecimal digits is wanted, as `shangmi keygen` writes it",
            input::shown(path),
            2 * KEY_LEN
        )));
    }
    Ok(key)
}

#[cfg(unix)]
fn warn_if_public(path: &Path, file: &File) {
    use std::os::unix::fs::PermissionsExt;
    if let Ok(metadata) = file.metadata()
        && metadata.is_file()
        && metadata.permissions().mode() & 0o077 != 0
    {
        crate::error::complain(&format!(
            "warning: others than its owner can use the key file {}; `chmod 600` it",
            name::shown(path)
        ));
    }
}

#[cfg(not(unix))]
fn warn_if_public(_path: &Path, _file: &File) {}
