//! CFB encryption of one message.

use super::bytes;
use crate::key::Cipher;
use crate::mode::{chaining_backend, impl_chaining_value, impl_mode, impl_wipe, xor};
use cipher::{
    Block, BlockCipherEncBackend, BlockCipherEncrypt, BlockModeEncBackend, BlockModeEncClosure,
    BlockModeEncrypt, InOut, InOutBuf, consts::U16, inout::NotEqualError,
};
use sm4::Sm4;

/// CFB encryption. Each block needs the one before: they go one at a time.
#[derive(Clone)]
pub struct Encryptor<C: Cipher = Sm4> {
    cipher: C,
    iv: Block<Sm4>,
}

impl_mode!(Encryptor; |f| f.write_str("cfb::Encryptor<Sm4>"));
impl_chaining_value!(Encryptor);

impl<C: Cipher> Encryptor<C> {
    /// Encrypts the rest of the message, of any length in bytes.
    pub fn encrypt_inout(mut self, data: InOutBuf<'_, '_, u8>) {
        let Self { cipher, iv } = &mut self;
        let next = None;
        (cipher.as_sm4()).encrypt_with_backend(bytes::Encrypt { iv, data, next });
    }

    /// Encrypts the rest of the message in place.
    pub fn encrypt(self, buf: &mut [u8]) {
        self.encrypt_inout(buf.into());
    }

    /// Encrypts the rest of the message from one buffer to another.
    ///
    /// # Errors
    /// If the buffers differ in length; nothing is written then.
    pub fn encrypt_b2b(self, in_buf: &[u8], out_buf: &mut [u8]) -> Result<(), NotEqualError> {
        InOutBuf::new(in_buf, out_buf).map(|data| self.encrypt_inout(data))
    }
}

impl<C: Cipher> BlockModeEncrypt for Encryptor<C> {
    fn encrypt_with_backend(&mut self, f: impl BlockModeEncClosure<BlockSize = U16>) {
        let Self { cipher, iv } = self;
        cipher.as_sm4().encrypt_with_backend(Closure { iv, f });
    }
}

chaining_backend! {
    Backend: serial;
    Closure: BlockModeEncClosure through BlockCipherEncClosure with BlockCipherEncBackend;
}

impl<B: BlockCipherEncBackend<BlockSize = U16>> BlockModeEncBackend for Backend<'_, B> {
    #[inline(always)]
    fn encrypt_block(&mut self, mut block: InOut<'_, '_, Block<Self>>) {
        self.backend.encrypt_block_inplace(self.iv);
        xor(self.iv, block.get_in());
        *block.get_out() = *self.iv;
    }
}
