//! The kernel: key schedule, rounds, batches and tails.

use super::instructions::{Pair, Single, Sm4Instructions};
use crate::schedule::{CK, FK, RoundKeys};
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherEncBackend, BlockSizeUser, InOut, InOutBuf, ParBlocks,
    ParBlocksSizeUser, consts::U16, typenum::Unsigned,
};

/// Blocks in one pass: eight vectors wait for nothing but the units that work on them, if a result takes eight times
/// as long as it takes until the next one can be begun, or less.
type Lanes = U16;

static PARAMETERS: RoundKeys = CK;

/// Expands a key into the round keys of the standard.
#[inline(always)]
pub(super) fn expand<I: Sm4Instructions>(instructions: I, key: &[u8; 16]) -> RoundKeys {
    let mut k = Single::new(instructions, key).enter().xor_words(&FK);
    let mut round_keys = [0; 32];
    let groups = round_keys.as_chunks_mut::<4>().0.iter_mut();
    for (out, ck) in groups.zip(PARAMETERS.as_chunks::<4>().0) {
        k = k.key4(ck);
        k.put_words(out);
    }
    round_keys
}

/// The round keys in the order of decryption.
pub(super) struct Reversed(pub(super) RoundKeys);

impl Reversed {
    #[inline(always)]
    pub(super) fn new(keys: &RoundKeys) -> Self {
        let mut keys = *keys;
        keys.reverse();
        Self(keys)
    }
}

impl Drop for Reversed {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        cipher::zeroize::Zeroize::zeroize(&mut self.0);
    }
}

/// The 32 rounds of blocks in words.
#[inline(always)]
pub(super) fn rounds<I: Sm4Instructions, const N: usize>(
    keys: &RoundKeys,
    pairs: &mut [Pair<I>; N],
) {
    for keys in keys.as_chunks::<4>().0 {
        for pair in pairs.iter_mut() {
            *pair = pair.rounds4(keys);
        }
    }
}

/// The kernel in one direction.
pub(super) struct Direction<'a, I> {
    instructions: I,
    keys: &'a RoundKeys,
}

impl<'a, I: Sm4Instructions> Direction<'a, I> {
    #[inline(always)]
    pub(super) fn new(instructions: I, keys: &'a RoundKeys) -> Self {
        Self { instructions, keys }
    }

    #[inline(always)]
    fn block(&self, mut block: InOut<'_, '_, Block<Self>>) {
        let mut x = Single::new(self.instructions, &block.get_in().0).enter();
        for keys in self.keys.as_chunks::<4>().0 {
            x = x.rounds4(keys);
        }
        x.leave().put(&mut block.get_out().0);
    }

    /// Up to [`Lanes`] blocks.
    #[inline(always)]
    fn blocks(&self, mut blocks: InOutBuf<'_, '_, Block<Self>>) {
        match blocks.len() {
            0 => {}
            1 => self.block(blocks.get(0)),
            2 => self.pass::<1>(blocks),
            3..=4 => self.pass::<2>(blocks),
            5..=8 => self.pass::<4>(blocks),
            _ => self.pass::<8>(blocks),
        }
    }

    /// Up to `2·N` blocks, and two at least. The last pairs overlap if there are fewer.
    #[inline(always)]
    fn pass<const N: usize>(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        let n = blocks.len();
        assert!(2 <= n && n <= 2 * N);
        let (input, output) = blocks.into_raw();
        let mut pairs = [Pair::new(self.instructions, &[[0; 4]; 2]); N];
        for (i, pair) in pairs.iter_mut().enumerate() {
            // SAFETY: the input has two blocks from no later than the last but one.
            *pair = unsafe { Pair::load(self.instructions, input.add((2 * i).min(n - 2)).cast()) };
            *pair = pair.enter();
        }
        rounds(self.keys, &mut pairs);
        for (i, pair) in pairs.into_iter().enumerate() {
            // SAFETY: the output has two blocks from no later than the last but one.
            unsafe { pair.leave().store(output.add((2 * i).min(n - 2)).cast()) }
        }
    }
}

impl<I> BlockSizeUser for Direction<'_, I> {
    type BlockSize = U16;
}

impl<I> ParBlocksSizeUser for Direction<'_, I> {
    type ParBlocksSize = Lanes;
}

impl<I: Sm4Instructions> BlockCipherEncBackend for Direction<'_, I> {
    #[inline(always)]
    fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.block(block);
    }

    #[inline(always)]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.pass::<8>(blocks.into_buf());
    }

    #[inline(always)]
    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        assert!(
            blocks.len() < Lanes::USIZE,
            "a tail has fewer blocks than a batch"
        );
        self.blocks(blocks);
    }
}

impl<I: Sm4Instructions> BlockCipherDecBackend for Direction<'_, I> {
    #[inline(always)]
    fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.block(block);
    }

    #[inline(always)]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.pass::<8>(blocks.into_buf());
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        assert!(
            blocks.len() < Lanes::USIZE,
            "a tail has fewer blocks than a batch"
        );
        self.blocks(blocks);
    }
}
