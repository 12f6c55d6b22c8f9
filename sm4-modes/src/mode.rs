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

/// The backend of a mode whose state is a chaining value: a struct of that value, `iv`, and the cipher's
/// `backend`; it takes blocks as they come (`serial`) or as many as the cipher does (`parallel`). And closures that
/// call a mode's closure with it from within the cipher.
macro_rules! chaining_backend {
    ($name:ident: $width:ident; $($closure:ident: $mode:ident through $cipher:ident with $backend:ident;)+) => {
        struct $name<'a, B> {
            iv: &'a mut Block<Sm4>,
            backend: &'a B,
        }

        impl<B> cipher::BlockSizeUser for $name<'_, B> {
            type BlockSize = U16;
        }

        chaining_backend!($width $name);

        $(
            struct $closure<'a, F> {
                iv: &'a mut Block<Sm4>,
                f: F,
            }

            impl<F> cipher::BlockSizeUser for $closure<'_, F> {
                type BlockSize = U16;
            }

            impl<F: cipher::$mode<BlockSize = U16>> cipher::$cipher for $closure<'_, F> {
                #[inline(always)]
                fn call<B: cipher::$backend<BlockSize = U16>>(self, backend: &B) {
                    let Self { iv, f } = self;
                    f.call(&mut $name { iv, backend });
                }
            }
        )+
    };
    (serial $name:ident) => {
        impl<B> cipher::ParBlocksSizeUser for $name<'_, B> {
            type ParBlocksSize = cipher::consts::U1;
        }
    };
    (parallel $name:ident) => {
        impl<B: cipher::ParBlocksSizeUser<BlockSize = U16>> cipher::ParBlocksSizeUser
            for $name<'_, B>
        {
            type ParBlocksSize = B::ParBlocksSize;
        }
    };
}
pub(crate) use chaining_backend;
