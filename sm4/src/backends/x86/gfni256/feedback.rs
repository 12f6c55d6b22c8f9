//! CBC and CFB decryption in the byte-sliced shape, straight from and to memory.

use super::Reversed;
use super::area::Area;
use super::bytes::{self, BATCH, BATCHES, Io, Pairs, Room, State, Table};
use super::vector::{Vector, Ymm};
use crate::schedule::RoundKeys;
use cipher::{InOutBuf, array::Array, consts::U16};
use shangmi_cpu::Avx2Gfni;

type Block = Array<u8, U16>;

/// How many of the first of `n` blocks are for passes of whole batches, two at least: one alone is faster word-sliced.
pub(super) fn long(n: usize) -> usize {
    let batches = n / BATCH;
    BATCH
        * if batches % BATCHES == 1 {
            batches - 1
        } else {
            batches
        }
}

/// For whole batches.
#[target_feature(enable = "avx2,gfni")]
pub(super) fn cbc_decrypt(
    token: Avx2Gfni,
    keys: &RoundKeys,
    iv: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let table = Table::new(token, &Reversed::new(token, keys).0);
    let mut room = Room::new();
    let mut text = Area::new(token, blocks);
    while text.blocks() != 0 {
        let chained = Chained::new(token, iv, text.part(BATCH * BATCHES));
        bytes::pass(&table, &mut room, chained.batches(), &Cbc(chained));
    }
}

/// For whole batches.
#[target_feature(enable = "avx2,gfni")]
pub(super) fn cfb_decrypt(
    token: Avx2Gfni,
    keys: &RoundKeys,
    iv: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let table = Table::new(token, keys);
    let mut room = Room::new();
    let mut text = Area::new(token, blocks);
    while text.blocks() != 0 {
        let chained = Chained::new(token, iv, text.part(BATCH * BATCHES));
        bytes::pass(&table, &mut room, chained.batches(), &Cfb(chained));
    }
}

/// Whole batches of blocks, and the block before.
struct Chained<'a> {
    text: Area<'a>,
    /// The block before the first, and the first.
    first: Ymm,
}

impl<'a> Chained<'a> {
    /// Leaves the block before what follows in `iv`.
    #[inline(always)]
    fn new(token: Avx2Gfni, iv: &mut Block, text: Area<'a>) -> Self {
        let mut first = [0; 32];
        first[..16].copy_from_slice(iv);
        first[16..].copy_from_slice(&text.one(0));
        *iv = text.one(text.blocks() - 1);
        Self {
            text,
            first: Ymm::new(token, &first),
        }
    }

    #[inline(always)]
    fn batches(&self) -> usize {
        self.text.blocks() / BATCH
    }

    /// The blocks before those of a pair.
    #[inline(always)]
    fn before(&self, batch: usize, pair: usize) -> Ymm {
        match BATCH * batch + 2 * pair {
            0 => self.first,
            i => self.text.two(i - 1),
        }
    }
}

struct Cbc<'a>(Chained<'a>);

impl Io for Cbc<'_> {
    #[inline(always)]
    fn enter(&self, batch: usize) -> State {
        bytes::enter(&self.0.text.batch(batch))
    }

    #[inline(always)]
    fn leave(&self, batch: usize, pair: usize, blocks: Ymm) {
        let blocks = blocks.xor(self.0.before(batch, pair));
        self.0.text.batch(batch).store(pair, blocks);
    }
}

struct Cfb<'a>(Chained<'a>);

impl Io for Cfb<'_> {
    #[inline(always)]
    fn enter(&self, batch: usize) -> State {
        bytes::enter(&Before(&self.0, batch))
    }

    #[inline(always)]
    fn leave(&self, batch: usize, pair: usize, blocks: Ymm) {
        let batch = self.0.text.batch(batch);
        batch.store(pair, blocks.xor(batch.pair(pair)));
    }
}

/// The blocks before those of a batch.
struct Before<'a, 'b>(&'a Chained<'b>, usize);

impl Pairs for Before<'_, '_> {
    #[inline(always)]
    fn pair(&self, i: usize) -> Ymm {
        self.0.before(self.1, i)
    }
}
