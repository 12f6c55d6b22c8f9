//! Counter mode: counters are made as words or bytes of the state, without a transposition.

use super::super::field::U;
use super::area::{Area, Batch};
use super::bytes::{self, BATCH, BATCHES, Io, Pairs, Room, State, Table};
use super::vector::{Vector, Ymm};
use super::{FEW, words};
use crate::schedule::RoundKeys;
use cipher::{
    InOutBuf,
    array::Array,
    consts::{U16, U32},
};
use shangmi_cpu::Avx2Gfni;

#[inline(always)]
pub(super) fn apply(
    token: Avx2Gfni,
    keys: &RoundKeys,
    prefix: [u32; 3],
    mut counter: u32,
    mut data: InOutBuf<'_, '_, u8>,
) -> Array<u8, U16> {
    let mut rest = Array([0; 16]);
    if data.len() > 16 * FEW {
        let table = Table::new(token, keys);
        let prefix = Prefix::new(token, prefix);
        let mut room = Room::new();
        while data.len() > 16 * FEW {
            let n = data.len().min(16 * BATCH * BATCHES);
            let (text, later) = data.split_at(n);
            // SAFETY: the token proves the features.
            rest = unsafe { long(token, &table, &mut room, &prefix, counter, text) };
            counter = counter.wrapping_add(n.div_ceil(16) as u32);
            data = later;
        }
    }
    match data.len().div_ceil(16) {
        0 => rest,
        1..=8 => short::<1>(token, keys, prefix, counter, data),
        9..=16 => short::<2>(token, keys, prefix, counter, data),
        17..=24 => short::<3>(token, keys, prefix, counter, data),
        _ => short::<4>(token, keys, prefix, counter, data),
    }
}

/// Up to `N` times eight blocks.
#[inline(always)]
fn short<const N: usize>(
    token: Avx2Gfni,
    keys: &RoundKeys,
    prefix: [u32; 3],
    counter: u32,
    text: InOutBuf<'_, '_, u8>,
) -> Array<u8, U16> {
    /// What the words of the last vector count, so that a pair of blocks has neighbours.
    const COUNTS: [u8; 32] = {
        let mut counts = [0; 32];
        let mut i = 0;
        while i < 8 {
            counts[4 * i] = (i % 4 * 2 + i / 4) as u8;
            i += 1;
        }
        counts
    };
    /// The shuffle that reverses the bytes of each word.
    const REVERSED: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

    let [a, b, c] = prefix;
    let a = Ymm::words(token, a.to_be()).map(U);
    let b = Ymm::words(token, b.to_be()).map(U);
    let c = Ymm::words(token, c.to_be()).map(U);
    let counts = Ymm::new(token, &COUNTS);
    let reversed = Ymm::repeated(token, &REVERSED);
    let mut states = [[a, b, c, counts]; N];
    for (n, [.., last]) in states.iter_mut().enumerate() {
        let first = Ymm::words(token, counter.wrapping_add(8 * n as u32));
        *last = first.add_words(counts).shuffle(reversed).map(U);
    }
    words::rounds(token, keys, &mut states);
    for state in &mut states {
        *state = words::leave(*state);
    }
    let keystream = Keystream(states);
    // SAFETY: the token proves the features.
    unsafe { add(token, &keystream.0, text) }
}

/// Up to [`BATCHES`] batches.
#[inline(never)]
#[target_feature(enable = "avx2,gfni")]
fn long(
    token: Avx2Gfni,
    table: &Table,
    room: &mut Room,
    prefix: &Prefix,
    counter: u32,
    text: InOutBuf<'_, '_, u8>,
) -> Array<u8, U16> {
    let batches = text.len().div_ceil(16 * BATCH);
    let whole = text.len() / (16 * BATCH);
    let (text, tail) = text.split_at(16 * BATCH * whole);
    let mut last = Keystream([[Ymm::zero(token); 4]; BATCH / 8]);
    let io = Text {
        token,
        prefix,
        counter,
        whole,
        text: Area::new(token, text.into_chunks().0),
        last: Batch::new(token, &mut last.0),
    };
    bytes::pass(table, room, batches, &io);
    add(token, &last.0, tail)
}

/// Batches of text.
struct Text<'a> {
    token: Avx2Gfni,
    prefix: &'a Prefix,
    counter: u32,
    /// How many batches are whole.
    whole: usize,
    text: Area<'a>,
    /// Zeros, for the keystream of a batch that is not.
    last: Batch<'a>,
}

