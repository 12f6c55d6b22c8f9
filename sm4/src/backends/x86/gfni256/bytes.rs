//! Byte-sliced: vector `[w][j]` holds, for byte `j` of word `w` of each of 32 blocks, the sum of the word's other three
//! bytes, mapped to AES's field.
//!
//! To take these sums is its own inverse, and it leaves `L` two terms a byte, and no rotation: with `t_j` the argument of
//! the inversion for byte `j`, a round adds `U·M3·V·inv(t_j) + U·M0·V·inv(t_{j-1})` to `y0_j`, and the S-box's
//! constant.
//!
//! The 16 registers hold the half of one batch's state that two rounds need; the rest of it and the other batches
//! are in memory, where loads and stores cost nothing beside the arithmetic.

use super::super::field::{C, M0, M3, Matrix, R, U, V};
use super::vector::{Vector, Ymm};
use super::words::turned;
use crate::schedule::RoundKeys;
use core::{arch::asm, mem::MaybeUninit};
use shangmi_cpu::Avx2Gfni;

/// Blocks in a batch.
pub(super) const BATCH: usize = 32;

/// Batches in a pass, at most. While there are fewer than three, a round waits for the one before.
pub(super) const BATCHES: usize = 4;

const SAME: Matrix = U.times(M3).times(V);
const BEFORE: Matrix = U.times(M0).times(V);
const BACK: Matrix = U.inverse();

/// What the S-box's constant becomes in the sums behind `L`.
const CONSTANT: i32 = U.times(R).apply(C) as i32;

/// The bytes of a word.
pub(super) type Word = [Ymm; 4];

/// The state of a batch.
pub(super) type State = [Word; 4];

/// The sums of three bytes of each round key, each of them four times, in the order of the rounds.
pub(super) struct Table([Ymm; 16]);

impl Table {
    #[inline(always)]
    pub(super) fn new(token: Avx2Gfni, keys: &RoundKeys) -> Self {
        let turn_1 = Ymm::repeated(token, &turned(1));
        let turn_2 = Ymm::repeated(token, &turned(2));
        let low = Ymm::new(token, &four_times(0));
        let high = Ymm::new(token, &four_times(8));
        let mut table = [Ymm::zero(token); 16];
        let pairs = table.as_chunks_mut::<2>().0.iter_mut();
        for (pair, keys) in pairs.zip(keys.as_chunks::<4>().0) {
            // Opaque, lest the compiler shuffle first and then move across the halves.
            let keys = Ymm::repeated_words(token, keys).opaque();
            let two = keys.xor(keys.shuffle(turn_2));
            let all = two.xor(two.shuffle(turn_1));
            let keys = all.xor(keys);
            *pair = [keys.shuffle(low), keys.shuffle(high)];
        }
        Self(table)
    }

    /// The key of a round in the form of the state.
    #[inline(always)]
    fn key(&self, round: usize) -> Word {
        let byte = |j| Ymm::broadcast(&self.0, 4 * round + j);
        [byte(0), byte(1), byte(2), byte(3)]
    }
}

impl Drop for Table {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        self.0.iter_mut().for_each(Ymm::wipe);
    }
}

/// The shuffle that takes each of eight bytes from `first` on four times.
const fn four_times(first: u8) -> [u8; 32] {
    let mut indices = [0; 32];
    let mut i = 0;
    while i < 32 {
        indices[i] = first + i as u8 / 4;
        i += 1;
    }
    indices
}

/// What a pass takes and gives: it takes all batches before it gives any.
pub(super) trait Io {
    /// The state of a batch.
    fn enter(&self, batch: usize) -> State;

    /// Receives blocks `2·pair` and `2·pair + 1` of a batch. The last batch and the last pair come first.
    fn leave(&self, batch: usize, pair: usize, blocks: Ymm);
}

/// A batch of blocks, two at a time.
pub(super) trait Pairs {
    /// Blocks `2·i` and `2·i + 1`.
    fn pair(&self, i: usize) -> Ymm;
}

/// Room for the states of a pass, of which a mode's keystream can be told. Wiped on drop.
pub(super) struct Room {
    states: [MaybeUninit<State>; BATCHES],
    /// How many of them have been written.
    used: usize,
}

impl Room {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            states: [const { MaybeUninit::uninit() }; BATCHES],
            used: 0,
        }
    }

    /// The first `n` states, from what `enter` gives.
    #[inline(always)]
    fn fill(&mut self, n: usize, enter: impl Fn(usize) -> State) -> &mut [State] {
        let states = &mut self.states[..n];
        for (i, state) in states.iter_mut().enumerate() {
            state.write(enter(i));
        }
        self.used = self.used.max(n);
        // SAFETY: each of these states was just written.
        unsafe { &mut *(&raw mut *states as *mut [State]) }
    }
}

impl Drop for Room {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        for state in &mut self.states[..self.used] {
            // SAFETY: this state has been written.
            let state = unsafe { state.assume_init_mut() };
            state.as_flattened_mut().iter_mut().for_each(Ymm::wipe);
        }
    }
}

