//! CCM over any kernel, by closures: the chain takes the counter blocks along.

use super::{Counters, LANES, Lane, Message};
use crate::feedback::by_closure::{encrypt, xor};
use crate::wiped::Wiped;
use cipher::{
    Array, BlockCipherEncBackend, BlockCipherEncClosure, BlockSizeUser, InOutBuf,
    consts::{U1, U4, U16, U128},
};

use core::array;

type Block16 = Array<u8, U16>;

/// See [`Kernel::ccm`][crate::backends::Kernel::ccm].
pub(crate) struct Ccm<'a, 'inp, 'out, const OPEN: bool> {
    message: Message<'a>,
    text: InOutBuf<'inp, 'out, u8>,
    tag: &'a mut Block16,
}

impl<'a, 'inp, 'out, const OPEN: bool> Ccm<'a, 'inp, 'out, OPEN> {
    #[inline(always)]
    pub(crate) fn new(
        message: Message<'a>,
        text: InOutBuf<'inp, 'out, u8>,
        tag: &'a mut Block16,
    ) -> Self {
        Self { message, text, tag }
    }
}

impl<const OPEN: bool> BlockSizeUser for Ccm<'_, '_, '_, OPEN> {
    type BlockSize = U16;
}

impl<const OPEN: bool> BlockCipherEncClosure for Ccm<'_, '_, '_, OPEN> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let Self { message, text, tag } = self;
        let mut chain = Chain::new(backend, Counters::new(message.counter));
        let mut mask = Wiped::<U1>::default();
        for block in message.head {
            chain.step(block);
        }
        mask.0[0] = chain.keystream();
        for block in message.rest.chunks(16) {
            chain.step(&padded(block));
        }

        let (blocks, mut last) = text.into_chunks::<U16>();
        for mut block in blocks {
            let input = *block.get_in();
            let output = xor(&input, &chain.keystream());
            *block.get_out() = output;
            chain.step(if OPEN { &output } else { &input });
        }
        if !last.is_empty() {
            let n = last.len();
            let input = padded(last.get_in());
            let output = xor(&input, &chain.keystream());
            last.get_out().copy_from_slice(&output[..n]);
            chain.step(&if OPEN { padded(&output[..n]) } else { input });
        }
        *tag = xor(&chain.blocks.0[0], &mask.0[0]);
    }
}

/// The chain, before blocks of keystream.
struct Chain<'a, B> {
    backend: &'a B,
    counters: Counters,
    blocks: Wiped<U4>,
    /// How many of the blocks have been used, the chain among them.
    used: usize,
}

impl<'a, B: BlockCipherEncBackend<BlockSize = U16>> Chain<'a, B> {
    #[inline(always)]
    fn new(backend: &'a B, counters: Counters) -> Self {
        let blocks = Wiped::<U4>::default();
        let used = blocks.0.len();
        Self {
            backend,
            counters,
            blocks,
            used,
        }
    }

    /// Takes a block through the chain, and counter blocks along where there is no keystream left.
    #[inline(always)]
    fn step(&mut self, text: &Block16) {
        let blocks = &mut self.blocks.0;
        blocks[0] = xor(&blocks[0], text);
        if self.used < blocks.len() {
            self.backend.encrypt_block_inplace(&mut blocks[0]);
        } else {
            for counter in &mut blocks[1..] {
                counter.0 = self.counters.next_block();
            }
            encrypt(self.backend, blocks);
            self.used = 1;
        }
    }

    /// The next block of keystream. A step has to follow.
    #[inline(always)]
    fn keystream(&mut self) -> Block16 {
        self.used += 1;
        self.blocks.0[self.used - 1]
    }
}

/// See [`Kernel::ccm_lanes`][crate::backends::Kernel::ccm_lanes].
pub(crate) struct CcmLanes<'a, 'b, 'inp, 'out, const OPEN: bool> {
    lanes: &'a mut [Lane],
    texts: &'b mut [InOutBuf<'inp, 'out, Block16>],
}

impl<'a, 'b, 'inp, 'out, const OPEN: bool> CcmLanes<'a, 'b, 'inp, 'out, OPEN> {
    #[inline(always)]
    pub(crate) fn new(
        lanes: &'a mut [Lane],
        texts: &'b mut [InOutBuf<'inp, 'out, Block16>],
    ) -> Self {
        Self { lanes, texts }
    }
}

impl<const OPEN: bool> BlockSizeUser for CcmLanes<'_, '_, '_, '_, OPEN> {
    type BlockSize = U16;
}

impl<const OPEN: bool> BlockCipherEncClosure for CcmLanes<'_, '_, '_, '_, OPEN> {
    /// A pass takes the chains, and behind them the counter blocks.
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let Self { lanes, texts } = self;
        let count = lanes.len();
        let mut blocks = Wiped::<U128>::default();
        let blocks = &mut blocks.0[..2 * count];
        let (chains, keystreams) = blocks.split_at_mut(count);
        for ((lane, chain), keystream) in lanes.iter().zip(chains).zip(keystreams) {
            (*chain, *keystream) = (lane.chain, lane.keystream);
        }
        let mut counters: [_; LANES] = array::from_fn(|i| {
            let counter = lanes.get(i).map(|lane| lane.counter);
            Counters::new(&counter.unwrap_or_default())
        });
        for step in 0..texts[0].len() {
            let (chains, keystreams) = blocks.split_at_mut(count);
            for (((text, chain), keystream), counters) in texts
                .iter_mut()
                .zip(chains)
                .zip(keystreams)
                .zip(&mut counters)
            {
                let mut block = text.get(step);
                let input = *block.get_in();
                let output = xor(&input, keystream);
                *block.get_out() = output;
                *chain = xor(chain, if OPEN { &output } else { &input });
                keystream.0 = counters.next_block();
            }
            encrypt(backend, blocks);
        }
        let (chains, keystreams) = blocks.split_at(count);
        for (((lane, chain), keystream), counters) in lanes
            .iter_mut()
            .zip(chains)
            .zip(keystreams)
            .zip(&mut counters)
        {
            (lane.chain, lane.keystream) = (*chain, *keystream);
            lane.counter.0 = counters.next_block();
        }
    }
}

/// Up to 16 bytes, filled up with zeros.
#[inline(always)]
fn padded(bytes: &[u8]) -> Block16 {
    let mut block = Block16::default();
    block[..bytes.len()].copy_from_slice(bytes);
    block
}
