//! Output feedback mode (GB/T 17964-2021, 8; NIST SP 800-38A, 6.4), with the names of the crate `ofb`.
//!
//! The keystream depends on nothing but the key and the initialization vector: the same pair twice reveals the
//! XOR of two plaintexts. OFB authenticates nothing.

use crate::key::Cipher;
use crate::mode::{impl_chaining_value, impl_mode, impl_wipe};
use cipher::{
    Block, BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockModeDecBackend,
    BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend, BlockModeEncClosure,
    BlockModeEncrypt, BlockSizeUser, InOut, ParBlocksSizeUser, StreamCipherBackend,
    StreamCipherClosure, StreamCipherCore, StreamCipherCoreWrapper,
    consts::{U1, U16},
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

/// Closures for the cipher that call one kind of closure for the mode each.
macro_rules! closures {
    ($($name:ident: $bound:ident;)*) => {$(
        struct $name<'a, F> {
            iv: &'a mut Block<Sm4>,
            f: F,
        }

        impl<F> BlockSizeUser for $name<'_, F> {
            type BlockSize = U16;
        }

        impl<F: $bound<BlockSize = U16>> BlockCipherEncClosure for $name<'_, F> {
            #[inline(always)]
            fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
                let Self { iv, f } = self;
                f.call(&mut Backend { iv, backend });
            }
        }
    )*};
}

closures! {
    Stream: StreamCipherClosure;
    Encrypt: BlockModeEncClosure;
    Decrypt: BlockModeDecClosure;
}

struct Backend<'a, B> {
    iv: &'a mut Block<Sm4>,
    backend: &'a B,
}

impl<B> BlockSizeUser for Backend<'_, B> {
    type BlockSize = U16;
}

impl<B> ParBlocksSizeUser for Backend<'_, B> {
    type ParBlocksSize = U1;
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
