#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]
#![allow(
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    reason = "nothing here goes without the standard library"
)]

pub mod case;
pub mod clock;
pub mod gate;
pub mod job;
pub mod machine;
pub mod markdown;
pub mod measure;
pub mod peers;
pub mod plots;
pub mod report;
pub mod rows;
pub mod run;
pub mod seeds;
pub mod stats;
pub mod table;
