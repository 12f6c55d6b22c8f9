//! The mode itself: all blocks of consecutive sectors in as few passes as they fill.

use crate::{Block, InOutBuf, Standard, kernel::Kernel, tweaks::Tweaks, wipe::Wiped};
use cipher::consts::{U1, U16};
use core::marker::PhantomData;

/// Sectors that lie behind one another, none of which but the last has a partial block.
pub(crate) struct Job<'a, 'inp, 'out, S> {
    data: InOutBuf<'inp, 'out, u8>,
    starts: &'a [Block],
    per_sector: usize,
    standard: PhantomData<S>,
}

impl<'a, 'inp, 'out, S: Standard> Job<'a, 'inp, 'out, S> {
    /// Sectors of `per_sector` blocks, the last of which may be shorter but has at least one
    /// block. `starts` holds the encrypted tweak of each.
    pub(crate) fn new(
        data: InOutBuf<'inp, 'out, u8>,
        starts: &'a [Block],
        per_sector: usize,
    ) -> Self {
        Self {
            data,
            starts,
            per_sector,
            standard: PhantomData,
        }
    }

    #[inline(always)]
    pub(crate) fn run<K: Kernel>(self, kernel: &K) {
        let (mut blocks, mut partial) = self.data.into_chunks::<U16>();
        let total = blocks.len();
        let steal = !partial.is_empty();
        let swap = steal && K::DECRYPTS;
        let mut tweaks = Tweaks::<S>::new(self.starts, self.per_sector, total, swap);
        let mut batch = Wiped::<K::Width>::zeros();

        let (passes, mut tail) = blocks.reborrow().into_chunks::<K::Width>();
        for mut pass in passes {
            tweaks.fill(&mut batch.0);
            xor_in2out(pass.reborrow().into_buf(), &batch.0);
            kernel.pass(pass.get_out());
            xor_in2out(pass.get_out().as_mut_slice().into(), &batch.0);
        }
        if !tail.is_empty() {
            let batch = &mut batch.0[..tail.len()];
            tweaks.fill(batch);
            xor_in2out(tail.reborrow(), batch);
            kernel.tail(tail.get_out());
            xor_in2out(tail.get_out().into(), batch);
        }

        if steal {
            let mut last = blocks.get(total - 1);
            let mut stolen = Wiped::<U1>::zeros();
            let block = &mut stolen.0[0];
            // In place, `partial` is input and output: its bytes go into the block before the
            // others take their place.
            *block = *last.get_out();
            block[..partial.len()].copy_from_slice(partial.get_in());
            let len = partial.len();
            partial.get_out().copy_from_slice(&last.get_out()[..len]);

            let tweak = &mut batch.0[0];
            *tweak = tweaks.stolen();
            *block = xor(block, tweak);
            kernel.one(block);
            *last.get_out() = xor(block, tweak);
        }
    }
}

#[inline(always)]
fn xor_in2out(blocks: InOutBuf<'_, '_, Block>, tweaks: &[Block]) {
    for (mut block, tweak) in blocks.into_iter().zip(tweaks) {
        let sum = xor(block.get_in(), tweak);
        *block.get_out() = sum;
    }
}

#[inline(always)]
fn xor(block: &Block, tweak: &Block) -> Block {
    let sum = u128::from_ne_bytes(block.0) ^ u128::from_ne_bytes(tweak.0);
    sum.to_ne_bytes().into()
}
