//! XEX with masks that are products with x.
//!
//! In the bytes of 64 blocks, apart as the wide shape has them, the product with x^64 is next to nothing: the eight
//! bytes from x^0 on become those from x^64 on, and each of the other eight is mapped to its own place and the next
//! one. So long runs of masks stay in this form. What is shorter takes masks from memory.

use super::super::field::Matrix;
use super::io::{Area, Io};
use super::keys::Keys;
use super::narrow;
use super::vector::{Vector, Xmm, Ymm, Zmm};
use super::wide::{self, Table, four, sixteen};
use crate::xex::{Masks, Order};
use cipher::{InOutBuf, array::Array, consts::U16};
use shangmi_cpu::Avx512Gfni;

type Block = Array<u8, U16>;

/// Blocks of a pass of the wide shape with two states.
const PASS: usize = 128;

/// Blocks up to which the narrow shape is faster.
const NARROW: usize = 48;

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
    let mut next = Buffer::<PASS>::zeros();
    while area.len() > 16 * 80 {
        let run = masks.run().min(area.len() / 16) / PASS;
        if run != 0 {
            masks.peek(&mut next.0[..64]);
            let mut sliced = Sliced::new::<O>(keys.token, &next);
            // SAFETY: the token in the keys proves the features.
            unsafe { run_of_masks(keys, &mut sliced, area.part(16 * PASS * run)) }
            masks.skip(PASS * run, || sliced.first());
        } else {
            let area = area.part(16 * PASS);
            masks.fill(&mut next.0[..area.len() / 16]);
            // SAFETY: the token in the keys proves the features.
            unsafe { up_to_128(keys, &next, area) }
        }
    }
    if area.len() > 16 * NARROW {
        let area = area.part(16 * 64);
        masks.fill(&mut next.0[..area.len() / 16]);
        // SAFETY: the token in the keys proves the features.
        unsafe { up_to_64(keys, &next, area) }
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

/// A multiple of [`PASS`] blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
fn run_of_masks(keys: Keys<'_>, masks: &mut Sliced, mut area: Area<'_, 0>) {
    let table = Table::new(keys);
    while area.len() != 0 {
        let area = &mut area.whole::<{ 16 * PASS }>();
        let a = masks.add_to(0, wide::transpose(wide::take(area, 0)));
        let b = masks.add_to(1, wide::transpose(wide::take(area, 16)));
        let states = (wide::from_bytes(a), wide::from_bytes(b));
        let (a, b) = wide::rounds_128(&table, states);
        let a = wide::transpose(masks.add_to(0, wide::to_bytes(a)));
        let b = wide::transpose(masks.add_to(1, wide::to_bytes(b)));
        wide::give(area, 16, b);
        wide::give(area, 0, a);
        masks.advance();
    }
}

/// The masks of the next 128 blocks, in two batches: vector `i` holds byte `i` of each of 64.
struct Sliced {
    batches: [[Zmm; 16]; 2],
    /// A byte times x^7 + x^2 + x + 1: what stays in the byte.
    own: Matrix,
    /// The same: what goes to the next byte.
    next: Matrix,
}

impl Sliced {
    /// From 64 masks that lie in memory.
    #[inline(always)]
    fn new<O: Order>(token: Avx512Gfni, first: &Buffer<PASS>) -> Self {
        let batch = wide::transpose(sixteen!(i => first.load(token, i)));
        let (own, next) = const { folding(O::LOW_FIRST) };
        let mut sliced = Self {
            batches: [batch, batch],
            own,
            next,
        };
        sliced.advance_from(0);
        sliced
    }

    /// Adds the masks of batch `n`.
    #[inline(always)]
    fn add_to(&self, n: usize, bytes: [Zmm; 16]) -> [Zmm; 16] {
        let masks = &self.batches[n];
        sixteen!(i => bytes[i].xor(masks[i]))
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.advance_from(1);
        self.advance_from(0);
    }

    /// Makes the other batch of batch `n`, 64 blocks on: times x^64, modulo x^128 + x^7 + x^2 + x + 1.
    #[inline(always)]
    fn advance_from(&mut self, n: usize) {
        let mut from_before = None;
        for i in 0..8 {
            let (near, far) = (self.batches[n][i], self.batches[n][i + 8]);
            let own = far.map(self.own);
            self.batches[1 - n][i] = from_before.map_or(own, |before| own.xor(before));
            self.batches[1 - n][i + 8] = near;
            from_before = Some(far.map(self.next));
        }
        if let Some(before) = from_before {
            self.batches[1 - n][8] = self.batches[1 - n][8].xor(before);
        }
    }

    /// The mask of the first block.
    #[inline(always)]
    fn first(&self) -> Block {
        let mut block = Block::default();
        for (byte, vector) in block.iter_mut().zip(&self.batches[0]) {
            *byte = vector.first_byte();
        }
        block
    }
}

impl Drop for Sliced {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        self.batches
            .as_flattened_mut()
            .iter_mut()
            .for_each(Zmm::wipe);
    }
}

/// [`Sliced::own`] and [`Sliced::next`].
const fn folding(low_first: bool) -> (Matrix, Matrix) {
    let (one, two, seven) = (
        [Matrix::shift_left(1), Matrix::shift_right(1)],
        [Matrix::shift_left(2), Matrix::shift_right(2)],
        [Matrix::shift_left(7), Matrix::shift_right(7)],
    );
    let (six, up, down) = (
        [Matrix::shift_left(6), Matrix::shift_right(6)],
        !low_first as usize,
        low_first as usize,
    );
    (
        Matrix::IDENTITY.plus(one[up]).plus(two[up]).plus(seven[up]),
        seven[down].plus(six[down]).plus(one[down]),
    )
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
