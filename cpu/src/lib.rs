#![no_std]
#![doc = include_str!("../README.md")]

#[cfg(all(
    test,
    any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")
))]
extern crate alloc;
#[cfg(test)]
extern crate std;

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[macro_use]
mod x86;

#[cfg(target_arch = "aarch64")]
#[macro_use]
mod aarch64;

#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
mod tokens;

#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
pub use tokens::*;
