//! What a job works on.

use crate::rows::Row;
use std::rc::Rc;

/// The key of every SM4 row, and of the blocks in XTS.
pub const KEY: [u8; 16] = *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10";
/// The key of the tweaks in XTS.
pub const TWEAK_KEY: [u8; 16] =
    *b"\xc4\x60\x9e\x0a\x2d\xf3\x4b\x87\x5f\x1b\xe6\x72\xa0\x38\xd9\x14";
/// The initialization vector, the first counter block, the tweak.
pub const IV: [u8; 16] = *b"\x5a\x27\x91\xc3\x0e\x74\xb8\x6d\x22\xf5\x4c\x98\x13\xea\x07\x6b";
/// The nonce of GCM and CCM.
pub const NONCE: [u8; 12] = *b"\x5a\x27\x91\xc3\x0e\x74\xb8\x6d\x22\xf5\x4c\x98";
/// The associated data: 13 bytes, as in a record of TLS 1.2.
pub const ASSOCIATED: [u8; 13] = *b"\0\0\0\0\0\0\0\x07\x17\x03\x03\x05\x8c";
/// Bytes of a tag.
pub const TAG: usize = 16;

/// A row at a size, and what its jobs read.
#[derive(Debug)]
pub struct Case {
    /// The row.
    pub row: &'static Row,
    /// The size.
    pub size: usize,
    /// The message: bytes without a pattern, as many as the row processes.
    pub message: Vec<u8>,
    /// For opening: the ciphertext, and the tag after it.
    pub sealed: Vec<u8>,
}

impl Case {
    /// The case of a row at a size. `seal` makes what an opening row opens.
    #[must_use]
    pub fn new(row: &'static Row, size: usize, seal: impl Fn(&[u8]) -> Vec<u8>) -> Rc<Self> {
        let message = noise(row.bytes(size));
        let sealed = seal(&message);
        Rc::new(Self {
            row,
            size,
            message,
            sealed,
        })
    }

    /// The ciphertext of [`Self::sealed`].
    #[must_use]
    pub fn ciphertext(&self) -> &[u8] {
        &self.sealed[..self.sealed.len() - TAG]
    }

    /// The tag of [`Self::sealed`].
    #[must_use]
    pub fn tag(&self) -> [u8; TAG] {
        *self
            .sealed
            .last_chunk()
            .expect("a sealed message ends with a tag")
    }
}

/// What a job writes: the message that it works on in place, and its other output.
#[derive(Debug)]
pub struct Buf {
    /// The message at first.
    pub data: Vec<u8>,
    /// Digests and tags.
    pub out: Vec<u8>,
}

impl Buf {
    /// The buffer of a case, before the first run.
    #[must_use]
    pub fn new(case: &Case) -> Self {
        Self {
            data: case.message.clone(),
            out: Vec::with_capacity(32 * crate::rows::MESSAGES),
        }
    }

    /// Takes a digest or a tag as the whole of the other output.
    pub fn put(&mut self, bytes: &[u8]) {
        self.out.clear();
        self.out.extend_from_slice(bytes);
    }
}

/// Bytes without a pattern, the same ones in every run.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut bytes = Vec::with_capacity(len + 7);
    while bytes.len() < len {
        // Xorshift (Marsaglia), with a multiplication at the end.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.wrapping_mul(0x2545_f491_4f6c_dd1d).to_le_bytes());
    }
    bytes.truncate(len);
    bytes
}

#[cfg(test)]
mod tests {
    use super::noise;

    #[test]
    fn noise_repeats_itself_between_runs_only() {
        assert_eq!(noise(1420)[..1000], noise(1000));
        let mut counts = [0_u32; 256];
        noise(65536)
            .iter()
            .for_each(|&byte| counts[usize::from(byte)] += 1);
        assert!(counts.iter().all(|count| (150..370).contains(count)));
    }
}
