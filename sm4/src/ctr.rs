//! The counter kernel that CTR and GCM share.
//!
//! This is a low-level interface: it authenticates nothing, and a counter block that comes twice
//! under one key reveals the XOR of two plaintexts. Use an AEAD such as SM4-GCM or SM4-CCM, or a mode of
//! the crate `sm4-modes`, unless you build one yourself.

use crate::{
    Sm4,
    backends::{Kernel, dispatch},
};
use cipher::{Block, InOutBuf};

/// XORs `data` with the keystream that starts at the block `counter`.
///
/// The keystream is `E(counter) || E(counter + 1) || ...`, where `+` counts modulo 2^32 in the last four
/// bytes, most significant first, and leaves the first twelve alone (the function `inc_32` of NIST SP
/// 800-38D, 6.2). `data` may have any length in bytes; the last block of keystream is used as far as needed.
///
/// A caller whose counter is wider than 32 bits splits its data where the last four bytes wrap. The time does not
/// depend on the counter, which GCM derives from a secret where the nonce is not of 12 bytes.
pub fn ctr32(cipher: &Sm4, counter: &Block<Sm4>, data: InOutBuf<'_, '_, u8>) {
    ctr32_with_rest(cipher, counter, data);
}

/// Like [`ctr32`], and returns what is left of the keystream: where `data` ends within a block, that block,
/// with its first `data.len() % 16` bytes set to zero; else a block of zeros.
pub fn ctr32_with_rest(
    cipher: &Sm4,
    counter: &Block<Sm4>,
    data: InOutBuf<'_, '_, u8>,
) -> Block<Sm4> {
    let (prefix, start) = words(counter);
    cipher.ctr32(prefix, start, data)
}

/// Returns `E(mask)`, and XORs `data` as [`ctr32`] does from the counter block `mask + ahead` on.
///
/// So the block that masks the tag of GCM needs no pass of the kernel by itself: it takes part in that of the last
/// blocks of `data`.
pub fn ctr32_with_mask(
    cipher: &Sm4,
    mask: &Block<Sm4>,
    ahead: u32,
    data: InOutBuf<'_, '_, u8>,
) -> Block<Sm4> {
    let (prefix, mask) = words(mask);
    let counter = mask.wrapping_add(ahead);
    dispatch!(cipher.backend, kernel => {
        kernel.ctr32_with_mask(&cipher.round_keys, prefix, mask, counter, data)
    })
}

fn words(counter: &Block<Sm4>) -> ([u32; 3], u32) {
    let (words, _) = counter.as_chunks::<4>();
    let [a, b, c, start] = core::array::from_fn(|i| u32::from_be_bytes(words[i]));
    ([a, b, c], start)
}
