#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod associated;
mod blocks;
mod limits;
mod many;
mod messages;
mod sizes;
mod start;
mod wipe;

pub use aead::{self, AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, consts};
pub use messages::Message;
pub use sizes::{NonceSize, TagSize};
pub use sm4;

use aead::{
    TagPosition,
    array::Array,
    consts::{U12, U16},
    inout::InOutBuf,
};
use blocks::Blocks;
use core::{fmt, marker::PhantomData};
use ctutils::CtEq;
use sm4::{Sm4, ccm};
use start::Start;

/// A 16-byte block.
type Block = Array<u8, U16>;

/// SM4-CCM nonce of `NonceSize` bytes.
pub type Nonce<NonceSize = U12> = Array<u8, NonceSize>;

/// SM4-CCM tag of `TagSize` bytes.
pub type Tag<TagSize = U16> = Array<u8, TagSize>;

/// SM4-CCM as RFC 8998 defines it: a 16-byte key, a 12-byte nonce, a 16-byte tag.
pub type Sm4Ccm = Ccm<U16, U12>;

/// SM4 in Counter with CBC-MAC mode (NIST SP 800-38C, RFC 3610) with a tag of `TagSize` bytes and
/// a nonce of `NonceSize` bytes.
///
/// The value holds one [`Sm4`] and nothing else (132 bytes on x86-64, 128 on other targets); the key schedule in it is wiped on drop with the
/// feature `zeroize`.
///
/// A tag has 4, 6, 8, 10, 12, 14 or 16 bytes, a nonce 7 to 13. The longer the nonce, the shorter
/// the longest message: see [`Ccm::P_MAX`]. Other sizes do not compile:
///
/// ```
/// use sm4_ccm::{Ccm, KeyInit, consts::{U4, U7}};
/// let _ = <Ccm<U4, U7>>::new(&Default::default());
/// ```
///
/// ```compile_fail,E0277
/// use sm4_ccm::{Ccm, KeyInit, consts::{U2, U7}};
/// let _ = <Ccm<U2, U7>>::new(&Default::default());
/// ```
///
/// ```compile_fail,E0277
/// use sm4_ccm::{Ccm, KeyInit, consts::{U5, U7}};
/// let _ = <Ccm<U5, U7>>::new(&Default::default());
/// ```
///
/// ```compile_fail,E0277
/// use sm4_ccm::{Ccm, KeyInit, consts::{U18, U7}};
/// let _ = <Ccm<U18, U7>>::new(&Default::default());
/// ```
///
/// ```compile_fail,E0277
/// use sm4_ccm::{Ccm, KeyInit, consts::{U0, U4}};
/// let _ = <Ccm<U4, U0>>::new(&Default::default());
/// ```
///
/// ```compile_fail,E0277
/// use sm4_ccm::{Ccm, KeyInit, consts::{U4, U6}};
/// let _ = <Ccm<U4, U6>>::new(&Default::default());
/// ```
///
/// ```compile_fail,E0277
/// use sm4_ccm::{Ccm, KeyInit, consts::{U4, U14}};
/// let _ = <Ccm<U4, U14>>::new(&Default::default());
/// ```
#[derive(Clone)]
pub struct Ccm<TagSize, NonceSize>
where
    TagSize: crate::TagSize,
    NonceSize: crate::NonceSize,
{
    cipher: Sm4,
    sizes: PhantomData<fn() -> (TagSize, NonceSize)>,
}

impl<TagSize, NonceSize> Ccm<TagSize, NonceSize>
where
    TagSize: crate::TagSize,
    NonceSize: crate::NonceSize,
{
    /// Longest message in bytes: 2^(8·L) - 1, where L = 15 - `NonceSize` is the size of the
    /// field that holds the length (SP 800-38C, appendix A.1).
    ///
    /// 65535 for a nonce of 13 bytes, 2^24 - 1 for one of 12, all that `u64` holds for one of 7.
    pub const P_MAX: u64 = limits::longest_message(15 - NonceSize::USIZE);
}

impl<TagSize, NonceSize> From<Sm4> for Ccm<TagSize, NonceSize>
where
    TagSize: crate::TagSize,
    NonceSize: crate::NonceSize,
{
    fn from(cipher: Sm4) -> Self {
        Self {
            cipher,
            sizes: PhantomData,
        }
    }
}

impl<TagSize, NonceSize> KeySizeUser for Ccm<TagSize, NonceSize>
where
    TagSize: crate::TagSize,
    NonceSize: crate::NonceSize,
{
    type KeySize = U16;
}

impl<TagSize, NonceSize> KeyInit for Ccm<TagSize, NonceSize>
where
    TagSize: crate::TagSize,
    NonceSize: crate::NonceSize,
{
    fn new(key: &Key<Self>) -> Self {
        Sm4::new(key).into()
    }
}

impl<TagSize, NonceSize> AeadCore for Ccm<TagSize, NonceSize>
where
    TagSize: crate::TagSize,
    NonceSize: crate::NonceSize,
{
    type NonceSize = NonceSize;
    type TagSize = TagSize;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

/// # Errors
/// Both directions fail, and no byte is touched, when the message is longer than
/// [`Ccm::P_MAX`].
///
/// Opening fails also when the tag does not match. CCM has to decrypt before it can verify; the
/// whole output buffer is then filled with zeros.
impl<TagSize, NonceSize> AeadInOut for Ccm<TagSize, NonceSize>
where
    TagSize: crate::TagSize,
    NonceSize: crate::NonceSize,
{
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<NonceSize>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<TagSize>, Error> {
        limits::check_length(buffer.len() as u64, Self::P_MAX)?;
        let aad_len = associated_data.len() as u64;
        let blocks = Blocks::new::<TagSize, NonceSize>(nonce, aad_len, buffer.len() as u64);
        let start = Start::new(&blocks, associated_data);
        let full = ccm::seal(&self.cipher, start.message(), buffer);
        Ok(Array::from_fn(|i| full[i]))
    }

    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<NonceSize>,
        associated_data: &[u8],
        mut buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag<TagSize>,
    ) -> Result<(), Error> {
        limits::check_length(buffer.len() as u64, Self::P_MAX)?;
        let aad_len = associated_data.len() as u64;
        let blocks = Blocks::new::<TagSize, NonceSize>(nonce, aad_len, buffer.len() as u64);
        let start = Start::new(&blocks, associated_data);
        let mut full = ccm::open(&self.cipher, start.message(), buffer.reborrow());
        let equal = full[..TagSize::USIZE].ct_eq(tag);
        // The right tag of a message that was refused would be a forgery made to order.
        wipe::wipe(&mut full);
        if !equal.to_bool() {
            buffer.get_out().fill(0);
            return Err(Error);
        }
        Ok(())
    }
}

impl<TagSize, NonceSize> fmt::Debug for Ccm<TagSize, NonceSize>
where
    TagSize: crate::TagSize,
    NonceSize: crate::NonceSize,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ccm")
            .field("tag_size", &TagSize::USIZE)
            .field("nonce_size", &NonceSize::USIZE)
            .finish_non_exhaustive()
    }
}

// No `Drop` here: the cipher wipes itself.
#[cfg(feature = "zeroize")]
impl<TagSize, NonceSize> zeroize::ZeroizeOnDrop for Ccm<TagSize, NonceSize>
where
    TagSize: crate::TagSize,
    NonceSize: crate::NonceSize,
{
}
