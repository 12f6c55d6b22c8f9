//! Byte-sliced: vector `(w, j)` holds byte `j` of word `w` of 64 blocks.
//!
//! A state byte is `y_j = U·(the sum of the word's three bytes other than x_j)`, a map which is its own inverse but for
//! `U`. In this basis a round is, with `z_j = inv(t_j)`: `v_j = y1_j + y2_j + y3_j`; `t_j` the sum of the three `v` other
//! than `v_j`, and the key; `y0_j += U·M3·V·z_j + U·M0·V·z_{j-1}`.

use super::super::field::{C, M0, M3, Matrix, R, U, V};
use super::io::Io;
use super::keys::Keys;
use super::narrow;
use super::vector::{Vector, Xmm, Zmm};
use shangmi_cpu::Avx512Gfni;

const OWN: Matrix = U.times(M3).times(V);
const NEXT: Matrix = U.times(M0).times(V);

/// What the constant of the S-box makes behind `L`, in each byte.
const CONSTANT: i32 = U.times(R).apply(C) as i32;

/// An array of what an expression is for 0 to 3: the optimizer would leave loops as long as these here.
macro_rules! four {
    ($i:ident => $value:expr) => {
        [
            four!(@ $i 0 $value),
            four!(@ $i 1 $value),
            four!(@ $i 2 $value),
            four!(@ $i 3 $value),
        ]
    };
    (@ $i:ident $n:literal $value:expr) => {{
        let $i: usize = $n;
        $value
    }};
}

/// The same for 0 to 15.
macro_rules! sixteen {
    ($i:ident => $value:expr) => {
        [
            four!(@ $i 0 $value), four!(@ $i 1 $value), four!(@ $i 2 $value), four!(@ $i 3 $value),
            four!(@ $i 4 $value), four!(@ $i 5 $value), four!(@ $i 6 $value), four!(@ $i 7 $value),
            four!(@ $i 8 $value), four!(@ $i 9 $value), four!(@ $i 10 $value), four!(@ $i 11 $value),
            four!(@ $i 12 $value), four!(@ $i 13 $value), four!(@ $i 14 $value), four!(@ $i 15 $value),
        ]
    };
}

pub(super) use {four, sixteen};

pub(super) type State = [[Zmm; 4]; 4];

/// Round keys with each byte four times, for the time of a call.
pub(super) struct Table {
    pub(super) token: Avx512Gfni,
    keys: [Zmm; 8],
}

impl Table {
    #[inline(always)]
    pub(super) fn new(keys: Keys<'_>) -> Self {
        Self {
            token: keys.token,
            keys: keys.spread(),
        }
    }

    /// Byte `j` of the key of round `i`, in each byte.
    #[inline(always)]
    fn broadcast(&self, i: usize, j: usize) -> Zmm {
        assert!(i < 32 && j < 4);
        let words = self.keys.as_ptr().cast::<u32>();
        // SAFETY: the vectors are 128 words.
        unsafe { Zmm::broadcast(self.token, words.add(4 * i + j)) }
    }
}

impl Drop for Table {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        self.keys.iter_mut().for_each(Zmm::wipe);
    }
}

/// Passes 64 blocks through the cipher.
#[inline(always)]
pub(super) fn pass_64(table: &Table, io: &mut impl Io) {
    let state = rounds_64(table, load(take(io, 0)));
    give(io, 0, unload(state));
}

/// Passes 128 blocks through the cipher.
#[inline(always)]
pub(super) fn pass_128(table: &Table, io: &mut impl Io) {
    let states = (load(take(io, 0)), load(take(io, 16)));
    let (a, b) = rounds_128(table, states);
    give(io, 16, unload(b));
    give(io, 0, unload(a));
}

/// Vectors `i` to `i + 15`.
#[inline(always)]
pub(super) fn take(io: &impl Io, i: usize) -> [Zmm; 16] {
    sixteen!(k => io.load(i + k))
}

#[inline(always)]
pub(super) fn give(io: &mut impl Io, i: usize, blocks: [Zmm; 16]) {
    sixteen!(k => io.store(i + 15 - k, blocks[15 - k]));
}

/// Blocks into a state.
#[inline(always)]
pub(super) fn load(blocks: [Zmm; 16]) -> State {
    from_bytes(transpose(blocks))
}

/// The bytes of the blocks, apart, into a state.
#[inline(always)]
pub(super) fn from_bytes(bytes: [Zmm; 16]) -> State {
    four!(w => map_word(four!(j => bytes[4 * w + j])))
}

/// The bytes of a word into the basis of the rounds.
#[inline(always)]
fn map_word([a, b, c, d]: [Zmm; 4]) -> [Zmm; 4] {
    others([a.map(U), b.map(U), c.map(U), d.map(U)])
}

/// Numbers in a word of the blocks, in vectors as [`narrow`] has them, into the basis of the rounds.
#[inline(always)]
pub(super) fn number_word(numbers: [Zmm; 4]) -> [Zmm; 4] {
    let bytes = four!(i => numbers[i].bytes_of_numbers());
    map_word(narrow::transpose(bytes))
}

