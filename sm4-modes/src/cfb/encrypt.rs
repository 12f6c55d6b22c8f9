//! CFB encryption of one message.

use crate::key::Cipher;
use crate::many;
use crate::mode::{by_kernel, chaining_backend, impl_chaining_value, impl_mode, impl_wipe, xor};
use cipher::{
    Block, BlockCipherEncBackend, BlockCipherEncrypt, BlockModeEncBackend, BlockModeEncClosure,
    BlockModeEncrypt, InOut, InOutBuf, consts::U16, inout::NotEqualError,
};
use sm4::{Sm4, feedback};

/// CFB encryption. Each block needs the one before: they go one at a time.
#[derive(Clone)]
pub struct Encryptor<C: Cipher = Sm4> {
    cipher: C,
    iv: Block<Sm4>,
}

/// Encrypts many independent messages under one key, 16 of them at a time: in about the time of one, where they are of
/// equal length.
///
/// Each message is an initialization vector and any number of bytes. The vector is left as the chaining value behind the
/// last whole block. Messages may differ in length; the order of long and short ones decides how well the 16 places
/// are used, and nothing else. Nothing is allocated.
///
/// ```
/// use sm4_modes::{Sm4, cfb, cipher::{InnerIvInit, KeyInit}};
///
/// let cipher = Sm4::new(&[0x42; 16].into());
/// let mut ivs = [[1; 16].into(), [2; 16].into()];
/// let mut messages = [b"short".to_vec(), b"not as short as that".to_vec()];
/// let mut expected = messages[1].clone();
/// cfb::Encryptor::inner_iv_init(&cipher, &ivs[1]).encrypt(&mut expected);
///
/// let data = messages.iter_mut().map(|message| message.as_mut_slice().into());
/// cfb::encrypt_many(&cipher, ivs.iter_mut().zip(data));
/// assert_eq!(messages[1], expected);
/// ```
pub fn encrypt_many<'iv, 'inp, 'out>(
    cipher: &Sm4,
    messages: impl IntoIterator<Item = (&'iv mut Block<Sm4>, InOutBuf<'inp, 'out, u8>)>,
) {
    many::run(cipher, feedback::cfb_encrypt_lanes, messages.into_iter());
}

impl_mode!(Encryptor; |f| f.write_str("cfb::Encryptor<Sm4>"));
impl_chaining_value!(Encryptor);

impl<C: Cipher> Encryptor<C> {
    /// Encrypts the rest of the message, of any length in bytes.
    pub fn encrypt_inout(mut self, data: InOutBuf<'_, '_, u8>) {
        let cipher = self.cipher.as_sm4();
        let (blocks, mut tail) = data.into_chunks();
        feedback::cfb_encrypt(cipher, &mut self.iv, blocks);
        if !tail.is_empty() {
            BlockCipherEncrypt::encrypt_block(cipher, &mut self.iv);
            let n = tail.len();
            tail.xor_in2out(&self.iv[..n]);
        }
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

    by_kernel!(encrypt: feedback::cfb_encrypt);
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
