//! AVX-512: sixteen messages at once.
//!
//! - **Round function.** Rotations and Boolean functions of three operands are an instruction each; state and
//!   schedule fit into the 32 registers.
//! - **Load and transpose.** Four times four words: pieces of 16 bytes from four lanes a register, transposed
//!   within 128 bits, among the first rounds. The pieces of the block after are put together in memory during the rounds,
//!   for which shuffles would need the ports of the rounds; each lane's cache line is read at once, for lines of messages
//!   that are a page apart displace each other.
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
use core::arch::{asm, x86_64::*};
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

/// x <<< 8, on the port that has no rotations. In assembly: the compiler knows the shuffle for a rotation, and makes it
/// one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn rotate_byte(x: __m512i) -> __m512i {
    let order = _mm_set_epi8(14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3);
    let order = _mm512_broadcast_i32x4(order);
    let rotated;
    // SAFETY: the caller has AVX512BW, and nothing but the register named is written.
    unsafe {
        asm!(
            "vpshufb {rotated}, {x}, {order}",
            rotated = lateout(zmm_reg) rotated,
            x = in(zmm_reg) x,
            order = in(zmm_reg) order,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    rotated
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn p0(x: __m512i) -> __m512i {
    let y = rotate::<9, 23>(x);
    xor3(x, y, rotate_byte(y))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn p1(x: __m512i) -> __m512i {
    let y = rotate::<15, 17>(x);
    xor3(x, y, rotate_byte(y))
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

/// The pieces of a block in every lane: row `4 * (at / 4) + i` is `pieces(blocks, i, at)`.
#[repr(align(64))]
struct Rows([[[u8; 16]; 4]; 16]);

#[inline]
#[target_feature(enable = "avx512f")]
fn load_row(row: &[[u8; 16]; 4]) -> __m512i {
    // SAFETY: the reference is to the 64 bytes that are read.
    unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_row(row: &mut [[u8; 16]; 4], x: __m512i) {
    // SAFETY: the reference is to the 64 bytes that are written.
    unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), x) }
}

impl Rows {
    const ZERO: Self = Self([[[0; 16]; 4]; 16]);

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn of(blocks: &[&[u8; 64]; 16]) -> Self {
        let mut rows = Self::ZERO;
        for (row, to) in rows.0.iter_mut().enumerate() {
            store_row(to, pieces(blocks, row % 4, row / 4 * 4));
        }
        rows
    }

    /// Sets the pieces of one lane.
    #[inline]
    fn set(&mut self, lane: usize, block: &[u8; 64]) {
        let (pieces, _) = block.as_chunks::<16>();
        for (i, piece) in pieces.iter().enumerate() {
            self.0[4 * i + lane % 4][lane / 4] = *piece;
        }
    }

    /// Words `at` to `at + 3`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn four(&self, at: usize) -> [__m512i; 4] {
        transposed(core::array::from_fn(|i| load_row(&self.0[at + i])))
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn compress_runs(states: &mut States<16>, runs: &Runs<'_, 16>) {
    let count = runs[0].len();
    assert!(runs.iter().all(|run| run.len() == count));
    let Some(last) = count.checked_sub(1) else {
        return;
    };
    let blocks = |n: usize| -> [&[u8; 64]; 16] {
        core::array::from_fn(|lane| {
            // SAFETY: every run has `count` blocks, which has been asserted, and callers have n < count.
            unsafe { runs[lane].get_unchecked(n) }
        })
    };
    let mut v = load_states(states);
    let first = blocks(0);
    if last == 0 {
        compress_block(
            &mut v,
            |at| transposed(core::array::from_fn(|i| pieces(&first, i, at))),
            |_| {},
        );
    } else {
        let mut rows = Rows::of(&first);
        let mut others = Rows::ZERO;
        let (mut now, mut then) = (&mut rows, &mut others);
        for n in 0..count {
            // There is nothing after the last block: it is prepared again, in vain.
            let next = blocks(last.min(n + 1));
            compress_block(&mut v, |at| now.four(at), |lane| then.set(lane, next[lane]));
            (now, then) = (then, now);
        }
    }
    store_states(states, v);
}

lanes_kernel!(Avx512, "avx512f,avx512bw,avx512dq,avx512vl", __m512i, 16, few: 1);