/// A state into blocks.
#[inline(always)]
pub(super) fn unload(state: State) -> [Zmm; 16] {
    transpose(to_bytes(state))
}

/// A state into the bytes of the blocks, apart.
#[inline(always)]
pub(super) fn to_bytes(state: State) -> [Zmm; 16] {
    const BACK: Matrix = U.inverse();
    let words = four!(w => others(state[w]));
    sixteen!(i => words[i / 4][i % 4].map(BACK))
}

/// The sum of the other three, for each of four.
#[inline(always)]
fn others([a, b, c, d]: [Zmm; 4]) -> [Zmm; 4] {
    [b.xor3(c, d), a.xor3(c, d), a.xor3(b, d), a.xor3(b, c)]
}

/// Transposes 16 x 16 bytes in each lane: four times the perfect shuffle.
#[inline(always)]
pub(super) fn transpose(x: [Zmm; 16]) -> [Zmm; 16] {
    shuffle(shuffle(shuffle(shuffle(x))))
}

#[inline(always)]
pub(super) fn shuffle(x: [Zmm; 16]) -> [Zmm; 16] {
    sixteen!(i => if i.is_multiple_of(2) {
        x[i / 2].unpack_low_bytes(x[i / 2 + 8])
    } else {
        x[i / 2].unpack_high_bytes(x[i / 2 + 8])
    })
}

/// The 32 rounds and the reversal of the words.
#[inline(always)]
pub(super) fn rounds_64(table: &Table, mut a: State) -> State {
    for i in (0..32).step_by(4) {
        four!(r => round(table, i + r, &mut a, r));
    }
    a.reverse();
    a
}

/// The same for two states, so that one's instructions fill the other's latencies.
#[inline(always)]
pub(super) fn rounds_128(table: &Table, (mut a, mut b): (State, State)) -> (State, State) {
    for i in (0..32).step_by(4) {
        four!(r => {
            round(table, i + r, &mut a, r);
            round(table, i + r, &mut b, r);
        });
    }
    a.reverse();
    b.reverse();
    (a, b)
}

/// Round `i`, for which word `r` is the first one.
#[inline(always)]
pub(super) fn round(table: &Table, i: usize, state: &mut State, r: usize) {
    let [y0, y1, y2, y3] = [
        state[r],
        state[(r + 1) % 4],
        state[(r + 2) % 4],
        state[(r + 3) % 4],
    ];
    let v = four!(j => y1[j].xor3(y2[j], y3[j]));
    let (low, high) = (v[0].xor(v[1]), v[2].xor(v[3]));
    let t = [
        v[1].xor3(high, table.broadcast(i, 0)),
        v[0].xor3(high, table.broadcast(i, 1)),
        v[3].xor3(low, table.broadcast(i, 2)),
        v[2].xor3(low, table.broadcast(i, 3)),
    ];
    state[r] = four!(j => {
        let own = t[j].map_inverse::<CONSTANT>(OWN);
        let before = t[(j + 3) % 4].map_inverse::<0>(NEXT);
        y0[j].xor3(own, before)
    });
}

/// The first three words of counter blocks, mapped, with each byte four times. A mode may derive them from its key.
pub(super) struct Prefix {
    token: Avx512Gfni,
    bytes: Zmm,
}

impl Prefix {
    #[inline(always)]
    pub(super) fn new(token: Avx512Gfni, prefix: [u32; 3]) -> Self {
        let mut block = [0; 16];
        for (bytes, word) in block.as_chunks_mut::<4>().0.iter_mut().zip(prefix) {
            *bytes = word.to_be_bytes();
        }
        let x = Xmm::block(token, block).map(U);
        let y = x.turn_1().xor3(x.turn_by(Xmm::turn(token, 2)), x.turn_3());
        Self {
            token,
            bytes: y.spread(),
        }
    }

    /// Byte `j` of word `w`, in each byte.
    #[inline(always)]
    fn broadcast(&self, w: usize, j: usize) -> Zmm {
        assert!(w < 4 && j < 4);
        let words = (&raw const self.bytes).cast::<u32>();
        // SAFETY: the vector is 16 words.
        unsafe { Zmm::broadcast(self.token, words.add(4 * w + j)) }
    }

    /// The state of 64 counter blocks.
    #[inline(always)]
    pub(super) fn state(&self, counter: u32) -> State {
        let word = |w| four!(j => self.broadcast(w, j));
        let counters = [
            Zmm::counter_bytes(self.token, counter),
            Zmm::counter_bytes(self.token, counter.wrapping_add(16)),
            Zmm::counter_bytes(self.token, counter.wrapping_add(32)),
            Zmm::counter_bytes(self.token, counter.wrapping_add(48)),
        ];
        [
            word(0),
            word(1),
            word(2),
            map_word(narrow::transpose(counters)),
        ]
    }
}

impl Drop for Prefix {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        self.bytes.wipe();
    }
}
