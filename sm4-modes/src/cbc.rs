//! Cipher block chaining mode (GB/T 17964-2021, 6; NIST SP 800-38A, 6.2), with the names of the crate `cbc`.
//!
//! CBC authenticates nothing. A program that tells the sender of a ciphertext whether its padding was right gives
//! the plaintext away; prefer SM4-GCM or SM4-CCM, or check a MAC before decrypting.

use crate::key::Cipher;
use crate::many;
use crate::mode::{by_kernel, chaining_backend, impl_chaining_value, impl_mode, impl_wipe, xor};
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherDecrypt, BlockCipherEncBackend, BlockCipherEncrypt,
    BlockModeDecBackend, BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend,
    BlockModeEncClosure, BlockModeEncrypt, InOut, InOutBuf, ParBlocks, consts::U16,
};
use sm4::{Sm4, feedback};

/// CBC encryption. Each block needs the one before: they go one at a time.
#[derive(Clone)]
pub struct Encryptor<C: Cipher = Sm4> {
    cipher: C,
    iv: Block<Sm4>,
}

/// CBC decryption, many blocks at a time.
#[derive(Clone)]
pub struct Decryptor<C: Cipher = Sm4> {
    cipher: C,
    iv: Block<Sm4>,
}

/// Encrypts many independent messages under one key, 16 of them at a time: in about the time of one, where they are of
/// equal length.
///
/// Each message is an initialization vector and whole blocks. The vector is left as the chaining value behind the
/// message, with which [`Encryptor`] or another call can go on. Messages may differ in length; the order of long and
/// short ones decides how well the 16 places are used, and nothing else. Nothing is allocated.
///
/// ```
/// use sm4_modes::{Sm4, cbc, cipher::{BlockModeEncrypt, InnerIvInit, KeyInit}};
///
/// let cipher = Sm4::new(&[0x42; 16].into());
/// let mut ivs = [[1; 16].into(), [2; 16].into()];
/// let mut messages = [vec![[3; 16].into(); 10], vec![[4; 16].into(); 7]];
/// let expected = {
///     let mut blocks = messages[1].clone();
///     cbc::Encryptor::inner_iv_init(&cipher, &ivs[1]).encrypt_blocks(&mut blocks);
///     blocks
/// };
///
/// let blocks = messages.iter_mut().map(|blocks| blocks.as_mut_slice().into());
/// cbc::encrypt_many(&cipher, ivs.iter_mut().zip(blocks));
/// assert_eq!(messages[1], expected);
/// assert_eq!(ivs[1], expected[6]);
/// ```
pub fn encrypt_many<'iv, 'inp, 'out>(
    cipher: &Sm4,
    messages: impl IntoIterator<Item = (&'iv mut Block<Sm4>, InOutBuf<'inp, 'out, Block<Sm4>>)>,
) {
    let messages = messages.into_iter();
    many::run(
        cipher,
        feedback::cbc_encrypt_lanes,
        messages.map(|(iv, blocks)| (iv, sm4::into_bytes(blocks))),
    );
}

impl_mode!(Encryptor; |f| f.write_str("cbc::Encryptor<Sm4>"));
impl_mode!(Decryptor; |f| f.write_str("cbc::Decryptor<Sm4>"));
impl_chaining_value!(Encryptor);
impl_chaining_value!(Decryptor);

impl<C: Cipher> BlockModeEncrypt for Encryptor<C> {
    fn encrypt_with_backend(&mut self, f: impl BlockModeEncClosure<BlockSize = U16>) {
        let Self { cipher, iv } = self;
        cipher
            .as_sm4()
            .encrypt_with_backend(EncryptClosure { iv, f });
    }

    by_kernel!(encrypt: feedback::cbc_encrypt);
}

impl<C: Cipher> BlockModeDecrypt for Decryptor<C> {
    fn decrypt_with_backend(&mut self, f: impl BlockModeDecClosure<BlockSize = U16>) {
        let Self { cipher, iv } = self;
        cipher
            .as_sm4()
            .decrypt_with_backend(DecryptClosure { iv, f });
    }

    by_kernel!(decrypt: feedback::cbc_decrypt);
}

chaining_backend! {
    Encrypt: serial;
    EncryptClosure: BlockModeEncClosure through BlockCipherEncClosure with BlockCipherEncBackend;
}

impl<B: BlockCipherEncBackend<BlockSize = U16>> BlockModeEncBackend for Encrypt<'_, B> {
    #[inline(always)]
    fn encrypt_block(&mut self, mut block: InOut<'_, '_, Block<Self>>) {
        xor(self.iv, block.get_in());
        self.backend.encrypt_block_inplace(self.iv);
        *block.get_out() = *self.iv;
    }
}

chaining_backend! {
    Decrypt: parallel;
    DecryptClosure: BlockModeDecClosure through BlockCipherDecClosure with BlockCipherDecBackend;
}

impl<B> Decrypt<'_, B> {
    /// The second half of a decryption: `out` holds what the block cipher made of `ciphertext`.
    #[inline(always)]
    fn unchain(&mut self, ciphertext: &[Block<Sm4>], out: &mut [Block<Sm4>]) {
        for (out, ciphertext) in out.iter_mut().zip(ciphertext) {
            xor(out, self.iv);
            *self.iv = *ciphertext;
        }
    }
}

impl<B: BlockCipherDecBackend<BlockSize = U16>> BlockModeDecBackend for Decrypt<'_, B> {
    #[inline(always)]
    fn decrypt_block(&mut self, mut block: InOut<'_, '_, Block<Self>>) {
        let ciphertext = block.clone_in();
        self.backend.decrypt_block(block.reborrow());
        self.unchain(&[ciphertext], core::slice::from_mut(block.get_out()));
    }

    #[inline(always)]
    fn decrypt_par_blocks(&mut self, mut blocks: InOut<'_, '_, ParBlocks<Self>>) {
        // In place, the output overwrites the ciphertext that the next blocks need.
        let ciphertext = blocks.clone_in();
        self.backend.decrypt_par_blocks(blocks.reborrow());
        self.unchain(&ciphertext, blocks.get_out());
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&mut self, mut blocks: InOutBuf<'_, '_, Block<Self>>) {
        let mut ciphertext = ParBlocks::<Self>::default();
        let ciphertext = &mut ciphertext[..blocks.len()];
        ciphertext.copy_from_slice(blocks.get_in());
        self.backend.decrypt_tail_blocks(blocks.reborrow());
        self.unchain(ciphertext, blocks.get_out());
    }
}
