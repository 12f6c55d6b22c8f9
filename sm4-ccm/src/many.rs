//! Several messages at once, in the lanes of one kernel.

use crate::{Block, associated, associated::padded, blocks::Blocks, wipe::wipe};
use aead::{array::Array, consts::U16, inout::InOutBuf};
use cipher::BlockCipherEncrypt;
use core::{array, mem};
use sm4::{
    Sm4,
    ccm::{LANES, Lane, open_lanes, seal_lanes},
    feedback,
};

/// Most messages that are taken together.
pub(crate) const GROUP: usize = LANES;

/// As many take less room, which costs time to fill and to wipe.
pub(crate) const SMALL_GROUP: usize = feedback::LANES;

/// A message of a group.
pub(crate) struct Part<'a> {
    pub(crate) blocks: Blocks,
    pub(crate) aad: &'a [u8],
    pub(crate) text: InOutBuf<'a, 'a, u8>,
}

/// Seals or opens messages, no more than `N`, and returns their full tags.
pub(crate) fn run<'a, const OPEN: bool, const N: usize>(
    cipher: &Sm4,
    parts: impl ExactSizeIterator<Item = Part<'a>>,
) -> Wiped<N> {
    let count = parts.len();
    let mut starts = Starts([[Block::default(); N]; 3]);
    let starts = &mut starts.0.as_flattened_mut()[..3 * count];
    let (masks, others) = starts.split_at_mut(count);
    let (chains, keystreams) = others.split_at_mut(count);
    let mut aads: [&[u8]; N] = [&[]; N];
    let mut lanes: [Lane; N] = array::from_fn(|_| Lane {
        chain: Block::default(),
        keystream: Block::default(),
        counter: Block::default(),
    });
    let mut texts: [Text<'_>; N] = array::from_fn(|_| Text::new(0, [].as_mut_slice().into()));
    for (i, part) in parts.enumerate() {
        masks[i] = part.blocks.counter(0);
        chains[i] = part.blocks.first();
        keystreams[i] = part.blocks.counter(1);
        lanes[i].counter = part.blocks.counter(2);
        aads[i] = part.aad;
        texts[i] = Text::new(i, part.text);
    }
    cipher.encrypt_blocks(starts);

    let (masks, others) = starts.split_at_mut(count);
    let (chains, keystreams) = others.split_at_mut(count);
    associate::<N>(cipher, chains, &mut aads[..count]);
    for ((lane, chain), keystream) in lanes.iter_mut().zip(chains).zip(keystreams) {
        (lane.chain, lane.keystream) = (*chain, *keystream);
    }
    let (lanes, texts) = (&mut lanes[..count], &mut texts[..count]);
    whole_blocks::<OPEN, N>(cipher, lanes, texts);
    last_blocks::<OPEN, N>(cipher, lanes, texts);
    let mut tags = Wiped([Block::default(); N]);
    for (lane, text) in lanes.iter().zip(texts) {
        tags.0[text.number] = xor(&lane.chain, &masks[text.number]);
    }
    tags
}

/// The text of a message, and its number.
struct Text<'a> {
    number: usize,
    /// What is left in whole blocks.
    blocks: InOutBuf<'a, 'a, Block>,
    /// What there is behind them, less than a block.
    last: InOutBuf<'a, 'a, u8>,
}

impl<'a> Text<'a> {
    fn new(number: usize, text: InOutBuf<'a, 'a, u8>) -> Self {
        let (blocks, last) = text.into_chunks::<U16>();
        Self {
            number,
            blocks,
            last,
        }
    }

    /// Splits `n` blocks off the front.
    fn take(&mut self, n: usize) -> InOutBuf<'a, 'a, Block> {
        let blocks = mem::replace(&mut self.blocks, [].as_mut_slice().into());
        let (now, later) = blocks.split_at(n);
        self.blocks = later;
        now
    }
}

/// Takes the associated data through the chains, and leaves none.
fn associate<const N: usize>(cipher: &Sm4, chains: &mut [Block], aads: &mut [&[u8]]) {
    let mut links = Links::<N>::new();
    for (chain, aad) in chains.iter_mut().zip(&mut *aads) {
        if !aad.is_empty() {
            let (block, later) = associated::first(aad);
            links.push(chain, &block);
            *aad = later;
        }
    }
    links.pass(cipher);
    loop {
        let left = aads.iter().filter(|aad| !aad.is_empty());
        let Some(steps) = left.map(|aad| aad.len() / 16).min() else {
            break;
        };
        if steps < WORTH_IT {
            associate_block::<N>(cipher, chains, aads);
            continue;
        }
        let at_once = feedback::LANES;
        for (chains, aads) in chains.chunks_mut(at_once).zip(aads.chunks_mut(at_once)) {
            associate_blocks(cipher, chains, aads, steps.min(STEPS));
        }
    }
}

/// Takes a block of each message, or what is left, all in a pass.
fn associate_block<const N: usize>(cipher: &Sm4, chains: &mut [Block], aads: &mut [&[u8]]) {
    let mut links = Links::<N>::new();
    for (chain, aad) in chains.iter_mut().zip(aads) {
        if !aad.is_empty() {
            let (now, later) = aad.split_at(aad.len().min(16));
            links.push(chain, &padded(now));
            *aad = later;
        }
    }
    links.pass(cipher);
}

