//! Several independent blocks in one kernel pass.

use crate::{Block, wipe::wipe};
use cipher::{BlockCipherEncBackend, consts::U16, typenum::Unsigned};

/// The blocks of one pass: what goes in, and then what came out. Wiped on drop.
pub(crate) struct Lanes<const N: usize>(pub(crate) [Block; N]);

impl<const N: usize> Lanes<N> {
    /// Encrypts the blocks in one pass if the backend holds more than `N` of them, and one by one
    /// otherwise.
    #[inline(always)]
    pub(crate) fn encrypt<B>(&mut self, backend: &B)
    where
        B: BlockCipherEncBackend<BlockSize = U16>,
    {
        if B::ParBlocksSize::USIZE > N {
            backend.encrypt_tail_blocks_inplace(&mut self.0);
        } else {
            for block in &mut self.0 {
                backend.encrypt_block_inplace(block);
            }
        }
    }
}

impl<const N: usize> Drop for Lanes<N> {
    fn drop(&mut self) {
        for block in &mut self.0 {
            wipe(block);
        }
    }
}
