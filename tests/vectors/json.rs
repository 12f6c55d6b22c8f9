//! JSON with the checks that a test wants: a missing or odd field is a failure.

use serde_json::Value;

use crate::support::bytes::{unhex, unhex_array};

/// Parses a document.
///
/// # Panics
/// When it is not JSON.
pub fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// A field with text.
///
/// # Panics
/// When there is none.
pub fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field]
        .as_str()
        .unwrap_or_else(|| panic!("no text {field} in {value}"))
}

/// A field with hexadecimal bytes.
///
/// # Panics
/// When there is none.
pub fn bytes(value: &Value, field: &str) -> Vec<u8> {
    unhex(text(value, field))
}

/// A field with `N` hexadecimal bytes.
///
/// # Panics
/// When there is none, or of another size.
pub fn array<const N: usize>(value: &Value, field: &str) -> [u8; N] {
    unhex_array(text(value, field))
}

/// A field with a number.
///
/// # Panics
/// When there is none.
pub fn number(value: &Value, field: &str) -> usize {
    let number = value[field]
        .as_u64()
        .unwrap_or_else(|| panic!("no number {field} in {value}"));
    number.try_into().expect("fits")
}

/// A field with a list.
///
/// # Panics
/// When there is none.
pub fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field]
        .as_array()
        .unwrap_or_else(|| panic!("no list {field} in {value}"))
}

/// The tests of all groups of a file in Wycheproof's form.
///
/// # Panics
/// When the file's own count does not agree, or a result is neither valid nor invalid.
pub fn wycheproof(document: &Value) -> Vec<Case<'_>> {
    let tests: Vec<_> = (list(document, "testGroups").iter())
        .flat_map(|group| list(group, "tests"))
        .map(|test| {
            let valid = match text(test, "result") {
                "valid" => true,
                "invalid" => false,
                other => panic!("result {other}"),
            };
            Case { test, valid }
        })
        .collect();
    assert_eq!(tests.len(), number(document, "numberOfTests"));
    tests
}

/// One test in Wycheproof's form.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The test itself.
    pub test: &'a Value,
    /// Whether an implementation must accept it; otherwise it must refuse it.
    pub valid: bool,
}
