//! The keys that the modes take.

use cipher::{BlockCipherDecrypt, BlockCipherEncrypt, consts::U16};
use sm4::Sm4;

/// A key for the modes of this crate: [`Sm4`], or `&Sm4` for many short messages under one key.
///
/// Sealed: the modes are bound to SM4, whose counter kernel they use.
pub trait Cipher:
    BlockCipherEncrypt<BlockSize = U16> + BlockCipherDecrypt<BlockSize = U16> + sealed::AsSm4
{
}

impl Cipher for Sm4 {}
impl Cipher for &Sm4 {}

pub(crate) mod sealed {
    use super::Sm4;

    pub trait AsSm4 {
        fn as_sm4(&self) -> &Sm4;
    }

    impl AsSm4 for Sm4 {
        fn as_sm4(&self) -> &Sm4 {
            self
        }
    }

    impl AsSm4 for &Sm4 {
        fn as_sm4(&self) -> &Sm4 {
            self
        }
    }
}
