//! Key set-up with GFNI in 128-bit registers and VEX encoding, for a kernel whose state is in AES's field.

#![allow(unsafe_code)]

use super::field::U;
use super::schedule::{CK, CONSTANT, FK, TERMS};
use crate::schedule::RoundKeys;
use core::arch::{
    asm,
    x86_64::{
        __m128i, _mm_cvtsi128_si32, _mm_gf2p8affine_epi64_epi8, _mm_gf2p8affineinv_epi64_epi8,
        _mm_set_epi32, _mm_set1_epi32, _mm_set1_epi64x, _mm_shuffle_epi8, _mm_xor_si128,
    },
};

/// Expands a key. A round key is `U·rk + u` in each byte, what a round adds to the argument of the inversion, and
/// lies in memory as a word of a block does.
///
/// Three such words have `u` in their sum as well, so that the schedule goes from one to the next in this form.
#[target_feature(enable = "avx2,gfni")]
pub(super) fn expand(key: &[u8; 16]) -> RoundKeys {
    let into = _mm_set1_epi64x(U.gfni() as i64);
    let [own, next, opposite, before] = TERMS.map(|term| term.gfni() as i64);
    let (own, next) = (_mm_set1_epi64x(own), _mm_set1_epi64x(next));
    let (opposite, before) = (_mm_set1_epi64x(opposite), _mm_set1_epi64x(before));
    let turn_1 = turn(0x0003_0201);
    let turn_2 = turn(0x0100_0302);
    let turn_3 = turn(0x0201_0003);

    let words = key.as_chunks::<4>().0;
    let mut k = [into; 4];
    for (k, (word, fk)) in k.iter_mut().zip(words.iter().zip(FK.as_chunks().0)) {
        let word = _mm_set1_epi32(i32::from_le_bytes(*word));
        let word = _mm_gf2p8affine_epi64_epi8::<0>(word, into);
        *k = _mm_xor_si128(word, _mm_set1_epi32(i32::from_le_bytes(*fk)));
    }

    let mut round_keys = [0; 32];
    let groups = round_keys.as_chunks_mut::<4>().0.iter_mut();
    for (out, ck) in groups.zip(CK.as_chunks::<4>().0) {
        for i in 0..4 {
            let [k1, k2, k3] = [k[(i + 1) % 4], k[(i + 2) % 4], k[(i + 3) % 4]];
            let early = _mm_xor_si128(_mm_xor_si128(k1, k2), _mm_set1_epi32(ck[i] as i32));
            let t = _mm_xor_si128(early, k3);

            let next = _mm_gf2p8affineinv_epi64_epi8::<0>(t, next);
            let opposite = _mm_gf2p8affineinv_epi64_epi8::<0>(t, opposite);
            let before = _mm_gf2p8affineinv_epi64_epi8::<0>(t, before);
            let own = _mm_gf2p8affineinv_epi64_epi8::<CONSTANT>(t, own);
            let next = _mm_shuffle_epi8(next, turn_1);
            let opposite = _mm_shuffle_epi8(opposite, turn_2);
            let before = _mm_shuffle_epi8(before, turn_3);
            let others = _mm_xor_si128(_mm_xor_si128(k[i], own), before);
            k[i] = _mm_xor_si128(_mm_xor_si128(next, opposite), others);
            out[i] = _mm_cvtsi128_si32(k[i]) as u32;
        }
    }
    round_keys
}

/// The shuffle that turns words, from its first word.
#[inline]
#[target_feature(enable = "avx2")]
fn turn(first: i32) -> __m128i {
    let word = |i: i32| first + i * 0x0404_0404;
    let mut shuffle = _mm_set_epi32(word(3), word(2), word(1), word(0));
    // A compiler that knows the indices takes two instructions for some turns.
    // SAFETY: there is no instruction.
    unsafe {
        asm!("/* {0} */", inout(xmm_reg) shuffle, options(pure, nomem, nostack, preserves_flags));
    }
    shuffle
}
