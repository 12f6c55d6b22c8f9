//! A mode with associated data as the tests see it: its types, its model, and what a case asks of both.

use super::aead::{DynAead, Leftover, Message, agrees, refuses};
use super::run::Layout;
use super::subjects::{ALL, Who, ccm, gcm, peer};
use crate::model;

/// A message, what it becomes, and under which key.
#[derive(Clone, Debug)]
pub struct Case {
    /// The key.
    pub key: [u8; 16],
    /// The nonce.
    pub nonce: Vec<u8>,
    /// The associated data.
    pub aad: Vec<u8>,
    /// The plaintext.
    pub plaintext: Vec<u8>,
    /// The ciphertext without the tag.
    pub ciphertext: Vec<u8>,
    /// The tag.
    pub tag: Vec<u8>,
}

impl Case {
    /// All but the key.
    pub fn message(&self) -> Message<'_> {
        Message {
            nonce: &self.nonce,
            aad: &self.aad,
            plaintext: &self.plaintext,
            ciphertext: &self.ciphertext,
            tag: &self.tag,
        }
    }
}

/// A mode's type under a key, by who implements it and by the sizes of nonce and tag.
type Make = fn(Who, &[u8; 16], usize, usize) -> Option<Box<dyn DynAead>>;

/// Ciphertext and tag of nonce, associated data and plaintext, by a model over a peer's SM4; the tag's size comes last.
type Seal = fn(&rc_sm4::Sm4, &[u8], &[u8], &[u8], usize) -> (Vec<u8>, Vec<u8>);

/// One of the modes.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// Its types.
    pub make: Make,
    /// Its model.
    pub seal: Seal,
    /// What a failed check leaves.
    pub leftover: Leftover,
}

/// GCM.
pub const GCM: Mode = Mode {
    make: gcm,
    seal: model::gcm::seal,
    leftover: Leftover::AsItWas,
};

/// CCM.
pub const CCM: Mode = Mode {
    make: ccm,
    seal: model::ccm::seal,
    leftover: Leftover::Zeros,
};

impl Mode {
    /// What the model makes of a message.
    pub fn case(
        &self,
        key: &[u8; 16],
        nonce: &[u8],
        aad: &[u8],
        plaintext: &[u8],
        tag_len: usize,
    ) -> Case {
        let (ciphertext, tag) = (self.seal)(&peer(key), nonce, aad, plaintext, tag_len);
        Case {
            key: *key,
            nonce: nonce.to_vec(),
            aad: aad.to_vec(),
            plaintext: plaintext.to_vec(),
            ciphertext,
            tag,
        }
    }

    /// The type that has the sizes of a case, under its key.
    ///
    /// # Panics
    /// When there is none.
    pub fn subject(&self, who: Who, case: &Case) -> Box<dyn DynAead> {
        let (nonce, tag) = (case.nonce.len(), case.tag.len());
        (self.make)(who, &case.key, nonce, tag)
            .unwrap_or_else(|| panic!("no type for a nonce of {nonce} and a tag of {tag}"))
    }

    /// A message by every implementation; a changed tag by none.
    ///
    /// # Panics
    /// When one differs.
    pub fn check(&self, case: &Case) {
        let m = case.message();
        let len = m.plaintext.len();
        for who in ALL {
            let aead = self.subject(who, case);
            for at in [
                Layout::InPlace(len % 16),
                Layout::BufToBuf(len % 16, (len + 7) % 16),
            ] {
                agrees(&*aead, &m, at);
                let mut tag = m.tag.to_vec();
                tag[len % m.tag.len()] ^= 1 << (len % 8);
                refuses(&*aead, &Message { tag: &tag, ..m }, at, self.leftover);
            }
        }
    }

    /// A message by one of the implementations, in each layout.
    ///
    /// # Panics
    /// When it differs.
    pub fn agrees(&self, who: Who, case: &Case, layouts: &[Layout]) {
        let aead = self.subject(who, case);
        for &at in layouts {
            agrees(&*aead, &case.message(), at);
        }
    }

    /// A message that one of the implementations refuses, in each layout.
    ///
    /// # Panics
    /// When it does not.
    pub fn refuses(&self, who: Who, case: &Case, layouts: &[Layout]) {
        let aead = self.subject(who, case);
        for &at in layouts {
            refuses(&*aead, &case.message(), at, self.leftover);
        }
    }
}
