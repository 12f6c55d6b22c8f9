//! One line of a checksum file.

use crate::hash::DIGEST_LEN;

const HEX_LEN: usize = 2 * DIGEST_LEN;

/// The digest that a file should have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) digest: [u8; DIGEST_LEN],
    pub(crate) name: Vec<u8>,
}

/// Reads lines of checksum files, and remembers of which kind they are.
///
/// Besides `digest  name` and `digest *name` there are lines with one space only. There a second space or an asterisk
/// belongs to the name, so the two kinds must not be mixed: the first line decides.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    one_space: Option<bool>,
}

impl Parser {
    /// The entry in a line without its end; `None` if the line is malformed.
    pub(crate) fn parse(&mut self, line: &[u8]) -> Option<Entry> {
        let line = trim_blanks(line);
        let (escaped, line) = match line.strip_prefix(b"\\") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (digest, name) = match line.strip_prefix(b"SM3") {
            Some(rest) => tagged(rest)?,
            None => self.plain(line)?,
        };
        let name = if escaped {
            unescape(name)?
        } else {
            name.to_vec()
        };
        // No system has such a name, and none that it could be cut to was meant.
        if name.is_empty() || name.contains(&0) {
            return None;
        }
        Some(Entry { digest, name })
    }

    /// `digest  name`
    fn plain<'a>(&mut self, line: &'a [u8]) -> Option<([u8; DIGEST_LEN], &'a [u8])> {
        let (hex, rest) = line.split_at_checked(HEX_LEN)?;
        let digest = digest(hex)?;
        let [b' ' | b'\t', rest @ ..] = rest else {
            return None;
        };
        match rest {
            [b' ' | b'*', name @ ..] if !name.is_empty() && self.one_space != Some(true) => {
                self.one_space = Some(false);
                Some((digest, name))
            }
            [] => None,
            _ if self.one_space == Some(false) => None,
            name => {
                self.one_space = Some(true);
                Some((digest, name))
            }
        }
    }
}

/// ` (name) = digest`, after the name of the algorithm.
fn tagged(rest: &[u8]) -> Option<([u8; DIGEST_LEN], &[u8])> {
    let rest = rest.strip_prefix(b" ").unwrap_or(rest);
    let rest = rest.strip_prefix(b"(")?;
    let end = rest.iter().rposition(|&byte| byte == b')')?;
    let hex = trim_blanks(&rest[end + 1..]).strip_prefix(b"=")?;
    Some((digest(trim_blanks(hex))?, &rest[..end]))
}

fn digest(hex: &[u8]) -> Option<[u8; DIGEST_LEN]> {
    let mut digest = [0; DIGEST_LEN];
    crate::hex::decode(hex, &mut digest).then_some(digest)
}

fn trim_blanks(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] = text {
        text = rest;
    }
    text
}

fn unescape(name: &[u8]) -> Option<Vec<u8>> {
    let mut result = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(&byte) = bytes.next() {
        result.push(match byte {
            b'\\' => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            _ => byte,
        });
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::{DIGEST_LEN, HEX_LEN, Parser};

    fn hex() -> String {
        "5a".repeat(HEX_LEN / 2)
    }

    fn name_in(line: &str) -> Option<Vec<u8>> {
        let entry = Parser::default().parse(line.as_bytes())?;
        assert_eq!(entry.digest, [0x5a; DIGEST_LEN]);
        Some(entry.name)
    }

    #[test]
    fn good_lines() {
        let hex = hex();
        let upper = hex.to_uppercase();
        for (line, name) in [
            (format!("{hex}  a b"), "a b"),
            (format!("{upper}  a"), "a"),
            (format!("{hex} *a"), "a"),
            (format!("{hex}\t a"), "a"),
            (format!(" \t{hex}  a"), "a"),
            (format!("{hex}   a"), " a"),
            (format!("{hex} a"), "a"),
            (format!("{hex} *"), "*"),
            (format!("{hex}  a\\n"), "a\\n"),
            (format!("\\{hex}  a\\nb\\\\c\\rd"), "a\nb\\c\rd"),
            (format!("SM3 (a) = {hex}"), "a"),
            (format!("SM3(a)= {hex}"), "a"),
            (format!("SM3 (a) (b)) = {hex}"), "a) (b)"),
            (format!("\\SM3 (a\\nb) = {hex}"), "a\nb"),
        ] {
            assert_eq!(name_in(&line).as_deref(), Some(name.as_bytes()), "{line:?}");
        }
    }

    #[test]
    fn bad_lines() {
        let hex = hex();
        for line in [
            String::new(),
            "no digest".into(),
            hex.clone(),
            format!("{hex} "),
            format!("{hex}a"),
            format!("{hex}0  a"),
            format!("{}  a", &hex[1..]),
            format!("g{}  a", &hex[1..]),
            format!("\\{hex}  a\\x"),
            format!("\\{hex}  a\\"),
            format!("{hex}  a\0b"),
            format!("SM3 a = {hex}"),
            format!("SM3 (a = {hex}"),
            format!("SM3 (a) {hex}"),
            format!("SM3 () = {hex}"),
            format!("SM3 (a) = {hex}0"),
            format!("SM3 (a) = {hex} "),
            format!("SHA256 (a) = {hex}"),
        ] {
            assert_eq!(name_in(&line), None, "{line:?}");
        }
    }

    #[test]
    fn the_first_line_says_what_a_second_space_is() {
        let hex = hex();
        let one = format!("{hex} a");
        let two = format!("{hex}  a");
        let name = |parser: &mut Parser, line: &str| parser.parse(line.as_bytes()).map(|e| e.name);

        let mut parser = Parser::default();
        assert_eq!(name(&mut parser, &one).as_deref(), Some(&b"a"[..]));
        assert_eq!(name(&mut parser, &two).as_deref(), Some(&b" a"[..]));

        let mut parser = Parser::default();
        assert_eq!(name(&mut parser, &two).as_deref(), Some(&b"a"[..]));
        assert_eq!(name(&mut parser, &one), None);
    }
}
