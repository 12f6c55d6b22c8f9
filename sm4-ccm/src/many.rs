//! Several messages at once, in the lanes of one kernel.

use crate::{Block, associated, associated::padded, blocks::Blocks, wipe::wipe};
use aead::{array::Array, consts::U16, inout::InOutBuf};
use cipher::BlockCipherEncrypt;
use core::{array, mem};
use sm4::{
    Sm4,
    ccm::{LANES, Lane, open_lanes, seal_lanes},
};

/// Messages that are taken together.
pub(crate) const GROUP: usize = LANES;

/// A message of a group.
pub(crate) struct Part<'a> {
    pub(crate) blocks: Blocks,
    pub(crate) aad: &'a [u8],
    pub(crate) text: InOutBuf<'a, 'a, u8>,
}

/// Seals or opens messages, no more than [`GROUP`], and returns their full tags.
pub(crate) fn run<'a, const OPEN: bool>(
    cipher: &Sm4,
    parts: impl ExactSizeIterator<Item = Part<'a>>,
) -> Wiped<GROUP> {
    let count = parts.len();
    let mut starts = Wiped([Block::default(); 3 * GROUP]);
    let starts = &mut starts.0[..3 * count];
    let (masks, others) = starts.split_at_mut(count);
    let (chains, keystreams) = others.split_at_mut(count);
    let mut aads: [&[u8]; GROUP] = [&[]; GROUP];
    let mut lanes: [Lane; GROUP] = array::from_fn(|_| Lane {
        chain: Block::default(),
        keystream: Block::default(),
        counter: Block::default(),
    });
    let mut texts: [Text<'_>; GROUP] = array::from_fn(|_| Text::new(0, [].as_mut_slice().into()));
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
    associate(cipher, chains, &aads[..count]);
    for ((lane, chain), keystream) in lanes.iter_mut().zip(chains).zip(keystreams) {
        (lane.chain, lane.keystream) = (*chain, *keystream);
    }
    let (lanes, texts) = (&mut lanes[..count], &mut texts[..count]);
    whole_blocks::<OPEN>(cipher, lanes, texts);
    last_blocks::<OPEN>(cipher, lanes, texts);
    let mut tags = Wiped([Block::default(); GROUP]);
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

/// Takes the associated data through the chains, a block of each in a pass.
fn associate(cipher: &Sm4, chains: &mut [Block], aads: &[&[u8]]) {
    for i in 0.. {
        let mut links = Links::new();
        for (chain, aad) in chains.iter_mut().zip(aads) {
            if let Some(block) = associated::block(aad, i) {
                links.push(chain, &block);
            }
        }
        if links.count == 0 {
            break;
        }
        links.pass(cipher);
    }
}

/// Takes all whole blocks, and leaves `lanes` and `texts` in an order of their own.
fn whole_blocks<const OPEN: bool>(
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
        let mut pieces: [InOutBuf<'_, '_, Block>; LANES] =
            array::from_fn(|_| [].as_mut_slice().into());
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
fn last_blocks<const OPEN: bool>(cipher: &Sm4, lanes: &mut [Lane], texts: &mut [Text<'_>]) {
    let mut links = Links::new();
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
struct Links<'a> {
    chains: [Option<&'a mut Block>; GROUP],
    blocks: Wiped<GROUP>,
    count: usize,
}

impl<'a> Links<'a> {
    fn new() -> Self {
        Self {
            chains: [const { None }; GROUP],
            blocks: Wiped([Block::default(); GROUP]),
            count: 0,
        }
    }

    fn push(&mut self, chain: &'a mut Block, text: &Block) {
        self.blocks.0[self.count] = xor(chain, text);
        self.chains[self.count] = Some(chain);
        self.count += 1;
    }

    fn pass(mut self, cipher: &Sm4) {
        let blocks = &mut self.blocks.0[..self.count];
        cipher.encrypt_blocks(blocks);
        for (chain, block) in self.chains.into_iter().flatten().zip(blocks) {
            *chain = *block;
        }
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
