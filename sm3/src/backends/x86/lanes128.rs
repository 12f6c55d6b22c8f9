//! SSE2: four messages at once, on every x86-64.
//!
//! - **Round function.** A rotation is two shifts and an or or an exclusive or.
//! - **Load and transpose.** Four times four words: pieces of 16 bytes from one lane a register, transposed.
//! - **Blocks in flight.** Four.
//! - **Tail.** The caller's: lanes without a message take part with another one's.
//!
//! Constant-time: additions, logic, shuffles, and shifts by constants.

#![allow(unsafe_code)]

use crate::{
    backends::lanes::{
        AFTER_DIGEST, Kernel, Runs, States, lanes_kernel, lanes_round, lanes_runs, lanes_sixteen,
    },
    consts::T,
};
use core::arch::x86_64::*;
use shangmi_cpu::Sse2;

#[inline]
#[target_feature(enable = "sse2")]
fn rotate<const N: i32, const M: i32>(x: __m128i) -> __m128i {
    _mm_or_si128(_mm_slli_epi32::<N>(x), _mm_srli_epi32::<M>(x))
}

#[inline]
#[target_feature(enable = "sse2")]
fn add(x: __m128i, y: __m128i) -> __m128i {
    _mm_add_epi32(x, y)
}

#[inline]
#[target_feature(enable = "sse2")]
fn xor(x: __m128i, y: __m128i) -> __m128i {
    _mm_xor_si128(x, y)
}

#[inline]
#[target_feature(enable = "sse2")]
fn xor3(x: __m128i, y: __m128i, z: __m128i) -> __m128i {
    xor(xor(x, y), z)
}

#[inline]
#[target_feature(enable = "sse2")]
fn majority(x: __m128i, y: __m128i, z: __m128i) -> __m128i {
    let both = _mm_and_si128(y, z);
    _mm_or_si128(both, _mm_and_si128(x, _mm_or_si128(y, z)))
}

#[inline]
#[target_feature(enable = "sse2")]
fn choose(x: __m128i, y: __m128i, z: __m128i) -> __m128i {
    _mm_or_si128(_mm_and_si128(x, y), _mm_andnot_si128(x, z))
}

#[inline]
#[target_feature(enable = "sse2")]
fn p0(x: __m128i) -> __m128i {
    xor3(x, rotate::<9, 23>(x), rotate::<17, 15>(x))
}

#[inline]
#[target_feature(enable = "sse2")]
fn p1(x: __m128i) -> __m128i {
    xor3(x, rotate::<15, 17>(x), rotate::<23, 9>(x))
}

#[inline]
#[target_feature(enable = "sse2")]
fn splat(x: u32) -> __m128i {
    _mm_set1_epi32(x as i32)
}

#[inline]
#[target_feature(enable = "sse2")]
fn pieces(blocks: &[&[u8; 64]; 4], i: usize, at: usize) -> __m128i {
    let (pieces, _) = blocks[i].as_chunks::<16>();
    // SAFETY: the reference is to the 16 bytes that are read.
    unsafe { _mm_loadu_si128(pieces[at / 4].as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn low(x: __m128i, y: __m128i) -> __m128i {
    _mm_unpacklo_epi32(x, y)
}

#[inline]
#[target_feature(enable = "sse2")]
fn high(x: __m128i, y: __m128i) -> __m128i {
    _mm_unpackhi_epi32(x, y)
}

#[inline]
#[target_feature(enable = "sse2")]
fn low_pairs(x: __m128i, y: __m128i) -> __m128i {
    _mm_unpacklo_epi64(x, y)
}

#[inline]
#[target_feature(enable = "sse2")]
fn high_pairs(x: __m128i, y: __m128i) -> __m128i {
    _mm_unpackhi_epi64(x, y)
}

/// The halves of each word change places, then the bytes of each half.
#[inline]
#[target_feature(enable = "sse2")]
fn big_endian(x: __m128i) -> __m128i {
    let x = _mm_shufflehi_epi16::<0b10_11_00_01>(_mm_shufflelo_epi16::<0b10_11_00_01>(x));
    _mm_or_si128(_mm_slli_epi16::<8>(x), _mm_srli_epi16::<8>(x))
}

#[inline]
#[target_feature(enable = "sse2")]
fn load(words: &[u32; 4]) -> __m128i {
    // SAFETY: the reference is to the 16 bytes that are read.
    unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn store(words: &mut [u32; 4], x: __m128i) {
    // SAFETY: the reference is to the 16 bytes that are written.
    unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), x) }
}

lanes_kernel!(Sse2, "sse2", __m128i, 4, few: 2);
lanes_runs!("sse2", 4);
