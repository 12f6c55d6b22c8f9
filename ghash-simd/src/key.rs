//! The hash key, apart from what is hashed under it.

#[cfg(doc)]
use crate::GHash;
use crate::{Backend, Key, Tag, Value, backends::Table};
use core::fmt;
use universal_hash::{KeyInit, common::KeySizeUser, consts::U16};

/// Hash key `H`, and the powers of it that the backend makes ahead of messages.
///
/// One such key serves any number of messages, also at the same time: [`GHash::with_key`] takes a
/// reference to it as well as the key itself, and [`hash_aead`](Self::hash_aead) needs nothing
/// else.
///
/// All powers are made at once, none later. On x86-64 that takes 70 to 100 cycles (90 for the 20
/// powers of `vpclmul512`), about what two short messages cost. Measured in cycles on a server core
/// with AVX-512, [`hash_aead`](Self::hash_aead) with 13 bytes of associated data:
///
/// | `vpclmul512`, ciphertext of | 64 bytes | 1 KiB | 16 KiB |
/// |---|---|---|---|
/// | key at hand | 40 | 116 | 1103 |
/// | key made for this message, and wiped | 136 | 211 | 1214 |
///
/// What could be left out for a short message, the powers above the fourth, is half of the set-up.
/// A block cipher's key schedule, without which there is no `H`, takes several times that, and a
/// table that grew while messages are hashed could not be shared by reference.
///
/// The size is 656 bytes on x86-64, room for the largest table, and at most 80 on other targets.
/// With the feature `zeroize` the table is wiped on drop.
#[derive(Clone)]
pub struct GHashKey(pub(crate) Table);

impl GHashKey {
    /// The 16-byte key `h`, on the backend that [`Backend::detect`] names.
    #[inline]
    #[must_use]
    pub fn new(h: &Key) -> Self {
        Self::with_backend(h, Backend::detect())
    }

    /// The 16-byte key `h` on the given backend. The results are the same on every one.
    #[inline]
    #[must_use]
    pub fn with_backend(h: &Key, backend: Backend) -> Self {
        Self(Table::new(h, backend))
    }

    /// The backend this key computes on.
    #[inline]
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.0.backend()
    }

    /// The hash that GCM makes a tag of: over associated data and ciphertext, each filled up with
    /// zeroes to whole blocks, and the block of their lengths in bits (SP 800-38D, section 7.1,
    /// step 5).
    ///
    /// It is the same as [`GHash::with_key`], two calls of `update_padded` and one of `update`, but
    /// shares reductions between the three: one is enough for up to 16 blocks in all (eight on
    /// backends that are narrower than `vpclmul512`; the portable backends share none).
    ///
    /// ```
    /// use ghash_simd::{GHash, GHashKey, universal_hash::UniversalHash};
    ///
    /// let key = GHashKey::new(&[0x42; 16].into());
    /// let mut ghash = GHash::with_key(&key);
    /// ghash.update_padded(b"header");
    /// ghash.update_padded(b"ciphertext");
    /// ghash.update_padded(&[0, 0, 0, 0, 0, 0, 0, 48, 0, 0, 0, 0, 0, 0, 0, 80]);
    /// assert_eq!(key.hash_aead(b"header", b"ciphertext"), ghash.finalize());
    /// ```
    #[inline]
    #[must_use]
    pub fn hash_aead(&self, associated_data: &[u8], ciphertext: &[u8]) -> Tag {
        let lengths = lengths(associated_data.len() as u64, ciphertext.len() as u64);
        let mut y = Value(0);
        self.0
            .finish(&mut y.0, associated_data, ciphertext, lengths)
    }
}

/// The block of two lengths given in bytes (SP 800-38D, section 7.1, step 5), read big-endian.
#[inline]
pub(crate) fn lengths(associated_data: u64, ciphertext: u64) -> u128 {
    u128::from(associated_data << 3) << 64 | u128::from(ciphertext << 3)
}

impl KeySizeUser for GHashKey {
    type KeySize = U16;
}

impl KeyInit for GHashKey {
    #[inline]
    fn new(h: &Key) -> Self {
        Self::new(h)
    }
}

impl fmt::Debug for GHashKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GHashKey").finish_non_exhaustive()
    }
}

// The table wipes itself when dropped.
#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for GHashKey {}
