#![no_std]
#![deny(unsafe_code)]
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod backends;
mod key;

pub use backends::Backend;
pub use key::GHashKey;
pub use universal_hash;

use core::{borrow::Borrow, fmt};
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
/// `update_padded` whose length is not a multiple of 16 ends a block where it ends. A few long
/// calls cost less than many short ones, for blocks of one call share reductions, those left over
/// at its end included.
///
/// `K` is the key: a [`GHashKey`], so that a value of this type is complete in itself, or a
/// reference to one that other messages share. With a reference this value is the running value and
/// little else: 32 bytes on 64-bit targets, against 672 with the key in it on x86-64 and 96 on
/// others. With the feature `zeroize` all that is in it is wiped on drop.
///
/// ```
/// use ghash_simd::{GHash, GHashKey, universal_hash::UniversalHash};
///
/// let key = GHashKey::new(&[0x42; 16].into());
/// let mut one = GHash::with_key(&key);
/// let mut other = GHash::with_key(&key);
/// one.update_padded(b"one message");
/// other.update_padded(b"another message");
/// assert_ne!(one.finalize(), other.finalize());
/// ```
///
/// [`finalize`]: UniversalHash::finalize
/// [`update`]: UniversalHash::update
/// [`update_padded`]: UniversalHash::update_padded
#[derive(Clone)]
pub struct GHash<K = GHashKey> {
    key: K,
    y: Value,
}

/// A running value, in the representation of the key's backend. Wiped on drop.
#[derive(Clone)]
struct Value(u128);

#[cfg(feature = "zeroize")]
impl Drop for Value {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.0);
    }
}

impl GHash {
    /// Hash under the 16-byte key `h`, on the backend that [`Backend::detect`] names.
    #[inline]
    #[must_use]
    pub fn new(h: &Key) -> Self {
        Self::with_key(GHashKey::new(h))
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
        let key = GHashKey::new(h);
        let y = Value(key.0.enter(init_block));
        Self { key, y }
    }

    /// Hash under the 16-byte key `h` on the given backend. The result is the same on every one.
    #[inline]
    #[must_use]
    pub fn with_backend(h: &Key, backend: Backend) -> Self {
        Self::with_key(GHashKey::with_backend(h, backend))
    }
}

impl<K: Borrow<GHashKey>> GHash<K> {
    /// Hash under a key that is there already: a [`GHashKey`], or a reference to one, so that its
    /// tables are not copied.
    #[inline]
    #[must_use]
    pub fn with_key(key: K) -> Self {
        Self { key, y: Value(0) }
    }

    /// The backend this value computes on.
    #[inline]
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.table().backend()
    }

    /// Takes in the rest of a ciphertext, then the lengths of associated data and ciphertext as GCM
    /// does (SP 800-38D, section 7.1, step 5), and returns the result.
    ///
    /// `rest` may be empty; it is filled up with zeroes to whole blocks. The lengths are those of
    /// the whole, in bytes. Both have to be less than 2^61: the block counts bits, in 64 bits each,
    /// and what does not fit is lost.
    ///
    /// The last blocks of `rest` and the lengths share a reduction, which makes this cheaper than
    /// two updates. For a message that is there in one piece see [`GHashKey::hash_aead`].
    #[inline]
    #[must_use]
    pub fn finalize_aead(
        mut self,
        rest: &[u8],
        associated_data_len: u64,
        ciphertext_len: u64,
    ) -> Tag {
        let lengths = key::lengths(associated_data_len, ciphertext_len);
        let table = &self.key.borrow().0;
        table.finish(&mut self.y.0, &[], rest, lengths)
    }

    #[inline]
    fn table(&self) -> &backends::Table {
        &self.key.borrow().0
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

impl<K> BlockSizeUser for GHash<K> {
    type BlockSize = U16;
}

impl<K: Borrow<GHashKey>> UniversalHash for GHash<K> {
    #[inline]
    fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = Self::BlockSize>) {
        self.key.borrow().0.call(&mut self.y.0, f);
    }

    #[inline]
    fn update(&mut self, blocks: &[Block]) {
        self.update_padded(Block::slice_as_flattened(blocks));
    }

    #[inline]
    fn update_padded(&mut self, data: &[u8]) {
        self.key.borrow().0.update(&mut self.y.0, data);
    }

    #[inline]
    fn finalize(self) -> Tag {
        self.table().leave(self.y.0)
    }
}

impl<K> Reset for GHash<K> {
    /// Sets the running value to zero and keeps the key.
    #[inline]
    fn reset(&mut self) {
        self.y = Value(0);
    }
}

impl<K> fmt::Debug for GHash<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GHash").finish_non_exhaustive()
    }
}

// The running value wipes itself when dropped, and so does a key that is owned.
#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for GHash {}
#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for GHash<&GHashKey> {}
