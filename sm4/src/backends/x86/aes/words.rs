//! Few blocks: four a lane, one word of all of them in a register.

use super::super::field::{M3, R};
use super::vector::{HasAes, Vector, Xmm};
use super::{
    BACK, CONSTANT, INTO, Table, columns, load, look_up, map, rotate, split, term, transpose_words,
    uncolumns, wipe,
};
use crate::schedule::RoundKeys;
use cipher::{InOutBuf, array::Array, consts::U16};
use core::slice;

/// The terms of a round: from each of the next two bytes, and from the byte before. Their sum is the term from the same
/// byte.
const NEXT: Table = term(R);
const BEFORE: Table = term(M3);

/// The words of four blocks a lane, `G` times.
type State<V, const G: usize> = [[<V as Vector>::V; 4]; G];

/// The 32 rounds.
#[inline(always)]
fn rounds<const G: usize, V: Vector>(
    v: V,
    keys: &RoundKeys,
    mut state: State<V, G>,
) -> State<V, G> {
    for keys in keys.as_chunks::<4>().0 {
        round::<0, _, _>(v, &mut state, keys[0]);
        round::<1, _, _>(v, &mut state, keys[1]);
        round::<2, _, _>(v, &mut state, keys[2]);
        round::<3, _, _>(v, &mut state, keys[3]);
    }
    for x in &mut state {
        x.reverse();
    }
    state
}

/// One round, which changes the words `I`.
#[inline(always)]
fn round<const I: usize, const G: usize, V: Vector>(v: V, state: &mut State<V, G>, key: u32) {
    let key = v.word(key);
    let mut s = [key; G];
    for (s, x) in s.iter_mut().zip(state.iter()) {
        // The newest word is the last to come in.
        let others = v.opaque(v.xor(key, v.xor(x[(I + 1) % 4], x[(I + 2) % 4])));
        *s = v.aes_last(v.xor(others, x[(I + 3) % 4]), v.lane(&CONSTANT));
    }
    for (s, x) in s.iter().zip(state) {
        let nibbles = split(v, *s);
        let next = look_up(v, load(v, &NEXT), nibbles);
        let before = look_up(v, load(v, &BEFORE), nibbles);
        let a = v.shuffle(next, v.lane(&const { rotate(1) }));
        let b = v.shuffle(next, v.lane(&const { rotate(2) }));
        let c = v.shuffle(before, v.lane(&const { rotate(3) }));
        let d = v.shuffle(v.xor(next, before), v.lane(&const { rotate(0) }));
        x[I] = v.xor(v.xor(v.xor(x[I], a), b), v.opaque(v.xor(c, d)));
    }
}

/// Takes all words through a map.
#[inline(always)]
fn map_all<V: Vector>(v: V, table: &Table, mut x: [V::V; 4]) -> [V::V; 4] {
    for x in &mut x {
        *x = map(v, table, *x);
    }
    x
}

/// Encrypts or decrypts `n` blocks, at least one and at most `4·G` a lane.
///
/// # Safety
/// `n` is not 0; `from` is valid for reads and `to` for writes of `n` blocks.
#[inline(always)]
pub(in super::super) unsafe fn blocks<const G: usize, V: Vector>(
    v: V,
    keys: &RoundKeys,
    from: *const [u8; 16],
    to: *mut [u8; 16],
    n: usize,
) {
    let place = |i: usize, lane: usize| (V::LANES * i + lane).min(n - 1);
    let mut state = [[v.word(0); 4]; G];
    for (g, state) in state.iter_mut().enumerate() {
        let mut x = *state;
        for (i, x) in x.iter_mut().enumerate() {
            // SAFETY: the number of the block is less than `n`.
            *x = unsafe { v.load_lanes(|lane| from.add(place(4 * g + i, lane)).cast()) };
        }
        *state = map_all(v, &INTO, transpose_words(v, x));
    }
    for (g, x) in rounds(v, keys, state).into_iter().enumerate() {
        let x = transpose_words(v, map_all(v, &BACK, x));
        for (i, x) in x.into_iter().enumerate() {
            // SAFETY: as above. What stands in the place of a missing block is the last block again.
            unsafe { v.store_lanes(|lane| to.add(place(4 * g + i, lane)).cast(), x) };
        }
    }
}

/// Encrypts or decrypts one block, at the least latency. Its words fill a lane each, all four columns alike, so that
/// there is no ShiftRows to undo.
#[inline(always)]
pub(in super::super) fn one<T: HasAes>(v: Xmm<T>, keys: &RoundKeys, block: &[u8; 16]) -> [u8; 16] {
    let mut x = columns(v, map(v, &INTO, v.lane(block)));
    for keys in keys.as_chunks::<4>().0 {
        for i in 0..4 {
            // The newest word is the last to come in.
            let others = v.xor(v.word(keys[i]), v.xor(x[(i + 1) % 4], x[(i + 2) % 4]));
            let t = v.xor(v.opaque(others), x[(i + 3) % 4]);
            let nibbles = split(v, v.aes_last(t, v.lane(&CONSTANT)));
            let next = look_up(v, load(v, &NEXT), nibbles);
            let before = look_up(v, load(v, &BEFORE), nibbles);
            let a = v.shuffle(next, v.lane(&const { rotate(1) }));
            let b = v.shuffle(v.opaque(before), v.lane(&const { rotate(3) }));
            let c = v.shuffle(next, v.lane(&const { rotate(2) }));
            let d = v.xor(v.xor(x[i], next), before);
            x[i] = v.xor(v.xor(d, c), v.opaque(v.xor(a, b)));
        }
    }
    x.reverse();
    v.to_bytes(map(v, &BACK, uncolumns(v, x)))
}

/// XORs `data`, at least one byte and at most `4·G` blocks a lane, with the keystream. Returns what is left of it.
#[inline(always)]
pub(in super::super) fn count<const G: usize, V: Vector>(
    v: V,
    keys: &RoundKeys,
    prefix: [u32; 3],
    counter: u32,
    data: InOutBuf<'_, '_, u8>,
) -> Array<u8, U16> {
    let [a, b, c] = prefix.map(u32::swap_bytes);
    let mut state = [[v.word(a), v.word(b), v.word(c), v.word(0)]; G];
    for (g, x) in state.iter_mut().enumerate() {
        let first = counter.wrapping_add((4 * V::LANES * g) as u32);
        x[3] = v.shuffle(v.add(v.word(first), v.count()), v.lane(&SWAP));
        *x = map_all(v, &INTO, *x);
    }
    let mut state = rounds(v, keys, state);
    for x in &mut state {
        *x = transpose_words(v, map_all(v, &BACK, *x));
    }

    // SAFETY: vectors are bytes without padding, and these are so many.
    let keystream: &[Array<u8, U16>] =
        unsafe { slice::from_raw_parts(state.as_ptr().cast(), 4 * V::LANES * G) };
    let (blocks, mut tail) = data.into_chunks::<U16>();
    let (whole, n) = (blocks.len(), tail.len());
    for (mut block, keystream) in blocks.into_iter().zip(keystream) {
        block.xor_in2out(keystream);
    }
    let mut rest = Array::default();
    if n != 0 {
        let last = &keystream[whole];
        tail.xor_in2out(&last[..n]);
        rest[n..].copy_from_slice(&last[n..]);
    }
    // SAFETY: these are vectors of integers.
    unsafe { wipe(&mut state) };
    rest
}

/// Reverses the bytes of each word.
const SWAP: [u8; 16] = {
    let mut indices = [0; 16];
    let mut i = 0;
    while i < 16 {
        indices[i] = (i ^ 3) as u8;
        i += 1;
    }
    indices
};
