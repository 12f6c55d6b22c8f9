//! Either direction over any kernel, by closure.

use super::{Masks, Order};
use crate::feedback::by_closure::xor;
use crate::wiped::Wiped;
use cipher::{
    Array, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockSizeUser, InOutBuf, array::ArraySize, consts::U16,
};

type Block = Array<u8, U16>;

pub(crate) struct Xex<'m, 's, 'inp, 'out, O: Order> {
    pub(crate) masks: &'m mut Masks<'s, O>,
    pub(crate) blocks: InOutBuf<'inp, 'out, Block>,
}

impl<O: Order> BlockSizeUser for Xex<'_, '_, '_, '_, O> {
    type BlockSize = U16;
}

impl<O: Order> BlockCipherEncClosure for Xex<'_, '_, '_, '_, O> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        self.run::<B::ParBlocksSize>(
            |batch| backend.encrypt_par_blocks_inplace(batch),
            |tail| backend.encrypt_tail_blocks_inplace(tail),
        );
    }
}

impl<O: Order> BlockCipherDecClosure for Xex<'_, '_, '_, '_, O> {
    #[inline(always)]
    fn call<B: BlockCipherDecBackend<BlockSize = U16>>(self, backend: &B) {
        self.run::<B::ParBlocksSize>(
            |batch| backend.decrypt_par_blocks_inplace(batch),
            |tail| backend.decrypt_tail_blocks_inplace(tail),
        );
    }
}

impl<O: Order> Xex<'_, '_, '_, '_, O> {
    #[inline(always)]
    fn run<N: ArraySize>(
        self,
        pass: impl Fn(&mut Array<Block, N>),
        partial: impl Fn(&mut [Block]),
    ) {
        let Self { masks, blocks } = self;
        // A few blocks are not to pay for the masks of a whole batch.
        if blocks.len() < N::USIZE.min(16) {
            let mut own = Wiped::<U16>::default();
            tail(blocks, masks, &mut own.0, partial);
            return;
        }
        let (batches, rest) = blocks.into_chunks::<N>();
        let mut own = Wiped::<N>::default();
        for mut batch in batches {
            masks.fill(&mut own.0);
            mask_in(batch.reborrow().into_buf(), &own.0);
            pass(batch.get_out());
            mask_out(batch.get_out(), &own.0);
        }
        tail(rest, masks, &mut own.0, partial);
    }
}

/// Fewer blocks than a batch.
#[inline(always)]
fn tail<O: Order>(
    mut blocks: InOutBuf<'_, '_, Block>,
    masks: &mut Masks<'_, O>,
    own: &mut [Block],
    partial: impl Fn(&mut [Block]),
) {
    if blocks.is_empty() {
        return;
    }
    let own = &mut own[..blocks.len()];
    masks.fill(own);
    mask_in(blocks.reborrow(), own);
    partial(blocks.get_out());
    mask_out(blocks.get_out(), own);
}

#[inline(always)]
fn mask_in(blocks: InOutBuf<'_, '_, Block>, masks: &[Block]) {
    for (mut block, mask) in blocks.into_iter().zip(masks) {
        let sum = xor(block.get_in(), mask);
        *block.get_out() = sum;
    }
}

#[inline(always)]
fn mask_out(blocks: &mut [Block], masks: &[Block]) {
    for (block, mask) in blocks.iter_mut().zip(masks) {
        *block = xor(block, mask);
    }
}
