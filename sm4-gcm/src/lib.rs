#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod counter;
mod limits;
mod open;
mod seal;
mod sizes;
mod wipe;

pub use aead::{self, AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser};
pub use ghash_simd;
pub use limits::{A_MAX, P_MAX};
pub use sizes::{NonceSize, TagSize};
pub use sm4;

use aead::{
    TagPosition,
    array::Array,
    consts::{U12, U16},
    inout::InOutBuf,
};
use cipher::BlockCipherEncrypt;
use core::{fmt, marker::PhantomData};
use counter::Counter;
use ghash_simd::GHashKey;
use sm4::Sm4;

/// A 16-byte block.
type Block = Array<u8, U16>;

/// SM4-GCM nonce of `NonceSize` bytes.
pub type Nonce<NonceSize = U12> = Array<u8, NonceSize>;

/// SM4-GCM tag of `TagSize` bytes.
pub type Tag<TagSize = U16> = Array<u8, TagSize>;

/// SM4-GCM as RFC 8998 defines it: a 16-byte key, a 12-byte nonce, a 16-byte tag.
pub type Sm4Gcm = Gcm;

/// SM4 in Galois/Counter Mode (NIST SP 800-38D) with a nonce of `NonceSize` bytes and a tag of
/// `TagSize` bytes.
///
/// The value holds one [`Sm4`] and one [`GHashKey`] and nothing else (800 bytes on x86-64, 208 on AArch64); the
/// tables in them are wiped on drop with the feature `zeroize`.
///
/// A nonce has at least 1 byte. 12 bytes are the size to choose: any other goes through GHASH
/// first, and its counter blocks may collide with those of another nonce by chance.
///
/// A tag has 12 to 16 bytes. Tags of 4 and 8 bytes need the feature `hazmat`; read SP 800-38D,
/// appendix C, before you use them, since each forgery that is tried against a short tag has a
/// real chance and also tells something about the key.
///
/// The smallest sizes compile, sizes outside these bounds do not:
///
/// ```
/// use sm4_gcm::{Gcm, KeyInit, aead::consts::{U1, U12}};
/// let _ = <Gcm<U1, U12>>::new(&Default::default());
/// ```
///
/// ```compile_fail,E0277
/// use sm4_gcm::{Gcm, KeyInit, aead::consts::{U0, U16}};
/// let _ = <Gcm<U0, U16>>::new(&Default::default());
/// ```
///
/// ```compile_fail,E0277
/// use sm4_gcm::{Gcm, KeyInit, aead::consts::{U3, U12}};
/// let _ = <Gcm<U12, U3>>::new(&Default::default());
/// ```
///
/// ```compile_fail,E0277
/// use sm4_gcm::{Gcm, KeyInit, aead::consts::{U12, U17}};
/// let _ = <Gcm<U12, U17>>::new(&Default::default());
/// ```
///
#[cfg_attr(feature = "hazmat", doc = "```")]
#[cfg_attr(not(feature = "hazmat"), doc = "```compile_fail,E0277")]
/// // Only with the feature `hazmat`.
/// use sm4_gcm::{Gcm, KeyInit, aead::consts::{U8, U12}};
/// let _ = <Gcm<U12, U8>>::new(&Default::default());
/// ```
#[derive(Clone)]
pub struct Gcm<NonceSize = U12, TagSize = U16>
where
    NonceSize: crate::NonceSize,
    TagSize: crate::TagSize,
{
    cipher: Sm4,
    hash_key: GHashKey,
    sizes: PhantomData<fn() -> (NonceSize, TagSize)>,
}

impl<NonceSize, TagSize> Gcm<NonceSize, TagSize>
where
    NonceSize: crate::NonceSize,
    TagSize: crate::TagSize,
{
    /// Creates a value from a cipher, with the given backend for GHASH.
    ///
    /// `Gcm::from(cipher)` takes the best one that the machine has. With
    /// [`Sm4::with_backend`] for the cipher, every pair of backends can be had; all compute the
    /// same.
    #[must_use]
    pub fn with_hash_backend(cipher: Sm4, backend: ghash_simd::Backend) -> Self {
        let mut h = Block::default();
        cipher.encrypt_block(&mut h);
        let hash_key = GHashKey::with_backend(&h, backend);
        wipe::wipe(&mut h);
        Self {
            cipher,
            hash_key,
            sizes: PhantomData,
        }
    }
}

impl<NonceSize, TagSize> KeySizeUser for Gcm<NonceSize, TagSize>
where
    NonceSize: crate::NonceSize,
    TagSize: crate::TagSize,
{
    type KeySize = U16;
}

impl<NonceSize, TagSize> KeyInit for Gcm<NonceSize, TagSize>
where
    NonceSize: crate::NonceSize,
    TagSize: crate::TagSize,
{
    fn new(key: &Key<Self>) -> Self {
        Sm4::new(key).into()
    }
}

impl<NonceSize, TagSize> From<Sm4> for Gcm<NonceSize, TagSize>
where
    NonceSize: crate::NonceSize,
    TagSize: crate::TagSize,
{
    fn from(cipher: Sm4) -> Self {
        Self::with_hash_backend(cipher, ghash_simd::Backend::detect())
    }
}

impl<NonceSize, TagSize> AeadCore for Gcm<NonceSize, TagSize>
where
    NonceSize: crate::NonceSize,
    TagSize: crate::TagSize,
{
    type NonceSize = NonceSize;
    type TagSize = TagSize;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

/// # Errors
/// Sealing fails, and no byte is touched, when the associated data is longer than [`A_MAX`] or
/// the message longer than [`P_MAX`]. Opening fails for the same reasons and when the tag does
/// not match; the output buffer then holds what it held before.
impl<NonceSize, TagSize> AeadInOut for Gcm<NonceSize, TagSize>
where
    NonceSize: crate::NonceSize,
    TagSize: crate::TagSize,
{
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<NonceSize>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<TagSize>, Error> {
        limits::check_lengths(associated_data.len() as u64, buffer.len() as u64)?;
        let j0 = Counter::new(&self.hash_key, nonce);
        let full = seal::seal(&self.cipher, &self.hash_key, &j0, associated_data, buffer);
        Ok(Array::from_fn(|i| full[i]))
    }

    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<NonceSize>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag<TagSize>,
    ) -> Result<(), Error> {
        limits::check_lengths(associated_data.len() as u64, buffer.len() as u64)?;
        let j0 = Counter::new(&self.hash_key, nonce);
        open::open(
            &self.cipher,
            &self.hash_key,
            &j0,
            associated_data,
            buffer,
            tag,
        )
    }
}

impl<NonceSize, TagSize> fmt::Debug for Gcm<NonceSize, TagSize>
where
    NonceSize: crate::NonceSize,
    TagSize: crate::TagSize,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gcm")
            .field("nonce_size", &NonceSize::USIZE)
            .field("tag_size", &TagSize::USIZE)
            .finish_non_exhaustive()
    }
}

// No `Drop` here: both fields wipe themselves.
#[cfg(feature = "zeroize")]
impl<NonceSize, TagSize> zeroize::ZeroizeOnDrop for Gcm<NonceSize, TagSize>
where
    NonceSize: crate::NonceSize,
    TagSize: crate::TagSize,
{
}
