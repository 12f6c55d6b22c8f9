//! Each block by itself, over any kernel, by closure.

use cipher::{
    BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend, BlockCipherEncClosure,
    BlockSizeUser, InOutBuf, array::Array, consts::U16,
};

pub(super) struct Ecb<'inp, 'out>(pub(super) InOutBuf<'inp, 'out, Array<u8, U16>>);

impl BlockSizeUser for Ecb<'_, '_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Ecb<'_, '_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let (batches, tail) = self.0.into_chunks();
        for batch in batches {
            backend.encrypt_par_blocks(batch);
        }
        if !tail.is_empty() {
            backend.encrypt_tail_blocks(tail);
        }
    }
}

impl BlockCipherDecClosure for Ecb<'_, '_> {
    #[inline(always)]
    fn call<B: BlockCipherDecBackend<BlockSize = U16>>(self, backend: &B) {
        let (batches, tail) = self.0.into_chunks();
        for batch in batches {
            backend.decrypt_par_blocks(batch);
        }
        if !tail.is_empty() {
            backend.decrypt_tail_blocks(tail);
        }
    }
}
