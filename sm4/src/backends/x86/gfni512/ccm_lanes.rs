//! CCM of several messages at once: their chains in as many lanes as four vectors have, and beside them their counter
//! blocks. A step takes little more than the latency of one block.

use super::keys::Keys;
use super::lanes::Streams;
use super::narrow;
use super::vector::{Vector, Ymm, Zmm};
use super::wide::four;
use crate::ccm::Lane;
use cipher::{InOutBuf, array::Array, consts::U16};
use core::slice;
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
    if 4 * Ymm::BYTES / 16 < lanes.len() {
        run::<OPEN, Zmm>(keys, lanes, texts);
    } else {
        run::<OPEN, Ymm>(keys, lanes, texts);
    }
}

#[inline(always)]
fn run<const OPEN: bool, T: Vector>(
    keys: Keys<'_>,
    lanes: &mut [Lane],
    texts: &mut [InOutBuf<'_, '_, Block>],
) {
    let token = keys.token;
    let mut texts = Streams::new(token, texts.iter_mut().map(InOutBuf::reborrow));
    let mut chain = narrow::load(each(token, lanes, |lane| &mut lane.chain).load::<T>(0));
    let mut keystream = narrow::load(each(token, lanes, |lane| &mut lane.keystream).load::<T>(0));
    let counters = each(token, lanes, |lane| &mut lane.counter).load::<T>(0);
    let [a, b, c, d] = narrow::transpose(counters);
    let (mut c, mut d) = (c.reverse_words(), d.reverse_words());
    for step in 0..texts.steps {
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
    let counters = narrow::transpose([a, b, c.reverse_words(), d.reverse_words()]);
    each(token, lanes, |lane| &mut lane.chain).store(0, narrow::unload(chain));
    each(token, lanes, |lane| &mut lane.keystream).store(0, narrow::unload(keystream));
    each(token, lanes, |lane| &mut lane.counter).store(0, counters);
}

/// One block of each lane.
#[inline(always)]
fn each<'a>(
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
