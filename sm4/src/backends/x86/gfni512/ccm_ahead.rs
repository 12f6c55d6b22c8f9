//! CCM of as many messages as 16, and four steps at a time: while their chains take these, in the narrow shape, their
//! counter blocks of the next four go through the wide shape, a round of which takes no longer than two of the narrow one.

use super::ccm_lanes::Messages;
use super::keys::Keys;
use super::lanes::Streams;
use super::narrow;
use super::vector::{Vector, Zmm};
use super::wide::{self, State, Table, four};

/// Steps that the wide shape has keystream for.
const AHEAD: usize = 4;

/// How many of so many steps have to come before those that [`run`] takes.
#[inline(always)]
pub(super) const fn before(steps: usize) -> usize {
    if steps < 2 * AHEAD {
        steps
    } else {
        steps % AHEAD
    }
}

/// Takes the steps from number `first` on: a multiple of [`AHEAD`], and not 0.
#[inline(always)]
pub(super) fn run<const OPEN: bool>(
    keys: Keys<'_>,
    messages: &mut Messages<Zmm>,
    texts: &mut Streams<'_>,
    first: usize,
) {
    let table = Table::new(keys);
    let mut counters = Counters::new(messages.counters);
    let mut chain = Chain::new(keys, messages.chain);
    // The first keystream goes beside a single step.
    let mut state = counters.state();
    counters.advance();
    chain.take::<OPEN>(texts, first, messages.keystream);
    chain.step_beside_all(&table, &mut state);
    let mut keystream = Keystream(wide::unload(state));
    let mut step = first + 1;
    state = counters.state();
    while texts.steps - step >= AHEAD {
        counters.advance();
        for i in 0..AHEAD - 1 {
            chain.take::<OPEN>(texts, step + i, keystream.step(i));
            chain.step_beside(&table, &mut state, 8 * i);
        }
        // Its keystream is the last, so that the next may take the place.
        chain.take::<OPEN>(texts, step + AHEAD - 1, keystream.step(AHEAD - 1));
        chain.step_beside_end(&table, &mut state, &mut keystream, &counters);
        step += AHEAD;
    }
    for i in 0..AHEAD - 1 {
        chain.take::<OPEN>(texts, step + i, keystream.step(i));
        chain.step();
    }
    messages.chain = chain.state;
    messages.keystream = keystream.step(AHEAD - 1);
    messages.counters = counters.words;
}

/// The chains.
struct Chain<'a> {
    keys: Keys<'a>,
    two: Zmm,
    state: narrow::State<Zmm>,
    /// What the next round takes.
    sum: Zmm,
}

impl<'a> Chain<'a> {
    #[inline(always)]
    fn new(keys: Keys<'a>, state: narrow::State<Zmm>) -> Self {
        Self {
            keys,
            two: Zmm::turn(keys.token, 2),
            state,
            sum: Zmm::zero(keys.token),
        }
    }

    /// Takes a step's text in, and puts the output out. The rounds have to follow.
    #[inline(always)]
    fn take<const OPEN: bool>(
        &mut self,
        texts: &mut Streams<'_>,
        step: usize,
        keystream: [Zmm; 4],
    ) {
        let input = texts.load::<Zmm>(step);
        let output = four!(i => input[i].xor(keystream[i]));
        texts.store(step, output);
        let text = narrow::load(if OPEN { output } else { input });
        self.state = narrow::add(self.state, text);
        self.sum = narrow::first_sum(self.keys, &self.state);
    }

    /// Round `i`, for which word `r` is the first one.
    #[inline(always)]
    fn round(&mut self, i: usize, r: usize) {
        let key = self.keys.broadcast(i + 1);
        let (state, sum) = (&mut self.state, &mut self.sum);
        narrow::round(state, sum, key, r, self.two, Vector::turn_3);
    }

    /// The rounds.
    #[inline(always)]
    fn step(&mut self) {
        for i in (0..32).step_by(4) {
            four!(r => self.round(i + r, r));
        }
        self.state.reverse();
    }

    /// The rounds beside all of the wide shape.
    #[inline(always)]
    fn step_beside_all(&mut self, table: &Table, wide: &mut State) {
        for i in (0..32).step_by(4) {
            four!(r => {
                self.round(i + r, r);
                wide::round(table, i + r, wide, r);
            });
        }
        self.state.reverse();
        wide.reverse();
    }

    /// The rounds beside eight of the wide shape, from number `first` on.
    #[inline(always)]
    fn step_beside(&mut self, table: &Table, wide: &mut State, first: usize) {
        for n in (0..8).step_by(4) {
            four!(i => {
                four!(r => self.round(4 * (n + i) + r, r));
                wide::round(table, first + n + i, wide, i);
            });
        }
        self.state.reverse();
    }

    /// The rounds beside the last eight of the wide shape, and its way from there to the next first one.
    #[inline(always)]
    fn step_beside_end(
        &mut self,
        table: &Table,
        wide: &mut State,
        keystream: &mut Keystream,
        counters: &Counters,
    ) {
        for i in (0..16).step_by(8) {
            four!(n => {
                self.round(i + 2 * n, 2 * n % 4);
                self.round(i + 2 * n + 1, 2 * n % 4 + 1);
                wide::round(table, 24 + i / 2 + n, wide, n);
            });
        }
        wide.reverse();
        let mut blocks = wide::to_bytes(*wide);
        four!(n => {
            self.round(16 + 2 * n, 2 * n % 4);
            self.round(16 + 2 * n + 1, 2 * n % 4 + 1);
            blocks = wide::shuffle(blocks);
        });
        keystream.0 = blocks;
        four!(r => self.round(24 + r, r));
        *wide = counters.state();
        four!(r => self.round(28 + r, r));
        self.state.reverse();
    }
}

/// The counter blocks of 16 messages.
struct Counters {
    words: [Zmm; 4],
    /// The first two words, in the form of the wide shape.
    first: [[Zmm; 4]; 2],
}

impl Counters {
    /// Counter blocks in words, the last two as numbers.
    #[inline(always)]
    fn new(words: [Zmm; 4]) -> Self {
        let (a, b) = (words[0].reverse_words(), words[1].reverse_words());
        Self {
            words,
            first: [wide::number_word([a; 4]), wide::number_word([b; 4])],
        }
    }

    /// The next four of each message.
    #[inline(always)]
    fn state(&self) -> State {
        let [a, b] = self.first;
        let mut c = [self.words[2]; 4];
        let mut d = [self.words[3]; 4];
        for i in 1..4 {
            (d[i], c[i]) = d[i - 1].count(c[i - 1]);
        }
        [a, b, wide::number_word(c), wide::number_word(d)]
    }

    /// Counts on to those behind them.
    #[inline(always)]
    fn advance(&mut self) {
        for _ in 0..AHEAD {
            (self.words[3], self.words[2]) = self.words[3].count(self.words[2]);
        }
    }
}

/// Keystream of four steps. Wiped on drop.
struct Keystream([Zmm; 16]);

impl Keystream {
    /// That of step `i`.
    #[inline(always)]
    fn step(&self, i: usize) -> [Zmm; 4] {
        four!(k => self.0[4 * i + k])
    }
}

impl Drop for Keystream {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        self.0.iter_mut().for_each(Zmm::wipe);
    }
}
