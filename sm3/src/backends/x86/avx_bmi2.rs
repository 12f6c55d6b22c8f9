//! AVX2 and BMI2: the schedule of two blocks in vectors, beside the rounds of the first in scalar registers.
//!
//! - **Round function.** Scalar, in assembly, for the compiler keeps no order and the order is what counts: the limit
//!   is the chain through the register E, of 6 cycles a round. `rorx` copies and rotates; a `lea` of three terms adds the
//!   constant. The chain is as short as that because `e ^ g` is computed beside `e` and not from it: with the rotated terms
//!   r of P0, `e = x ^ r` and `e ^ g = (x ^ g) ^ r`. The late rounds choose by `(f & g) + ((e ^ g) & (f ^ g))`, of
//!   which all but `e ^ g` is known a round ahead.
//! - **Load and schedule.** A vector holds three words of the first block of a pair in its lower half, and the same
//!   of the second one in its upper half. A step computes three words of both; there is one every three rounds of
//!   the first block, twelve rounds ahead of its use. The rounds of the second block find all of it done.
//! - **Blocks in flight.** One, and the schedule of the next.
//! - **Tail.** A last block without a second one stands in both halves.
//!
//! Constant-time: additions, logic, shuffles, and rotations by constants.

#![allow(unsafe_code)]

use super::pairs::*;
use core::arch::{asm, x86_64::*};
use shangmi_cpu::Avx2Bmi2;

/// The byte shuffle that rotates words by 8.
#[inline]
#[target_feature(enable = "avx2")]
fn rotate_8() -> __m256i {
    _mm256_broadcastsi128_si256(_mm_set_epi8(
        14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3,
    ))
}

pairs_kernel!("avx2,bmi1,bmi2", avx2, rotate_8());

/// Compresses `blocks` into `state`, one after the other.
#[inline]
pub(crate) fn compress(_: Avx2Bmi2, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    // SAFETY: the token proves AVX2, BMI1 and BMI2.
    unsafe { compress_blocks(state, blocks) }
}
