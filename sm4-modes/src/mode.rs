//! What the mode types have in common.

use cipher::{Block, BlockCipherEncBackend, consts::U16};

/// XORs each byte of `a` with the byte of `b` at its place.
#[inline(always)]
pub(crate) fn xor(a: &mut [u8], b: &[u8]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a ^= b;
    }
}

/// Encrypts up to a whole batch of blocks in place, in one pass.
#[inline(always)]
pub(crate) fn encrypt_batch<B: BlockCipherEncBackend<BlockSize = U16>>(
    backend: &B,
    blocks: &mut [Block<B>],
) {
    match <&mut cipher::ParBlocks<B>>::try_from(&mut *blocks) {
        Ok(batch) => backend.encrypt_par_blocks_inplace(batch),
        Err(_) => backend.encrypt_tail_blocks_inplace(blocks),
    }
}

/// The names and the key of a mode: `InnerUser`, `AlgorithmName` and `Debug`.
macro_rules! impl_mode {
    ($name:ident $(, $flavor:ident: $bound:path)?; $write_name:expr) => {
        impl<C: Cipher $(, $flavor: $bound)?> cipher::common::InnerUser for $name<C $(, $flavor)?> {
            type Inner = C;
        }

        impl<C: Cipher $(, $flavor: $bound)?> cipher::BlockSizeUser for $name<C $(, $flavor)?> {
            type BlockSize = cipher::consts::U16;
        }

        impl<C: Cipher $(, $flavor: $bound)?> cipher::AlgorithmName for $name<C $(, $flavor)?> {
            fn write_alg_name(f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let write_name: fn(&mut core::fmt::Formatter<'_>) -> core::fmt::Result = $write_name;
                write_name(f)
            }
        }

        impl<C: Cipher $(, $flavor: $bound)?> core::fmt::Debug for $name<C $(, $flavor)?> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                <Self as cipher::AlgorithmName>::write_alg_name(f)?;
                f.write_str(" { ... }")
            }
        }

        #[cfg(feature = "zeroize")]
        impl<C: Cipher + cipher::zeroize::ZeroizeOnDrop $(, $flavor: $bound)?>
            cipher::zeroize::ZeroizeOnDrop for $name<C $(, $flavor)?>
        {
        }
    };
}
pub(crate) use impl_mode;

/// Wipes a field of a mode on drop.
macro_rules! impl_wipe {
    ($name:ident $(, $flavor:ident: $bound:path)?; $field:ident) => {
        impl<C: Cipher $(, $flavor: $bound)?> Drop for $name<C $(, $flavor)?> {
            fn drop(&mut self) {
                #[cfg(feature = "zeroize")]
                cipher::zeroize::Zeroize::zeroize(&mut self.$field);
            }
        }
    };
}
pub(crate) use impl_wipe;

/// A chaining value in a field `iv` that is the initialization vector at first and the one to go
/// on with later: `InnerIvInit`, `IvState`, `SetIvState`.
macro_rules! impl_chaining_value {
    ($name:ident) => {
        impl<C: Cipher> cipher::IvSizeUser for $name<C> {
            type IvSize = cipher::consts::U16;
        }

        impl<C: Cipher> cipher::InnerIvInit for $name<C> {
            #[inline]
            fn inner_iv_init(cipher: C, iv: &cipher::Iv<Self>) -> Self {
                Self { cipher, iv: *iv }
            }
        }

        impl<C: Cipher> cipher::IvState for $name<C> {
            #[inline]
            fn iv_state(&self) -> cipher::Iv<Self> {
                self.iv
            }
        }

        impl<C: Cipher> cipher::SetIvState for $name<C> {
            #[inline]
            fn set_iv(&mut self, iv: &cipher::Iv<Self>) {
                self.iv = *iv;
            }
        }

        impl_wipe!($name; iv);
    };
}
pub(crate) use impl_chaining_value;
