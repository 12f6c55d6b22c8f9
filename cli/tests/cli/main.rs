//! Drives the program as its users do.

mod check;
#[cfg(unix)]
mod coreutils;
mod damage;
mod hash;
mod keygen;
#[cfg(target_os = "linux")]
mod memory;
mod output;
#[cfg(unix)]
mod readme;
mod round_trip;
mod run;
mod vectors;
