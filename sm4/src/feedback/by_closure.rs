//! The modes over any kernel, by closures: what a kernel has that brings no loop of its own.

use super::{Chaining, LANES};
use crate::wiped::Wiped;
use cipher::{
    Array, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockSizeUser, InOutBuf, ParBlocks,
    consts::{U16, U64},
    typenum::Unsigned,
};
use core::marker::PhantomData;

type Block16 = Array<u8, U16>;

/// One message, one block after another: see [`Kernel::chain`][crate::backends::Kernel::chain].
pub(crate) struct Chain<'a, 'inp, 'out, M> {
    iv: &'a mut Block16,
    blocks: InOutBuf<'inp, 'out, Block16>,
    mode: PhantomData<M>,
}

impl<'a, 'inp, 'out, M> Chain<'a, 'inp, 'out, M> {
    #[inline(always)]
    pub(crate) fn new(iv: &'a mut Block16, blocks: InOutBuf<'inp, 'out, Block16>) -> Self {
        Self {
            iv,
            blocks,
            mode: PhantomData,
        }
    }
}

impl<M> BlockSizeUser for Chain<'_, '_, '_, M> {
    type BlockSize = U16;
}

impl<M: Chaining> BlockCipherEncClosure for Chain<'_, '_, '_, M> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let mut iv = *self.iv;
        for mut block in self.blocks {
            let mut x = input::<M>(&iv, block.get_in());
            backend.encrypt_block_inplace(&mut x);
            *block.get_out() = output::<M>(&mut iv, &x, block.get_in());
        }
        *self.iv = iv;
    }
}

/// Several messages at once: see [`Kernel::chain_lanes`][crate::backends::Kernel::chain_lanes].
pub(crate) struct ChainLanes<'a, 'b, 'inp, 'out, M> {
    ivs: &'a mut [Block16],
    lanes: &'b mut [InOutBuf<'inp, 'out, Block16>],
    mode: PhantomData<M>,
}

impl<'a, 'b, 'inp, 'out, M> ChainLanes<'a, 'b, 'inp, 'out, M> {
    #[inline(always)]
    pub(crate) fn new(
        ivs: &'a mut [Block16],
        lanes: &'b mut [InOutBuf<'inp, 'out, Block16>],
    ) -> Self {
        Self {
            ivs,
            lanes,
            mode: PhantomData,
        }
    }
}

impl<M> BlockSizeUser for ChainLanes<'_, '_, '_, '_, M> {
    type BlockSize = U16;
}

impl<M: Chaining> BlockCipherEncClosure for ChainLanes<'_, '_, '_, '_, M> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let Self { ivs, lanes, .. } = self;
        let mut x = [Block16::default(); LANES];
        let x = &mut x[..lanes.len()];
        for step in 0..lanes[0].len() {
            for ((x, iv), lane) in x.iter_mut().zip(&*ivs).zip(&*lanes) {
                *x = input::<M>(iv, &lane.get_in()[step]);
            }
            encrypt(backend, x);
            for ((x, iv), lane) in x.iter().zip(&mut *ivs).zip(&mut *lanes) {
                let mut block = lane.get(step);
                *block.get_out() = output::<M>(iv, x, block.get_in());
            }
        }
        #[cfg(feature = "zeroize")]
        cipher::zeroize::Zeroize::zeroize(Array::slice_as_flattened_mut(x));
    }
}

/// What the cipher takes.
#[inline(always)]
fn input<M: Chaining>(iv: &Block16, text: &Block16) -> Block16 {
    if M::TEXT_IN { xor(iv, text) } else { *iv }
}

/// The output and, in `iv`, the next chaining value, where the cipher gave `x`.
#[inline(always)]
fn output<M: Chaining>(iv: &mut Block16, x: &Block16, text: &Block16) -> Block16 {
    let output = if M::TEXT_IN { *x } else { xor(x, text) };
    *iv = if M::OUTPUT_BACK { output } else { *x };
    output
}

/// CBC decryption: see [`Kernel::cbc_decrypt`][crate::backends::Kernel::cbc_decrypt].
pub(crate) struct CbcDecrypt<'a, 'inp, 'out> {
    pub(crate) iv: &'a mut Block16,
    pub(crate) blocks: InOutBuf<'inp, 'out, Block16>,
}

impl BlockSizeUser for CbcDecrypt<'_, '_, '_> {
    type BlockSize = U16;
}

