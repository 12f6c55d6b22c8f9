//! One name for the two directions of a block cipher backend.

use crate::Block;
use cipher::{Array, BlockCipherDecBackend, BlockCipherEncBackend, array::ArraySize, consts::U16};

/// What a job needs of a backend.
pub(crate) trait Kernel {
    /// Blocks of a full pass.
    type Width: ArraySize;

    /// Whether the cipher is run backwards.
    const DECRYPTS: bool;

    /// A full pass.
    fn pass(&self, blocks: &mut Array<Block, Self::Width>);

    /// A pass of fewer blocks.
    fn tail(&self, blocks: &mut [Block]);

    /// One block.
    fn one(&self, block: &mut Block);
}

/// An encrypting backend.
pub(crate) struct Encrypting<'a, B>(pub(crate) &'a B);

impl<B: BlockCipherEncBackend<BlockSize = U16>> Kernel for Encrypting<'_, B> {
    type Width = B::ParBlocksSize;

    const DECRYPTS: bool = false;

    #[inline(always)]
    fn pass(&self, blocks: &mut Array<Block, Self::Width>) {
        self.0.encrypt_par_blocks_inplace(blocks);
    }

    #[inline(always)]
    fn tail(&self, blocks: &mut [Block]) {
        self.0.encrypt_tail_blocks_inplace(blocks);
    }

    #[inline(always)]
    fn one(&self, block: &mut Block) {
        self.0.encrypt_block_inplace(block);
    }
}

/// A decrypting backend.
pub(crate) struct Decrypting<'a, B>(pub(crate) &'a B);

impl<B: BlockCipherDecBackend<BlockSize = U16>> Kernel for Decrypting<'_, B> {
    type Width = B::ParBlocksSize;

    const DECRYPTS: bool = true;

    #[inline(always)]
    fn pass(&self, blocks: &mut Array<Block, Self::Width>) {
        self.0.decrypt_par_blocks_inplace(blocks);
    }

    #[inline(always)]
    fn tail(&self, blocks: &mut [Block]) {
        self.0.decrypt_tail_blocks_inplace(blocks);
    }

    #[inline(always)]
    fn one(&self, block: &mut Block) {
        self.0.decrypt_block_inplace(block);
    }
}
