//! What a command writes: a file that appears under its name only when it is complete, or standard output.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::error::Error;
use crate::input;
use crate::name;

/// Where the output goes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Stdout,
    File(PathBuf),
}

impl Target {
    /// The target that was asked for with `-o`.
    pub(crate) fn named(path: &Path) -> Self {
        if name::is_dash(path) {
            Self::Stdout
        } else {
            Self::File(path.to_owned())
        }
    }

    /// Refuses an output that would replace one of the files it is made from.
    pub(crate) fn keep_apart(&self, sources: &[&Path]) -> Result<(), Error> {
        if let Self::File(path) = self
            && let Some(source) = sources.iter().find(|source| input::same_file(source, path))
        {
            return Err(Error::Failed(format!(
                "{} would be replaced by the output, which is made from it: choose another name with -o",
                if name::is_dash(source) {
                    format!("{} on standard input", name::shown(path))
                } else {
                    name::shown(source)
                }
            )));
        }
        Ok(())
    }
}

/// Who may read a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Its owner alone.
    Owner,
    /// Whoever the user's umask lets.
    Umask,
}

/// A file being made. Dropped before [`commit`](Self::commit), it vanishes, and the target stays as it was.
#[derive(Debug)]
pub(crate) struct NewFile {
    temporary: NamedTempFile,
    target: PathBuf,
    replace: bool,
}

impl NewFile {
    /// Starts a file that is to be called `target`, in the folder it will stand in.
    ///
    /// Unless `replace`, a target that exists is refused, here and again when it is to appear.
    pub(crate) fn create(target: &Path, access: Access, replace: bool) -> Result<Self, Error> {
        check_target(target, replace)?;
        let temporary = create_temporary(folder(target), access)
            .map_err(|error| Error::io(&name::shown(target), &error))?;
        Ok(Self {
            temporary,
            target: target.to_owned(),
            replace,
        })
    }

    /// Puts everything on the disk, then gives the file its name.
    pub(crate) fn commit(self) -> Result<(), Error> {
        let shown = name::shown(&self.target);
        self.temporary
            .as_file()
            .sync_all()
            .map_err(|error| Error::io(&shown, &error))?;
        let persisted = if self.replace {
            self.temporary.persist(&self.target)
        } else {
            self.temporary.persist_noclobber(&self.target)
        };
        match persisted {
            Ok(_) => sync_folder(&self.target).map_err(|error| Error::io(&shown, &error)),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(already_there(&self.target))
            }
            Err(error) => Err(Error::io(&shown, &error.error)),
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.temporary.as_file_mut().write(data)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.as_file_mut().flush()
    }
}

/// Refuses what stands under the target's name, if it may not be replaced.
fn check_target(target: &Path, replace: bool) -> Result<(), Error> {
    // Not followed: a link would be replaced, not the file it leads to.
    match fs::symlink_metadata(target) {
        Ok(found) if !found.is_file() => Err(Error::Failed(format!(
            "{} is not a regular file: choose another name with -o, or `-o -` for standard output",
            name::shown(target)
        ))),
        Ok(_) if !replace => Err(already_there(target)),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::io(&name::shown(target), &error)),
    }
}

fn already_there(target: &Path) -> Error {
    Error::Failed(format!(
        "{} exists already: choose another name with -o, or replace it with --force",
        name::shown(target)
    ))
}

/// The folder that a file of this name stands in.
fn folder(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if parent != OsStr::new("") => parent,
        _ => Path::new("."),
    }
}

fn create_temporary(folder: &Path, access: Access) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".shangmi-").suffix(".tmp");
    #[cfg(unix)]
    if access == Access::Umask {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // Elsewhere the folder decides who may read.
    #[cfg(not(unix))]
    let _ = access;
    builder.tempfile_in(folder)
}

/// The new name itself must survive a crash too.
#[cfg(unix)]
fn sync_folder(target: &Path) -> io::Result<()> {
    match File::open(folder(target)) {
        Ok(folder) => folder.sync_all(),
        // A folder may be writable and yet not readable; the name is there, only not flushed.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
fn sync_folder(_target: &Path) -> io::Result<()> {
    Ok(())
}

/// Standard output without the buffer of [`io::Stdout`], in which plaintext would stay.
#[cfg(unix)]
pub(crate) fn stdout() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Standard output without the buffer of [`io::Stdout`], in which plaintext would stay.
#[cfg(windows)]
pub(crate) fn stdout() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}

/// Refuses a standard output that was closed when the program started: what is written to it would be lost.
///
/// By now Rust's runtime has put the null device in its place, and opened it for reading too. `> /dev/null` does not.
#[cfg(unix)]
pub(crate) fn refuse_closed_stdout() -> Result<(), Error> {
    use std::io::Read;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let closed = || -> io::Result<bool> {
        let mut out = stdout()?;
        let (found, null) = (out.metadata()?, fs::metadata("/dev/null")?);
        Ok(found.file_type().is_char_device()
            && found.rdev() == null.rdev()
            && matches!(out.read(&mut [0]), Ok(0)))
    };
    if closed().unwrap_or(false) {
        return Err(Error::Failed(
            "standard output is closed, and the output would be lost: name a file with -o".into(),
        ));
    }
    Ok(())
}

/// Does nothing: elsewhere it cannot be told.
#[cfg(not(unix))]
pub(crate) fn refuse_closed_stdout() -> Result<(), Error> {
    Ok(())
}

/// Whether standard output is a terminal, which sealed bytes would only confuse.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}
