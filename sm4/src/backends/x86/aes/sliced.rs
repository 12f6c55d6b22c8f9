//! Many blocks: 16 a lane, one byte of all of them in a register.
//!
//! Register `(w, j)` holds byte `j` of word `w`. Instead of that byte itself, it keeps the sum of the word's other
//! three bytes: a map that is its own inverse, and with which `L` has two terms a byte instead of four.

use super::super::field::{M0, M3};
use super::vector::{HasAes, Vector, Xmm};
use super::{BACK, CONSTANT, INTO, Table, load, map, rotate, split, term, transpose_words, wipe};
use crate::schedule::RoundKeys;

/// The state: words of bytes.
type State<V> = [[<V as Vector>::V; 4]; 4];

/// The terms of a round: from the same byte, and from the byte before.
const SAME: Table = term(M3);
const BEFORE: Table = term(M0);

/// Round keys for this shape: each byte four times.
#[repr(align(64))]
pub(in super::super) struct Keys([[u32; 4]; 32]);

impl Keys {
    /// From round keys in the order of their use.
    #[inline(always)]
    pub(in super::super) fn new<T: HasAes>(v: Xmm<T>, keys: &RoundKeys) -> Self {
        let mut spread = Self([[0; 4]; 32]);
        let quads = spread.0.as_chunks_mut::<4>().0.iter_mut();
        for (to, from) in quads.zip(keys.as_chunks::<4>().0) {
            let from = v.words(from);
            for (to, spread) in to.iter_mut().zip(&SPREAD) {
                *to = v.to_words(v.shuffle(from, v.lane(spread)));
            }
        }
        spread
    }
}

/// The bytes of one word of four, each four times.
const SPREAD: [[u8; 16]; 4] = {
    let mut spread = [[0; 16]; 4];
    let mut i = 0;
    while i < 64 {
        spread[i / 16][i % 16] = (i / 4) as u8;
        i += 1;
    }
    spread
};

impl Drop for Keys {
    fn drop(&mut self) {
        // SAFETY: these are words.
        unsafe { wipe(self) };
    }
}

/// The 32 rounds of two batches, of which each one's instructions fill the time in which the other one's wait.
#[inline(always)]
fn rounds<V: Vector>(v: V, keys: &Keys, mut state: [State<V>; 2]) -> [State<V>; 2] {
    for keys in keys.0.as_chunks::<4>().0 {
        let mut sums = [[v.word(0); 4]; 2];
        let mut s = sums;
        for b in 0..2 {
            sums[b] = add(v, state[b][2], state[b][3]);
            s[b] = substitute(v, add(v, state[b][1], sums[b]), &keys[0]);
        }
        for s in &mut s {
            *s = v.pin(*s);
        }
        for b in 0..2 {
            state[b][0] = spread(v, state[b][0], s[b]);
        }
        for b in 0..2 {
            s[b] = substitute(v, add(v, sums[b], state[b][0]), &keys[1]);
        }
        for s in &mut s {
            *s = v.pin(*s);
        }
        for b in 0..2 {
            state[b][1] = spread(v, state[b][1], s[b]);
        }
        for b in 0..2 {
            sums[b] = add(v, state[b][0], state[b][1]);
            s[b] = substitute(v, add(v, state[b][3], sums[b]), &keys[2]);
        }
        for s in &mut s {
            *s = v.pin(*s);
        }
        for b in 0..2 {
            state[b][2] = spread(v, state[b][2], s[b]);
        }
        for b in 0..2 {
            s[b] = substitute(v, add(v, sums[b], state[b][2]), &keys[3]);
        }
        for s in &mut s {
            *s = v.pin(*s);
        }
        for b in 0..2 {
            state[b][3] = spread(v, state[b][3], s[b]);
        }
    }
    for state in &mut state {
        state.reverse();
    }
    state
}

#[inline(always)]
fn add<V: Vector>(v: V, a: [V::V; 4], b: [V::V; 4]) -> [V::V; 4] {
    let mut sum = a;
    for j in 0..4 {
        sum[j] = v.xor(a[j], b[j]);
    }
    sum
}

/// The first half of a round: the S-box of the sum of three words and the key.
#[inline(always)]
fn substitute<V: Vector>(v: V, others: [V::V; 4], key: &[u32; 4]) -> [V::V; 4] {
    let mut t = exchange(v, others);
    for j in 0..4 {
        t[j] = v.shuffle(t[j], v.lane(&const { rotate(0) }));
        t[j] = v.xor(t[j], v.word(key[j]));
        t[j] = v.aes_last(t[j], v.lane(&CONSTANT));
    }
    t
}

