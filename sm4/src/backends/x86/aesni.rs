//! AES-NI with 128-bit vectors.
//!
//! Round function, load and transpose are those of [`super::aes`]. In flight: 32 blocks byte by byte; of up to 16 blocks,
//! one to four vectors a word. A tail is one pass of the smallest shape that takes it. The code is the same in VEX
//! encoding, which gained nothing where it was measured.

#![allow(unsafe_code)]

use super::aes::{
    backend::{self, Cipher, Passes, Reversed, backend},
    schedule, sliced,
    vector::Xmm,
    words,
};
use crate::backends::Kernel;
use crate::schedule::RoundKeys;
use cipher::{
    BlockCipherDecClosure, BlockCipherEncClosure, InOut, InOutBuf,
    array::Array,
    consts::{U16, U32},
    typenum::Unsigned,
};
use shangmi_cpu::AesNi;

backend! {
    AesNi, "ssse3,sse4.1,aes";
    many: U32 in Xmm;
    few: Xmm * 1 to 4, Xmm * 2 to 8, Xmm * 3 to 12, Xmm * 4 to 16;
}
