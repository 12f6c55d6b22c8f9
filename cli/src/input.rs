//! What a command reads: a named file or standard input.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use crate::error::Error;
use crate::name;

/// An open file. It has no buffer of its own in which plaintext could stay.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) file: File,
    /// The size in bytes, if the file has one before it is read.
    pub(crate) size: Option<u64>,
}

impl Input {
    /// Opens the file, or standard input for `-`.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = if name::is_dash(path) {
            stdin()?
        } else {
            File::open(path)?
        };
        let metadata = file.metadata()?;
        let size = metadata.is_file().then_some(metadata.len());
        Ok(Self { file, size })
    }
}

/// Refuses one stream as both the key and the data: reading the key would leave nothing, or not all, of the data.
pub(crate) fn keep_apart(key: &Path, data: &Path) -> Result<(), Error> {
    // A regular file can be read twice, if it is opened twice.
    let stream = || metadata(key).is_ok_and(|metadata| !metadata.is_file());
    if (name::is_dash(key) && name::is_dash(data)) || (same_file(key, data) && stream()) {
        return Err(Error::Failed(format!(
            "{} cannot be both the key and the data: name a file for one of them",
            shown(data)
        )));
    }
    Ok(())
}

/// Whether both names lead to one existing file; `-` is what standard input reads.
#[cfg(unix)]
pub(crate) fn same_file(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path| metadata(path).map(|metadata| (metadata.dev(), metadata.ino()));
    matches!((identity(a), identity(b)), (Ok(a), Ok(b)) if a == b)
}

/// Whether both names lead to one existing file. What standard input reads is not known here.
#[cfg(not(unix))]
pub(crate) fn same_file(a: &Path, b: &Path) -> bool {
    let known = |path| !name::is_dash(path);
    known(a) && known(b) && matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn metadata(path: &Path) -> io::Result<Metadata> {
    if name::is_dash(path) {
        stdin()?.metadata()
    } else {
        fs::metadata(path)
    }
}

/// The name of an input in a message.
pub(crate) fn shown(path: &Path) -> String {
    if name::is_dash(path) {
        "standard input".into()
    } else {
        name::shown(path)
    }
}

/// The error of an input that cannot be opened or read.
pub(crate) fn failed(path: &Path, error: &io::Error) -> Error {
    Error::io(&shown(path), error)
}

#[cfg(unix)]
fn stdin() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn stdin() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
}
