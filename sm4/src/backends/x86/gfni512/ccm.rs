//! CCM of one message: the chain, a counter block and the block that masks the tag, in the lanes of one state.
//!
//! A step takes the latency of one block, whatever is in the other lanes. The chaining value stays in the form of the
//! rounds. The keystream is made two steps ahead, so that the chain never waits for it.

use super::io::Area;
use super::keys::Keys;
use super::narrow::{self, State};
use super::vector::{Vector, Xmm, Ymm};
use super::wide::four;
use crate::ccm::{Counters, Message};
use cipher::{InOutBuf, array::Array, consts::U16};

type Block = Array<u8, U16>;

/// Seals the text, or opens it, and returns the tag.
#[inline(always)]
pub(super) fn apply<const OPEN: bool>(
    keys: Keys<'_>,
    message: Message<'_>,
    text: InOutBuf<'_, '_, u8>,
) -> Block {
    let token = keys.token;
    let mut counters = Counters::new(message.counter);
    let mask = counters.next_block();
    let first = counters.next_block();
    let second = counters.next_block();
    let mut lanes = Lanes::new(keys, mask, second);
    for block in message.head {
        lanes.step(Xmm::block(token, block.0), first);
    }
    let (blocks, last) = message.rest.as_chunks();
    for block in blocks {
        lanes.step(Xmm::block(token, *block), first);
    }
    if !last.is_empty() {
        // SAFETY: so many bytes are there.
        let last = unsafe { Xmm::load_part(token, last.as_ptr(), last.len()) };
        lanes.step(last, first);
    }

    let [_, mut keystream, _, mut next] = lanes.blocks();
    let mut area = Area::of_bytes(token, text);
    while area.len() >= 16 {
        let mut block = area.whole::<16>();
        let input: Xmm = block.load(0);
        let output = input.xor(keystream);
        block.store(0, output);
        lanes.step(if OPEN { output } else { input }, counters.next_block());
        keystream = next;
        [_, next, ..] = lanes.blocks();
    }
    if area.len() != 0 {
        let input: Xmm = area.load(0);
        let output = input.xor(keystream);
        area.store(0, output);
        // The MAC takes zeros behind the text.
        let text = if OPEN {
            output.first(area.len())
        } else {
            input
        };
        lanes.step(text, first);
    }
    let [mac, _, mask, _] = lanes.blocks();
    Array(mac.xor(mask).into())
}

/// The chain, a block of keystream that changes with each step, and two that do not: the mask of the tag, and the second
/// block of keystream.
struct Lanes<'a> {
    keys: Keys<'a>,
    state: State<Ymm>,
    /// The blocks that the last two lanes encrypt, in the form of the rounds.
    mask: Xmm,
    second: Xmm,
    /// Selects the chain.
    chain: Ymm,
}

impl<'a> Lanes<'a> {
    #[inline(always)]
    fn new(keys: Keys<'a>, mask: [u8; 16], second: [u8; 16]) -> Self {
        let token = keys.token;
        Self {
            keys,
            state: [Ymm::zero(token); 4],
            mask: narrow::map(Xmm::block(token, mask)),
            second: narrow::map(Xmm::block(token, second)),
            chain: Ymm::first_word(token),
        }
    }

    /// Takes a block through the chain, and a counter block through the cipher.
    #[inline(always)]
    fn step(&mut self, text: Xmm, counter: [u8; 16]) {
        let text = narrow::map(text);
        let counter = narrow::map(Xmm::block(self.keys.token, counter));
        let new = narrow::transpose([text, counter, self.mask, self.second]);
        let mut states = [four!(w => self.state[w].and_xor(self.chain, new[w].wide()))];
        narrow::rounds(self.keys, &mut states);
        [self.state] = states;
    }

    /// The four lanes.
    #[inline(always)]
    fn blocks(&self) -> [Xmm; 4] {
        narrow::unload(four!(w => self.state[w].low()))
    }
}
