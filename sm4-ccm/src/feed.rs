//! What the MAC of a message takes behind B0, in whole blocks (SP 800-38C, appendices A.2.2 and A.2.3).

use crate::{Block, associated::header, wipe::wipe};
use aead::array::Array;
use core::slice;

/// The blocks of a message that are still to come. Most of them stay where they are; those that hold a header or
/// padding are made here, one at a time. Wiped on drop.
pub(crate) struct Feed<'a> {
    own: Option<Block>,
    blocks: &'a [Block],
    /// What comes behind these two: the end of the associated data, and the text.
    aad: &'a [u8],
    text: &'a [u8],
}

impl<'a> Feed<'a> {
    pub(crate) fn new(aad: &'a [u8], text: &'a [u8]) -> Self {
        let mut feed = Self {
            own: None,
            blocks: &[],
            aad,
            text,
        };
        if !aad.is_empty() {
            let (mut block, size) = header(aad.len() as u64);
            let (now, later) = aad.split_at(aad.len().min(16 - size));
            block[size..][..now.len()].copy_from_slice(now);
            feed.own = Some(block.into());
            feed.aad = later;
        } else {
            feed.refill();
        }
        feed
    }

    /// The next blocks, not all that are to come, but at least one of them.
    #[inline]
    pub(crate) fn blocks(&self) -> &[Block] {
        match &self.own {
            Some(block) => slice::from_ref(block),
            None => self.blocks,
        }
    }

    /// Whether no block is to come.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks().is_empty()
    }

    /// Goes on behind `n` of [`Self::blocks`].
    #[inline]
    pub(crate) fn advance(&mut self, n: usize) {
        if n != 0 && self.own.is_some() {
            self.forget();
        } else {
            self.blocks = &self.blocks[n..];
        }
        if self.blocks.is_empty() {
            self.refill();
        }
    }

    /// Brings up what is next in the associated data, else in the text.
    fn refill(&mut self) {
        let source = if self.aad.is_empty() {
            &mut self.text
        } else {
            &mut self.aad
        };
        let (blocks, partial) = Array::slice_as_chunks(source);
        if blocks.is_empty() && !partial.is_empty() {
            let mut block = Block::default();
            block[..partial.len()].copy_from_slice(partial);
            self.own = Some(block);
            *source = &[];
        } else {
            self.blocks = blocks;
            *source = partial;
        }
    }

    fn forget(&mut self) {
        if let Some(block) = &mut self.own {
            wipe(block);
        }
        self.own = None;
    }
}

impl Drop for Feed<'_> {
    fn drop(&mut self) {
        self.forget();
    }
}

#[cfg(test)]
mod tests {
    extern crate alloc;

    use super::Feed;
    use aead::array::Array;
    use alloc::{vec, vec::Vec};

    /// All that a feed gives when `n` blocks at most are taken at a time.
    fn all(aad: &[u8], text: &[u8], n: usize) -> Vec<u8> {
        let mut feed = Feed::new(aad, text);
        let mut all = Vec::new();
        while !feed.is_empty() {
            let blocks = feed.blocks();
            let n = blocks.len().min(n);
            all.extend_from_slice(Array::slice_as_flattened(&blocks[..n]));
            feed.advance(n);
        }
        all
    }

    #[test]
    fn header_data_padding_text_padding() {
        for aad in (0..70).chain([0xfeff, 0xff00, 0xff20]) {
            for text in 0..70 {
                let (aad, text) = (vec![0xaa; aad], vec![0x77; text]);
                let mut expected = match aad.len() {
                    0 => vec![],
                    len @ ..0xff00 => (len as u16).to_be_bytes().to_vec(),
                    len => [&[0xff, 0xfe][..], &(len as u32).to_be_bytes()].concat(),
                };
                for part in [&aad, &text] {
                    expected.extend(part);
                    expected.resize(expected.len().next_multiple_of(16), 0);
                }
                for n in [1, 2, 1000] {
                    assert_eq!(all(&aad, &text, n), expected);
                }
            }
        }
    }
}
