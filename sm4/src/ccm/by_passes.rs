//! CCM of many long messages over any kernel: the chains by passes of their own, and counter mode text by text.

use super::{Counters, Lane};
use crate::backends::Kernel;
use crate::feedback::by_closure::xor;
use crate::schedule::RoundKeys;
use crate::wiped::Wiped;
use cipher::{
    Array, InOutBuf,
    consts::{U16, U64},
};

type Block = Array<u8, U16>;
type Text<'inp, 'out> = InOutBuf<'inp, 'out, Block>;

/// Whether texts of so many blocks are worth it.
pub(crate) const fn worth_it(lanes: usize, blocks: usize) -> bool {
    lanes > 16 && blocks >= 64
}

/// See [`Kernel::ccm_lanes`].
pub(crate) fn lanes<const OPEN: bool>(
    kernel: impl Kernel,
    keys: &RoundKeys,
    lanes: &mut [Lane],
    texts: &mut [Text<'_, '_>],
) {
    if OPEN {
        crypt(kernel, keys, lanes, texts);
        authenticate(kernel, keys, lanes, texts, |text| text.get_out());
    } else {
        authenticate(kernel, keys, lanes, texts, |text| text.get_in());
        crypt(kernel, keys, lanes, texts);
    }
}

/// Passes of the chains alone.
fn authenticate(
    kernel: impl Kernel,
    keys: &RoundKeys,
    lanes: &mut [Lane],
    texts: &mut [Text<'_, '_>],
    plain: impl for<'t> Fn(&'t mut Text<'_, '_>) -> &'t [Block],
) {
    let mut chains = Wiped::<U64>::default();
    let chains = &mut chains.0[..lanes.len()];
    for (chain, lane) in chains.iter_mut().zip(&*lanes) {
        *chain = lane.chain;
    }
    for step in 0..texts[0].len() {
        for (chain, text) in chains.iter_mut().zip(&mut *texts) {
            *chain = xor(chain, &plain(text)[step]);
        }
        kernel.ecb_encrypt(keys, (&mut *chains).into());
    }
    for (lane, chain) in lanes.iter_mut().zip(chains) {
        lane.chain = *chain;
    }
}

/// Counter mode, text by text.
fn crypt(kernel: impl Kernel, keys: &RoundKeys, lanes: &mut [Lane], texts: &mut [Text<'_, '_>]) {
    let mut next = Wiped::<U64>::default();
    let next = &mut next.0[..lanes.len()];
    for ((lane, text), next) in lanes.iter_mut().zip(texts).zip(&mut *next) {
        let mut counters = Counters::new(&lane.counter);
        let text = text.reborrow().into_out_with_copied_in();
        if let Some((first, others)) = text.split_first_mut() {
            *first = xor(first, &lane.keystream);
            counters.crypt(kernel, keys, others);
        }
        next.0 = counters.next_block();
        lane.counter.0 = counters.next_block();
    }
    kernel.ecb_encrypt(keys, (&mut *next).into());
    for (lane, next) in lanes.iter_mut().zip(next) {
        lane.keystream = *next;
    }
}

impl Counters {
    /// XORs blocks with keystream. Kernels count with 32 bits.
    fn crypt(&mut self, kernel: impl Kernel, keys: &RoundKeys, mut blocks: &mut [Block]) {
        while !blocks.is_empty() {
            let until_wrap = (1 << 32) - (self.number & 0xffff_ffff);
            let n = until_wrap.min(blocks.len() as u64) as usize;
            let (now, later) = blocks.split_at_mut(n);
            let prefix = [
                (self.prefix >> 32) as u32,
                self.prefix as u32,
                (self.number >> 32) as u32,
            ];
            let data = Array::slice_as_flattened_mut(now);
            kernel.ctr32(keys, prefix, self.number as u32, data.into());
            self.number = self.number.wrapping_add(n as u64);
            blocks = later;
        }
    }
}