impl Io for Text<'_> {
    #[inline(always)]
    fn enter(&self, batch: usize) -> State {
        let start = self.counter.wrapping_add((BATCH * batch) as u32);
        self.prefix.state(self.token, start)
    }

    #[inline(always)]
    fn leave(&self, batch: usize, pair: usize, blocks: Ymm) {
        let batch = if batch < self.whole {
            self.text.batch(batch)
        } else {
            self.last
        };
        batch.store(pair, blocks.xor(batch.pair(pair)));
    }
}

/// The three words of counter blocks that stay, as bytes of the state. A mode may derive them from its key.
struct Prefix([bytes::Word; 3]);

impl Prefix {
    #[inline(always)]
    fn new(token: Avx2Gfni, prefix: [u32; 3]) -> Self {
        let mut words = [[Ymm::zero(token); 4]; 3];
        for (word, prefix) in words.iter_mut().zip(prefix) {
            for (vector, byte) in word.iter_mut().zip(prefix.to_be_bytes()) {
                *vector = Ymm::bytes(token, byte).map(U);
            }
            *word = bytes::others(word);
        }
        Self(words)
    }

    /// The state of 32 blocks that count from `start`.
    #[inline(always)]
    fn state(&self, token: Avx2Gfni, start: u32) -> State {
        /// What the last byte counts.
        const COUNTS: [u8; 32] = {
            let mut counts = [0; 32];
            let mut i = 0;
            while i < 32 {
                counts[i] = (i % 16 * 2 + i / 16) as u8;
                i += 1;
            }
            counts
        };

        let counts = Ymm::new(token, &COUNTS);
        let last = Ymm::bytes(token, start as u8).add_bytes(counts);
        // Where the last byte has wrapped, the other three are those of a number that is greater by one.
        let wrapped = last.less(counts);
        let changed = (start ^ start.wrapping_add(0x100)).to_be_bytes();
        let mut counter = [last.map(U); 4];
        for (j, byte) in start.to_be_bytes().into_iter().enumerate().take(3) {
            let change = Ymm::bytes(token, changed[j]).and(wrapped);
            counter[j] = Ymm::bytes(token, byte).xor(change).map(U);
        }
        let mut state = [bytes::others(&counter); 4];
        for (vector, prefix) in state
            .as_flattened_mut()
            .iter_mut()
            .zip(self.0.as_flattened())
        {
            // Else this were a call of `memcpy`.
            *vector = prefix.opaque();
        }
        state
    }
}

impl Drop for Prefix {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        self.0.as_flattened_mut().iter_mut().for_each(Ymm::wipe);
    }
}

/// XORs `text` with as much keystream, and returns what is left of the last block begun, where it belongs in the block,
/// or zeros.
#[inline(never)]
#[target_feature(enable = "avx2,gfni")]
fn add(token: Avx2Gfni, keystream: &[[Ymm; 4]], text: InOutBuf<'_, '_, u8>) -> Array<u8, U16> {
    let keystream = Ymm::as_bytes(keystream.as_flattened());
    let (pairs, mut text) = text.into_chunks::<U32>();
    let (keys, key) = keystream.split_at(32 * pairs.len());
    for (mut pair, key) in pairs.into_iter().zip(keys.as_chunks().0) {
        let sum = Ymm::new(token, &pair.get_in().0).xor(Ymm::new(token, key));
        sum.put(&mut pair.get_out().0);
    }

    let n = text.len();
    let mut rest = Array([0; 16]);
    if let (1.., Some(key)) = (n, key.first_chunk()) {
        let mut pair = [0; 32];
        pair[..n].copy_from_slice(text.get_in());
        let sum = Ymm::new(token, &pair).xor(Ymm::new(token, key));
        sum.put(&mut pair);
        text.get_out().copy_from_slice(&pair[..n]);
        let end = n.next_multiple_of(16);
        rest[16 - (end - n)..].copy_from_slice(&pair[n..end]);
    }
    rest
}

/// Blocks of keystream. Wiped on drop.
struct Keystream<const N: usize>([[Ymm; 4]; N]);

impl<const N: usize> Drop for Keystream<N> {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        self.0.as_flattened_mut().iter_mut().for_each(Ymm::wipe);
    }
}
