//! A folder of its own for each test, and the program run in it.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;

/// The key of the tests' sealed files.
pub(crate) const KEY: &str = "0123456789abcdeffedcba9876543210";

/// What a program did.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Done {
    fn new(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Checks for success without a word on standard error, and gives standard output.
    #[track_caller]
    pub(crate) fn ok(self) -> Vec<u8> {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""));
        self.stdout
    }

    #[track_caller]
    pub(crate) fn text(self) -> String {
        String::from_utf8(self.ok()).unwrap()
    }

    /// Checks for this exit code, and for one line on standard error, which is given without its end.
    #[track_caller]
    pub(crate) fn refused(self, code: i32) -> String {
        assert_eq!(self.code, code, "{}", self.stderr);
        assert_eq!(self.stdout, b"");
        let message = self.stderr.strip_suffix('\n').unwrap();
        assert!(!message.contains('\n'), "{message}");
        message.strip_prefix("shangmi: ").unwrap().into()
    }
}

/// A folder that goes with the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with [`KEY`] in the file `key`.
    pub(crate) fn with_key() -> Self {
        let folder = Self::new();
        folder.write_key("key", KEY);
        folder
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, data: impl AsRef<[u8]>) {
        fs::write(self.path(name), data).unwrap();
    }

    pub(crate) fn write_key(&self, name: &str, key: &str) {
        self.write(name, key);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o600)).unwrap();
        }
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// The names in the folder, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Runs `shangmi` with nothing on standard input.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Done {
        self.run_with(b"", args)
    }

    /// Runs `shangmi` with a pipe on standard input.
    pub(crate) fn run_with<S: AsRef<OsStr>>(&self, stdin: &[u8], args: &[S]) -> Done {
        self.run_program(env!("CARGO_BIN_EXE_shangmi"), stdin, args)
    }

    /// Runs a line for the shell in which `shangmi` is the program under test.
    #[cfg(unix)]
    pub(crate) fn run_shell(&self, stdin: &[u8], line: &str) -> Done {
        let shangmi = env!("CARGO_BIN_EXE_shangmi");
        let script = format!("shangmi() {{ '{shangmi}' \"$@\"; }}; {line}");
        self.run_program("sh", stdin, &["-c", &script])
    }

    pub(crate) fn run_program<S: AsRef<OsStr>>(
        &self,
        program: &str,
        stdin: &[u8],
        args: &[S],
    ) -> Done {
        let mut child = self.spawn(program, args);
        let mut pipe = child.stdin.take().unwrap();
        let output = thread::scope(|scope| {
            // A program that fails early need not have read everything.
            scope.spawn(move || drop(pipe.write_all(stdin)));
            child.wait_with_output().unwrap()
        });
        Done::new(output)
    }

    /// Starts `shangmi`, whose standard input stays open.
    pub(crate) fn start<S: AsRef<OsStr>>(&self, args: &[S]) -> Running {
        Running(self.spawn(env!("CARGO_BIN_EXE_shangmi"), args))
    }

    fn spawn<S: AsRef<OsStr>>(&self, program: &str, args: &[S]) -> Child {
        Command::new(program)
            .args(args)
            .current_dir(self.0.path())
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

/// A program that waits for input.
pub(crate) struct Running(Child);

impl Running {
    pub(crate) fn write(&mut self, data: &[u8]) {
        self.0.stdin.as_mut().unwrap().write_all(data).unwrap();
    }

    /// Whether it has not ended yet.
    pub(crate) fn runs(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Ends its input and waits for its end.
    pub(crate) fn finish(self) -> Done {
        Done::new(self.0.wait_with_output().unwrap())
    }
}

/// Bytes without a short period: byte i of the first 65536 is ((7 i + 3) xor (i >> 8)) mod 256, and so on from there.
pub(crate) fn pattern(len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| i % 65536)
        .map(|i| ((7 * i + 3) ^ (i >> 8)).to_le_bytes()[0])
        .collect()
}
