//! AVX-512VL and BMI2: as `avx_bmi2`, with instructions for rotations and for exclusive ors of three.
//!
//! - **Round function.** That of `avx_bmi2`.
//! - **Load and schedule.** Likewise, in half as many instructions. As the chain of the rounds is the limit, this is felt most
//!   where there is one block.
//! - **Blocks in flight.** One, and the schedule of the next.
//! - **Tail.** A last block without a second one stands in both halves.
//!
//! Constant-time: additions, logic, shuffles, and rotations by constants.

#![allow(unsafe_code)]

use super::pairs::*;
use core::arch::{asm, x86_64::*};
use shangmi_cpu::{Avx2Bmi2, Avx512};

pairs_kernel!(
    "avx2,avx512f,avx512vl,bmi1,bmi2",
    avx512vl,
    _mm256_setzero_si256()
);

/// Compresses `blocks` into `state`, one after the other.
#[inline]
pub(crate) fn compress(_: Avx512, _: Avx2Bmi2, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    // SAFETY: the tokens prove AVX-512F and AVX-512VL, AVX2, BMI1 and BMI2.
    unsafe { compress_blocks(state, blocks) }
}
