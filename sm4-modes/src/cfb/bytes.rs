//! CFB over bytes: the loops that take a tail shorter than a block along.

use crate::mode::{encrypt_batch, xor};
use cipher::{
    Array, Block, BlockCipherEncBackend, BlockCipherEncClosure, BlockSizeUser, InOutBuf, ParBlocks,
    consts::U16, typenum::Unsigned,
};
use sm4::Sm4;

/// Encrypts `data`. `iv` is the chaining value: the last whole block of ciphertext.
///
/// `next`, where there is one, receives the keystream behind the last whole block.
pub(super) struct Encrypt<'a, 'inp, 'out> {
    pub(super) iv: &'a mut Block<Sm4>,
    pub(super) data: InOutBuf<'inp, 'out, u8>,
    pub(super) next: Option<&'a mut Block<Sm4>>,
}

impl BlockSizeUser for Encrypt<'_, '_, '_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Encrypt<'_, '_, '_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let (blocks, mut tail) = self.data.into_chunks::<U16>();
        for mut block in blocks {
            backend.encrypt_block_inplace(self.iv);
            xor(self.iv, block.get_in());
            *block.get_out() = *self.iv;
        }
        if !tail.is_empty() || self.next.is_some() {
            let mut keystream = *self.iv;
            backend.encrypt_block_inplace(&mut keystream);
            let n = tail.len();
            tail.xor_in2out(&keystream[..n]);
            if let Some(next) = self.next {
                *next = keystream;
            }
        }
    }
}

/// Decrypts `data`; `iv` and `next` as for [`Encrypt`].
pub(super) struct Decrypt<'a, 'inp, 'out> {
    pub(super) iv: &'a mut Block<Sm4>,
    pub(super) data: InOutBuf<'inp, 'out, u8>,
    pub(super) next: Option<&'a mut Block<Sm4>>,
}

impl BlockSizeUser for Decrypt<'_, '_, '_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Decrypt<'_, '_, '_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(mut self, backend: &B) {
        let batch = 16 * B::ParBlocksSize::USIZE;
        loop {
            let n = self.data.len().min(batch);
            let (mut head, tail) = self.data.split_at(n);
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

            // The cipher's inputs are the chaining value and all whole blocks but the last one; where
            // the keystream goes on behind that, it as well.
            let mut keystream = ParBlocks::<B>::default();
            let keystream = &mut keystream[..count];
            let ciphertext = head.get_in();
            let (first, others) = keystream.split_at_mut(1);
            first[0] = *self.iv;
            Array::slice_as_flattened_mut(others).copy_from_slice(&ciphertext[..16 * (count - 1)]);
            if whole != 0 {
                self.iv
                    .copy_from_slice(&ciphertext[16 * (whole - 1)..16 * whole]);
            }
            encrypt_batch(backend, keystream);
            head.xor_in2out(&Array::slice_as_flattened(keystream)[..n]);

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
