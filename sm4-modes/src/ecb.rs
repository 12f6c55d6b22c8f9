//! Electronic codebook mode (GB/T 17964-2021, 5; NIST SP 800-38A, 6.1), with the names of the crate `ecb`.
//!
//! ECB shows which blocks of the plaintext are equal. It is here for protocols that build on it.

use crate::key::Cipher;
use crate::mode::impl_mode;
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockModeDecBackend, BlockModeDecClosure,
    BlockModeDecrypt, BlockModeEncBackend, BlockModeEncClosure, BlockModeEncrypt, BlockSizeUser,
    InOut, InOutBuf, ParBlocks, ParBlocksSizeUser, common::InnerInit, consts::U16,
    inout::NotEqualError,
};
use sm4::Sm4;

/// ECB encryption.
#[derive(Clone)]
pub struct Encryptor<C: Cipher = Sm4> {
    cipher: C,
}

/// ECB decryption.
#[derive(Clone)]
pub struct Decryptor<C: Cipher = Sm4> {
    cipher: C,
}

impl_mode!(Encryptor; |f| f.write_str("ecb::Encryptor<Sm4>"));
impl_mode!(Decryptor; |f| f.write_str("ecb::Decryptor<Sm4>"));

impl<C: Cipher> InnerInit for Encryptor<C> {
    #[inline]
    fn inner_init(cipher: C) -> Self {
        Self { cipher }
    }
}

impl<C: Cipher> InnerInit for Decryptor<C> {
    #[inline]
    fn inner_init(cipher: C) -> Self {
        Self { cipher }
    }
}

/// The methods of a block mode that take blocks, by those of the cipher: it has larger passes than a closure gets.
macro_rules! forward {
    (
        $cipher:ident:
        $block_inout:ident $block:ident $block_b2b:ident
        $blocks_inout:ident $blocks:ident $blocks_b2b:ident
    ) => {
        #[inline]
        fn $block_inout(&mut self, block: InOut<'_, '_, Block<Self>>) {
            $cipher::$block_inout(self.cipher.as_sm4(), block);
        }

        #[inline]
        fn $block(&mut self, block: &mut Block<Self>) {
            $cipher::$block(self.cipher.as_sm4(), block);
        }

        #[inline]
        fn $block_b2b(&mut self, in_block: &Block<Self>, out_block: &mut Block<Self>) {
            $cipher::$block_b2b(self.cipher.as_sm4(), in_block, out_block);
        }

        #[inline]
        fn $blocks_inout(&mut self, blocks: InOutBuf<'_, '_, Block<Self>>) {
            $cipher::$blocks_inout(self.cipher.as_sm4(), blocks);
        }

        #[inline]
        fn $blocks(&mut self, blocks: &mut [Block<Self>]) {
            $cipher::$blocks(self.cipher.as_sm4(), blocks);
        }

        #[inline]
        fn $blocks_b2b(
            &mut self,
            in_blocks: &[Block<Self>],
            out_blocks: &mut [Block<Self>],
        ) -> Result<(), NotEqualError> {
            $cipher::$blocks_b2b(self.cipher.as_sm4(), in_blocks, out_blocks)
        }
    };
}

impl<C: Cipher> BlockModeEncrypt for Encryptor<C> {
    fn encrypt_with_backend(&mut self, f: impl BlockModeEncClosure<BlockSize = U16>) {
        self.cipher.as_sm4().encrypt_with_backend(Forward(f));
    }

    forward! {
        BlockCipherEncrypt:
        encrypt_block_inout encrypt_block encrypt_block_b2b
        encrypt_blocks_inout encrypt_blocks encrypt_blocks_b2b
    }
}

impl<C: Cipher> BlockModeDecrypt for Decryptor<C> {
    fn decrypt_with_backend(&mut self, f: impl BlockModeDecClosure<BlockSize = U16>) {
        self.cipher.as_sm4().decrypt_with_backend(Forward(f));
    }

    forward! {
        BlockCipherDecrypt:
        decrypt_block_inout decrypt_block decrypt_block_b2b
        decrypt_blocks_inout decrypt_blocks decrypt_blocks_b2b
    }
}

/// Calls a mode's closure with the cipher's backend.
struct Forward<F>(F);

impl<F> BlockSizeUser for Forward<F> {
    type BlockSize = U16;
}

impl<F: BlockModeEncClosure<BlockSize = U16>> BlockCipherEncClosure for Forward<F> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        self.0.call(&mut Backend(backend));
    }
}

impl<F: BlockModeDecClosure<BlockSize = U16>> BlockCipherDecClosure for Forward<F> {
    #[inline(always)]
    fn call<B: BlockCipherDecBackend<BlockSize = U16>>(self, backend: &B) {
        self.0.call(&mut Backend(backend));
    }
}

struct Backend<'a, B>(&'a B);

impl<B> BlockSizeUser for Backend<'_, B> {
    type BlockSize = U16;
}

impl<B: ParBlocksSizeUser<BlockSize = U16>> ParBlocksSizeUser for Backend<'_, B> {
    type ParBlocksSize = B::ParBlocksSize;
}

impl<B: BlockCipherEncBackend<BlockSize = U16>> BlockModeEncBackend for Backend<'_, B> {
    #[inline(always)]
    fn encrypt_block(&mut self, block: InOut<'_, '_, Block<Self>>) {
        self.0.encrypt_block(block);
    }

    #[inline(always)]
    fn encrypt_par_blocks(&mut self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.0.encrypt_par_blocks(blocks);
    }

    #[inline(always)]
    fn encrypt_tail_blocks(&mut self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        self.0.encrypt_tail_blocks(blocks);
    }
}

impl<B: BlockCipherDecBackend<BlockSize = U16>> BlockModeDecBackend for Backend<'_, B> {
    #[inline(always)]
    fn decrypt_block(&mut self, block: InOut<'_, '_, Block<Self>>) {
        self.0.decrypt_block(block);
    }

    #[inline(always)]
    fn decrypt_par_blocks(&mut self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.0.decrypt_par_blocks(blocks);
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&mut self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        self.0.decrypt_tail_blocks(blocks);
    }
}
