//! AVX2 with 128-bit AES-NI: each vector goes through the round instruction in halves.
//!
//! Round function, load and transpose are those of [`super::aes`]. In flight: 64 blocks byte by byte; of up to 32 blocks,
//! one to four vectors a word. A tail is one pass of the smallest shape that takes it.

#![allow(unsafe_code)]

use super::aes::{
    backend::{self, Cipher, Passes, Reversed, backend},
    schedule, sliced,
    vector::{Xmm, Ymm},
    words,
};
use crate::backends::Kernel;
use crate::schedule::RoundKeys;
use cipher::{
    BlockCipherDecClosure, BlockCipherEncClosure, InOut, InOutBuf,
    array::Array,
    consts::{U16, U32, U64},
    typenum::Unsigned,
};
use shangmi_cpu::Avx2Aes;

backend! {
    Avx2Aes, "avx2,aes";
    many: U64 in Ymm;
    few: Xmm * 1 to 4, Ymm * 1 to 8, Ymm * 2 to 16, Ymm * 3 to 24, Ymm * 4 to 32;
}