/// The second half: the linear map, and the fourth word.
#[inline(always)]
fn spread<V: Vector>(v: V, word: [V::V; 4], s: [V::V; 4]) -> [V::V; 4] {
    let (same, before) = (load(v, &SAME), load(v, &BEFORE));
    let s = [
        split(v, s[0]),
        split(v, s[1]),
        split(v, s[2]),
        split(v, s[3]),
    ];
    let mut next = word;
    for j in 0..4 {
        let previous = s[(j + 3) % 4];
        let low = v.xor(
            v.shuffle(same[0], s[j][0]),
            v.shuffle(before[0], previous[0]),
        );
        let high = v.xor(
            v.shuffle(same[1], s[j][1]),
            v.shuffle(before[1], previous[1]),
        );
        next[j] = v.xor(v.xor(word[j], low), high);
    }
    next
}

/// The sums of the other three bytes, from the bytes, and back.
#[inline(always)]
fn exchange<V: Vector>(v: V, x: [V::V; 4]) -> [V::V; 4] {
    let (first, last) = (v.xor(x[0], x[1]), v.xor(x[2], x[3]));
    [
        v.xor(x[1], last),
        v.xor(x[0], last),
        v.xor(x[3], first),
        v.xor(x[2], first),
    ]
}

/// The state of a word's bytes.
#[inline(always)]
fn into<V: Vector>(v: V, mut x: [V::V; 4]) -> [V::V; 4] {
    for x in &mut x {
        *x = map(v, &INTO, *x);
    }
    exchange(v, x)
}

/// The inverse of [`into`].
#[inline(always)]
fn back<V: Vector>(v: V, x: [V::V; 4]) -> [V::V; 4] {
    let mut x = exchange(v, x);
    for x in &mut x {
        *x = map(v, &BACK, *x);
    }
    x
}

/// Transposes 16 times 16 bytes, lane by lane.
#[inline(always)]
fn transpose<V: Vector>(v: V, mut x: [V::V; 16]) -> [V::V; 16] {
    for _ in 0..4 {
        let from = x;
        for i in 0..8 {
            x[2 * i] = v.unpack_low_8(from[i], from[i + 8]);
            x[2 * i + 1] = v.unpack_high_8(from[i], from[i + 8]);
        }
    }
    x
}

/// The state of 16 blocks a lane.
#[inline(always)]
fn open<V: Vector>(v: V, blocks: [V::V; 16]) -> State<V> {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = transpose(v, blocks);
    [
        into(v, [a, b, c, d]),
        into(v, [e, f, g, h]),
        into(v, [i, j, k, l]),
        into(v, [m, n, o, p]),
    ]
}

/// The inverse of [`open`].
#[inline(always)]
fn close<V: Vector>(v: V, state: State<V>) -> [V::V; 16] {
    let [a, b, c, d] = back(v, state[0]);
    let [e, f, g, h] = back(v, state[1]);
    let [i, j, k, l] = back(v, state[2]);
    let [m, n, o, p] = back(v, state[3]);
    transpose(v, [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p])
}

/// Encrypts or decrypts `n` blocks, at least one and at most 32 a lane.
///
/// # Safety
/// `n` is not 0; `from` is valid for reads and `to` for writes of `n` blocks.
#[inline(always)]
pub(in super::super) unsafe fn blocks<V: Vector>(
    v: V,
    keys: &Keys,
    from: *const [u8; 16],
    to: *mut [u8; 16],
    n: usize,
) {
    let half = 16 * V::LANES;
    // SAFETY: there are `n` blocks, and `n` is not 0, as the caller says.
    let state = unsafe { [load_batch(v, from, 0, n), load_batch(v, from, half, n)] };
    let [a, b] = rounds(v, keys, state);
    // SAFETY: there are `n` blocks, and `n` is not 0, as the caller says.
    unsafe {
        store_batch(v, a, to, 0, n);
        store_batch(v, b, to, half, n);
    }
}

