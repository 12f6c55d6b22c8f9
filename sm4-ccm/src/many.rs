//! Several messages at once: their MACs in the lanes of one kernel, their keystreams in common passes.

use crate::{Block, blocks::Blocks, feed::Feed, wipe::wipe};
use aead::{array::Array, inout::InOutBuf};
use cipher::BlockCipherEncrypt;
use core::array;
use sm4::{
    Sm4,
    feedback::{LANES, cbc_encrypt_lanes},
};

/// Blocks of a pass of the widest kernels.
pub(crate) const PASS: usize = 128;

/// Messages that are taken together. The first blocks of each, two, are made in one pass.
pub(crate) const GROUP: usize = PASS / 2;

/// Blocks of a message that go through the kernel of several lanes in one call.
const STEP: usize = 16;

/// The masks of the tags and the MACs of up to [`GROUP`] messages. Wiped on drop.
pub(crate) struct Group {
    masks_and_chains: [Block; PASS],
    count: usize,
}

impl Group {
    /// Makes the masks, and what each chain has become behind B0.
    pub(crate) fn new(cipher: &Sm4, messages: impl ExactSizeIterator<Item = Blocks>) -> Self {
        let mut group = Self {
            masks_and_chains: [Block::default(); PASS],
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
            while lanes.count < GROUP
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
        masks.iter().zip(chains).map(|(mask, mac)| xor(mask, mac))
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
    chains: [Block; GROUP],
    feeds: [Feed<'a>; GROUP],
    /// Where the chaining values go in the end.
    homes: [Option<&'c mut Block>; GROUP],
}

impl<'a, 'c> Lanes<'a, 'c> {
    fn new() -> Self {
        Self {
            count: 0,
            chains: [Block::default(); GROUP],
            feeds: array::from_fn(|_| Feed::new(&[], &[])),
            homes: array::from_fn(|_| None),
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
        let chains = &mut self.chains[..self.count];
        let mut texts: [&[Block]; GROUP] = [&[]; GROUP];
        let texts = &mut texts[..feeds.len()];
        for (text, feed) in texts.iter_mut().zip(&*feeds) {
            *text = feed.blocks();
        }
        let steps = texts.iter().map(|text| text.len()).min().unwrap_or(0);
        for text in &mut *texts {
            *text = &text[..steps];
        }
        if chains.len() <= LANES {
            few(cipher, chains, texts);
        } else {
            many(cipher, chains, texts);
        }
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
    }
}

/// Takes texts of the same length through their chains, where the kernel of several lanes has as many.
fn few(cipher: &Sm4, chains: &mut [Block], texts: &[&[Block]]) {
    let steps = texts.first().map_or(0, |text| text.len());
    // The chains put out blocks on the way, which are of no use.
    let mut outputs = [[Block::default(); STEP]; LANES];
    for from in (0..steps).step_by(STEP) {
        let n = STEP.min(steps - from);
        let mut lanes: [InOutBuf<'_, '_, Block>; LANES] =
            array::from_fn(|_| [].as_mut_slice().into());
        for ((lane, text), output) in lanes.iter_mut().zip(texts).zip(&mut outputs) {
            let (input, output) = (&text[from..][..n], &mut output[..n]);
            *lane = InOutBuf::new(input, output).expect("as many blocks");
        }
        cbc_encrypt_lanes(cipher, chains, &mut lanes[..texts.len()]);
    }
    for output in &mut outputs[..texts.len()] {
        wipe(Array::slice_as_flattened_mut(
            &mut output[..STEP.min(steps)],
        ));
    }
}

/// Takes texts of the same length through their chains, by passes of a block of each.
fn many(cipher: &Sm4, chains: &mut [Block], texts: &[&[Block]]) {
    for step in 0..texts.first().map_or(0, |text| text.len()) {
        for (chain, text) in chains.iter_mut().zip(texts) {
            *chain = xor(chain, &text[step]);
        }
        cipher.encrypt_blocks(chains);
    }
}

/// The XOR of two blocks.
fn xor(a: &Block, b: &Block) -> Block {
    Array::from_fn(|i| a[i] ^ b[i])
}
