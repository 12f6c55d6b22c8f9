//! x86-64: one kernel a set of instructions.

pub(crate) mod avx512vl;
pub(crate) mod avx_bmi2;
mod lanes128;
mod lanes256;
mod lanes512;
mod pairs;
pub(crate) mod sm3ni;
