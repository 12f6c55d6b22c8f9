//! CTR for whole blocks.

use super::flavors::CtrFlavor;
use crate::key::Cipher;
use crate::mode::{impl_mode, impl_wipe, xor_in2out};
use cipher::{
    Block, BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut,
    InOutBuf, InnerIvInit, Iv, IvSizeUser, IvState, ParBlocks, ParBlocksSizeUser, SetIvState,
    StreamCipherBackend, StreamCipherClosure, StreamCipherCore, StreamCipherSeekCore, consts::U16,
    typenum::Unsigned,
};
use sm4::{Sm4, ctr::ctr32_with_rest};

/// CTR for whole blocks of 16 bytes; [`Ctr`][super::Ctr] takes any bytes.
#[derive(Clone)]
pub struct CtrCore<C: Cipher, F: CtrFlavor> {
    cipher: C,
    nonce: Block<Sm4>,
    count: F::Counter,
}

impl_mode!(CtrCore, F: CtrFlavor; |f| {
    f.write_str("Ctr")?;
    f.write_str(F::NAME)?;
    f.write_str("<Sm4>")
});
impl_wipe!(CtrCore, F: CtrFlavor; nonce);

impl<C: Cipher, F: CtrFlavor> CtrCore<C, F> {
    /// XORs bytes with the keystream from the current block on. Where they end within a block, the
    /// position moves behind it and the block is returned, the bytes that are used up set to zero.
    pub(super) fn apply_keystream_bytes(&mut self, mut data: InOutBuf<'_, '_, u8>) -> Block<Sm4> {
        let cipher = self.cipher.as_sm4();
        let mut rest = Block::<Sm4>::default();
        while !data.is_empty() {
            let block = F::block(&self.nonce, self.count);
            let n = if F::BIG_ENDIAN {
                data.len().min(bytes_to_carry(&block))
            } else {
                data.len()
            };
            let (head, tail) = data.split_at(n);
            if F::BIG_ENDIAN {
                rest = ctr32_with_rest(cipher, &block, head);
            } else {
                cipher.encrypt_with_backend(Apply::<F> {
                    nonce: &self.nonce,
                    count: self.count,
                    data: head,
                    rest: &mut rest,
                });
            }
            self.count = F::advance(self.count, n.div_ceil(16));
            data = tail;
        }
        rest
    }
}

/// How many bytes of keystream come before the last four bytes of the counter block wrap.
fn bytes_to_carry(block: &Block<Sm4>) -> usize {
    let low = u32::from_be_bytes([block[12], block[13], block[14], block[15]]);
    let bytes = 16 * ((1 << 32) - u64::from(low));
    bytes.try_into().unwrap_or(usize::MAX - 15)
}

impl<C: Cipher, F: CtrFlavor> StreamCipherCore for CtrCore<C, F> {
    #[inline]
    fn remaining_blocks(&self) -> Option<usize> {
        F::remaining(self.count)
    }

    fn process_with_backend(&mut self, f: impl StreamCipherClosure<BlockSize = U16>) {
        let Self {
            cipher,
            nonce,
            count,
        } = self;
        cipher
            .as_sm4()
            .encrypt_with_backend(Process::<F, _> { nonce, count, f });
    }

    // The counter kernel is faster than what the trait makes of the block cipher.

    fn write_keystream_block(&mut self, block: &mut Block<Self>) {
        block.fill(0);
        self.apply_keystream_bytes(block.as_mut_slice().into());
    }

    fn write_keystream_blocks(&mut self, blocks: &mut [Block<Self>]) {
        cipher::Array::slice_as_flattened_mut(blocks).fill(0);
        self.apply_keystream_blocks(blocks);
    }

    fn apply_keystream_block_inout(&mut self, block: InOut<'_, '_, Block<Self>>) {
        self.apply_keystream_bytes(block.into_buf());
    }

    fn apply_keystream_blocks(&mut self, blocks: &mut [Block<Self>]) {
        self.apply_keystream_blocks_inout(blocks.into());
    }

    fn apply_keystream_blocks_inout(&mut self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        self.apply_keystream_bytes(sm4::into_bytes(blocks));
    }
}

impl<C: Cipher, F: CtrFlavor> StreamCipherSeekCore for CtrCore<C, F> {
    type Counter = F::Counter;

    #[inline]
    fn get_block_pos(&self) -> F::Counter {
        self.count
    }

    #[inline]
    fn set_block_pos(&mut self, pos: F::Counter) {
        self.count = pos;
    }
}

impl<C: Cipher, F: CtrFlavor> IvSizeUser for CtrCore<C, F> {
    type IvSize = U16;
}

