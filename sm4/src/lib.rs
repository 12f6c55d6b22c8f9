#![no_std]
#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod backends;
pub mod ccm;
pub mod ctr;
pub mod feedback;
mod sbox;
mod schedule;
mod wiped;
pub mod xex;

pub use backends::{Backend, into_bytes};
pub use cipher;

use backends::{Kernel, dispatch};
use cipher::{
    AlgorithmName, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut,
    InOutBuf, Key, KeyInit, KeySizeUser, ParBlocksSizeUser,
    consts::{U1, U16},
    inout::NotEqualError,
};
use core::fmt;
use schedule::RoundKeys;

#[cfg(feature = "zeroize")]
use cipher::zeroize::{Zeroize, ZeroizeOnDrop};

/// The SM4 block cipher (GB/T 32907-2016, ISO/IEC 18033-3:2010/Amd 1:2021): blocks of 16 bytes, a
/// key of 16 bytes.
///
/// A value takes 132 bytes: 32 round keys, and the choice of the [`Backend`] (nothing where there is only one).
///
/// Like RustCrypto's, it is a backend of its own as well: one block at a time, so prefer
/// [`BlockCipherEncrypt`] and [`BlockCipherDecrypt`].
#[derive(Clone)]
pub struct Sm4 {
    round_keys: RoundKeys,
    backend: Backend,
}

impl Sm4 {
    /// Expands `key` (16 bytes) for `backend`.
    #[must_use]
    pub fn with_backend(key: &Key<Self>, backend: Backend) -> Self {
        let round_keys = dispatch!(backend, kernel => kernel.expand(&key.0));
        Self {
            round_keys,
            backend,
        }
    }

    /// The backend that this key's blocks are computed with.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The counter kernel: see [`ctr::ctr32_with_rest`]. The kernels wrap the counter themselves.
    fn ctr32(&self, prefix: [u32; 3], counter: u32, data: InOutBuf<'_, '_, u8>) -> Block<Self> {
        dispatch!(self.backend, kernel => kernel.ctr32(&self.round_keys, prefix, counter, data))
    }
}

impl KeySizeUser for Sm4 {
    type KeySize = U16;
}

impl KeyInit for Sm4 {
    fn new(key: &Key<Self>) -> Self {
        Self::with_backend(key, Backend::detect())
    }
}

impl BlockSizeUser for Sm4 {
    type BlockSize = U16;
}

impl BlockCipherEncrypt for Sm4 {
    #[inline]
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        dispatch!(self.backend, kernel => kernel.encrypt_with(&self.round_keys, f));
    }

    // What takes many blocks has larger passes than a closure may be given.

    fn encrypt_blocks_inout(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        dispatch!(self.backend, kernel => kernel.ecb_encrypt(&self.round_keys, blocks));
    }

    #[inline]
    fn encrypt_blocks(&self, blocks: &mut [Block<Self>]) {
        self.encrypt_blocks_inout(blocks.into());
    }

    #[inline]
    fn encrypt_blocks_b2b(
        &self,
        in_blocks: &[Block<Self>],
        out_blocks: &mut [Block<Self>],
    ) -> Result<(), NotEqualError> {
        InOutBuf::new(in_blocks, out_blocks).map(|blocks| self.encrypt_blocks_inout(blocks))
    }
}

impl BlockCipherDecrypt for Sm4 {
    #[inline]
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        dispatch!(self.backend, kernel => kernel.decrypt_with(&self.round_keys, f));
    }

    // What takes many blocks has larger passes than a closure may be given.

    fn decrypt_blocks_inout(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        dispatch!(self.backend, kernel => kernel.ecb_decrypt(&self.round_keys, blocks));
    }

    #[inline]
    fn decrypt_blocks(&self, blocks: &mut [Block<Self>]) {
        self.decrypt_blocks_inout(blocks.into());
    }

    #[inline]
    fn decrypt_blocks_b2b(
        &self,
        in_blocks: &[Block<Self>],
        out_blocks: &mut [Block<Self>],
    ) -> Result<(), NotEqualError> {
        InOutBuf::new(in_blocks, out_blocks).map(|blocks| self.decrypt_blocks_inout(blocks))
    }
}

impl ParBlocksSizeUser for Sm4 {
    type ParBlocksSize = U1;
}

impl BlockCipherEncBackend for Sm4 {
    #[inline]
    fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.encrypt_block_inout(block);
    }
}

impl BlockCipherDecBackend for Sm4 {
    #[inline]
    fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.decrypt_block_inout(block);
    }
}

impl AlgorithmName for Sm4 {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4")
    }
}

impl fmt::Debug for Sm4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sm4").finish_non_exhaustive()
    }
}

impl Drop for Sm4 {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        self.round_keys.zeroize();
    }
}

#[cfg(feature = "zeroize")]
impl ZeroizeOnDrop for Sm4 {}
