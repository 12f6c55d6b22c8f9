//! Word-sliced: vector `w` holds word `w` of each block, mapped to AES's field.
//!
//! A state byte is `y = U·x`. With `z = inv(y1 + y2 + y3 + key)`, `p = U·R·V·z` and `q = U·M3·V·z`, a round adds
//! `p + q + turn1(p) + turn2(p) + turn3(q)` to `y0`.

use super::super::field::{C, M3, Matrix, R, U, V};
use super::io::Io;
use super::keys::Keys;
use super::vector::{Vector, Xmm, Ymm};

const P: Matrix = U.times(R).times(V);
const Q: Matrix = U.times(M3).times(V);
const BACK: Matrix = U.inverse();

/// What the constant of the S-box makes behind `L`, in each byte: `U·R·C`.
const CONSTANT: i32 = U.times(R).apply(C) as i32;

/// The state of as many blocks as four vectors hold.
pub(super) type State<T> = [T; 4];

/// Passes `N` times four vectors of blocks through the cipher.
#[inline(always)]
pub(super) fn pass<T: Vector, const N: usize>(keys: Keys<'_>, io: &mut impl Io) {
    let mut states = [[T::zero(keys.token); 4]; N];
    for (n, state) in states.iter_mut().enumerate() {
        let i = 4 * n;
        *state = load([io.load(i), io.load(i + 1), io.load(i + 2), io.load(i + 3)]);
    }
    rounds(keys, &mut states);
    for (n, state) in states.into_iter().enumerate().rev() {
        let blocks = unload(state);
        for i in (0..4).rev() {
            io.store(4 * n + i, blocks[i]);
        }
    }
}

/// Into AES's field.
#[inline(always)]
pub(super) fn map<T: Vector>(x: T) -> T {
    x.map(U)
}

/// Blocks into words.
#[inline(always)]
pub(super) fn load<T: Vector>([a, b, c, d]: [T; 4]) -> State<T> {
    transpose([a.map(U), b.map(U), c.map(U), d.map(U)])
}

/// Words into blocks.
#[inline(always)]
pub(super) fn unload<T: Vector>(state: State<T>) -> [T; 4] {
    let [a, b, c, d] = transpose(state);
    [a.map(BACK), b.map(BACK), c.map(BACK), d.map(BACK)]
}

#[inline(always)]
pub(super) fn transpose<T: Vector>([a, b, c, d]: [T; 4]) -> [T; 4] {
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
#[inline(always)]
pub(super) fn rounds<T: Vector, const N: usize>(keys: Keys<'_>, states: &mut [State<T>; N]) {
    let two = T::turn(keys.token, 2);
    let three = T::turn(keys.token, 3);
    let mut sums = [T::zero(keys.token); N];
    for (state, t) in states.iter().zip(&mut sums) {
        *t = first_sum(keys, state);
    }
    for i in (0..32).step_by(4) {
        for r in 0..4 {
            let key = keys.broadcast::<T>(i + r + 1);
            for (state, t) in states.iter_mut().zip(&mut sums) {
                let turn_3 = |q: T| if N > 2 { q.turn_by(three) } else { q.turn_3() };
                round(state, t, key, r, two, turn_3);
            }
        }
    }
    for state in states {
        state.reverse();
    }
}

/// The sum that the first round takes.
#[inline(always)]
pub(super) fn first_sum<T: Vector>(keys: Keys<'_>, [_, y1, y2, y3]: &State<T>) -> T {
    y1.xor3(*y2, keys.broadcast(0)).xor(*y3)
}

/// A round for which word `r` is the first one. It takes the sum `t`, and makes that of the next round with its `key`.
#[inline(always)]
pub(super) fn round<T: Vector>(
    state: &mut State<T>,
    t: &mut T,
    key: T,
    r: usize,
    two: T,
    turn_3: impl FnOnce(T) -> T,
) {
    let (y0, y2, y3) = (state[r], state[(r + 2) % 4], state[(r + 3) % 4]);
    let p = t.map_inverse::<CONSTANT>(P);
    let q = t.map_inverse::<0>(Q);
    let turned = p.turn_1().xor3(p.turn_by(two), turn_3(q));
    let own = y0.xor3(p, q);
    *t = y2.xor3(y3, key).xor3(own, turned);
    state[r] = own.xor(turned);
}

/// Passes one block through the cipher.
#[inline(always)]
pub(super) fn single(keys: Keys<'_>, io: &mut impl Io) {
    let mut states = [split(io.load(0))];
    rounds(keys, &mut states);
    io.store(0, join(states[0]));
}

/// One block into words, in vectors of two: their instructions have a shorter latency than those of one.
#[inline(always)]
pub(super) fn split(block: Xmm) -> State<Ymm> {
    let block = block.map(U);
    [
        block.wide(),
        block.word::<1>().wide(),
        block.word::<2>().wide(),
        block.word::<3>().wide(),
    ]
}

/// The inverse of [`split`].
#[inline(always)]
pub(super) fn join([a, b, c, d]: State<Ymm>) -> Xmm {
    let (a, b, c, d) = (a.low(), b.low(), c.low(), d.low());
    let block = a
        .unpack_low_words(b)
        .unpack_low_halves(c.unpack_low_words(d));
    block.map(BACK)
}

/// The sum of two states.
#[inline(always)]
pub(super) fn add<T: Vector>([a, b, c, d]: State<T>, [e, f, g, h]: State<T>) -> State<T> {
    [a.xor(e), b.xor(f), c.xor(g), d.xor(h)]
}
