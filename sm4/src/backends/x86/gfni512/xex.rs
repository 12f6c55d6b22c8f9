//! XEX with masks that are products with x.
//!
//! Long runs of masks, and runs of 32 or 64, are made in the form of the wide shape, and stay in it ([`sliced`]). What
//! else there is takes masks from memory.

mod sliced;

use super::io::{Area, Io};
use super::keys::Keys;
use super::narrow;
use super::vector::{Vector, Xmm, Ymm, Zmm};
use super::wide::{self, Table};
use crate::xex::{Masks, Order};
use cipher::{InOutBuf, array::Array, consts::U16};
use shangmi_cpu::Avx512Gfni;
use sliced::{Products, Sliced};

type Block = Array<u8, U16>;

/// Blocks of a pass of the wide shape with two states.
const PASS: usize = 128;

/// Blocks up to which the narrow shape is faster.
const NARROW: usize = 48;

/// Blocks of a run for which masks from memory make way for masks that are made apart.
const LONG: usize = 3 * PASS;

/// Blocks up to which a pass of 64 and one of the narrow shape are faster than one of [`PASS`].
const TWO_PASSES: usize = 80;

#[inline(always)]
pub(super) fn apply<O: Order>(
    keys: Keys<'_>,
    masks: &mut Masks<'_, O>,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let mut area = Area::of_blocks(keys.token, blocks);
    if area.len() > 16 * NARROW {
        wide_passes(keys, masks, &mut area);
    }
    let n = area.len() / 16;
    match n {
        0 => {}
        1..=16 => {
            let mut next = Buffer::<16>::zeros();
            masks.fill(&mut next.0[..n]);
            // SAFETY: the token in the keys proves the features.
            unsafe { few(keys, &next, area) }
        }
        _ => {
            let mut next = Buffer::<NARROW>::zeros();
            masks.fill(&mut next.0[..n]);
            // SAFETY: the token in the keys proves the features.
            unsafe { some(keys, &next, area) }
        }
    }
}

/// Leaves no more blocks than [`NARROW`].
#[inline(always)]
fn wide_passes<O: Order>(keys: Keys<'_>, masks: &mut Masks<'_, O>, area: &mut Area<'_, 0>) {
    while area.len() > 16 * NARROW {
        let n = sliceable(masks.run(), area.len() / 16);
        if n == 0 {
            short_runs::<O, 32>(keys, masks, area);
            short_runs::<O, 64>(keys, masks, area);
            passes_from_memory(keys, masks, area);
            continue;
        }
        let mut room = Buffer::<1>::zeros();
        let mask = masks.next(&mut room.0[0]);
        // SAFETY: the token in the keys proves the features.
        let behind = unsafe { run_of_masks(keys, Products::of::<O>(), mask, area.part(16 * n)) };
        masks.skip(n, || <[u8; 16]>::from(behind).into());
    }
}

/// Whole passes of runs of `N` masks, 32 or 64, if there are any.
#[inline(always)]
fn short_runs<O: Order, const N: usize>(
    keys: Keys<'_>,
    masks: &mut Masks<'_, O>,
    area: &mut Area<'_, 0>,
) {
    let starts = masks.runs_of(N);
    let passes = (area.len() / 16 / PASS).min(starts.len() / (PASS / N));
    if passes != 0 {
        let (starts, area) = (
            &starts[..passes * (PASS / N)],
            area.part(16 * PASS * passes),
        );
        // SAFETY: the token in the keys proves the features.
        unsafe { runs(keys, Products::of::<O>(), starts, area) }
        masks.skip_runs(passes * (PASS / N));
    }
}

/// Leaves no more blocks than [`NARROW`], or what begins with a long run.
#[inline(always)]
fn passes_from_memory<O: Order>(keys: Keys<'_>, masks: &mut Masks<'_, O>, area: &mut Area<'_, 0>) {
    let mut next = Buffer::<PASS>::zeros();
    while area.len() > 16 * TWO_PASSES {
        if sliceable(masks.run(), area.len() / 16) >= LONG {
            return;
        }
        let area = area.part(16 * PASS);
        masks.fill(&mut next.0[..area.len() / 16]);
        // SAFETY: the token in the keys proves the features.
        unsafe { up_to_128(keys, &next, area) }
    }
    if area.len() > 16 * NARROW {
        let area = area.part(16 * 64);
        masks.fill(&mut next.0[..area.len() / 16]);
        // SAFETY: the token in the keys proves the features.
        unsafe { up_to_64(keys, &next, area) }
    }
}

/// How many of the next `blocks` to take under masks that are made apart, if `run` masks are in order.
#[inline(always)]
fn sliceable(run: usize, blocks: usize) -> usize {
    if run < blocks {
        // What is not a whole pass would leave its place to others.
        return run / PASS * PASS;
    }
    let behind = blocks % PASS;
    if behind <= NARROW {
        blocks - behind
    } else if behind > 64 && behind <= TWO_PASSES {
        blocks - behind + 64
    } else {
        blocks
    }
}

// The passes themselves, once for all orders of masks and both directions. Each has its own table of keys: with an
// aligned value among its locals, the compiler aligns the vectors that it spills.

