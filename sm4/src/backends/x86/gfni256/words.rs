//! Word-sliced: vector `w` holds word `w` of each block, mapped to AES's field.
//!
//! A state byte is `y = U·x`. With `z = inv(y1 + y2 + y3 + key)`, a round adds
//! `U·M0·V·z + turn1(U·R·V·z) + turn2(U·R·V·z) + turn3(U·M3·V·z)` to `y0`, and the S-box's constant.

use super::super::field::{C, M0, M3, Matrix, R, U, V};
use super::area::Area;
use super::vector::{Vector, Xmm};
use crate::schedule::RoundKeys;
use shangmi_cpu::Avx2Gfni;

const OWN: Matrix = U.times(M0).times(V);
const NEXT: Matrix = U.times(R).times(V);
const BEFORE: Matrix = U.times(M3).times(V);
const BACK: Matrix = U.inverse();

/// What the S-box's constant becomes behind `L`, in each byte.
const CONSTANT: i32 = U.times(R).apply(C) as i32;

/// The shuffle that turns words left by `n` bytes.
pub(super) const fn turned(n: u8) -> [u8; 16] {
    let mut indices = [0; 16];
    let mut i = 0;
    while i < 16 {
        indices[i] = (i as u8 & 12) | (i as u8 + n) & 3;
        i += 1;
    }
    indices
}

/// The state of as many blocks as four vectors have.
pub(super) type Words<T> = [T; 4];

/// Passes up to `4·N` vectors of blocks through the cipher, and at least one vector.
#[inline(always)]
pub(super) fn pass<T: Vector, const N: usize>(token: Avx2Gfni, keys: &RoundKeys, area: &Area<'_>) {
    let mut states = [[T::words(token, 0); 4]; N];
    for (n, state) in states.iter_mut().enumerate() {
        for (i, blocks) in state.iter_mut().enumerate() {
            *blocks = area.load(4 * n + i);
        }
        *state = enter(*state);
    }
    rounds(token, keys, &mut states);
    for (n, state) in states.into_iter().enumerate() {
        for (i, blocks) in leave(state).into_iter().enumerate() {
            area.store(4 * n + i, blocks);
        }
    }
}

/// Passes one block through the cipher.
#[inline(always)]
pub(super) fn single(token: Avx2Gfni, keys: &RoundKeys, area: &Area<'_>) {
    let mut states = [[Xmm::words(token, 0); 4]];
    for (vector, word) in states[0].iter_mut().zip(area.load_words()) {
        *vector = Xmm::words(token, word).map(U);
    }
    rounds(token, keys, &mut states);
    let [[a, b, c, d]] = states;
    let (ab, cd) = (a.unpack_low_words(b), c.unpack_low_words(d));
    area.store(0, ab.unpack_low_halves(cd).map(BACK));
}

/// Blocks into words.
#[inline(always)]
fn enter<T: Vector>(blocks: [T; 4]) -> Words<T> {
    let [a, b, c, d] = blocks;
    transpose([a.map(U), b.map(U), c.map(U), d.map(U)])
}

/// Words into blocks.
#[inline(always)]
pub(super) fn leave<T: Vector>(words: Words<T>) -> [T; 4] {
    let [a, b, c, d] = transpose(words);
    [a.map(BACK), b.map(BACK), c.map(BACK), d.map(BACK)]
}

/// Transposes words: block `i` of a vector becomes word `i` of each of its blocks.
#[inline(always)]
fn transpose<T: Vector>([a, b, c, d]: [T; 4]) -> [T; 4] {
    let (low_ab, high_ab) = (a.unpack_low_words(b), a.unpack_high_words(b));
    let (low_cd, high_cd) = (c.unpack_low_words(d), c.unpack_high_words(d));
    [
        low_ab.unpack_low_halves(low_cd),
        low_ab.unpack_high_halves(low_cd),
        high_ab.unpack_low_halves(high_cd),
        high_ab.unpack_high_halves(high_cd),
    ]
}

/// The 32 rounds and the reversal of the words.
///
/// What a round waits for is `t`, the argument of the inversion. So the next `t` is summed up as early as its terms
/// come, and the new word is made of it, not the other way about.
#[inline(always)]
pub(super) fn rounds<T: Vector, const N: usize>(
    token: Avx2Gfni,
    keys: &RoundKeys,
    states: &mut [Words<T>; N],
) {
    // A compiler that knows the indices takes two instructions for some turns.
    let turn_1 = T::repeated(token, &turned(1)).opaque();
    let turn_2 = T::repeated(token, &turned(2)).opaque();
    let turn_3 = T::repeated(token, &turned(3)).opaque();

    let key = T::words(token, keys[0]);
    let mut sums = [key; N];
    for ([_, y1, y2, y3], t) in states.iter().zip(&mut sums) {
        *t = y1.xor(*y2).xor(y3.xor(key));
    }
    for first in (0..32).step_by(4) {
        for i in 0..4 {
            let key = T::words(token, keys[(first + i + 1) % 32]);
            for (state, t) in states.iter_mut().zip(&mut sums) {
                let others = state[(i + 2) % 4].xor(key).xor(state[(i + 3) % 4]);
                let early = others.xor(state[i]).opaque();

                let next = t.map_inverse::<0>(NEXT);
                let own = t.map_inverse::<CONSTANT>(OWN);
                let before = t.map_inverse::<0>(BEFORE).opaque();
                let early = early.xor(own).opaque();
                let early = early.xor(next.shuffle(turn_1)).opaque();
                *t = early.xor(next.shuffle(turn_2).xor(before.shuffle(turn_3)));
                state[i] = t.xor(others);
            }
        }
    }
    for state in states {
        state.reverse();
    }
}
