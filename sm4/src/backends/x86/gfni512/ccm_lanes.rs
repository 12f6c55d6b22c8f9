//! CCM of several messages at once: their chains in as many lanes as four vectors have, and beside them their counter
//! blocks. A step takes little more than the latency of one block.

use super::ccm_ahead;
use super::keys::Keys;
use super::lanes::Streams;
use super::narrow::{self, State};
use super::vector::{Vector, Ymm, Zmm};
use super::wide::four;
use crate::ccm::Lane;
use cipher::{InOutBuf, array::Array, consts::U16};
use core::{ops::Range, slice};
use shangmi_cpu::Avx512Gfni;

type Block = Array<u8, U16>;

/// Most messages.
pub(super) const MOST: usize = 16;

/// Up to [`MOST`] messages, with texts of one length that is not 0.
#[inline(always)]
pub(super) fn apply<const OPEN: bool>(
    keys: Keys<'_>,
    lanes: &mut [Lane],
    texts: &mut [InOutBuf<'_, '_, Block>],
) {
    let token = keys.token;
    let few = lanes.len() <= 4 * Ymm::BYTES / 16;
    let mut texts = Streams::new(token, texts.iter_mut().map(InOutBuf::reborrow));
    let steps = texts.steps;
    if few {
        let mut messages = Messages::<Ymm>::load(token, lanes);
        messages.run::<OPEN>(keys, &mut texts, 0..steps);
        messages.store(token, lanes);
    } else {
        let mut messages = Messages::<Zmm>::load(token, lanes);
        let before = ccm_ahead::before(steps);
        messages.run::<OPEN>(keys, &mut texts, 0..before);
        if before < steps {
            ccm_ahead::run::<OPEN>(keys, &mut messages, &mut texts, before);
        }
        messages.store(token, lanes);
    }
}

/// How far the messages have come.
pub(super) struct Messages<T> {
    /// In the form of the rounds.
    pub(super) chain: State<T>,
    /// The next blocks of keystream.
    pub(super) keystream: [T; 4],
    /// The words of the counter blocks behind those. The last two, which count, are numbers.
    pub(super) counters: State<T>,
}

impl<T: Vector> Messages<T> {
    #[inline(always)]
    fn load(token: Avx512Gfni, lanes: &mut [Lane]) -> Self {
        let counters = each(token, lanes, |lane| &mut lane.counter).load(0);
        let [a, b, c, d] = narrow::transpose(counters);
        Self {
            chain: narrow::load(each(token, lanes, |lane| &mut lane.chain).load(0)),
            keystream: each(token, lanes, |lane| &mut lane.keystream).load(0),
            counters: [a, b, c.reverse_words(), d.reverse_words()],
        }
    }

    #[inline(always)]
    fn store(self, token: Avx512Gfni, lanes: &mut [Lane]) {
        let [a, b, c, d] = self.counters;
        let counters = narrow::transpose([a, b, c.reverse_words(), d.reverse_words()]);
        each(token, lanes, |lane| &mut lane.chain).store(0, narrow::unload(self.chain));
        each(token, lanes, |lane| &mut lane.keystream).store(0, self.keystream);
        each(token, lanes, |lane| &mut lane.counter).store(0, counters);
    }

    /// Takes steps whose counter blocks go beside the chains in a state of the same shape.
    #[inline(always)]
    fn run<const OPEN: bool>(
        &mut self,
        keys: Keys<'_>,
        texts: &mut Streams<'_>,
        steps: Range<usize>,
    ) {
        let mut chain = self.chain;
        let mut keystream = narrow::load(self.keystream);
        let [a, b, mut c, mut d] = self.counters;
        for step in steps {
            let input = texts.load::<T>(step);
            let blocks = narrow::unload(keystream);
            texts.store(step, four!(i => input[i].xor(blocks[i])));
            let text = narrow::load(input);
            let counters = [a, b, c.reverse_words(), d.reverse_words()];
            let mut states = [
                four!(w => if OPEN {
                    chain[w].xor3(text[w], keystream[w])
                } else {
                    chain[w].xor(text[w])
                }),
                four!(w => narrow::map(counters[w])),
            ];
            (d, c) = d.count(c);
            narrow::rounds(keys, &mut states);
            [chain, keystream] = states;
        }
        *self = Self {
            chain,
            keystream: narrow::unload(keystream),
            counters: [a, b, c, d],
        };
    }
}

/// One block of each lane.
#[inline(always)]
pub(super) fn each<'a>(
    token: Avx512Gfni,
    lanes: &'a mut [Lane],
    block: impl Fn(&mut Lane) -> &mut Block,
) -> Streams<'a> {
    Streams::new(
        token,
        lanes
            .iter_mut()
            .map(|lane| slice::from_mut(block(lane)).into()),
    )
}
