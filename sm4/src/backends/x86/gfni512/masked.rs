//! The end of counter mode beside one more block, the mask of a tag.

use super::super::field::{C, M3, Matrix, R, U, V};
use super::io::Area;
use super::keys::Keys;
use super::narrow;
use super::vector::{Vector, Xmm, Ymm, Zmm};
use super::wide::{self, Prefix, State, Table, four};
use cipher::{InOutBuf, array::Array, consts::U16};
use shangmi_cpu::Avx512Gfni;

/// Bytes of a pass of the wide shape with two states.
const PASS: usize = 2048;

/// Most bytes that leave the narrow shape room for a block.
const NARROW: usize = 16 * 47;

/// How many of the last bytes of `len` take the block along. Those before are whole passes, or all.
pub(super) const fn end(len: usize) -> usize {
    let left = len % PASS;
    match left {
        // Beside the wide shape, the block costs less than alone.
        0 if len != 0 => PASS,
        769..=1024 => left,
        _ if left <= NARROW => left,
        _ if left > 1024 && left - 1024 <= NARROW => left - 1024,
        _ => 0,
    }
}

/// XORs `data`, as much as [`end`] says, and returns the encryption of the block of counter `mask`.
#[inline(always)]
pub(super) fn apply(
    keys: Keys<'_>,
    prefix: [u32; 3],
    mask: u32,
    counter: u32,
    data: InOutBuf<'_, '_, u8>,
) -> Array<u8, U16> {
    let mut area = Area::of_bytes(keys.token, data);
    match area.len() {
        PASS => {
            let (table, words) = (Table::new(keys), Prefix::new(keys.token, prefix));
            let mut block = Beside::new(keys, prefix, mask);
            let states = (words.state(counter), words.state(counter.wrapping_add(64)));
            let (a, b) = rounds_128(&table, states, &mut block);
            let mut area = area.whole::<PASS>();
            xor(&mut area, 0, wide::unload(a));
            xor(&mut area, 16, wide::unload(b));
            block.finish()
        }
        769.. => {
            let (table, words) = (Table::new(keys), Prefix::new(keys.token, prefix));
            let mut block = Beside::new(keys, prefix, mask);
            let state = rounds_64(&table, words.state(counter), &mut block);
            xor(&mut area, 0, wide::unload(state));
            block.finish()
        }
        497.. => narrow_pass::<Zmm, 3>(keys, prefix, mask, counter, area),
        241.. => narrow_pass::<Zmm, 2>(keys, prefix, mask, counter, area),
        113.. => narrow_pass::<Zmm, 1>(keys, prefix, mask, counter, area),
        _ => narrow_pass::<Ymm, 1>(keys, prefix, mask, counter, area),
    }
}

/// XORs vectors from number `first` on with keystream.
#[inline(always)]
fn xor<T: Vector, const V: usize, const WHOLE: usize>(
    area: &mut Area<'_, WHOLE>,
    first: usize,
    keystream: [T; V],
) {
    for (i, vector) in keystream.into_iter().enumerate() {
        area.store(first + i, vector.xor(area.load(first + i)));
    }
}

/// The narrow shape: the block takes the place behind the data.
#[inline(always)]
fn narrow_pass<T: Vector, const N: usize>(
    keys: Keys<'_>,
    prefix: [u32; 3],
    mask: u32,
    counter: u32,
    mut area: Area<'_, 0>,
) -> Array<u8, U16> {
    let token = keys.token;
    let lanes = T::BYTES / 16;
    let behind = area.len().div_ceil(16);
    let word = |word: u32| narrow::map(T::words(token, word.to_be()));
    let [a, b, c] = prefix;
    let mut states = [[word(a), word(b), word(c), T::zero(token)]; N];
    for (n, state) in states.iter_mut().enumerate() {
        let start = counter.wrapping_add((4 * lanes * n) as u32);
        let mut counters = T::counters(token, start);
        if behind / (4 * lanes) == n {
            let i = behind % (4 * lanes);
            let change = start.wrapping_add(i as u32) ^ mask;
            let place = 4 * (i % lanes) + i / lanes;
            counters = counters.xor(one_word(token, change.to_be(), place));
        }
        state[3] = narrow::map(counters);
    }
    narrow::rounds::<T, N>(keys, &mut states);
    let mut block = Array::default();
    for (n, state) in states.into_iter().enumerate() {
        let keystream = narrow::unload(state);
        for (i, vector) in keystream.into_iter().enumerate() {
            if behind / lanes == 4 * n + i {
                block = Array(vector.lane(behind).into());
            }
        }
        xor(&mut area, 4 * n, keystream);
    }
    block
}

