//! CBC, CFB and OFB of several messages at once: as many as four vectors have lanes.
//!
//! A step takes the latency of one block, in which there is time to take the next texts in and to put the last outputs
//! out. Both stand before the rounds, or else the CPU would not look as far ahead.

use super::feedback::Chain;
use super::keys::Keys;
use super::narrow;
use super::vector::{Vector, Ymm, Zmm};
use super::wide::four;
use crate::feedback::{Chaining, LANES};
use cipher::{InOutBuf, array::Array, consts::U16};
use core::{marker::PhantomData, ptr, slice};
use shangmi_cpu::Avx512Gfni;

type Block = Array<u8, U16>;

/// Up to 16 messages of one length.
#[inline(always)]
pub(super) fn chain<M: Chaining>(
    keys: Keys<'_>,
    ivs: &mut [Block],
    lanes: &mut [InOutBuf<'_, '_, Block>],
) {
    if 4 * Ymm::BYTES / 16 < lanes.len() {
        run::<M, Zmm>(keys, ivs, lanes);
    } else {
        run::<M, Ymm>(keys, ivs, lanes);
    }
}

#[inline(always)]
fn run<M: Chaining, T: Vector>(
    keys: Keys<'_>,
    ivs: &mut [Block],
    lanes: &mut [InOutBuf<'_, '_, Block>],
) {
    let token = keys.token;
    let mut ivs = Streams::new(token, ivs.iter_mut().map(|iv| slice::from_mut(iv).into()));
    let mut texts = Streams::new(token, lanes.iter_mut().map(InOutBuf::reborrow));
    if ivs.steps == 0 || texts.steps == 0 {
        return;
    }
    let last = texts.steps - 1;
    let mut chain = Chain {
        iv: narrow::load(ivs.load::<T>(0)),
    };
    let mut text = texts.load(0);
    let mut output = text;
    for step in 0..=last {
        let next = texts.load((step + 1).min(last));
        if step != 0 {
            texts.store(step - 1, output);
        }
        output = narrow::unload(chain.step::<M>(keys, narrow::load(text)));
        text = next;
    }
    texts.store(last, output);
    ivs.store(0, narrow::unload(chain.iv));
}

/// Buffers of one length. In place of those that are missing, the first one stands once more: the same is then computed
/// of the same, and stored once more.
pub(super) struct Streams<'a> {
    token: Avx512Gfni,
    inputs: [*const Block; LANES],
    outputs: [*mut Block; LANES],
    /// Blocks in each.
    pub(super) steps: usize,
    buffers: PhantomData<&'a mut [Block]>,
}

impl<'a> Streams<'a> {
    #[inline(always)]
    pub(super) fn new(
        token: Avx512Gfni,
        buffers: impl Iterator<Item = InOutBuf<'a, 'a, Block>>,
    ) -> Self {
        let mut inputs = [ptr::null(); LANES];
        let mut outputs = [ptr::null_mut(); LANES];
        let mut steps = usize::MAX;
        let mut count = 0;
        for buffer in buffers.take(LANES) {
            steps = steps.min(buffer.len());
            (inputs[count], outputs[count]) = buffer.into_raw();
            count += 1;
        }
        if count == 0 {
            steps = 0;
        }
        for i in count..LANES {
            (inputs[i], outputs[i]) = (inputs[0], outputs[0]);
        }
        Self {
            token,
            inputs,
            outputs,
            steps,
            buffers: PhantomData,
        }
    }

    /// Block `step` of each.
    #[inline(always)]
    pub(super) fn load<T: Vector>(&self, step: usize) -> [T; 4] {
        assert!(step < self.steps);
        // SAFETY: each input has `steps` blocks.
        four!(i => unsafe {
            T::gather(self.token, |lane| self.inputs[T::BYTES / 16 * i + lane].add(step).cast())
        })
    }

    /// Puts block `step` of each.
    #[inline(always)]
    pub(super) fn store<T: Vector>(&mut self, step: usize, vectors: [T; 4]) {
        assert!(step < self.steps);
        // SAFETY: each output has `steps` blocks.
        four!(i => unsafe {
            vectors[i].scatter(|lane| self.outputs[T::BYTES / 16 * i + lane].add(step).cast());
        });
    }

    /// The four blocks of one lane from `step` on.
    #[inline(always)]
    pub(super) fn load_line(&self, lane: usize, step: usize) -> Zmm {
        assert!(step < self.steps && 4 <= self.steps - step);
        // SAFETY: each input has `steps` blocks, so that four are there.
        unsafe { Zmm::load(self.token, self.inputs[lane].add(step).cast()) }
    }

    /// Puts the four blocks of one lane from `step` on.
    #[inline(always)]
    pub(super) fn store_line(&mut self, lane: usize, step: usize, line: Zmm) {
        assert!(step < self.steps && 4 <= self.steps - step);
        // SAFETY: each output has `steps` blocks, so that four are there.
        unsafe { line.store(self.outputs[lane].add(step).cast()) }
    }
}
