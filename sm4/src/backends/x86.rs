//! x86-64: one kernel a set of instructions, and the algebra that they share.

mod aes;
mod aesni;
mod avx2;
mod field;
mod gfni256;
mod gfni512;
mod gfni_schedule;
mod schedule;
mod sm4ni;
mod sse2;
mod vaes256;
