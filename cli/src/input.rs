//! What a command reads: a named file or standard input.

use std::fs::File;
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