/// Shuffles: the first word at the place of word 15, zeros everywhere else.
static ONE_WORD: [u8; 4 * 31] = {
    let mut indices = [0x80; 4 * 31];
    let mut i = 0;
    while i < 4 {
        indices[4 * 15 + i] = i as u8;
        i += 1;
    }
    indices
};

/// `word`, as it lies in memory, in word `i`, and zeros in the others.
#[inline(always)]
fn one_word<T: Vector>(token: Avx512Gfni, word: u32, i: usize) -> T {
    assert!(i < 16);
    // SAFETY: 16 words are there from word `15 - i` on, as many as the longest vector has.
    let shuffle = unsafe { T::load(token, ONE_WORD.as_ptr().add(4 * (15 - i))) };
    T::words(token, word).turn_by(shuffle)
}

#[inline(always)]
fn rounds_64(table: &Table, mut a: State, block: &mut Beside<'_>) -> State {
    for i in (0..32).step_by(4) {
        four!(r => {
            wide::round(table, i + r, &mut a, r);
            block.round(i + r, r);
        });
    }
    a.reverse();
    a
}

#[inline(always)]
fn rounds_128(
    table: &Table,
    (mut a, mut b): (State, State),
    block: &mut Beside<'_>,
) -> (State, State) {
    for i in (0..32).step_by(4) {
        four!(r => {
            wide::round(table, i + r, &mut a, r);
            block.round(i + r, r);
            wide::round(table, i + r, &mut b, r);
        });
    }
    a.reverse();
    b.reverse();
    (a, b)
}

const P: Matrix = U.times(R).times(V);
const Q: Matrix = U.times(M3).times(V);
const BACK: Matrix = U.inverse();

/// What the constant of the S-box makes behind `L`, in each byte.
const CONSTANT: i32 = U.times(R).apply(C) as i32;

/// A block on its way through the narrow shape's rounds, one at a time: their latency costs nothing beside another shape.
struct Beside<'a> {
    keys: Keys<'a>,
    state: [Xmm; 4],
    sum: Xmm,
    two: Xmm,
}

impl<'a> Beside<'a> {
    #[inline(always)]
    fn new(keys: Keys<'a>, [a, b, c]: [u32; 3], d: u32) -> Self {
        let mut block = [0; 16];
        for (bytes, word) in block.as_chunks_mut::<4>().0.iter_mut().zip([a, b, c, d]) {
            *bytes = word.to_be_bytes();
        }
        let block = Xmm::block(keys.token, block).map(U);
        let state = [
            block,
            block.word::<1>(),
            block.word::<2>(),
            block.word::<3>(),
        ];
        Self {
            keys,
            state,
            sum: state[1].xor3(state[2], keys.broadcast(0)).xor(state[3]),
            two: Xmm::turn(keys.token, 2),
        }
    }

    /// Round `i`, for which word `r` is the first one.
    #[inline(always)]
    fn round(&mut self, i: usize, r: usize) {
        let state = &mut self.state;
        let (y0, y2, y3) = (state[r], state[(r + 2) % 4], state[(r + 3) % 4]);
        let p = self.sum.map_inverse::<CONSTANT>(P);
        let q = self.sum.map_inverse::<0>(Q);
        let turned = p.turn_1().xor3(p.turn_by(self.two), q.turn_3());
        let own = y0.xor3(p, q);
        self.sum = y2.xor3(y3, self.keys.broadcast(i + 1)).xor3(own, turned);
        state[r] = own.xor(turned);
    }

    /// The block behind all rounds.
    #[inline(always)]
    fn finish(self) -> Array<u8, U16> {
        let [d, c, b, a] = self.state;
        let block = a
            .unpack_low_words(b)
            .unpack_low_halves(c.unpack_low_words(d));
        Array(block.map(BACK).into())
    }
}
