//! CBC (SP 800-38A, 6.2).

use super::cipher16::{Block, Cipher16, padded, xor};

/// Encrypts whole blocks.
pub fn encrypt(c: &impl Cipher16, iv: Block, data: &[u8]) -> Vec<u8> {
    assert_eq!(data.len() % 16, 0);
    let mut chain = iv;
    let mut out = Vec::new();
    for block in data.chunks(16) {
        chain = c.e(xor(chain, padded(block)));
        out.extend(chain);
    }
    out
}

/// Decrypts whole blocks.
pub fn decrypt(c: &impl Cipher16, iv: Block, data: &[u8]) -> Vec<u8> {
    assert_eq!(data.len() % 16, 0);
    let mut chain = iv;
    let mut out = Vec::new();
    for block in data.chunks(16).map(padded) {
        out.extend(xor(c.d(block), chain));
        chain = block;
    }
    out
}
