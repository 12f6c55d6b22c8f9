//! OFB (SP 800-38A, 6.4).

use super::cipher16::{Block, Cipher16};

/// Adds the keystream to `data`, any length in bytes. Encryption and decryption are the same.
pub fn apply(c: &impl Cipher16, iv: Block, data: &[u8]) -> Vec<u8> {
    let mut keystream = iv;
    let mut out = Vec::new();
    for chunk in data.chunks(16) {
        keystream = c.e(keystream);
        out.extend(chunk.iter().zip(keystream).map(|(a, b)| a ^ b));
    }
    out
}