/// Fewest blocks of associated data that go through the chains by a kernel of their own.
const WORTH_IT: usize = 3;

/// Most of them at once.
const STEPS: usize = 16;

/// Takes so many whole blocks of associated data of each message that has any left, of no more than 16.
fn associate_blocks(cipher: &Sm4, chains: &mut [Block], aads: &mut [&[u8]], steps: usize) {
    let mut links = Links::<{ feedback::LANES }>::new();
    // The kernel puts links of the chains in place of the blocks.
    let mut blocks: [_; feedback::LANES] = array::from_fn(|_| Wiped([Block::default(); STEPS]));
    let mut pieces: [InOutBuf<'_, '_, Block>; feedback::LANES] =
        array::from_fn(|_| [].as_mut_slice().into());
    let left = chains.iter_mut().zip(aads).zip(&mut blocks);
    for ((chain, aad), blocks) in left.filter(|((_, aad), _)| !aad.is_empty()) {
        let (now, later) = aad.split_at(16 * steps);
        let blocks = &mut blocks.0[..steps];
        Array::slice_as_flattened_mut(blocks).copy_from_slice(now);
        pieces[links.count] = blocks.into();
        links.push(chain, &Block::default());
        *aad = later;
    }
    let count = links.count;
    let ivs = &mut links.blocks.0[..count];
    feedback::cbc_encrypt_lanes(cipher, ivs, &mut pieces[..count]);
    links.finish();
}

/// Takes all whole blocks, and leaves `lanes` and `texts` in an order of their own.
fn whole_blocks<const OPEN: bool, const N: usize>(
    cipher: &Sm4,
    mut lanes: &mut [Lane],
    mut texts: &mut [Text<'_>],
) {
    loop {
        // Those that have ended come first.
        let mut ended = 0;
        for i in 0..texts.len() {
            if texts[i].blocks.is_empty() {
                texts.swap(i, ended);
                lanes.swap(i, ended);
                ended += 1;
            }
        }
        (lanes, texts) = (&mut lanes[ended..], &mut texts[ended..]);
        let Some(steps) = texts.iter().map(|text| text.blocks.len()).min() else {
            break;
        };
        let mut pieces: [InOutBuf<'_, '_, Block>; N] = array::from_fn(|_| [].as_mut_slice().into());
        for (piece, text) in pieces.iter_mut().zip(&mut *texts) {
            *piece = text.take(steps);
        }
        if OPEN {
            open_lanes(cipher, lanes, &mut pieces[..texts.len()]);
        } else {
            seal_lanes(cipher, lanes, &mut pieces[..texts.len()]);
        }
    }
}

/// Takes the blocks that are shorter, all in a pass.
fn last_blocks<const OPEN: bool, const N: usize>(
    cipher: &Sm4,
    lanes: &mut [Lane],
    texts: &mut [Text<'_>],
) {
    let mut links = Links::<N>::new();
    for (lane, text) in lanes.iter_mut().zip(texts) {
        let n = text.last.len();
        if n != 0 {
            let mut input = padded(text.last.get_in());
            let mut output = xor(&input, &lane.keystream);
            output[n..].fill(0);
            text.last.get_out().copy_from_slice(&output[..n]);
            links.push(&mut lane.chain, if OPEN { &output } else { &input });
            wipe(&mut input);
            wipe(&mut output);
        }
    }
    links.pass(cipher);
}

/// Chains that take a block each, in one pass.
struct Links<'a, const N: usize> {
    chains: [Option<&'a mut Block>; N],
    blocks: Wiped<N>,
    count: usize,
}

impl<'a, const N: usize> Links<'a, N> {
    fn new() -> Self {
        Self {
            chains: [const { None }; N],
            blocks: Wiped([Block::default(); N]),
            count: 0,
        }
    }

    fn push(&mut self, chain: &'a mut Block, text: &Block) {
        self.blocks.0[self.count] = xor(chain, text);
        self.chains[self.count] = Some(chain);
        self.count += 1;
    }

    /// Encrypts the blocks, all in a pass.
    fn pass(mut self, cipher: &Sm4) {
        let blocks = &mut self.blocks.0[..self.count];
        cipher.encrypt_blocks(blocks);
        self.finish();
    }

    /// Puts the blocks back into the chains.
    fn finish(self) {
        for (chain, block) in self.chains.into_iter().flatten().zip(&self.blocks.0) {
            *chain = *block;
        }
    }
}

/// The blocks that a group begins with. Wiped on drop.
struct Starts<const N: usize>([[Block; N]; 3]);

impl<const N: usize> Drop for Starts<N> {
    fn drop(&mut self) {
        wipe(Array::slice_as_flattened_mut(self.0.as_flattened_mut()));
    }
}

/// Blocks that are wiped on drop.
pub(crate) struct Wiped<const N: usize>(pub(crate) [Block; N]);

impl<const N: usize> Drop for Wiped<N> {
    fn drop(&mut self) {
        wipe(Array::slice_as_flattened_mut(&mut self.0));
    }
}

/// The XOR of two blocks.
fn xor(a: &Block, b: &Block) -> Block {
    Array::from_fn(|i| a[i] ^ b[i])
}
