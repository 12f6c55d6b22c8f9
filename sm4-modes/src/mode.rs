//! What the mode types have in common.

use cipher::{
    Array, InOutBuf,
    consts::{U16, U64},
};

/// XORs each byte of `a` with the byte of `b` at its place.
#[inline(always)]
pub(crate) fn xor(a: &mut [u8], b: &[u8]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a ^= b;
    }
}

/// XORs `data` with as many bytes of `keystream`, in pieces that are read before they are written.
#[inline(always)]
pub(crate) fn xor_in2out(data: InOutBuf<'_, '_, u8>, keystream: &[u8]) {
    let (pieces, data) = data.into_chunks::<U64>();
    let (whole, keystream) = Array::slice_as_chunks(keystream);
    for (mut piece, keystream) in pieces.into_iter().zip(whole) {
        piece.xor_in2out(keystream);
    }
    let (blocks, mut data) = data.into_chunks::<U16>();
    let (whole, keystream) = Array::slice_as_chunks(keystream);
    for (mut block, keystream) in blocks.into_iter().zip(whole) {
        block.xor_in2out(keystream);
    }
    data.xor_in2out(keystream);
}

/// The methods of a block mode that take blocks, by a kernel of [`sm4::feedback`] or one like it: a function of the
/// cipher, the chaining value `iv` and the blocks. The traits would go through closures, a block at a time or through
/// memory.
macro_rules! by_kernel {
    (encrypt: $kernel:expr) => {
        by_kernel! {
            $kernel;
            encrypt_block_inout encrypt_block encrypt_block_b2b
            encrypt_blocks_inout encrypt_blocks encrypt_blocks_b2b
        }
    };
    (decrypt: $kernel:expr) => {
        by_kernel! {
            $kernel;
            decrypt_block_inout decrypt_block decrypt_block_b2b
            decrypt_blocks_inout decrypt_blocks decrypt_blocks_b2b
        }
    };
    (
        $kernel:expr;
        $block_inout:ident $block:ident $block_b2b:ident
        $blocks_inout:ident $blocks:ident $blocks_b2b:ident
    ) => {
        #[inline]
        fn $block_inout(&mut self, block: cipher::InOut<'_, '_, Block<Self>>) {
            self.$blocks_inout(block.into_buf().into_chunks().0);
        }

        #[inline]
        fn $block(&mut self, block: &mut Block<Self>) {
            self.$block_inout(block.into());
        }

        #[inline]
        fn $block_b2b(&mut self, in_block: &Block<Self>, out_block: &mut Block<Self>) {
            self.$block_inout((in_block, out_block).into());
        }

        #[inline]
        fn $blocks_inout(&mut self, blocks: cipher::InOutBuf<'_, '_, Block<Self>>) {
            $kernel(self.cipher.as_sm4(), &mut self.iv, blocks);
        }

        #[inline]
        fn $blocks(&mut self, blocks: &mut [Block<Self>]) {
            self.$blocks_inout(blocks.into());
        }

        #[inline]
        fn $blocks_b2b(
            &mut self,
            in_blocks: &[Block<Self>],
            out_blocks: &mut [Block<Self>],
        ) -> Result<(), cipher::inout::NotEqualError> {
            cipher::InOutBuf::new(in_blocks, out_blocks).map(|blocks| self.$blocks_inout(blocks))
        }
    };
}
pub(crate) use by_kernel;

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
                cipher::zeroize::Zeroize::zeroize(self.$field.as_mut_slice());
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
