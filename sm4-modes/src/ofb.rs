//! Output feedback mode (GB/T 17964-2021, 8; NIST SP 800-38A, 6.4), with the names of the crate `ofb`.
//!
//! The keystream depends on nothing but the key and the initialization vector: the same pair twice reveals the
//! XOR of two plaintexts. OFB authenticates nothing.

use crate::key::Cipher;
use crate::many;
use crate::mode::{by_kernel, chaining_backend, impl_chaining_value, impl_mode, impl_wipe};
use cipher::{
    Array, Block, BlockCipherEncBackend, BlockCipherEncrypt, BlockModeDecBackend,
    BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend, BlockModeEncClosure,
    BlockModeEncrypt, InOut, InOutBuf, StreamCipherBackend, StreamCipherClosure, StreamCipherCore,
    StreamCipherCoreWrapper, consts::U16,
};
use sm4::{Sm4, feedback};

/// OFB for data of any length in bytes, in as many pieces as it comes.
pub type Ofb<C = Sm4> = StreamCipherCoreWrapper<OfbCore<C>>;

/// OFB for whole blocks. Each block needs the one before: they go one at a time.
#[derive(Clone)]
pub struct OfbCore<C: Cipher = Sm4> {
    cipher: C,
    iv: Block<Sm4>,
}

/// Encrypts or decrypts many independent messages under one key, 16 of them at a time: in about the time of one, where
/// they are of equal length.
///
/// Each message is an initialization vector and any number of bytes. The vector is left as the chaining value behind the
/// last whole block: that is keystream, and a secret. Messages may differ in length; the order of long and short ones
/// decides how well the 16 places are used, and nothing else. Nothing is allocated.
///
/// ```
/// use sm4_modes::{Sm4, ofb, cipher::{KeyInit, KeyIvInit, StreamCipher}};
///
/// let key = [0x42; 16].into();
/// let mut ivs = [[1; 16].into(), [2; 16].into()];
/// let mut messages = [b"short".to_vec(), b"not as short as that".to_vec()];
/// let mut expected = messages[1].clone();
/// ofb::Ofb::<Sm4>::new(&key, &ivs[1]).apply_keystream(&mut expected);
///
/// let data = messages.iter_mut().map(|message| message.as_mut_slice().into());
/// ofb::apply_many(&Sm4::new(&key), ivs.iter_mut().zip(data));
/// assert_eq!(messages[1], expected);
/// ```
pub fn apply_many<'iv, 'inp, 'out>(
    cipher: &Sm4,
    messages: impl IntoIterator<Item = (&'iv mut Block<Sm4>, InOutBuf<'inp, 'out, u8>)>,
) {
    many::run(cipher, feedback::ofb_lanes, messages.into_iter());
}

impl_mode!(OfbCore; |f| f.write_str("Ofb<Sm4>"));
impl_chaining_value!(OfbCore);

impl<C: Cipher> StreamCipherCore for OfbCore<C> {
    #[inline]
    fn remaining_blocks(&self) -> Option<usize> {
        None
    }

    fn process_with_backend(&mut self, f: impl StreamCipherClosure<BlockSize = U16>) {
        let Self { cipher, iv } = self;
        cipher.as_sm4().encrypt_with_backend(Stream { iv, f });
    }

    // The kernel is faster than what the trait makes of the block cipher.

    #[inline]
    fn write_keystream_block(&mut self, block: &mut Block<Self>) {
        block.fill(0);
        self.apply_keystream_block_inout(block.into());
    }

    #[inline]
    fn write_keystream_blocks(&mut self, blocks: &mut [Block<Self>]) {
        Array::slice_as_flattened_mut(blocks).fill(0);
        self.apply_keystream_blocks(blocks);
    }

    #[inline]
    fn apply_keystream_block_inout(&mut self, block: InOut<'_, '_, Block<Self>>) {
        self.apply_keystream_blocks_inout(block.into_buf().into_chunks().0);
    }

    #[inline]
    fn apply_keystream_blocks(&mut self, blocks: &mut [Block<Self>]) {
        self.apply_keystream_blocks_inout(blocks.into());
    }

    #[inline]
    fn apply_keystream_blocks_inout(&mut self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        feedback::ofb(self.cipher.as_sm4(), &mut self.iv, blocks);
    }
}

impl<C: Cipher> BlockModeEncrypt for OfbCore<C> {
    fn encrypt_with_backend(&mut self, f: impl BlockModeEncClosure<BlockSize = U16>) {
        let Self { cipher, iv } = self;
        cipher.as_sm4().encrypt_with_backend(Encrypt { iv, f });
    }

    by_kernel!(encrypt: feedback::ofb);
}

impl<C: Cipher> BlockModeDecrypt for OfbCore<C> {
    fn decrypt_with_backend(&mut self, f: impl BlockModeDecClosure<BlockSize = U16>) {
        let Self { cipher, iv } = self;
        cipher.as_sm4().encrypt_with_backend(Decrypt { iv, f });
    }

    by_kernel!(decrypt: feedback::ofb);
}

chaining_backend! {
    Backend: serial;
    Stream: StreamCipherClosure through BlockCipherEncClosure with BlockCipherEncBackend;
    Encrypt: BlockModeEncClosure through BlockCipherEncClosure with BlockCipherEncBackend;
    Decrypt: BlockModeDecClosure through BlockCipherEncClosure with BlockCipherEncBackend;
}

impl<B: BlockCipherEncBackend<BlockSize = U16>> StreamCipherBackend for Backend<'_, B> {
    #[inline(always)]
    fn gen_ks_block(&mut self, block: &mut Block<Self>) {
        self.backend.encrypt_block_inplace(self.iv);
        *block = *self.iv;
    }
}

impl<B: BlockCipherEncBackend<BlockSize = U16>> BlockModeEncBackend for Backend<'_, B> {
    #[inline(always)]
    fn encrypt_block(&mut self, mut block: InOut<'_, '_, Block<Self>>) {
        self.backend.encrypt_block_inplace(self.iv);
        block.xor_in2out(self.iv);
    }
}

impl<B: BlockCipherEncBackend<BlockSize = U16>> BlockModeDecBackend for Backend<'_, B> {
    #[inline(always)]
    fn decrypt_block(&mut self, block: InOut<'_, '_, Block<Self>>) {
        self.encrypt_block(block);
    }
}
