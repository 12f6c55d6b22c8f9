//! Files of `Name = Value` lines in paragraphs, as OpenSSL and Botan write them.

use crate::support::bytes::unhex;

/// One paragraph.
#[derive(Clone, Debug)]
pub struct Stanza {
    /// The last `[heading]` before it; empty without one.
    pub heading: String,
    fields: Vec<(String, String)>,
}

impl Stanza {
    /// The value of a field, or nothing.
    pub fn find(&self, name: &str) -> Option<&str> {
        let mut found = self.fields.iter().filter(|(n, _)| n == name);
        let first = found.next().map(|(_, value)| value.as_str());
        assert!(found.next().is_none(), "more than one {name} in {self:?}");
        first
    }

    /// The value of a field.
    ///
    /// # Panics
    /// When there is none.
    pub fn text(&self, name: &str) -> &str {
        self.find(name)
            .unwrap_or_else(|| panic!("no {name} in {self:?}"))
    }

    /// The hexadecimal or quoted bytes of a field.
    ///
    /// # Panics
    /// When there are none.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let text = self.text(name);
        match text.strip_prefix('"') {
            Some(rest) => rest
                .strip_suffix('"')
                .expect("a closing quote")
                .as_bytes()
                .to_vec(),
            None => unhex(text),
        }
    }

    /// As [`Stanza::bytes`], but empty when the field is missing.
    pub fn bytes_or_empty(&self, name: &str) -> Vec<u8> {
        if self.find(name).is_some() {
            self.bytes(name)
        } else {
            Vec::new()
        }
    }
}

/// The paragraphs of a file that have the field `marker`.
///
/// # Panics
/// When the number of lines with that field is not the number of paragraphs: none is lost.
pub fn stanzas(text: &str, marker: &str) -> Vec<Stanza> {
    let mut all = Vec::new();
    let mut heading = String::new();
    let mut fields = Vec::new();
    let mut markers = 0;
    for line in text.lines().map(str::trim).chain([""]) {
        if line.is_empty() {
            if !fields.is_empty() {
                let stanza = Stanza {
                    heading: heading.clone(),
                    fields: core::mem::take(&mut fields),
                };
                if stanza.find(marker).is_some() {
                    all.push(stanza);
                }
            }
        } else if line.starts_with('#') {
            // A comment.
        } else if let Some(rest) = line.strip_prefix('[') {
            heading = rest
                .strip_suffix(']')
                .expect("a closing bracket")
                .to_owned();
        } else {
            let (name, value) = line
                .split_once('=')
                .unwrap_or_else(|| panic!("no '=' in {line}"));
            let name = name.trim().to_owned();
            markers += usize::from(name == marker);
            fields.push((name, value.trim().to_owned()));
        }
    }
    assert_eq!(all.len(), markers, "paragraphs with {marker}");
    all
}
