//! CFB decryption of one message.

use crate::key::Cipher;
use crate::mode::{by_kernel, chaining_backend, impl_chaining_value, impl_mode, impl_wipe};
use cipher::{
    Block, BlockCipherEncBackend, BlockCipherEncrypt, BlockModeDecBackend, BlockModeDecClosure,
    BlockModeDecrypt, InOut, InOutBuf, ParBlocks, consts::U16, inout::NotEqualError,
};
use sm4::{Sm4, feedback};

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
        feedback::cfb_decrypt(self.cipher.as_sm4(), &mut self.iv, data, None);
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

    by_kernel!(decrypt: decrypt_blocks);
}

fn decrypt_blocks(cipher: &Sm4, iv: &mut Block<Sm4>, blocks: InOutBuf<'_, '_, Block<Sm4>>) {
    feedback::cfb_decrypt(cipher, iv, sm4::into_bytes(blocks), None);
}

chaining_backend! {
    Backend: parallel;
    Closure: BlockModeDecClosure through BlockCipherEncClosure with BlockCipherEncBackend;
}

impl<B: BlockCipherEncBackend<BlockSize = U16>> Backend<'_, B> {
    /// Writes the cipher's inputs for `ciphertext`: the chaining value and every block but the last one, which is the
    /// next chaining value.
    #[inline(always)]
    fn inputs(&mut self, inputs: &mut [Block<Self>], ciphertext: &[Block<Self>]) {
        for (input, ciphertext) in inputs.iter_mut().zip(ciphertext) {
            *input = *self.iv;
            *self.iv = *ciphertext;
        }
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
        let mut keystream = ParBlocks::<Self>::default();
        self.inputs(&mut keystream, blocks.get_in());
        self.backend.encrypt_par_blocks_inplace(&mut keystream);
        blocks.xor_in2out(&keystream);
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&mut self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        let mut keystream = ParBlocks::<Self>::default();
        let keystream = &mut keystream[..blocks.len()];
        self.inputs(keystream, blocks.get_in());
        self.backend.encrypt_tail_blocks_inplace(keystream);
        for (mut block, keystream) in blocks.into_iter().zip(keystream) {
            block.xor_in2out(keystream);
        }
    }
}
