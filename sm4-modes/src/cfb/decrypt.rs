//! CFB decryption of one message.

use super::bytes;
use crate::key::Cipher;
use crate::mode::{chaining_backend, encrypt_batch, impl_chaining_value, impl_mode, impl_wipe};
use cipher::{
    Block, BlockCipherEncBackend, BlockCipherEncrypt, BlockModeDecBackend, BlockModeDecClosure,
    BlockModeDecrypt, InOut, InOutBuf, ParBlocks, consts::U16, inout::NotEqualError,
};
use sm4::Sm4;

/// CFB decryption, many blocks at a time.
#[derive(Clone)]
pub struct Decryptor<C: Cipher = Sm4> {
    cipher: C,
    iv: Block<Sm4>,
}

impl_mode!(Decryptor; |f| f.write_str("cfb::Decryptor<Sm4>"));
impl_chaining_value!(Decryptor);

impl<C: Cipher> Decryptor<C> {
    /// Decrypts the rest of the message, of any length in bytes.
    pub fn decrypt_inout(mut self, data: InOutBuf<'_, '_, u8>) {
        let Self { cipher, iv } = &mut self;
        let next = None;
        (cipher.as_sm4()).encrypt_with_backend(bytes::Decrypt { iv, data, next });
    }

    /// Decrypts the rest of the message in place.
    pub fn decrypt(self, buf: &mut [u8]) {
        self.decrypt_inout(buf.into());
    }

    /// Decrypts the rest of the message from one buffer to another.
    ///
    /// # Errors
    /// If the buffers differ in length; nothing is written then.
    pub fn decrypt_b2b(self, in_buf: &[u8], out_buf: &mut [u8]) -> Result<(), NotEqualError> {
        InOutBuf::new(in_buf, out_buf).map(|data| self.decrypt_inout(data))
    }
}

impl<C: Cipher> BlockModeDecrypt for Decryptor<C> {
    fn decrypt_with_backend(&mut self, f: impl BlockModeDecClosure<BlockSize = U16>) {
        let Self { cipher, iv } = self;
        cipher.as_sm4().encrypt_with_backend(Closure { iv, f });
    }
}

chaining_backend! {
    Backend: parallel;
    Closure: BlockModeDecClosure through BlockCipherEncClosure with BlockCipherEncBackend;
}

impl<B: BlockCipherEncBackend<BlockSize = U16>> Backend<'_, B> {
    /// The keystream for up to a whole batch of `ciphertext`, in the first blocks of what is returned.
    #[inline(always)]
    fn keystream(&mut self, ciphertext: &[Block<Sm4>]) -> ParBlocks<Self> {
        let mut keystream = ParBlocks::<Self>::default();
        for (keystream, ciphertext) in keystream.iter_mut().zip(ciphertext) {
            *keystream = *self.iv;
            *self.iv = *ciphertext;
        }
        encrypt_batch(self.backend, &mut keystream[..ciphertext.len()]);
        keystream
    }
}

impl<B: BlockCipherEncBackend<BlockSize = U16>> BlockModeDecBackend for Backend<'_, B> {
    #[inline(always)]
    fn decrypt_block(&mut self, mut block: InOut<'_, '_, Block<Self>>) {
        self.backend.encrypt_block_inplace(self.iv);
        let keystream = core::mem::replace(self.iv, block.clone_in());
        block.xor_in2out(&keystream);
    }

    #[inline(always)]
    fn decrypt_par_blocks(&mut self, mut blocks: InOut<'_, '_, ParBlocks<Self>>) {
        let keystream = self.keystream(blocks.get_in());
        blocks.xor_in2out(&keystream);
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&mut self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        let keystream = self.keystream(blocks.get_in());
        for (mut block, keystream) in blocks.into_iter().zip(&keystream) {
            block.xor_in2out(keystream);
        }
    }
}
