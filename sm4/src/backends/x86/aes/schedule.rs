//! Key set-up in vector registers.
//!
//! Like the state, the words of the schedule stay in AES's field, here with the S-box's constant added. Each of them
//! fills a lane, all four columns alike, so that ShiftRows changes nothing.

use super::super::schedule::{CK, FK, L_PRIME};
use super::vector::{HasAes, Vector, Xmm};
use super::{CONSTANT, INTO, Table, columns, load, look_up, map, rotate, split, term, uncolumns};
use crate::schedule::RoundKeys;
use core::arch::x86_64::__m128i;

/// The terms of a round, from the same byte and the next ones.
const TERMS: [Table; 4] = [
    term(L_PRIME[0]),
    term(L_PRIME[1]),
    term(L_PRIME[2]),
    term(L_PRIME[3]),
];

/// Expands a key into `U·rk + u`, each word as it lies in memory.
#[inline(always)]
pub(in super::super) fn expand<T: HasAes>(v: Xmm<T>, key: &[u8; 16]) -> RoundKeys {
    let key = v.xor(map(v, &INTO, v.lane(key)), v.lane(&FK));
    let mut k = columns(v, key);
    let mut round_keys = [0; 32];
    let quads = round_keys.as_chunks_mut::<4>().0.iter_mut();
    for (to, ck) in quads.zip(CK.as_chunks::<4>().0) {
        for i in 0..4 {
            let others = v.xor(v.word(ck[i]), v.xor(k[(i + 1) % 4], k[(i + 2) % 4]));
            k[i] = round(v, k[i], v.xor(v.opaque(others), k[(i + 3) % 4]));
        }
        *to = v.to_words(uncolumns(v, k));
    }
    round_keys
}

/// One round: `word`, and the sum of the other three and the constant.
#[inline(always)]
fn round<T: HasAes>(v: Xmm<T>, word: __m128i, t: __m128i) -> __m128i {
    let s = split(v, v.aes_last(t, v.lane(&CONSTANT)));
    let mut terms = [word; 4];
    for (n, (x, table)) in terms.iter_mut().zip(&TERMS).enumerate().rev() {
        *x = look_up(v, load(v, table), s);
        if n != 0 {
            *x = v.shuffle(v.opaque(*x), v.lane(&ROTATE[n]));
        }
    }
    let [a, b, c, d] = terms;
    v.xor(v.xor(v.xor(word, d), c), v.opaque(v.xor(a, b)))
}

/// By the number of bytes; the columns are alike.
const ROTATE: [[u8; 16]; 4] = [rotate(0), rotate(1), rotate(2), rotate(3)];
