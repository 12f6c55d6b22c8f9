//! XTS (IEEE 1619-2007; GB/T 17964-2021), with ciphertext stealing.

use super::cipher16::{Block, Cipher16, padded, xor};

/// How the bits of a tweak make a polynomial: all that differs between the two standards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// IEEE 1619: bit 0 is the least significant bit of the first byte.
    Ieee,
    /// GB/T 17964: bit 0 is the most significant bit of the first byte.
    Gb,
}

/// The tweak times x.
pub fn double(standard: Standard, tweak: Block) -> Block {
    match standard {
        Standard::Ieee => {
            let mut out = [0; 16];
            let mut carry = 0;
            for i in 0..16 {
                out[i] = tweak[i] << 1 | carry;
                carry = tweak[i] >> 7;
            }
            out[0] ^= 0x87 * carry;
            out
        }
        Standard::Gb => {
            let mut out = [0; 16];
            let mut carry = 0;
            for i in 0..16 {
                out[i] = tweak[i] >> 1 | carry << 7;
                carry = tweak[i] & 1;
            }
            out[0] ^= 0xe1 * carry;
            out
        }
    }
}

fn xex(tweak: Block, block: Block, f: impl Fn(Block) -> Block) -> Block {
    xor(f(xor(block, tweak)), tweak)
}

/// Encrypts one data unit of 16 bytes or more.
pub fn encrypt(
    data_cipher: &impl Cipher16,
    tweak_cipher: &impl Cipher16,
    standard: Standard,
    tweak: Block,
    data: &[u8],
) -> Vec<u8> {
    assert!(data.len() >= 16);
    let mut t = tweak_cipher.e(tweak);
    let mut out: Vec<u8> = Vec::with_capacity(data.len());
    let whole = data.len() / 16;
    for block in data.chunks(16).take(whole) {
        out.extend(xex(t, padded(block), |b| data_cipher.e(b)));
        t = double(standard, t);
    }
    let rest = &data[16 * whole..];
    if !rest.is_empty() {
        // The last whole block gives its first bytes away and is encrypted again with the short one in their place.
        let last = out.split_off(16 * (whole - 1));
        let mut mixed = padded(&last);
        mixed[..rest.len()].copy_from_slice(rest);
        out.extend(xex(t, mixed, |b| data_cipher.e(b)));
        out.extend(&last[..rest.len()]);
    }
    out
}

/// Decrypts one data unit of 16 bytes or more.
pub fn decrypt(
    data_cipher: &impl Cipher16,
    tweak_cipher: &impl Cipher16,
    standard: Standard,
    tweak: Block,
    data: &[u8],
) -> Vec<u8> {
    assert!(data.len() >= 16);
    let mut tweaks = vec![tweak_cipher.e(tweak)];
    for i in 0..data.len() / 16 {
        tweaks.push(double(standard, tweaks[i]));
    }
    let whole = data.len() / 16;
    let rest = &data[16 * whole..];
    let plain_blocks = if rest.is_empty() { whole } else { whole - 1 };
    let mut out = Vec::with_capacity(data.len());
    for (i, block) in data.chunks(16).take(plain_blocks).enumerate() {
        out.extend(xex(tweaks[i], padded(block), |b| data_cipher.d(b)));
    }
    if !rest.is_empty() {
        let block = padded(&data[16 * (whole - 1)..16 * whole]);
        let stolen = xex(tweaks[whole], block, |b| data_cipher.d(b));
        let mut mixed = stolen;
        mixed[..rest.len()].copy_from_slice(rest);
        out.extend(xex(tweaks[whole - 1], mixed, |b| data_cipher.d(b)));
        out.extend(&stolen[..rest.len()]);
    }
    out
}
