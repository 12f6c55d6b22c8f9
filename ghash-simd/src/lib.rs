#![no_std]
#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod backends;

pub use backends::Backend;
pub use universal_hash;

use backends::Engine;
use core::fmt;
use universal_hash::{
    KeyInit, Reset, UhfClosure, UniversalHash,
    common::{BlockSizeUser, KeySizeUser},
    consts::U16,
};

/// Hash key `H`: 16 bytes.
pub type Key = universal_hash::Key<GHash>;

/// Block of input: 16 bytes.
pub type Block = universal_hash::Block<GHash>;

/// Output: 16 bytes.
pub type Tag = universal_hash::Block<GHash>;

/// **GHASH**, the universal hash of NIST SP 800-38D, section 6.4.
///
/// A running value `Y`, zero at first, takes in each 16-byte block `X` as `Y = (Y ⊕ X) · H`, the
/// product being the one of SP 800-38D, section 6.3, in GF(2^128). [`finalize`] returns `Y`.
///
/// [`update`] takes whole blocks and [`update_padded`] takes bytes, of which it fills the last
/// block up with zeroes. Both may be called as often as the input comes in; only a call of
/// `update_padded` whose length is not a multiple of 16 ends a block where it ends.
///
/// Every call works on up to four blocks at a time, what is left over at its end included, so a
/// few long calls cost less than many short ones.
///
/// A value holds `Y` and the first four powers of `H`: 96 bytes on 64-bit targets. With the
/// feature `zeroize` they are wiped on drop.
///
/// [`finalize`]: UniversalHash::finalize
/// [`update`]: UniversalHash::update
/// [`update_padded`]: UniversalHash::update_padded
#[derive(Clone)]
pub struct GHash(Engine);

impl GHash {
    /// Hash under the 16-byte key `h`, on the backend that [`Backend::detect`] names.
    #[inline]
    #[must_use]
    pub fn new(h: &Key) -> Self {
        Self::new_with_init_block(h, 0)
    }

    /// Hash under the 16-byte key `h` whose running value starts as `init_block` instead of zero.
    ///
    /// `init_block` is read big-endian: the value starts as the block `init_block.to_be_bytes()`.
    /// With the output `t` of an earlier computation, `u128::from_be_bytes(t.into())` goes on
    /// where that one ended.
    ///
    /// [`reset`](Reset::reset) returns to zero, not to `init_block`.
    #[must_use]
    pub fn new_with_init_block(h: &Key, init_block: u128) -> Self {
        Self(Engine::new(h, init_block, Backend::detect()))
    }

    /// Hash under the 16-byte key `h` on the given backend. The result is the same on every one.
    #[must_use]
    pub fn with_backend(h: &Key, backend: Backend) -> Self {
        Self(Engine::new(h, 0, backend))
    }

    /// The backend this value computes on.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.0.backend()
    }
}

impl KeySizeUser for GHash {
    type KeySize = U16;
}

impl KeyInit for GHash {
    #[inline]
    fn new(h: &Key) -> Self {
        Self::new(h)
    }
}

impl BlockSizeUser for GHash {
    type BlockSize = U16;
}

impl UniversalHash for GHash {
    #[inline]
    fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = Self::BlockSize>) {
        self.0.call(f);
    }

    #[inline]
    fn update(&mut self, blocks: &[Block]) {
        self.0.update(blocks);
    }

    #[inline]
    fn update_padded(&mut self, data: &[u8]) {
        self.0.update_padded(data);
    }

    #[inline]
    fn finalize(self) -> Tag {
        self.0.value()
    }
}

impl Reset for GHash {
    /// Sets the running value to zero and keeps the key.
    #[inline]
    fn reset(&mut self) {
        self.0.reset();
    }
}

impl fmt::Debug for GHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GHash").finish_non_exhaustive()
    }
}

// The engine's state wipes itself when dropped.
#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for GHash {}
