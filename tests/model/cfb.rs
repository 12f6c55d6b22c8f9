//! CFB (SP 800-38A, 6.3) with segments of 128, 8 and 1 bits.

use super::cipher16::{Block, Cipher16, padded, xor};

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Plaintext to ciphertext.
    Encrypt,
    /// Ciphertext to plaintext.
    Decrypt,
}

/// CFB-128, any length in bytes: the last segment may be short.
pub fn cfb128(c: &impl Cipher16, iv: Block, data: &[u8], way: Way) -> Vec<u8> {
    let mut chain = iv;
    let mut out = Vec::new();
    for chunk in data.chunks(16) {
        let segment = padded(chunk);
        let sum = xor(c.e(chain), segment);
        out.extend(&sum[..chunk.len()]);
        chain = if way == Way::Encrypt { sum } else { segment };
    }
    out
}

/// CFB-8.
pub fn cfb8(c: &impl Cipher16, iv: Block, data: &[u8], way: Way) -> Vec<u8> {
    let mut register = u128::from_be_bytes(iv);
    let mut out = Vec::new();
    for &byte in data {
        let sum = byte ^ c.e(register.to_be_bytes())[0];
        out.push(sum);
        let ciphertext = if way == Way::Encrypt { sum } else { byte };
        register = (register << 8) | u128::from(ciphertext);
    }
    out
}

/// CFB-1 encryption of whole bytes, most significant bit first.
pub fn cfb1_encrypt(c: &impl Cipher16, iv: Block, data: &[u8]) -> Vec<u8> {
    let mut register = u128::from_be_bytes(iv);
    let mut out = Vec::new();
    for &byte in data {
        let mut sum = 0;
        for shift in (0..8).rev() {
            let bit = (byte >> shift) & 1 ^ c.e(register.to_be_bytes())[0] >> 7;
            sum = (sum << 1) | bit;
            register = (register << 1) | u128::from(bit);
        }
        out.push(sum);
    }
    out
}
