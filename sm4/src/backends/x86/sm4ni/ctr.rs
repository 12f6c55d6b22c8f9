//! Counter mode: the kernel's words are numbers, so that a counter is added where it stands.

use super::instructions::{Pair, Sm4Instructions};
use super::kernel::rounds;
use crate::schedule::RoundKeys;
use cipher::{
    InOutBuf,
    array::Array,
    consts::{U16, U256},
};

#[inline(always)]
pub(super) fn apply<I: Sm4Instructions>(
    instructions: I,
    keys: &RoundKeys,
    [a, b, c]: [u32; 3],
    counter: u32,
    data: InOutBuf<'_, '_, u8>,
) -> Array<u8, U16> {
    let next = counter.wrapping_add(1);
    let mut counters = Pair::new(instructions, &[[a, b, c, counter], [a, b, c, next]]);
    let (batches, tail) = data.into_chunks::<U256>();
    for mut batch in batches {
        let mut sums = keystream::<I, 8>(instructions, keys, &mut counters);
        for (sum, text) in sums.iter_mut().zip(batch.get_in().0.as_chunks::<32>().0) {
            // SAFETY: this is a reference to 32 bytes.
            *sum = sum.xor(unsafe { Pair::load(instructions, text.as_ptr()) });
        }
        for (sum, text) in sums
            .into_iter()
            .zip(batch.get_out().0.as_chunks_mut::<32>().0)
        {
            // SAFETY: this is a reference to 32 bytes.
            unsafe { sum.store(text.as_mut_ptr()) }
        }
    }
    match tail.len().div_ceil(16) {
        0 => Array([0; 16]),
        1..=2 => finish::<I, 1>(instructions, keys, counters, tail),
        3..=4 => finish::<I, 2>(instructions, keys, counters, tail),
        5..=8 => finish::<I, 4>(instructions, keys, counters, tail),
        _ => finish::<I, 8>(instructions, keys, counters, tail),
    }
}

/// `2·N` blocks of keystream; `counters` goes on to the counters behind them.
#[inline(always)]
fn keystream<I: Sm4Instructions, const N: usize>(
    instructions: I,
    keys: &RoundKeys,
    counters: &mut Pair<I>,
) -> [Pair<I>; N] {
    let two = Pair::new(instructions, &[[0, 0, 0, 2]; 2]);
    let mut pairs = [*counters; N];
    for pair in &mut pairs {
        *pair = *counters;
        *counters = counters.add(two);
    }
    rounds(keys, &mut pairs);
    for pair in &mut pairs {
        *pair = pair.leave();
    }
    pairs
}

/// Less than a batch, and no more than `2·N` blocks.
#[inline(always)]
fn finish<I: Sm4Instructions, const N: usize>(
    instructions: I,
    keys: &RoundKeys,
    mut counters: Pair<I>,
    text: InOutBuf<'_, '_, u8>,
) -> Array<u8, U16> {
    let keystream = Keystream::new(keystream::<I, N>(instructions, keys, &mut counters));
    let (blocks, mut text) = text.into_chunks::<U16>();
    let (whole, last) = keystream.0.as_flattened().split_at(blocks.len());
    for (mut block, key) in blocks.into_iter().zip(whole) {
        *block.get_out() = Array(xor(block.get_in().0, *key));
    }

    let n = text.len();
    let mut rest = Array([0; 16]);
    if let (1.., Some(key)) = (n, last.first()) {
        let mut block = [0; 16];
        block[..n].copy_from_slice(text.get_in());
        let block = xor(block, *key);
        text.get_out().copy_from_slice(&block[..n]);
        rest[n..].copy_from_slice(&block[n..]);
    }
    rest
}

/// Pairs of blocks, as they lie in memory.
struct Keystream<const N: usize>([[u128; 2]; N]);

impl<const N: usize> Keystream<N> {
    #[inline(always)]
    fn new<I: Sm4Instructions>(pairs: [Pair<I>; N]) -> Self {
        let mut blocks = [[0; 2]; N];
        for (blocks, pair) in blocks.iter_mut().zip(pairs) {
            // SAFETY: this is a reference to 32 bytes.
            unsafe { pair.store(blocks.as_mut_ptr().cast()) }
        }
        Self(blocks)
    }
}

impl<const N: usize> Drop for Keystream<N> {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        cipher::zeroize::Zeroize::zeroize(self.0.as_flattened_mut());
    }
}

#[inline(always)]
fn xor(text: [u8; 16], key: u128) -> [u8; 16] {
    (u128::from_ne_bytes(text) ^ key).to_ne_bytes()
}
