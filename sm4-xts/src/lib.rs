#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod area;
mod direction;
mod error;
mod limits;
mod methods;
mod sectors;
mod standard;
mod steal;
mod wipe;

pub use cipher::{self, Array, InOutBuf, Key, KeyInit, KeySizeUser, array};
pub use error::{Error, WeakKey};
pub use sm4;
pub use standard::{Gbt17964, Ieee1619, Standard};

use cipher::consts::{U16, U32};
use core::{fmt, marker::PhantomData};
use ctutils::CtEq;
use sm4::Sm4;

/// A 16-byte block.
type Block = Array<u8, U16>;

/// SM4-XTS as IEEE 1619 and NIST SP 800-38E define the mode. What Linux, OpenSSL (`XTSStandard =
/// IEEE`) and `xts-mode` compute.
pub type Sm4Xts = Xts<Ieee1619>;

/// SM4-XTS as GB/T 17964-2021 defines the mode. What OpenSSL computes for SM4 by default.
pub type Sm4XtsGb = Xts<Gbt17964>;

/// SM4 in XTS mode, after one of the two standards.
///
/// The value holds two [`Sm4`] and nothing else (264 bytes on x86-64, 256 on other targets); they are wiped on drop with the feature
/// `zeroize`.
///
/// # Keys
/// A key has 32 bytes: the first 16 encrypt the data, the last 16 the tweaks. They must differ.
/// With equal halves, somebody who chooses data and sees its encryption can take the mode apart
/// (the first tweak of sector 0 becomes the encryption of a block of zeros under the data key), so
/// [`Xts::new_checked`] refuses such a key. [`KeyInit::new`] takes any key: data that was once
/// written with equal halves can still be read.
///
/// # Sectors
/// A sector is what IEEE 1619 calls a data unit: 16 bytes to 2^20 blocks (16 MiB), encrypted under
/// one tweak. Both bounds hold in every method and for both standards. A length that is no multiple
/// of 16 bytes is handled by ciphertext stealing.
#[derive(Clone)]
pub struct Xts<S: Standard> {
    data: Sm4,
    tweak: Sm4,
    standard: PhantomData<S>,
}

impl<S: Standard> Xts<S> {
    /// Creates a value from a key whose halves differ.
    ///
    /// The comparison takes the same time for every key.
    ///
    /// # Errors
    /// [`WeakKey`] if the two halves of the key are equal.
    pub fn new_checked(key: &Key<Self>) -> Result<Self, WeakKey> {
        let (data, tweak) = key.split_ref::<U16>();
        if data[..].ct_eq(&tweak[..]).to_bool() {
            return Err(WeakKey);
        }
        Ok(Self::new(key))
    }

    /// Creates a value from the cipher for the data and the cipher for the tweaks.
    ///
    /// Nothing is known here of the keys in them; they must differ.
    pub const fn from_ciphers(data: Sm4, tweak: Sm4) -> Self {
        Self {
            data,
            tweak,
            standard: PhantomData,
        }
    }
}

impl<S: Standard> KeySizeUser for Xts<S> {
    type KeySize = U32;
}

/// Accepts every key of 32 bytes, also one with equal halves: see [`Xts::new_checked`].
impl<S: Standard> KeyInit for Xts<S> {
    fn new(key: &Key<Self>) -> Self {
        let (data, tweak) = key.split_ref::<U16>();
        Self::from_ciphers(Sm4::new(data), Sm4::new(tweak))
    }
}

impl<S: Standard> fmt::Debug for Xts<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Xts")
            .field("standard", &S::default())
            .finish_non_exhaustive()
    }
}

// No `Drop` here: both ciphers wipe themselves.
#[cfg(feature = "zeroize")]
impl<S: Standard> cipher::zeroize::ZeroizeOnDrop for Xts<S> {}

/// The usual tweak of a sector: its index as 16 bytes, least significant byte first (IEEE 1619,
/// section 5.1).
#[must_use]
pub fn get_tweak_default(sector_index: u128) -> Array<u8, U16> {
    Array(sector_index.to_le_bytes())
}
