//! AVX-512: sixteen messages at once.
//!
//! - **Round function.** Rotations and Boolean functions of three operands are an instruction each; state and
//!   schedule fit into the 32 registers.
//! - **Load and transpose.** Four times four words: pieces of 16 bytes from four lanes a register, transposed
//!   within 128 bits.
//! - **Blocks in flight.** Sixteen.
//! - **Tail.** The caller's: lanes without a message take part with another one's.
//!
//! Constant-time: additions, logic, shuffles, and rotations by constants.

#![allow(unsafe_code)]

use crate::{
    backends::lanes::{
        AFTER_DIGEST, Kernel, Runs, States, lanes_kernel, lanes_round, lanes_sixteen,
    },
    consts::T,
};
use core::arch::x86_64::*;
use shangmi_cpu::Avx512;

#[inline]
#[target_feature(enable = "avx512f")]
fn rotate<const N: i32, const M: i32>(x: __m512i) -> __m512i {
    _mm512_rol_epi32::<N>(x)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn add(x: __m512i, y: __m512i) -> __m512i {
    _mm512_add_epi32(x, y)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn xor(x: __m512i, y: __m512i) -> __m512i {
    _mm512_xor_si512(x, y)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn xor3(x: __m512i, y: __m512i, z: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<0x96>(x, y, z)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn majority(x: __m512i, y: __m512i, z: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<0xe8>(x, y, z)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn choose(x: __m512i, y: __m512i, z: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<0xca>(x, y, z)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn p0(x: __m512i) -> __m512i {
    xor3(x, rotate::<9, 23>(x), rotate::<17, 15>(x))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn p1(x: __m512i) -> __m512i {
    xor3(x, rotate::<15, 17>(x), rotate::<23, 9>(x))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(x: u32) -> __m512i {
    _mm512_set1_epi32(x as i32)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn pieces(blocks: &[&[u8; 64]; 16], i: usize, at: usize) -> __m512i {
    let piece = |lane: usize| {
        let (pieces, _) = blocks[lane].as_chunks::<16>();
        // SAFETY: the reference is to the 16 bytes that are read.
        unsafe { _mm_loadu_si128(pieces[at / 4].as_ptr().cast()) }
    };
    let x = _mm512_castsi128_si512(piece(i));
    let x = _mm512_inserti32x4::<1>(x, piece(i + 4));
    let x = _mm512_inserti32x4::<2>(x, piece(i + 8));
    _mm512_inserti32x4::<3>(x, piece(i + 12))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn low(x: __m512i, y: __m512i) -> __m512i {
    _mm512_unpacklo_epi32(x, y)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn high(x: __m512i, y: __m512i) -> __m512i {
    _mm512_unpackhi_epi32(x, y)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn low_pairs(x: __m512i, y: __m512i) -> __m512i {
    _mm512_unpacklo_epi64(x, y)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn high_pairs(x: __m512i, y: __m512i) -> __m512i {
    _mm512_unpackhi_epi64(x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn big_endian(x: __m512i) -> __m512i {
    let order = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(order))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &[u32; 16]) -> __m512i {
    // SAFETY: the reference is to the 64 bytes that are read.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(words: &mut [u32; 16], x: __m512i) {
    // SAFETY: the reference is to the 64 bytes that are written.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), x) }
}

lanes_kernel!(Avx512, "avx512f,avx512bw,avx512dq,avx512vl", __m512i, 16, few: 1);
