//! CBC-MAC (SP 800-38C, section 6) of one message.

use crate::{Block, feed::Feed, wipe::wipe};
use aead::{array::Array, inout::InOutBuf};
use sm4::{Sm4, feedback::cbc_encrypt};

/// Blocks that go through the chain in one call.
const STEP: usize = 16;

/// The MAC of what was taken so far. Wiped on drop.
pub(crate) struct Mac<'a> {
    cipher: &'a Sm4,
    chain: Block,
    /// What the chain puts out on the way, of no use.
    outputs: [Block; STEP],
}

impl<'a> Mac<'a> {
    /// The MAC behind the block B0, which made `chain`.
    #[inline]
    pub(crate) fn new(cipher: &'a Sm4, chain: &Block) -> Self {
        Self {
            cipher,
            chain: *chain,
            outputs: [Block::default(); STEP],
        }
    }

    /// Takes the associated data, with its header, and text. A block begun is filled up with zeros, so that more may only
    /// follow whole blocks.
    pub(crate) fn update(&mut self, aad: &[u8], text: &[u8]) {
        let mut feed = Feed::new(aad, text);
        while !feed.is_empty() {
            let blocks = feed.blocks();
            let n = blocks.len().min(STEP);
            let (input, output) = (&blocks[..n], &mut self.outputs[..n]);
            let blocks = InOutBuf::new(input, output).expect("as many blocks");
            cbc_encrypt(self.cipher, &mut self.chain, blocks);
            feed.advance(n);
        }
    }

    /// The MAC of all that was taken.
    pub(crate) fn finish(&self) -> &Block {
        &self.chain
    }
}

impl Drop for Mac<'_> {
    fn drop(&mut self) {
        wipe(&mut self.chain);
        wipe(Array::slice_as_flattened_mut(&mut self.outputs));
    }
}
