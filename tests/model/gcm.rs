//! GCM (SP 800-38D, 7), any nonce of one byte or more, any tag of up to 16 bytes.

use super::cipher16::{Block, Cipher16, xor};
use super::ctr::{self, Counter};
use super::ghash::{blocks, ghash, lengths};

/// The block whose counter masks the tag.
pub fn j0(c: &impl Cipher16, nonce: &[u8]) -> Block {
    if nonce.len() == 12 {
        let mut block = [0; 16];
        block[..12].copy_from_slice(nonce);
        block[15] = 1;
        block
    } else {
        let length = lengths(0, nonce.len() as u64);
        ghash(c.e([0; 16]), blocks(nonce).chain([length]))
    }
}

/// Ciphertext and tag.
pub fn seal(
    c: &impl Cipher16,
    nonce: &[u8],
    aad: &[u8],
    plaintext: &[u8],
    tag_len: usize,
) -> (Vec<u8>, Vec<u8>) {
    let j0 = j0(c, nonce);
    let ciphertext = ctr::apply(c, Counter::Be(32), j0, 16, plaintext);
    let hashed = ghash(
        c.e([0; 16]),
        blocks(aad)
            .chain(blocks(&ciphertext))
            .chain([lengths(aad.len() as u64, ciphertext.len() as u64)]),
    );
    let tag = xor(hashed, c.e(j0));
    (ciphertext, tag[..tag_len].to_vec())
}

/// Plaintext, or nothing when the tag is wrong.
pub fn open(
    c: &impl Cipher16,
    nonce: &[u8],
    aad: &[u8],
    ciphertext: &[u8],
    tag: &[u8],
) -> Option<Vec<u8>> {
    let plaintext = ctr::apply(c, Counter::Be(32), j0(c, nonce), 16, ciphertext);
    let (_, expected) = seal(c, nonce, aad, &plaintext, tag.len());
    (expected == tag).then_some(plaintext)
}
