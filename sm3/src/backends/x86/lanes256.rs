//! AVX2: eight messages at once.
//!
//! - **Round function.** A rotation is two shifts and an exclusive or or an or; rotations by 8 are byte shuffles, by which
//!   the permutations save one of theirs.
//! - **Load and transpose.** Four times four words: pieces of 16 bytes from two lanes a register, transposed
//!   within 128 bits.
//! - **Blocks in flight.** Eight.
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
use shangmi_cpu::Avx2;

#[inline]
#[target_feature(enable = "avx2")]
fn rotate<const N: i32, const M: i32>(x: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_slli_epi32::<N>(x), _mm256_srli_epi32::<M>(x))
}

#[inline]
#[target_feature(enable = "avx2")]
fn rotate_8(x: __m256i) -> __m256i {
    let order = _mm_set_epi8(14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3);
    _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(order))
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(x: __m256i, y: __m256i) -> __m256i {
    _mm256_add_epi32(x, y)
}

#[inline]
#[target_feature(enable = "avx2")]
fn xor(x: __m256i, y: __m256i) -> __m256i {
    _mm256_xor_si256(x, y)
}

#[inline]
#[target_feature(enable = "avx2")]
fn xor3(x: __m256i, y: __m256i, z: __m256i) -> __m256i {
    xor(xor(x, y), z)
}

#[inline]
#[target_feature(enable = "avx2")]
fn majority(x: __m256i, y: __m256i, z: __m256i) -> __m256i {
    let both = _mm256_and_si256(y, z);
    _mm256_or_si256(both, _mm256_and_si256(x, _mm256_or_si256(y, z)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn choose(x: __m256i, y: __m256i, z: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_and_si256(x, y), _mm256_andnot_si256(x, z))
}

/// The rotations by 9 and 17 as those by 0 and 8, and 9 more of the sum.
#[inline]
#[target_feature(enable = "avx2")]
fn p0(x: __m256i) -> __m256i {
    let y = xor(x, rotate_8(x));
    xor3(x, _mm256_slli_epi32::<9>(y), _mm256_srli_epi32::<23>(y))
}

/// Likewise.
#[inline]
#[target_feature(enable = "avx2")]
fn p1(x: __m256i) -> __m256i {
    let y = xor(x, rotate_8(x));
    xor3(x, _mm256_slli_epi32::<15>(y), _mm256_srli_epi32::<17>(y))
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(x: u32) -> __m256i {
    _mm256_set1_epi32(x as i32)
}

#[inline]
#[target_feature(enable = "avx2")]
fn pieces(blocks: &[&[u8; 64]; 8], i: usize, at: usize) -> __m256i {
    let piece = |lane: usize| {
        let (pieces, _) = blocks[lane].as_chunks::<16>();
        // SAFETY: the reference is to the 16 bytes that are read.
        unsafe { _mm_loadu_si128(pieces[at / 4].as_ptr().cast()) }
    };
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(piece(i)), piece(i + 4))
}

#[inline]
#[target_feature(enable = "avx2")]
fn low(x: __m256i, y: __m256i) -> __m256i {
    _mm256_unpacklo_epi32(x, y)
}

#[inline]
#[target_feature(enable = "avx2")]
fn high(x: __m256i, y: __m256i) -> __m256i {
    _mm256_unpackhi_epi32(x, y)
}

#[inline]
#[target_feature(enable = "avx2")]
fn low_pairs(x: __m256i, y: __m256i) -> __m256i {
    _mm256_unpacklo_epi64(x, y)
}

#[inline]
#[target_feature(enable = "avx2")]
fn high_pairs(x: __m256i, y: __m256i) -> __m256i {
    _mm256_unpackhi_epi64(x, y)
}

#[inline]
#[target_feature(enable = "avx2")]
fn big_endian(x: __m256i) -> __m256i {
    let order = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(order))
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(words: &[u32; 8]) -> __m256i {
    // SAFETY: the reference is to the 32 bytes that are read.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(words: &mut [u32; 8], x: __m256i) {
    // SAFETY: the reference is to the 32 bytes that are written.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), x) }
}

lanes_kernel!(Avx2, "avx2", __m256i, 8, few: 2);
lanes_runs!("avx2", 8);
