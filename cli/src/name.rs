//! File names: as bytes, as they are printed, and as they are compared.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Whether `path` is `-`, which stands for standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name in a message: quoted as for a shell if anything in it could mislead the reader or the terminal. The form is
/// that of GNU programs in a UTF-8 locale, which do not spell out the marks that reorder text.
pub(crate) fn shown(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    if let Ok(text) = str::from_utf8(bytes) {
        if is_plain(text) {
            return text.to_owned();
        }
        if text.contains('\'') && text.chars().all(|c| c == '\'' || is_plain_in_quotes(c)) {
            return format!("\"{text}\"");
        }
    }
    let mut quoted = Quoted {
        text: String::from("'"),
        spelt: false,
    };
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_hidden(c) {
                quoted.spell(c.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                quoted.push(c);
            }
        }
        quoted.spell(chunk.invalid());
    }
    quoted.text.push('\'');
    quoted.text
}

/// Whether a shell would take the text as it stands for a name.
fn is_plain(text: &str) -> bool {
    // These mean something to a shell in one place only.
    let special = text.starts_with(['#', '~']) || matches!(text, "" | "{" | "}");
    let plain = |c| (is_plain_in_quotes(c) && !matches!(c, ' ' | ':')) || "#{}~".contains(c);
    !special && text.chars().all(plain)
}

/// Whether the character stands for itself in double quotes, and could be nothing else outside them but a separator.
fn is_plain_in_quotes(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric() || " %+,-./:@]_".contains(c)
    } else {
        !is_hidden(c)
    }
}

/// Whether the character cannot be seen, and changes how others are: a control character, a separator of lines, or
/// one of the marks of the Unicode Bidirectional Algorithm.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// A name in single quotes.
struct Quoted {
    text: String,
    /// Whether the part being written is `$'..'`, in which bytes are spelt out.
    spelt: bool,
}

impl Quoted {
    fn push(&mut self, c: char) {
        if c == '\'' {
            self.text.push_str(r"'\''");
        } else {
            if self.spelt {
                self.text.push_str("''");
            }
            self.text.push(c);
        }
        self.spelt = false;
    }

    fn spell(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if !self.spelt {
                self.text.push_str("'$'");
                self.spelt = true;
            }
            match byte {
                b'\x07' => self.text.push_str(r"\a"),
                b'\x08' => self.text.push_str(r"\b"),
                b'\t' => self.text.push_str(r"\t"),
                b'\n' => self.text.push_str(r"\n"),
                b'\x0b' => self.text.push_str(r"\v"),
                b'\x0c' => self.text.push_str(r"\f"),
                b'\r' => self.text.push_str(r"\r"),
                _ => self.text.push_str(&format!("\\{byte:03o}")),
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::shown;

    /// As `sha256sum` of GNU coreutils 9.1 shows them in the locale C.UTF-8.
    #[test]
    fn names_in_messages() {
        for (name, expected) in [
            ("plain-1.txt", "plain-1.txt"),
            ("a/b,+%@]_", "a/b,+%@]_"),
            ("-", "-"),
            ("", "''"),
            ("two words", "'two words'"),
            ("a:b", "'a:b'"),
            ("a=b", "'a=b'"),
            ("~a", "'~a'"),
            ("a~#{}", "a~#{}"),
            ("{", "'{'"),
            ("a\\b", r"'a\b'"),
            ("it's", "\"it's\""),
            ("it's \"q\"", r#"'it'\''s "q"'"#),
            ("it's?", r"'it'\''s?'"),
            ("a\n\r\tb", r"'a'$'\n\r\t''b'"),
            ("\n'", r"''$'\n'\'''"),
            ("\x07\x08\x0b\x0c", r"''$'\a\b\v\f'"),
            ("\x1b[2J", r"''$'\033''[2J'"),
            ("\x7f1", r"''$'\177''1'"),
            ("end\u{9b}", r"'end'$'\302\233'"),
            ("\u{2028}", r"''$'\342\200\250'"),
            ("\u{e9}\u{65e5}e\u{301}", "\u{e9}\u{65e5}e\u{301}"),
        ] {
            assert_eq!(shown(Path::new(name)), expected);
        }
    }

    #[test]
    fn marks_that_reorder_text_are_spelt_out() {
        for (name, expected) in [
            ("a\u{202e}txt.exe", r"'a'$'\342\200\256''txt.exe'"),
            ("\u{61c}", r"''$'\330\234'"),
            ("\u{200e}\u{200f}", r"''$'\342\200\216\342\200\217'"),
            ("\u{2066}\u{2069}", r"''$'\342\201\246\342\201\251'"),
        ] {
            assert_eq!(shown(Path::new(name)), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_unicode() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;

        for (name, expected) in [
            (&b"\xff"[..], r"''$'\377'"),
            (b"a\xff\xfe1", r"'a'$'\377\376''1'"),
            (b"\x1b\xff\n", r"''$'\033\377\n'"),
            (b"it's\xe2\x80", r"'it'\''s'$'\342\200'"),
        ] {
            assert_eq!(shown(Path::new(OsStr::from_bytes(name))), expected);
        }
    }
}
