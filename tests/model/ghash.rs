//! GHASH (SP 800-38D, 6.3 and 6.4), one bit at a time.

use super::cipher16::{Block, padded};

/// The product in GF(2^128); bit 0 of a block is the most significant bit of its first byte.
pub fn mul(x: u128, y: u128) -> u128 {
    let mut z = 0;
    let mut v = y;
    for i in 0..128 {
        if x >> (127 - i) & 1 == 1 {
            z ^= v;
        }
        v = if v & 1 == 1 {
            (v >> 1) ^ (0xe1 << 120)
        } else {
            v >> 1
        };
    }
    z
}

/// `x` to the power of `n`.
pub fn pow(x: u128, n: u64) -> u128 {
    let mut product = 1 << 127;
    for bit in (0..64).rev() {
        product = mul(product, product);
        if n >> bit & 1 == 1 {
            product = mul(product, x);
        }
    }
    product
}

/// GHASH of blocks under the hash key `h`.
pub fn ghash(h: Block, blocks: impl IntoIterator<Item = Block>) -> Block {
    let h = u128::from_be_bytes(h);
    let mut y = 0;
    for block in blocks {
        y = mul(y ^ u128::from_be_bytes(block), h);
    }
    y.to_be_bytes()
}

/// The blocks of `data`, the last one filled up with zeros.
pub fn blocks(data: &[u8]) -> impl Iterator<Item = Block> + '_ {
    data.chunks(16).map(padded)
}

/// The block that holds two lengths in bits, given in bytes.
pub fn lengths(aad: u64, data: u64) -> Block {
    let bits = |bytes: u64| u128::from(bytes) * 8;
    (bits(aad) << 64 | bits(data)).to_be_bytes()
}
