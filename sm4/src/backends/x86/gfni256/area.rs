//! Where a pass takes its blocks from, and where it puts them.

use super::bytes::{BATCH, Pairs};
use super::vector::{Vector, Ymm};
use cipher::{InOut, InOutBuf, array::Array, consts::U16};
use core::{cell::Cell, marker::PhantomData};
use shangmi_cpu::Avx2Gfni;

/// Input and output of the same number of blocks. A pass loads all of its vectors before it stores any.
///
/// The buffers belong to this value alone, but nobody holds a reference to what is in them, so that shared access to the
/// value is enough to store.
pub(super) struct Area<'a> {
    token: Avx2Gfni,
    input: *const Array<u8, U16>,
    output: *mut Array<u8, U16>,
    blocks: usize,
    buffers: PhantomData<&'a Cell<u8>>,
}

impl<'a> Area<'a> {
    #[inline(always)]
    pub(super) fn new(token: Avx2Gfni, blocks: InOutBuf<'a, 'a, Array<u8, U16>>) -> Self {
        let len = blocks.len();
        let (input, output) = blocks.into_raw();
        Self {
            token,
            input,
            output,
            blocks: len,
            buffers: PhantomData,
        }
    }

    #[inline(always)]
    pub(super) fn single(token: Avx2Gfni, block: InOut<'a, 'a, Array<u8, U16>>) -> Self {
        let (input, output) = block.into_raw();
        Self {
            token,
            input,
            output,
            blocks: 1,
            buffers: PhantomData,
        }
    }

    #[inline(always)]
    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    /// Splits `n` blocks off the front, or all if there are fewer.
    #[inline(always)]
    pub(super) fn part(&mut self, n: usize) -> Self {
        let n = n.min(self.blocks);
        let front = Self { blocks: n, ..*self };
        // SAFETY: both buffers have `blocks` blocks, and `n` is no more.
        unsafe {
            self.input = self.input.add(n);
            self.output = self.output.add(n);
        }
        self.blocks -= n;
        front
    }

    /// Where vector `i` starts: the last one is moved forward until it ends with the blocks, and any behind it are the
    /// same again.
    #[inline(always)]
    fn place<T: Vector>(&self, i: usize) -> usize {
        assert!(
            self.blocks >= T::BLOCKS,
            "a pass has a vector of blocks at least"
        );
        (i * T::BLOCKS).min(self.blocks - T::BLOCKS)
    }

    /// Vector `i` of the input.
    #[inline(always)]
    pub(super) fn load<T: Vector>(&self, i: usize) -> T {
        // SAFETY: the place is inside of the input, and as many blocks as the vector has are behind it.
        unsafe { T::load(self.token, self.input.add(self.place::<T>(i)).cast()) }
    }

    /// The words of the first block of the input, as they lie in memory.
    #[inline(always)]
    pub(super) fn load_words(&self) -> [u32; 4] {
        assert!(self.blocks != 0, "a pass has a block at least");
        // SAFETY: the input has a block, which is as long as four words.
        unsafe { self.input.cast::<[u32; 4]>().read_unaligned() }
    }

    /// Blocks `i` and `i + 1` of the input.
    #[inline(always)]
    pub(super) fn two(&self, i: usize) -> Ymm {
        assert!(i < self.blocks && i + 1 < self.blocks);
        // SAFETY: the input has both blocks.
        unsafe { Ymm::load(self.token, self.input.add(i).cast()) }
    }

    /// Block `i` of the input.
    #[inline(always)]
    pub(super) fn one(&self, i: usize) -> Array<u8, U16> {
        assert!(i < self.blocks);
        // SAFETY: the input has the block.
        unsafe { self.input.add(i).read() }
    }

    /// Puts vector `i` of the output where [`Self::load`] took it from.
    #[inline(always)]
    pub(super) fn store<T: Vector>(&self, i: usize, vector: T) {
        // SAFETY: the place is inside of the output, and as many blocks as the vector has are behind it.
        unsafe { vector.store(self.output.add(self.place::<T>(i)).cast()) }
    }

    /// Batch `i`: the last one is moved forward until it ends with the blocks.
    #[inline(always)]
    pub(super) fn batch(&self, i: usize) -> Batch<'a> {
        assert!(
            self.blocks >= BATCH,
            "a pass has a batch of blocks at least"
        );
        let start = (i * BATCH).min(self.blocks - BATCH);
        Batch {
            token: self.token,
            // SAFETY: `start` is inside of the input.
            input: unsafe { self.input.add(start) },
            // SAFETY: `start` is inside of the output.
            output: unsafe { self.output.add(start) },
            buffers: PhantomData,
        }
    }
}

/// [`BATCH`] blocks of input and of output.
#[derive(Clone, Copy)]
pub(super) struct Batch<'a> {
    token: Avx2Gfni,
    input: *const Array<u8, U16>,
    output: *mut Array<u8, U16>,
    buffers: PhantomData<&'a Cell<u8>>,
}

impl<'a> Batch<'a> {
    /// Vectors as input and output.
    #[inline(always)]
    pub(super) fn new(token: Avx2Gfni, vectors: &'a mut [[Ymm; 4]; BATCH / 8]) -> Self {
        let pointer = vectors.as_mut_ptr();
        Self {
            token,
            input: pointer.cast(),
            output: pointer.cast(),
            buffers: PhantomData,
        }
    }

    /// Puts blocks `2·i` and `2·i + 1` of the output.
    #[inline(always)]
    pub(super) fn store(&self, i: usize, vector: Ymm) {
        assert!(2 * i + 1 < BATCH);
        // SAFETY: the output has as many blocks.
        unsafe { vector.store(self.output.add(2 * i).cast()) }
    }
}

impl Pairs for Batch<'_> {
    #[inline(always)]
    fn pair(&self, i: usize) -> Ymm {
        assert!(2 * i + 1 < BATCH);
        // SAFETY: the input has as many blocks.
        unsafe { Ymm::load(self.token, self.input.add(2 * i).cast()) }
    }
}
