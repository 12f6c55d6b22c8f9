//! The end of a message, which shares a pass of the cipher with the mask of the tag and the first
//! block of the MAC: so the mask never costs a pass, and a short message as many as its MAC alone.

use crate::{Block, blocks::Blocks, wipe::wipe, xor::xor};
use aead::{array::Array, inout::InOutBuf};
use cipher::BlockCipherEncrypt;
use sm4::Sm4;

/// Most blocks of the end. With the other two they fill what kernels take in one narrow pass.
const MOST: usize = 46;

/// How many of the blocks of a message belong to its end. Those before fill passes of the widest kernels, or half
/// passes.
const fn blocks_of_end(blocks: usize) -> usize {
    let mut left = blocks % 128;
    if left > MOST {
        left %= 64;
    }
    if left > MOST { 0 } else { left }
}

/// How many bytes of a message of `len` bytes come before its end, a multiple of 16 unless there is no end.
pub(crate) const fn before_end(len: usize) -> usize {
    let blocks = len.div_ceil(16);
    match blocks_of_end(blocks) {
        0 => len,
        end => 16 * (blocks - end),
    }
}

/// The mask, the first link of the MAC's chain, and the keystream of the end. Wiped on drop.
pub(crate) struct Tail {
    blocks: [Block; 2 + MOST],
    used: usize,
    len: usize,
}

impl Tail {
    #[inline]
    pub(crate) fn zeros() -> Self {
        Self {
            blocks: [Block::default(); 2 + MOST],
            used: 0,
            len: 0,
        }
    }

    /// Makes all for a message of `len` bytes.
    pub(crate) fn make(&mut self, cipher: &Sm4, blocks: &Blocks, len: usize) {
        let before = before_end(len);
        self.len = len - before;
        self.used = 2 + self.len.div_ceil(16);
        let used = &mut self.blocks[..self.used];
        used[0] = blocks.counter(0);
        used[1] = blocks.first();
        for (block, number) in used[2..].iter_mut().zip(1 + before as u64 / 16..) {
            *block = blocks.counter(number);
        }
        cipher.encrypt_blocks(used);
    }

    /// What the chain of the MAC has become behind B0.
    pub(crate) fn chain(&self) -> &Block {
        &self.blocks[1]
    }

    /// Encrypts or decrypts the end.
    pub(crate) fn xor(&self, end: InOutBuf<'_, '_, u8>) {
        let keystream = Array::slice_as_flattened(&self.blocks[2..]);
        xor(end, &keystream[..self.len]);
    }

    /// The full tag, where this is the MAC.
    pub(crate) fn mask(&self, mac: &Block) -> Block {
        Array::from_fn(|i| mac[i] ^ self.blocks[0][i])
    }
}

impl Drop for Tail {
    fn drop(&mut self) {
        wipe(Array::slice_as_flattened_mut(&mut self.blocks[..self.used]));
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, before_end, blocks_of_end};

    #[test]
    fn blocks_before_the_end_fill_half_passes_or_are_all() {
        for blocks in 0..1000 {
            let end = blocks_of_end(blocks);
            assert!(end <= MOST && end <= blocks);
            assert!(end == 0 || (blocks - end).is_multiple_of(64), "{blocks}");
        }
        for few in 0..=MOST {
            assert_eq!(blocks_of_end(few), few);
            assert_eq!(blocks_of_end(128 + few), few);
        }
    }

    #[test]
    fn a_partial_block_is_the_last_one_of_the_end() {
        assert_eq!(before_end(0), 0);
        assert_eq!(before_end(1), 0);
        assert_eq!(before_end(16 * 46), 0);
        assert_eq!(before_end(16 * 46 + 1), 16 * 46 + 1);
        assert_eq!(before_end(1024), 1024);
        assert_eq!(before_end(1025), 1024);
        assert_eq!(before_end(1420), 1024);
        assert_eq!(before_end(2048 + 15), 2048);
    }
}
