//! Encryption and decryption as types, so that what they share is written once.

use crate::{
    Standard,
    job::Job,
    kernel::{Decrypting, Encrypting},
};
use cipher::{
    BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, consts::U16,
};
use sm4::Sm4;

/// One of the two directions.
pub(crate) trait Direction {
    /// Does the job in one call of the cipher.
    fn run<S: Standard>(cipher: &Sm4, job: Job<'_, '_, '_, S>);
}

pub(crate) enum Encrypt {}

impl Direction for Encrypt {
    fn run<S: Standard>(cipher: &Sm4, job: Job<'_, '_, '_, S>) {
        cipher.encrypt_with_backend(job);
    }
}

pub(crate) enum Decrypt {}

impl Direction for Decrypt {
    fn run<S: Standard>(cipher: &Sm4, job: Job<'_, '_, '_, S>) {
        cipher.decrypt_with_backend(job);
    }
}

impl<S> BlockSizeUser for Job<'_, '_, '_, S> {
    type BlockSize = U16;
}

impl<S: Standard> BlockCipherEncClosure for Job<'_, '_, '_, S> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        self.run(&Encrypting(backend));
    }
}

impl<S: Standard> BlockCipherDecClosure for Job<'_, '_, '_, S> {
    #[inline(always)]
    fn call<B: BlockCipherDecBackend<BlockSize = U16>>(self, backend: &B) {
        self.run(&Decrypting(backend));
    }
}
