//! Output feedback mode (GB/T 17964-2021, 8; NIST SP 800-38A, 6.4), with the names of the crate `ofb`.
//!
//! The keystream depends on nothing but the key and the initialization vector: the same pair twice reveals the
//! XOR of two plaintexts. OFB authenticates nothing.

use crate::key::Cipher;
use crate::mode::{chaining_backend, impl_chaining_value, impl_mode, impl_wipe};
use cipher::{
    Block, BlockCipherEncBackend, BlockCipherEncrypt, BlockModeDecBackend, BlockModeDecClosure,
    BlockModeDecrypt, BlockModeEncBackend, BlockModeEncClosure, BlockModeEncrypt, InOut,
    StreamCipherBackend, StreamCipherClosure, StreamCipherCore, StreamCipherCoreWrapper,
    consts::U16,
};
use sm4::Sm4;

/// OFB for data of any length in bytes, in as many pieces as it comes.
pub type Ofb<C = Sm4> = StreamCipherCoreWrapper<OfbCore<C>>;

/// OFB for whole blocks. Each block needs the one before: they go one at a time.
#[derive(Clone)]
pub struct OfbCore<C: Cipher = Sm4> {
    cipher: C,
    iv: Block<Sm4>,
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
}

impl<C: Cipher> BlockModeEncrypt for OfbCore<C> {
    fn encrypt_with_backend(&mut self, f: impl BlockModeEncClosure<BlockSize = U16>) {
        let Self { cipher, iv } = self;
        cipher.as_sm4().encrypt_with_backend(Encrypt { iv, f });
    }
}

impl<C: Cipher> BlockModeDecrypt for OfbCore<C> {
    fn decrypt_with_backend(&mut self, f: impl BlockModeDecClosure<BlockSize = U16>) {
        let Self { cipher, iv } = self;
        cipher.as_sm4().encrypt_with_backend(Decrypt { iv, f });
    }
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
