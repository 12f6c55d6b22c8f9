//! ECB (SP 800-38A, 6.1).

use super::cipher16::{Cipher16, padded};

/// Encrypts whole blocks.
pub fn encrypt(c: &impl Cipher16, data: &[u8]) -> Vec<u8> {
    assert_eq!(data.len() % 16, 0);
    data.chunks(16).flat_map(|b| c.e(padded(b))).collect()
}

/// Decrypts whole blocks.
pub fn decrypt(c: &impl Cipher16, data: &[u8]) -> Vec<u8> {
    assert_eq!(data.len() % 16, 0);
    data.chunks(16).flat_map(|b| c.d(padded(b))).collect()
}
