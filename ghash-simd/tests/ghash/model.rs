//! GHASH straight from SP 800-38D: one bit at a time, in the order of the standard's text.

use core::borrow::Borrow;
use ghash_simd::{Block, GHash, GHashKey, universal_hash::UniversalHash};

/// SP 800-38D, algorithm 1: the product of two blocks. Bit 0 of a block is its first, the most
/// significant one of the big-endian reading.
pub(crate) fn product(x: u128, y: u128) -> u128 {
    const R: u128 = 0b1110_0001 << 120;
    let (mut z, mut v) = (0, y);
    for i in 0..128 {
        if x >> (127 - i) & 1 == 1 {
            z ^= v;
        }
        v = if v & 1 == 0 { v >> 1 } else { (v >> 1) ^ R };
    }
    z
}

/// SP 800-38D, algorithm 2, from a running value other than zero.
pub(crate) fn ghash_from(start: u128, h: [u8; 16], blocks: &[[u8; 16]]) -> [u8; 16] {
    let h = u128::from_be_bytes(h);
    blocks
        .iter()
        .fold(start, |y, x| product(y ^ u128::from_be_bytes(*x), h))
        .to_be_bytes()
}

/// SP 800-38D, algorithm 2.
pub(crate) fn ghash(h: [u8; 16], blocks: &[[u8; 16]]) -> [u8; 16] {
    ghash_from(0, h, blocks)
}

/// The blocks of `data`, the last one filled up with zeroes.
pub(crate) fn pad(data: &[u8]) -> Vec<[u8; 16]> {
    data.chunks(16)
        .map(|chunk| core::array::from_fn(|i| chunk.get(i).copied().unwrap_or(0)))
        .collect()
}

/// The block of two lengths in bytes: SP 800-38D, section 7.1, step 5.
pub(crate) fn lengths(a: usize, c: usize) -> [u8; 16] {
    (u128::try_from(8 * a).unwrap() << 64 | u128::try_from(8 * c).unwrap()).to_be_bytes()
}

/// Bytes without a pattern that the arithmetic could hide (splitmix64).
pub(crate) fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed;
    let mut words = core::iter::from_fn(|| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Some(z ^ (z >> 31))
    });
    let mut bytes: Vec<u8> = (0..length.div_ceil(8))
        .flat_map(|_| words.next().unwrap().to_le_bytes())
        .collect();
    bytes.truncate(length);
    bytes
}

pub(crate) fn noise_blocks(seed: u64, count: usize) -> Vec<[u8; 16]> {
    pad(&noise(seed, 16 * count))
}

pub(crate) fn noise_key(seed: u64) -> [u8; 16] {
    noise_blocks(seed, 1)[0]
}

/// The blocks as the crate takes them.
pub(crate) fn to_blocks(blocks: &[[u8; 16]]) -> Vec<Block> {
    blocks.iter().map(|&block| block.into()).collect()
}

/// The output as plain bytes.
pub(crate) fn output<K: Borrow<GHashKey>>(ghash: GHash<K>) -> [u8; 16] {
    ghash.finalize().into()
}
