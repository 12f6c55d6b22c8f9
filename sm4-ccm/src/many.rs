//! Several messages at once: their MACs in the lanes of one kernel, their keystreams in common passes.

use crate::{Block, blocks::Blocks, feed::Feed, wipe::wipe};
use aead::{array::Array, inout::InOutBuf};
use cipher::BlockCipherEncrypt;
use core::array;
use sm4::{
    Sm4,
    feedback::{LANES, cbc_encrypt_lanes},
};

/// Messages whose first blocks are made in one pass of the widest kernels.
pub(crate) const GROUP: usize = 64;

/// Blocks of a message that go through the chain in one call.
const STEP: usize = 16;

/// The masks of the tags and the MACs of up to [`GROUP`] messages. Wiped on drop.
pub(crate) struct Group {
    masks_and_chains: [Block; 2 * GROUP],
    count: usize,
}

impl Group {
    /// Makes the masks, and what each chain has become behind B0.
    pub(crate) fn new(cipher: &Sm4, messages: impl ExactSizeIterator<Item = Blocks>) -> Self {
        let mut group = Self {
            masks_and_chains: [Block::default(); 2 * GROUP],
            count: messages.len(),
        };
        let used = &mut group.masks_and_chains[..2 * group.count];
        let (masks, chains) = used.split_at_mut(group.count);
        for ((mask, chain), blocks) in masks.iter_mut().zip(chains).zip(messages) {
            *mask = blocks.counter(0);
            *chain = blocks.first();
        }
        cipher.encrypt_blocks(used);
        group
    }

    /// Takes the associated data and the text of each message through its chain.
    pub(crate) fn authenticate<'a>(
        &mut self,
        cipher: &Sm4,
        messages: impl Iterator<Item = (&'a [u8], &'a [u8])>,
    ) {
        let chains = &mut self.masks_and_chains[self.count..];
        let mut waiting = messages
            .map(|(aad, text)| Feed::new(aad, text))
            .zip(chains)
            .filter(|(feed, _)| !feed.is_empty());
        let mut lanes = Lanes::new();
        loop {
            while lanes.count < LANES
                && let Some((feed, chain)) = waiting.next()
            {
                lanes.push(feed, chain);
            }
            if lanes.count == 0 {
                break;
            }
            lanes.advance(cipher);
            lanes.retire();
        }
    }

    /// The full tag of each message.
    pub(crate) fn tags(&self) -> impl Iterator<Item = Block> {
        let (masks, chains) = self.masks_and_chains.split_at(self.count);
        masks
            .iter()
            .zip(chains)
            .map(|(mask, mac)| Array::from_fn(|i| mask[i] ^ mac[i]))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let used = &mut self.masks_and_chains[..2 * self.count];
        wipe(Array::slice_as_flattened_mut(used));
    }
}

/// The messages in work. Wiped on drop.
struct Lanes<'a, 'c> {
    count: usize,
    chains: [Block; LANES],
    feeds: [Feed<'a>; LANES],
    /// Where the chaining values go in the end.
    homes: [Option<&'c mut Block>; LANES],
    /// What the chains put out on the way, of no use.
    outputs: [[Block; STEP]; LANES],
}

impl<'a, 'c> Lanes<'a, 'c> {
    fn new() -> Self {
        Self {
            count: 0,
            chains: [Block::default(); LANES],
            feeds: array::from_fn(|_| Feed::new(&[], &[])),
            homes: array::from_fn(|_| None),
            outputs: [[Block::default(); STEP]; LANES],
        }
    }

    fn push(&mut self, feed: Feed<'a>, chain: &'c mut Block) {
        let i = self.count;
        self.chains[i] = *chain;
        self.feeds[i] = feed;
        self.homes[i] = Some(chain);
        self.count += 1;
    }

    /// Takes as many blocks of each message as all have at hand.
    fn advance(&mut self, cipher: &Sm4) {
        let feeds = &mut self.feeds[..self.count];
        let at_hand = feeds.iter().map(|feed| feed.blocks().len()).min();
        let steps = at_hand.map_or(0, |blocks| blocks.min(STEP));
        let mut texts: [InOutBuf<'_, '_, Block>; LANES] = array::from_fn(|_| [].as_mut_slice().into());
        for ((text, feed), output) in texts.iter_mut().zip(&*feeds).zip(&mut self.outputs) {
            let (input, output) = (&feed.blocks()[..steps], &mut output[..steps]);
            *text = InOutBuf::new(input, output).expect("as many blocks");
        }
        let chains = &mut self.chains[..self.count];
        cbc_encrypt_lanes(cipher, chains, &mut texts[..self.count]);
        for feed in feeds {
            feed.advance(steps);
        }
    }

    /// Gives back the lanes of messages that have ended.
    fn retire(&mut self) {
        let mut i = 0;
        while i < self.count {
            if !self.feeds[i].is_empty() {
                i += 1;
                continue;
            }
            if let Some(home) = self.homes[i].take() {
                *home = self.chains[i];
            }
            self.count -= 1;
            self.chains.swap(i, self.count);
            self.feeds.swap(i, self.count);
            self.homes.swap(i, self.count);
        }
    }
}

impl Drop for Lanes<'_, '_> {
    fn drop(&mut self) {
        wipe(Array::slice_as_flattened_mut(&mut self.chains));
        wipe(Array::slice_as_flattened_mut(
            self.outputs.as_flattened_mut(),
        ));
    }
}
