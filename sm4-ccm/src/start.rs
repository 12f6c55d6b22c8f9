//! What the kernel of one message takes beside the text.

use crate::{Block, associated, blocks::Blocks};
use sm4::ccm::Message;

/// The first blocks of the MAC, B0 and one that holds a header, and what comes behind them.
pub(crate) struct Start<'a> {
    head: [Block; 2],
    count: usize,
    rest: &'a [u8],
    counter: Block,
}

impl<'a> Start<'a> {
    #[inline]
    pub(crate) fn new(blocks: &Blocks, aad: &'a [u8]) -> Self {
        let mut start = Self {
            head: [blocks.first(), Block::default()],
            count: 1,
            rest: aad,
            counter: blocks.counter(0),
        };
        if !aad.is_empty() {
            (start.head[1], start.rest) = associated::first(aad);
            start.count = 2;
        }
        start
    }

    #[inline]
    pub(crate) fn message(&self) -> Message<'_> {
        Message {
            head: &self.head[..self.count],
            rest: self.rest,
            counter: &self.counter,
        }
    }
}
