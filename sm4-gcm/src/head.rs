//! The first stretch of keystream. Its block 0 masks the tag, the others belong to the message, so
//! that the mask never costs a kernel pass of its own and a short message needs no other pass.

use crate::{Block, counter::Counter, wipe::wipe};
use sm4::{Sm4, ctr::ctr32};

const BLOCKS: usize = 16;

/// How many bytes of the message the head takes. A multiple of the block size, so that GHASH can
/// go on behind it.
pub(crate) const DATA: usize = 16 * (BLOCKS - 1);

/// The mask and up to [`DATA`] bytes that were XORed with keystream. Wiped on drop.
pub(crate) struct Head {
    bytes: [u8; 16 * BLOCKS],
    len: usize,
}

impl Head {
    /// Encrypts `data`, at most [`DATA`] bytes, and leaves `counter` behind the whole head.
    pub(crate) fn encrypt(cipher: &Sm4, counter: &mut Counter, data: &[u8]) -> Self {
        let mut head = Self {
            bytes: [0; 16 * BLOCKS],
            len: data.len(),
        };
        head.bytes[16..][..data.len()].copy_from_slice(data);
        head.run(cipher, counter);
        head
    }

    /// Makes the keystream for `len` bytes, at most [`DATA`], and leaves `counter` behind the
    /// whole head.
    pub(crate) fn keystream(cipher: &Sm4, counter: &mut Counter, len: usize) -> Self {
        let mut head = Self {
            bytes: [0; 16 * BLOCKS],
            len,
        };
        head.run(cipher, counter);
        head
    }

    fn run(&mut self, cipher: &Sm4, counter: &mut Counter) {
        let used = 16 + self.len;
        ctr32(cipher, counter.block(), self.bytes[..used].as_mut().into());
        counter.advance(BLOCKS as u32);
    }

    /// The block that masks the tag.
    pub(crate) fn mask(&self) -> Block {
        let mut mask = Block::default();
        mask.copy_from_slice(&self.bytes[..16]);
        mask
    }

    /// The encrypted data, or the keystream.
    pub(crate) fn data(&self) -> &[u8] {
        &self.bytes[16..][..self.len]
    }
}

impl Drop for Head {
    fn drop(&mut self) {
        wipe(&mut self.bytes);
    }
}
