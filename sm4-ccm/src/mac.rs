//! CBC-MAC (SP 800-38C, section 6) over bytes that come in pieces.

use crate::{Block, associated::header, wipe::wipe};
use aead::array::Array;
use sm4::{Sm4, feedback::cbc_encrypt};

/// Bytes that go through the chain in one call, a multiple of 16.
const STAGE: usize = 1024;

/// The MAC of what was taken so far, and the input that it has not seen yet. Wiped on drop.
pub(crate) struct Mac<'a> {
    cipher: &'a Sm4,
    chain: Block,
    stage: [u8; STAGE],
    used: usize,
    /// How much of the stage was ever used.
    touched: usize,
}

impl<'a> Mac<'a> {
    /// The MAC behind the block B0, which made `chain`.
    #[inline]
    pub(crate) fn new(cipher: &'a Sm4, chain: &Block) -> Self {
        Self {
            cipher,
            chain: *chain,
            stage: [0; STAGE],
            used: 0,
            touched: 0,
        }
    }

    /// Takes the associated data, with its header and padding.
    pub(crate) fn associate(&mut self, aad: &[u8]) {
        if !aad.is_empty() {
            let (block, size) = header(aad.len() as u64);
            self.update(&block[..size]);
            self.update(aad);
            self.pad();
        }
    }

    /// Takes bytes.
    pub(crate) fn update(&mut self, mut data: &[u8]) {
        while !data.is_empty() {
            if self.used == STAGE {
                self.run();
            }
            let n = data.len().min(STAGE - self.used);
            let (now, later) = data.split_at(n);
            self.stage[self.used..][..n].copy_from_slice(now);
            self.used += n;
            data = later;
        }
    }

    /// Fills a block begun with zeros.
    fn pad(&mut self) {
        let end = self.used.next_multiple_of(16);
        self.stage[self.used..end].fill(0);
        self.used = end;
    }

    /// The MAC of all that was taken, filled up with zeros to whole blocks.
    pub(crate) fn finish(&mut self) -> Block {
        self.pad();
        self.run();
        self.chain
    }

    /// Sends what waits, whole blocks, through the chain. What comes out but for the last block is of no use.
    fn run(&mut self) {
        let (blocks, _) = Array::slice_as_chunks_mut(&mut self.stage[..self.used]);
        cbc_encrypt(self.cipher, &mut self.chain, blocks.into());
        self.touched = self.touched.max(self.used);
        self.used = 0;
    }
}

impl Drop for Mac<'_> {
    fn drop(&mut self) {
        wipe(&mut self.chain);
        let touched = self.touched.max(self.used);
        wipe(&mut self.stage[..touched]);
    }
}