impl BlockCipherDecClosure for CbcDecrypt<'_, '_, '_> {
    #[inline(always)]
    fn call<B: BlockCipherDecBackend<BlockSize = U16>>(self, backend: &B) {
        let (batches, mut tail) = self.blocks.into_chunks::<B::ParBlocksSize>();
        for mut batch in batches {
            // In place, the output overwrites the ciphertext that the next blocks need.
            let ciphertext = batch.clone_in();
            backend.decrypt_par_blocks(batch.reborrow());
            unchain(self.iv, &ciphertext, batch.get_out());
        }
        if !tail.is_empty() {
            let mut ciphertext = ParBlocks::<B>::default();
            let ciphertext = &mut ciphertext[..tail.len()];
            ciphertext.copy_from_slice(tail.get_in());
            backend.decrypt_tail_blocks(tail.reborrow());
            unchain(self.iv, ciphertext, tail.get_out());
        }
    }
}

/// The second half of CBC decryption: `out` holds what the block cipher made of `ciphertext`.
#[inline(always)]
fn unchain(iv: &mut Block16, ciphertext: &[Block16], out: &mut [Block16]) {
    let Some((last, others)) = ciphertext.split_last() else {
        return;
    };
    for (out, before) in out.iter_mut().zip([&*iv].into_iter().chain(others)) {
        *out = xor(out, before);
    }
    *iv = *last;
}

/// CFB decryption: see [`Kernel::cfb_decrypt`][crate::backends::Kernel::cfb_decrypt].
pub(crate) struct CfbDecrypt<'a, 'inp, 'out> {
    pub(crate) iv: &'a mut Block16,
    pub(crate) data: InOutBuf<'inp, 'out, u8>,
    pub(crate) next: Option<&'a mut Block16>,
}

impl BlockSizeUser for CfbDecrypt<'_, '_, '_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for CfbDecrypt<'_, '_, '_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(mut self, backend: &B) {
        let batch = 16 * B::ParBlocksSize::USIZE;
        loop {
            let n = self.data.len().min(batch);
            let (head, tail) = self.data.split_at(n);
            let whole = n / 16;
            let last = n < batch;
            let count = if last && self.next.is_some() {
                whole + 1
            } else {
                n.div_ceil(16)
            };
            if count == 0 {
                return;
            }

            // The cipher's inputs are the chaining value and all whole blocks but the last one; where the keystream
            // goes on behind that, it as well.
            let mut keystream = Wiped::<B::ParBlocksSize>::default();
            let keystream = &mut keystream.0[..count];
            let ciphertext = head.get_in();
            let (first, others) = keystream.split_at_mut(1);
            first[0] = *self.iv;
            Array::slice_as_flattened_mut(others).copy_from_slice(&ciphertext[..16 * (count - 1)]);
            if whole != 0 {
                self.iv
                    .copy_from_slice(&ciphertext[16 * (whole - 1)..16 * whole]);
            }
            encrypt(backend, keystream);
            xor_in2out(head, &Array::slice_as_flattened(keystream)[..n]);

            if last {
                if let Some(next) = self.next {
                    *next = keystream[whole];
                }
                return;
            }
            self.data = tail;
        }
    }
}

/// Encrypts any number of blocks in place.
#[inline(always)]
pub(crate) fn encrypt<B: BlockCipherEncBackend<BlockSize = U16>>(
    backend: &B,
    blocks: &mut [Block16],
) {
    let (batches, tail) = Array::slice_as_chunks_mut(blocks);
    for batch in batches {
        backend.encrypt_par_blocks_inplace(batch);
    }
    if !tail.is_empty() {
        backend.encrypt_tail_blocks_inplace(tail);
    }
}

/// The XOR of two blocks.
#[inline(always)]
pub(crate) fn xor(a: &Block16, b: &Block16) -> Block16 {
    Array::from_fn(|i| a[i] ^ b[i])
}

/// XORs `data` with as many bytes of `keystream`, in pieces that are read before they are written.
#[inline(always)]
fn xor_in2out(data: InOutBuf<'_, '_, u8>, keystream: &[u8]) {
    let (pieces, data) = data.into_chunks::<U64>();
    let (whole, keystream) = Array::slice_as_chunks(keystream);
    for (mut piece, keystream) in pieces.into_iter().zip(whole) {
        piece.xor_in2out(keystream);
    }
    let (blocks, mut data) = data.into_chunks::<U16>();
    let (whole, keystream) = Array::slice_as_chunks(keystream);
    for (mut block, keystream) in blocks.into_iter().zip(whole) {
        block.xor_in2out(keystream);
    }
    data.xor_in2out(keystream);
}
