//! What the tests of this workspace share.
//!
//! Three parts: [`model`] holds independent models of every algorithm, written from the standards one
//! block at a time; [`vectors`] reads the files of test vectors; [`support`] holds the rest, such as
//! misaligned buffers between guard bytes and one interface to every implementation under test.

/// Models written straight from the standards: slow, plain, and sharing no code with the crates under test.
pub mod model {
    pub mod cbc;
    pub mod ccm;
    pub mod cfb;
    pub mod cipher16;
    pub mod ctr;
    pub mod ecb;
    pub mod gcm;
    pub mod ghash;
    pub mod hmac;
    pub mod ofb;
    pub mod sm3;
    pub mod sm4;
    pub mod xts;
}

/// Helpers that are neither models nor readers.
pub mod support {
    pub mod aead;
    pub mod aead_mode;
    pub mod aead_properties;
    pub mod block_modes;
    pub mod bytes;
    pub mod ctr_modes;
    pub mod drive;
    pub mod place;
    pub mod rng;
    pub mod run;
    pub mod subjects;
    pub mod traits;
    pub mod wiped;
}

/// Readers of vector files.
pub mod vectors {
    pub mod aead;
    pub mod derived;
    pub mod folder;
    pub mod json;
    pub mod stanza;
}

/// The example in the README of the workspace.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
