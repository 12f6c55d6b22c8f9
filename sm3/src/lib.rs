#![no_std]
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
// The rounds in assembly are one macro recursion each.
#![recursion_limit = "256"]

#[cfg(feature = "alloc")]
extern crate alloc;

pub use digest::{self, Digest};

mod backends;
pub mod block_api;
mod consts;
pub mod multi;

pub use backends::Backend;
pub use block_api::Sm3Core;

use digest::{CollisionResistance, typenum::U16};

digest::buffer_fixed!(
    /// SM3 hasher (GB/T 32905-2016): 32 bytes of digest, blocks of 64 bytes.
    ///
    /// The value takes 104 bytes, or 112 where there is a choice of backends. Its serialized state
    /// takes 104: [`Sm3Core`] with 40, then the number of buffered bytes, and those bytes, filled
    /// up with zeros to 63.
    ///
    /// Messages of 2<sup>61</sup> bytes (2<sup>64</sup> bits) and more are beyond the standard. They
    /// do not panic; the length that is hashed with them is taken modulo 2<sup>64</sup> bits.
    pub struct Sm3(Sm3Core);
    // The identifier of GM/T 0006. ISO has assigned 1.0.10118.3.0.65 besides.
    oid: "1.2.156.10197.1.401";
    impl: FixedHashTraits;
);

impl Sm3 {
    /// Makes a hasher that uses `backend`, and goes on to do so when it is reset.
    ///
    /// Every backend gives the same digests; [`Digest::new`] takes the fastest.
    #[inline]
    #[must_use]
    pub fn with_backend(backend: Backend) -> Self {
        Self {
            core: Sm3Core::with_backend(backend),
            buffer: Default::default(),
        }
    }

    /// The backend that this hasher uses.
    #[inline]
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.core.backend()
    }

    /// The number of bytes hashed, modulo 2^64.
    #[inline]
    fn bytes(&self) -> u64 {
        let buffered = self.buffer.get_pos() as u64;
        self.core.blocks.wrapping_mul(64).wrapping_add(buffered)
    }
}

/// 16 bytes (128 bits): half of the digest.
impl CollisionResistance for Sm3 {
    type CollisionResistance = U16;
}