impl<C: Cipher, F: CtrFlavor> InnerIvInit for CtrCore<C, F> {
    #[inline]
    fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
        Self {
            cipher,
            nonce: *iv,
            count: F::Counter::default(),
        }
    }
}

impl<C: Cipher, F: CtrFlavor> IvState for CtrCore<C, F> {
    #[inline]
    fn iv_state(&self) -> Iv<Self> {
        F::block(&self.nonce, self.count)
    }
}

impl<C: Cipher, F: CtrFlavor> SetIvState for CtrCore<C, F> {
    #[inline]
    fn set_iv(&mut self, iv: &Iv<Self>) {
        self.nonce = *iv;
        self.count = F::Counter::default();
    }
}

/// [`CtrCore::apply_keystream_bytes`] for the counters that have no kernel of their own.
struct Apply<'a, 'inp, 'out, F: CtrFlavor> {
    nonce: &'a Block<Sm4>,
    count: F::Counter,
    data: InOutBuf<'inp, 'out, u8>,
    rest: &'a mut Block<Sm4>,
}

impl<F: CtrFlavor> BlockSizeUser for Apply<'_, '_, '_, F> {
    type BlockSize = U16;
}

impl<F: CtrFlavor> BlockCipherEncClosure for Apply<'_, '_, '_, F> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(mut self, backend: &B) {
        while !self.data.is_empty() {
            let n = self.data.len().min(16 * B::ParBlocksSize::USIZE);
            let (head, tail) = self.data.split_at(n);
            let mut keystream = ParBlocks::<B>::default();
            let keystream = &mut keystream[..n.div_ceil(16)];
            counters::<F>(self.nonce, &mut self.count, keystream);
            match <&mut ParBlocks<B>>::try_from(&mut *keystream) {
                Ok(batch) => backend.encrypt_par_blocks_inplace(batch),
                Err(_) => backend.encrypt_tail_blocks_inplace(keystream),
            }
            xor_in2out(head, &cipher::Array::slice_as_flattened(keystream)[..n]);
            if n % 16 != 0 {
                *self.rest = keystream[n / 16];
                self.rest[..n % 16].fill(0);
            }
            self.data = tail;
        }
    }
}

/// Writes the counter blocks from `count` on, and moves it.
#[inline(always)]
fn counters<F: CtrFlavor>(nonce: &Block<Sm4>, count: &mut F::Counter, blocks: &mut [Block<Sm4>]) {
    for block in blocks {
        *block = F::block(nonce, *count);
        *count = F::advance(*count, 1);
    }
}

/// Calls the mode's closure with the cipher's backend and the counter.
struct Process<'a, F: CtrFlavor, G> {
    nonce: &'a Block<Sm4>,
    count: &'a mut F::Counter,
    f: G,
}

impl<F: CtrFlavor, G> BlockSizeUser for Process<'_, F, G> {
    type BlockSize = U16;
}

impl<F: CtrFlavor, G: StreamCipherClosure<BlockSize = U16>> BlockCipherEncClosure
    for Process<'_, F, G>
{
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let Self { nonce, count, f } = self;
        f.call(&mut Backend::<F, B> {
            nonce,
            count,
            backend,
        });
    }
}

struct Backend<'a, F: CtrFlavor, B> {
    nonce: &'a Block<Sm4>,
    count: &'a mut F::Counter,
    backend: &'a B,
}

impl<F: CtrFlavor, B> BlockSizeUser for Backend<'_, F, B> {
    type BlockSize = U16;
}

impl<F: CtrFlavor, B: ParBlocksSizeUser<BlockSize = U16>> ParBlocksSizeUser for Backend<'_, F, B> {
    type ParBlocksSize = B::ParBlocksSize;
}

impl<F: CtrFlavor, B: BlockCipherEncBackend<BlockSize = U16>> StreamCipherBackend
    for Backend<'_, F, B>
{
    #[inline(always)]
    fn gen_ks_block(&mut self, block: &mut Block<Self>) {
        counters::<F>(self.nonce, self.count, core::slice::from_mut(block));
        self.backend.encrypt_block_inplace(block);
    }

    #[inline(always)]
    fn gen_par_ks_blocks(&mut self, blocks: &mut ParBlocks<Self>) {
        counters::<F>(self.nonce, self.count, blocks);
        self.backend.encrypt_par_blocks_inplace(blocks);
    }

    #[inline(always)]
    fn gen_tail_blocks(&mut self, blocks: &mut [Block<Self>]) {
        counters::<F>(self.nonce, self.count, blocks);
        self.backend.encrypt_tail_blocks_inplace(blocks);
    }
}
