//! File names: as bytes, as they are printed, and as they are compared.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Whether `path` is `-`, which stands for standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name in a message: quoted as for a shell if anything in it could mislead the reader or the terminal.
pub(crate) fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "_-+=./,:@%^~".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into_owned();
    }
    let mut quoted = String::from("'");
    // Whether the part being written is `$'..'`, in which control characters are spelt out.
    let mut spelt = false;
    for c in text.chars() {
        match (c.is_control(), spelt) {
            (true, false) => quoted.push_str("'$'"),
            (false, true) => quoted.push_str("''"),
            _ => {}
        }
        spelt = c.is_control();
        match c {
            '\n' | '\r' | '\t' => quoted.extend(c.escape_default()),
            '\'' => quoted.push_str("'\\''"),
            _ if spelt => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}

/// A path from the bytes of a checksum file.
#[cfg(unix)]
pub(crate) fn from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(bytes).into())
}

/// A path from the bytes of a checksum file, where names are Unicode.
#[cfg(not(unix))]
pub(crate) fn from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes)
        .ok()
        .map(|name| OsString::from(name).into())
}

/// Whether both names lead to one existing file.
pub(crate) fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::shown;

    #[test]
    fn names_in_messages() {
        for (name, expected) in [
            ("plain-1.txt", "plain-1.txt"),
            ("a/b", "a/b"),
            ("-", "-"),
            ("", "''"),
            ("two words", "'two words'"),
            ("it's", r"'it'\''s'"),
            ("a\n\r\tb", r"'a'$'\n\r\t''b'"),
            ("\x1b[2J", r"''$'\u001b''[2J'"),
            ("end\u{9b}", r"'end'$'\u009b'"),
        ] {
            assert_eq!(shown(Path::new(name)), expected);
        }
    }
}
