//! CBC, CFB and OFB of one message.

use super::io::{Area, Io, Mode};
use super::keys::Keys;
use super::narrow::{self, State};
use super::vector::{Vector, Xmm};
use crate::feedback::Chaining;
use cipher::{InOutBuf, array::Array, consts::U16};

type Block = Array<u8, U16>;

/// CBC decryption: `out[i] = D(in[i]) ^ in[i - 1]`.
#[inline(always)]
pub(super) fn cbc_decrypt(keys: Keys<'_>, iv: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
    let area = Area::of_blocks(keys.token, blocks);
    let before = Xmm::block(keys.token, iv.0);
    if area.len() != 0 {
        iv.0 = area.block_before(area.len()).into();
        super::apply(keys, Cbc { area, before });
    }
}

struct Cbc<'a> {
    area: Area<'a, 0>,
    /// The block of ciphertext before the first.
    before: Xmm,
}

impl<'a> Mode<'a> for Cbc<'a> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.area.len()
    }

    #[inline(always)]
    fn part(&mut self, n: usize) -> impl Io {
        let before = self.before;
        self.before = self.area.block_before(n.min(self.area.len()));
        Cbc {
            area: self.area.part(n),
            before,
        }
    }
}

impl Io for Cbc<'_> {
    #[inline(always)]
    fn load<V: Vector>(&self, i: usize) -> V {
        self.area.load(i)
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, i: usize, vector: V) {
        let before = self.area.load_before::<V>(i, self.before);
        self.area.store(i, vector.xor(before));
    }
}

/// CFB decryption: `out[i] = E(in[i - 1]) ^ in[i]`. The last block may be a part of one.
#[inline(always)]
pub(super) fn cfb_decrypt(
    keys: Keys<'_>,
    iv: &mut Block,
    data: InOutBuf<'_, '_, u8>,
    next: Option<&mut Block>,
) {
    let area = Area::of_bytes(keys.token, data);
    let before = Xmm::block(keys.token, iv.0);
    let whole = area.len() / 16 * 16;
    if whole != 0 {
        iv.0 = area.block_before(whole).into();
    }
    super::apply(keys, Cfb { area, before, next });
}

struct Cfb<'a, 'n> {
    area: Area<'a, 0>,
    /// The block of ciphertext before the first.
    before: Xmm,
    /// Where the keystream behind the last whole block goes.
    next: Option<&'n mut Block>,
}

impl<'a> Mode<'a> for Cfb<'a, '_> {
    #[inline(always)]
    fn len(&self) -> usize {
        if self.next.is_some() {
            self.area.len() / 16 * 16 + 16
        } else {
            self.area.len()
        }
    }

    #[inline(always)]
    fn part(&mut self, n: usize) -> impl Io {
        let before = self.before;
        let last = self.len() <= n;
        if !last {
            self.before = self.area.block_before(n);
        }
        let next = if last { self.next.take() } else { None };
        Cfb {
            area: self.area.part(n),
            before,
            next,
        }
    }
}

impl Io for Cfb<'_, '_> {
    #[inline(always)]
    fn load<V: Vector>(&self, i: usize) -> V {
        self.area.load_before(i, self.before)
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, i: usize, vector: V) {
        let text = self.area.load(i);
        self.area.store(i, vector.xor(text));
        let len = self.area.len();
        if let Some(next) = &mut self.next
            && len / V::BYTES == i
        {
            next.0 = vector.lane(len / 16).into();
        }
    }
}

/// How a message is chained, or as many as the vectors have lanes.
///
/// The chaining values stay in the form of the rounds. A round waits for the word that came last only at its end, so that the
/// first round of a block does not wait for the last one of the block before.
pub(super) struct Chain<T> {
    pub(super) iv: State<T>,
}

impl<T: Vector> Chain<T> {
    /// Makes the output of a step from the text.
    #[inline(always)]
    pub(super) fn step<M: Chaining>(&mut self, keys: Keys<'_>, text: State<T>) -> State<T> {
        let mut x = [if M::TEXT_IN {
            narrow::add(self.iv, text)
        } else {
            self.iv
        }];
        narrow::rounds(keys, &mut x);
        let [x] = x;
        let output = if M::TEXT_IN { x } else { narrow::add(x, text) };
        self.iv = if M::OUTPUT_BACK { output } else { x };
        output
    }
}

/// One message.
#[inline(always)]
pub(super) fn chain<M: Chaining>(keys: Keys<'_>, iv: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
    let mut area = Area::of_blocks(keys.token, blocks);
    let mut chain = Chain {
        iv: narrow::split(Xmm::block(keys.token, iv.0)),
    };
    while area.len() != 0 {
        let mut block = area.whole::<16>();
        let output = chain.step::<M>(keys, narrow::split(block.load(0)));
        block.store(0, narrow::join(output));
    }
    iv.0 = narrow::join(chain.iv).into();
}
