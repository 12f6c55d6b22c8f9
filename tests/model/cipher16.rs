//! A 16-byte block cipher, one block at a time.

use cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, consts::U16};

/// One block of 16 bytes.
pub type Block = [u8; 16];

/// What the models ask of a block cipher: single blocks, nothing else.
pub trait Cipher16 {
    /// Encrypts one block.
    fn e(&self, block: Block) -> Block;
    /// Decrypts one block.
    fn d(&self, block: Block) -> Block;
}

impl<C> Cipher16 for C
where
    C: BlockSizeUser<BlockSize = U16> + BlockCipherEncrypt + BlockCipherDecrypt,
{
    fn e(&self, block: Block) -> Block {
        let mut block = Array(block);
        self.encrypt_block(&mut block);
        block.0
    }

    fn d(&self, block: Block) -> Block {
        let mut block = Array(block);
        self.decrypt_block(&mut block);
        block.0
    }
}

/// The sum of two blocks.
pub fn xor(a: Block, b: Block) -> Block {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// `bytes` (at most 16) followed by zeros.
pub fn padded(bytes: &[u8]) -> Block {
    let mut block = [0; 16];
    block[..bytes.len()].copy_from_slice(bytes);
    block
}