/// Up to 16 blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
fn few(keys: Keys<'_>, masks: &Buffer<16>, area: Area<'_, 0>) {
    let n = area.len() / 16;
    let mut io = masks.over(keys.token, area);
    match n {
        1 => narrow::single(keys, &mut io),
        2..=4 => narrow::pass::<Xmm, 1>(keys, &mut io),
        5..=8 => narrow::pass::<Ymm, 1>(keys, &mut io),
        _ => narrow::pass::<Zmm, 1>(keys, &mut io),
    }
}

/// 17 blocks to [`NARROW`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
fn some(keys: Keys<'_>, masks: &Buffer<NARROW>, area: Area<'_, 0>) {
    let n = area.len() / 16;
    let mut io = masks.over(keys.token, area);
    if n <= 32 {
        narrow::pass::<Zmm, 2>(keys, &mut io);
    } else {
        narrow::pass::<Zmm, 3>(keys, &mut io);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
fn up_to_64(keys: Keys<'_>, masks: &Buffer<PASS>, area: Area<'_, 0>) {
    wide::pass_64(&Table::new(keys), &mut masks.over(keys.token, area));
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
fn up_to_128(keys: Keys<'_>, masks: &Buffer<PASS>, mut area: Area<'_, 0>) {
    let table = Table::new(keys);
    if area.len() == 16 * PASS {
        let area = area.whole::<{ 16 * PASS }>();
        wide::pass_128(&table, &mut masks.over(keys.token, area));
    } else {
        wide::pass_128(&table, &mut masks.over(keys.token, area));
    }
}

/// Any number of blocks under masks from `mask` on. Returns the mask behind them.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
fn run_of_masks(keys: Keys<'_>, products: &Products, mask: &Block, mut area: Area<'_, 0>) -> Xmm {
    let table = Table::new(keys);
    let mut masks = Sliced::new(Xmm::block(keys.token, mask.0), products);
    while area.len() >= 16 * PASS {
        let area = &mut area.whole::<{ 16 * PASS }>();
        pass_128(&table, &masks, area);
        masks.advance(products);
    }
    let n = area.len() / 16;
    if n > 64 {
        pass_128(&table, &masks, &mut area);
    } else if n != 0 {
        let a = wide::rounds_64(&table, masks.load(0, wide::take(&area, 0)));
        let a = masks.unload(0, a);
        wide::give(&mut area, 0, a);
    }
    masks.get(keys.token, n)
}

/// Whole passes of blocks under runs of 32 or 64 masks, of which these are the first ones.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
fn runs(keys: Keys<'_>, products: &Products, starts: &[Block], mut area: Area<'_, 0>) {
    let table = Table::new(keys);
    let per_pass = starts.len() / (area.len() / (16 * PASS));
    for starts in starts.chunks_exact(per_pass) {
        let start = |i: usize| Xmm::block(keys.token, starts[i].0);
        let masks = if per_pass == 4 {
            Sliced::of_four([start(0), start(1), start(2), start(3)], products)
        } else {
            Sliced::of_two([start(0), start(1)], products)
        };
        pass_128(&table, &masks, &mut area.whole::<{ 16 * PASS }>());
    }
}

#[inline(always)]
fn pass_128(table: &Table, masks: &Sliced, io: &mut impl Io) {
    let a = masks.load(0, wide::take(io, 0));
    let b = masks.load(1, wide::take(io, 16));
    let (a, b) = wide::rounds_128(table, (a, b));
    let a = masks.unload(0, a);
    let b = masks.unload(1, b);
    wide::give(io, 16, b);
    wide::give(io, 0, a);
}

/// Room for masks in memory; those that nobody needs are zeros or old.
#[repr(align(64))]
struct Buffer<const N: usize>([Block; N]);

impl<const N: usize> Buffer<N> {
    #[inline(always)]
    fn zeros() -> Self {
        Self([Block::default(); N])
    }

    /// The area under these masks.
    #[inline(always)]
    fn over<'a, const WHOLE: usize>(
        &self,
        token: Avx512Gfni,
        area: Area<'a, WHOLE>,
    ) -> Masked<'a, '_, WHOLE, N> {
        Masked {
            token,
            area,
            masks: self,
        }
    }

    /// Vector `i` of the masks.
    #[inline(always)]
    fn load<V: Vector>(&self, token: Avx512Gfni, i: usize) -> V {
        assert!(
            (i + 1) * V::BYTES <= 16 * N,
            "there is room for as many masks"
        );
        // SAFETY: the vector lies within the buffer, as asserted.
        unsafe { V::load(token, self.0.as_ptr().cast::<u8>().add(i * V::BYTES)) }
    }
}

impl<const N: usize> Drop for Buffer<N> {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        cipher::zeroize::Zeroize::zeroize(Array::slice_as_flattened_mut(&mut self.0));
    }
}

/// An area under masks.
struct Masked<'a, 'm, const WHOLE: usize, const N: usize> {
    token: Avx512Gfni,
    area: Area<'a, WHOLE>,
    masks: &'m Buffer<N>,
}

impl<const WHOLE: usize, const N: usize> Io for Masked<'_, '_, WHOLE, N> {
    #[inline(always)]
    fn load<V: Vector>(&self, i: usize) -> V {
        let vector = self.area.load::<V>(i);
        vector.xor(self.masks.load(self.token, i))
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, i: usize, vector: V) {
        let masked = vector.xor(self.masks.load(self.token, i));
        self.area.store(i, masked);
    }
}