/// Passes 1 to [`BATCHES`] batches through the cipher.
#[inline(always)]
pub(super) fn pass(table: &Table, room: &mut Room, batches: usize, io: &impl Io) {
    let states = room.fill(batches, |i| io.enter(i));
    rounds(table, states);
    for (i, state) in states.iter_mut().enumerate().rev() {
        leave(state, i, io);
    }
}

/// The 32 rounds, but for the reversal of the words.
#[inline(always)]
fn rounds(table: &Table, states: &mut [State]) {
    for first in (0..32).step_by(4) {
        for state in states.iter_mut() {
            let [a, b, c, d] = state;
            two_rounds(a, b, c, d, [table.key(first), table.key(first + 1)]);
            fence(state);
        }
        for state in states.iter_mut() {
            let [a, b, c, d] = state;
            two_rounds(c, d, a, b, [table.key(first + 2), table.key(first + 3)]);
            fence(state);
        }
    }
}

/// Two rounds have the sum of two words in common. The keys are added to it, as a round does not wait for that.
#[inline(always)]
fn two_rounds(y0: &mut Word, y1: &mut Word, y2: &Word, y3: &Word, keys: [Word; 2]) {
    let common = sum(y2, y3);
    round(y0, &sum(y1, &sum(&common, &keys[0])));
    let [a, b, c, d] = sum(&common, &keys[1]);
    let early = [a.opaque(), b.opaque(), c.opaque(), d.opaque()];
    round(y1, &sum(y0, &early));
}

/// `v` is the sum of the key and of the words but `y0`.
#[inline(always)]
fn round(y0: &mut Word, v: &Word) {
    let t = others(v);
    for j in 0..4 {
        let same = t[j].map_inverse::<CONSTANT>(SAME);
        let before = t[(j + 3) % 4].map_inverse::<0>(BEFORE);
        y0[j] = y0[j].xor(same).xor(before);
    }
}

#[inline(always)]
fn sum(a: &Word, b: &Word) -> Word {
    [
        a[0].xor(b[0]),
        a[1].xor(b[1]),
        a[2].xor(b[2]),
        a[3].xor(b[3]),
    ]
}

/// For each byte of a word, the sum of the other three; this map is its own inverse.
#[inline(always)]
pub(super) fn others(&[a, b, c, d]: &Word) -> Word {
    let (ab, cd) = (a.xor(b), c.xor(d));
    [b.xor(cd), a.xor(cd), d.xor(ab), c.xor(ab)]
}

/// The state of a batch of blocks.
#[inline(always)]
pub(super) fn enter(blocks: &impl Pairs) -> State {
    let mut half = [[blocks.pair(0); 4]; 4];
    for (i, half) in half.iter_mut().enumerate() {
        *half = interleave([
            blocks.pair(i).map(U),
            blocks.pair(i + 4).map(U),
            blocks.pair(i + 8).map(U),
            blocks.pair(i + 12).map(U),
        ]);
    }
    fence(&mut half);
    let mut state = half;
    for (w, word) in state.iter_mut().enumerate() {
        *word = others(&interleave([
            half[0][w], half[1][w], half[2][w], half[3][w],
        ]));
    }
    state
}

/// The inverse of [`enter`], and the reversal of the words.
#[inline(always)]
fn leave(state: &mut State, batch: usize, io: &impl Io) {
    for word in state.iter_mut() {
        *word = others(word);
    }
    fence(state);
    let mut half = *state;
    for (j, half) in half.iter_mut().enumerate() {
        let [a, b, c, d] = byte(state, j);
        *half = interleave([d, c, b, a]);
    }
    fence(&mut half);
    for j in (0..4).rev() {
        let pairs = interleave(byte(&half, j));
        for (i, pair) in pairs.into_iter().enumerate().rev() {
            io.leave(batch, 4 * j + i, pair.map(BACK));
        }
    }
}

/// Byte `j` of each word.
#[inline(always)]
fn byte(&[a, b, c, d]: &State, j: usize) -> [Ymm; 4] {
    [a[j], b[j], c[j], d[j]]
}

/// Half of the transposition of 16 vectors of 16 bytes a block: the position of a vector's byte and the number of the
/// vector exchange two of their four bits.
#[inline(always)]
fn interleave([a, b, c, d]: [Ymm; 4]) -> [Ymm; 4] {
    let (low_ac, high_ac) = (a.unpack_low_bytes(c), a.unpack_high_bytes(c));
    let (low_bd, high_bd) = (b.unpack_low_bytes(d), b.unpack_high_bytes(d));
    [
        low_ac.unpack_low_bytes(low_bd),
        low_ac.unpack_high_bytes(low_bd),
        high_ac.unpack_low_bytes(high_bd),
        high_ac.unpack_high_bytes(high_bd),
    ]
}

/// Has the compiler keep `state` in memory at this point. It would hold more of it in registers than there are, and
/// save and restore what a round waits for.
#[inline(always)]
fn fence(state: &mut State) {
    // SAFETY: there is no instruction.
    unsafe { asm!("/* {0} */", in(reg) state, options(nostack, preserves_flags)) }
}
