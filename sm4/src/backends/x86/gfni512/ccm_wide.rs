//! CCM of as many messages as 64: their chains and their counter blocks go through the wide shape, a state of each.

use super::ccm_lanes::each;
use super::keys::Keys;
use super::lanes::Streams;
use super::narrow;
use super::vector::{Vector, Zmm};
use super::wide::{self, State, Table, four, sixteen};
use crate::ccm::{LANES, Lane};
use cipher::{InOutBuf, array::Array, consts::U16};

type Block = Array<u8, U16>;

/// Fewest messages that are worth it.
pub(super) const LEAST: usize = 49;

/// Messages that [`Streams`] hold.
const GROUP: usize = LANES / 4;

/// [`LEAST`] messages or more, with texts of one length that is not 0.
#[inline(always)]
pub(super) fn apply<const OPEN: bool>(
    keys: Keys<'_>,
    lanes: &mut [Lane],
    texts: &mut [InOutBuf<'_, '_, Block>],
) {
    let table = Table::new(keys);
    let token = keys.token;
    let mut streams = groups(texts, |texts| {
        Streams::new(token, texts.iter_mut().map(InOutBuf::reborrow))
    });
    let mut counters = Counters::new(load(
        &groups(lanes, |lanes| each(token, lanes, |lane| &mut lane.counter)),
        0,
    ));
    let chain = groups(lanes, |lanes| each(token, lanes, |lane| &mut lane.chain));
    let mut chain = wide::load(load(&chain, 0));
    let keystream = groups(lanes, |lanes| {
        each(token, lanes, |lane| &mut lane.keystream)
    });
    let mut keystream = wide::load(load(&keystream, 0));
    let steps = streams[0].steps;
    let mut lines = Lines([[Zmm::zero(token); 16]; 4]);
    for first in (0..steps).step_by(4) {
        let n = lines.load(&streams, first);
        for step in &mut lines.0[..n] {
            let input = *step;
            let blocks = wide::unload(keystream);
            let output = sixteen!(i => input[i].xor(blocks[i]));
            *step = output;
            let text = wide::load(if OPEN { output } else { input });
            chain = four!(w => four!(j => chain[w][j].xor(text[w][j])));
            (chain, keystream) = wide::rounds_128(&table, (chain, counters.next_state()));
        }
        lines.store(&mut streams, first);
    }
    let mut chains = groups(lanes, |lanes| each(token, lanes, |lane| &mut lane.chain));
    store(&mut chains, 0, wide::unload(chain));
    let mut keystreams = groups(lanes, |lanes| {
        each(token, lanes, |lane| &mut lane.keystream)
    });
    store(&mut keystreams, 0, wide::unload(keystream));
    let mut blocks = groups(lanes, |lanes| each(token, lanes, |lane| &mut lane.counter));
    store(&mut blocks, 0, counters.blocks());
}

/// What `f` makes of each of the groups.
#[inline(always)]
fn groups<'a, T, U>(messages: &'a mut [T], f: impl Fn(&'a mut [T]) -> U) -> [U; 4] {
    let (a, messages) = messages.split_at_mut(GROUP);
    let (b, messages) = messages.split_at_mut(GROUP);
    let (c, d) = messages.split_at_mut(GROUP);
    [f(a), f(b), f(c), f(d)]
}

/// Block `step` of each.
#[inline(always)]
fn load(streams: &[Streams<'_>; 4], step: usize) -> [Zmm; 16] {
    let vectors = four!(k => streams[k].load::<Zmm>(step));
    sixteen!(i => vectors[i / 4][i % 4])
}

/// Puts block `step` of each.
#[inline(always)]
fn store(streams: &mut [Streams<'_>; 4], step: usize, vectors: [Zmm; 16]) {
    four!(k => streams[k].store(step, four!(i => vectors[4 * k + i])));
}

/// Up to four steps of the texts, taken from memory and put there by lines of four blocks of a message: lines of different
/// messages may have to share a small part of the cache. Wiped on drop.
struct Lines([[Zmm; 16]; 4]);

impl Lines {
    /// Takes the blocks from step `first` on, and returns how many steps these are.
    #[inline(always)]
    fn load(&mut self, streams: &[Streams<'_>; 4], first: usize) -> usize {
        let n = (streams[0].steps - first).min(4);
        if n == 4 {
            for i in 0..16 {
                let lane = |l| streams[i / 4].load_line(4 * (i % 4) + l, first);
                let vectors = Zmm::transpose_blocks([lane(0), lane(1), lane(2), lane(3)]);
                for (step, vector) in self.0.iter_mut().zip(vectors) {
                    step[i] = vector;
                }
            }
        } else {
            for (i, step) in self.0[..n].iter_mut().enumerate() {
                *step = load(streams, first + i);
            }
        }
        n
    }

    /// Puts the blocks from step `first` on.
    #[inline(always)]
    fn store(&self, streams: &mut [Streams<'_>; 4], first: usize) {
        let n = (streams[0].steps - first).min(4);
        if n == 4 {
            for i in 0..16 {
                let lines = Zmm::transpose_blocks(four!(s => self.0[s][i]));
                for (l, line) in lines.into_iter().enumerate() {
                    streams[i / 4].store_line(4 * (i % 4) + l, first, line);
                }
            }
        } else {
            for (i, step) in self.0[..n].iter().enumerate() {
                store(streams, first + i, *step);
            }
        }
    }
}

impl Drop for Lines {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        self.0.as_flattened_mut().iter_mut().for_each(Zmm::wipe);
    }
}

/// The counter blocks of the messages.
struct Counters {
    /// Word `w` of group `k` is `[w][k]`. The last two words, which count, are numbers.
    words: [[Zmm; 4]; 4],
    /// The first two words, in the basis of the rounds.
    first: [[Zmm; 4]; 2],
}

impl Counters {
    #[inline(always)]
    fn new(blocks: [Zmm; 16]) -> Self {
        let groups = four!(k => narrow::transpose(four!(i => blocks[4 * k + i])));
        let words = four!(w => four!(k => groups[k][w].reverse_words()));
        Self {
            words,
            first: [wide::number_word(words[0]), wide::number_word(words[1])],
        }
    }

    /// The next of each message.
    #[inline(always)]
    fn next_state(&mut self) -> State {
        let [a, b] = self.first;
        let state = [
            a,
            b,
            wide::number_word(self.words[2]),
            wide::number_word(self.words[3]),
        ];
        four!(k => {
            (self.words[3][k], self.words[2][k]) = self.words[3][k].count(self.words[2][k]);
        });
        state
    }

    #[inline(always)]
    fn blocks(&self) -> [Zmm; 16] {
        let groups = four!(k => narrow::transpose(four!(w => self.words[w][k].reverse_words())));
        sixteen!(i => groups[i / 4][i % 4])
    }
}