/// The state of 16 blocks a lane, from the block `first` on. The last one of all `n` takes the place of those that are
/// missing.
///
/// # Safety
/// `n` is not 0, and `from` is valid for reads of `n` blocks.
#[inline(always)]
unsafe fn load_batch<V: Vector>(v: V, from: *const [u8; 16], first: usize, n: usize) -> State<V> {
    let mut x = [v.word(0); 16];
    if n == 32 * V::LANES {
        for (i, x) in x.iter_mut().enumerate() {
            // SAFETY: there are 32 blocks a lane.
            *x = unsafe { v.load(from.add(first + V::LANES * i).cast()) };
        }
    } else {
        for (i, x) in x.iter_mut().enumerate() {
            let place = |lane: usize| (first + V::LANES * i + lane).min(n - 1);
            // SAFETY: the place is less than `n`.
            *x = unsafe { v.load_lanes(|lane| from.add(place(lane)).cast()) };
        }
    }
    open(v, x)
}

/// The inverse of [`load_batch`]: what stands in the place of a missing block is the last block again.
///
/// # Safety
/// `n` is not 0, and `to` is valid for writes of `n` blocks.
#[inline(always)]
unsafe fn store_batch<V: Vector>(v: V, state: State<V>, to: *mut [u8; 16], first: usize, n: usize) {
    let x = close(v, state);
    if n == 32 * V::LANES {
        for (i, x) in x.into_iter().enumerate() {
            // SAFETY: there are 32 blocks a lane.
            unsafe { v.store(to.add(first + V::LANES * i).cast(), x) };
        }
    } else {
        for (i, x) in x.into_iter().enumerate() {
            let place = |lane: usize| (first + V::LANES * i + lane).min(n - 1);
            // SAFETY: the place is less than `n`.
            unsafe { v.store_lanes(|lane| to.add(place(lane)).cast(), x) };
        }
    }
}

/// Counter blocks: the state of the words that do not change, which a mode may derive from its key, and the last word.
pub(in super::super) struct Counters<V: Vector> {
    prefix: [[V::V; 4]; 3],
    counter: u32,
}

impl<V: Vector> Counters<V> {
    #[inline(always)]
    pub(in super::super) fn new(v: V, prefix: [u32; 3], counter: u32) -> Self {
        let mut state = [[v.word(0); 4]; 3];
        for (state, word) in state.iter_mut().zip(prefix) {
            for (state, byte) in state.iter_mut().zip(word.to_be_bytes()) {
                *state = v.word(u32::from_ne_bytes([byte; 4]));
            }
            *state = into(v, *state);
        }
        Self {
            prefix: state,
            counter,
        }
    }

    /// The state of the next 16 blocks a lane.
    #[inline(always)]
    fn next(&mut self, v: V) -> State<V> {
        let mut words = [v.word(0); 4];
        for words in &mut words {
            let counters = v.add(v.word(self.counter), v.count());
            *words = v.shuffle(counters, v.lane(&GATHER));
            self.counter = self.counter.wrapping_add(4 * V::LANES as u32);
        }
        let [a, b, c] = self.prefix;
        [a, b, c, into(v, transpose_words(v, words))]
    }

    /// XORs 32 blocks a lane with the keystream.
    ///
    /// # Safety
    /// `from` is valid for reads and `to` for writes of so many blocks.
    #[inline(always)]
    pub(in super::super) unsafe fn blocks(
        &mut self,
        v: V,
        keys: &Keys,
        from: *const [u8; 16],
        to: *mut [u8; 16],
    ) {
        let mut state = [[[v.word(0); 4]; 4]; 2];
        for state in &mut state {
            *state = self.next(v);
        }
        for (b, state) in rounds(v, keys, state).into_iter().enumerate() {
            for (i, x) in close(v, state).into_iter().enumerate() {
                let first = V::LANES * (16 * b + i);
                // SAFETY: `i` is less than 16, and `b` less than 2. No block is read after it has been written.
                unsafe {
                    let text = v.load(from.add(first).cast());
                    v.store(to.add(first).cast(), v.xor(x, text));
                }
            }
        }
    }
}

impl<V: Vector> Drop for Counters<V> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: these are vectors of integers.
        unsafe { wipe(&mut self.prefix) };
    }
}

/// The bytes of four words: the most significant ones, then the next ones.
const GATHER: [u8; 16] = {
    let mut indices = [0; 16];
    let mut i = 0;
    while i < 16 {
        indices[i] = (i % 4 * 4 + 3 - i / 4) as u8;
        i += 1;
    }
    indices
};
