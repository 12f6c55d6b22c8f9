//! Masks in the form of the wide shape: vector `b` holds byte `b` of 64 of them, mask `4p + l` in byte `p` of lane `l`.
//!
//! The product with x^64 is next to nothing there: the eight bytes from x^0 on become those from x^64 on, and each of
//! the other eight is mapped to its own place and the next one.
//!
//! The first masks are products of one block `T` with x^(4p + l). Byte `b` of a product with x^(8q) is byte `b - q` of
//! `T`, if `T` is continued below its first byte by what the reduction brings there. So vector `b` of the products with
//! x^(4p) is a window of 16 bytes on `T` and `T·x^4`, each continued, byte by byte in turns. The product with x^l maps
//! each byte to its own place and the next one, by a matrix for each lane.

use super::super::super::field::{Matrix, U};
use super::super::vector::{Vector, Xmm, Zmm};
use super::super::wide::{self, State, four, sixteen};
use crate::xex::Order;
use shangmi_cpu::Avx512Gfni;

const BACK: Matrix = U.inverse();

/// The masks of the next 128 blocks, in two batches.
pub(super) struct Sliced([[Zmm; 16]; 2]);

impl Sliced {
    /// From the first mask on.
    #[inline(always)]
    pub(super) fn new(first: Xmm, products: &Products) -> Self {
        let batch = products.run(first);
        let mut sliced = Self([batch, batch]);
        sliced.advance_from(0, products);
        sliced
    }

    /// From the first masks of four runs of 32.
    #[inline(always)]
    pub(super) fn of_four([a, b, c, d]: [Xmm; 4], products: &Products) -> Self {
        Self([products.two_runs(a, b), products.two_runs(c, d)])
    }

    /// From the first masks of two runs of 64.
    #[inline(always)]
    pub(super) fn of_two([a, b]: [Xmm; 2], products: &Products) -> Self {
        Self([products.run(a), products.run(b)])
    }

    /// A state from blocks under the masks of batch `n`.
    #[inline(always)]
    pub(super) fn load(&self, n: usize, blocks: [Zmm; 16]) -> State {
        let (bytes, masks) = (wide::transpose(blocks), &self.0[n]);
        four!(w => {
            let [a, b, c, d] = four!(j => bytes[4 * w + j].map(U).xor(masks[4 * w + j]));
            [b.xor3(c, d), a.xor3(c, d), a.xor3(b, d), a.xor3(b, c)]
        })
    }

    /// A state into blocks, which get the masks of batch `n`.
    #[inline(always)]
    pub(super) fn unload(&self, n: usize, state: State) -> [Zmm; 16] {
        let masks = &self.0[n];
        let sums = four!(w => state[w][0].xor3(state[w][1], state[w][2]).xor(state[w][3]));
        wide::transpose(sixteen!(i => {
            let byte = sums[i / 4].xor3(state[i / 4][i % 4], masks[i]);
            byte.map(BACK)
        }))
    }

    /// Goes on to the next 128.
    #[inline(always)]
    pub(super) fn advance(&mut self, products: &Products) {
        self.advance_from(1, products);
        self.advance_from(0, products);
    }

    /// Makes the other batch of batch `n`, 64 blocks on: times x^64.
    #[inline(always)]
    fn advance_from(&mut self, n: usize, products: &Products) {
        let mut from_before = None;
        for i in 0..8 {
            let (near, far) = (self.0[n][i], self.0[n][i + 8]);
            let own = far.map_halves(&products.fold);
            self.0[1 - n][i] = from_before.map_or(own, |before| own.xor(before));
            self.0[1 - n][i + 8] = near;
            from_before = Some(far.map_halves(&products.fold_up));
        }
        if let Some(before) = from_before {
            self.0[1 - n][8] = self.0[1 - n][8].xor(before);
        }
    }

    /// Mask `n` of the 128.
    #[inline(always)]
    pub(super) fn get(&self, token: Avx512Gfni, n: usize) -> Xmm {
        let batch = &self.0[n / 64];
        let place = n % 4 * 16 + n % 64 / 4;
        let mut block = [0; 16];
        for (byte, vector) in block.iter_mut().zip(batch) {
            *byte = vector.byte(place);
        }
        Xmm::block(token, block).map(BACK)
    }
}

impl Drop for Sliced {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        self.0.as_flattened_mut().iter_mut().for_each(Zmm::wipe);
    }
}

/// How bytes are multiplied, in one order of the coefficients, by matrices for each half of each lane. What goes up goes
/// to the next byte; what goes up from the last one is folded, modulo the polynomial, into the first two.
#[repr(align(64))]
pub(super) struct Products {
    /// What went up x^8 from the last byte: to the first byte.
    fold: [u64; 8],
    /// The same: to the second byte.
    fold_up: [u64; 8],
    /// Times x^4: what stays.
    x4: [u64; 8],
    x4_up: [u64; 8],
    /// To the first byte, which has got the image under `x4_up` already.
    x4_fold: [u64; 8],
    x4_fold_up: [u64; 8],
    /// Times x^l in lane l: what stays.
    xl: [u64; 8],
    xl_up: [u64; 8],
    xl_fold: [u64; 8],
    xl_fold_up: [u64; 8],
}

impl Products {
    #[inline(always)]
    pub(super) fn of<O: Order>() -> &'static Self {
        static LOW_FIRST: Products = Products::new(true);
        static HIGH_FIRST: Products = Products::new(false);
        if O::LOW_FIRST {
            &LOW_FIRST
        } else {
            &HIGH_FIRST
        }
    }

    const fn new(low_first: bool) -> Self {
        /// Times x^`k` within a byte.
        const fn times(low_first: bool, k: u32) -> Matrix {
            if low_first {
                Matrix::shift_left(k)
            } else {
                Matrix::shift_right(k)
            }
        }
        /// What goes up from a byte times x^`k`.
        const fn up(low_first: bool, k: u32) -> Matrix {
            times(!low_first, 8 - k)
        }
        const fn in_field(matrix: Matrix) -> Matrix {
            U.times(matrix).times(BACK)
        }
        const fn everywhere(matrix: Matrix) -> [u64; 8] {
            [in_field(matrix).gfni(); 8]
        }
        const fn by_lane(matrices: [Matrix; 4]) -> [u64; 8] {
            let mut all = [0; 8];
            let mut i = 0;
            while i < 8 {
                all[i] = in_field(matrices[i / 2]).gfni();
                i += 1;
            }
            all
        }
        // x^128 = x^7 + x^2 + x + 1.
        let fold = Matrix::IDENTITY
            .plus(times(low_first, 1))
            .plus(times(low_first, 2))
            .plus(times(low_first, 7));
        let fold_up = up(low_first, 1)
            .plus(up(low_first, 2))
            .plus(up(low_first, 7));
        let x4_up = up(low_first, 4);
        let (mut xl, mut xl_up) = ([Matrix::IDENTITY; 4], [Matrix::IDENTITY; 4]);
        let (mut xl_fold, mut xl_fold_up) = (xl, xl);
        let mut l = 0;
        while l < 4 {
            xl[l] = times(low_first, l as u32);
            xl_up[l] = up(low_first, l as u32);
            xl_fold[l] = fold.times(xl_up[l]);
            xl_fold_up[l] = fold_up.times(xl_up[l]);
            l += 1;
        }
        Self {
            fold: everywhere(fold),
            fold_up: everywhere(fold_up),
            x4: everywhere(times(low_first, 4)),
            x4_up: everywhere(x4_up),
            x4_fold: everywhere(fold.plus(Matrix::IDENTITY).times(x4_up)),
            x4_fold_up: everywhere(fold_up.times(x4_up)),
            xl: by_lane(xl),
            xl_up: by_lane(xl_up),
            xl_fold: by_lane(xl_fold),
            xl_fold_up: by_lane(xl_fold_up),
        }
    }

    /// `first` and the 63 masks behind it.
    #[inline(always)]
    fn run(&self, first: Xmm) -> [Zmm; 16] {
        self.times_xl(self.times_x4p(first))
    }

    /// Two blocks and the 31 masks behind each.
    #[inline(always)]
    fn two_runs(&self, first: Xmm, second: Xmm) -> [Zmm; 16] {
        let (a, b) = (self.times_x4p(first), self.times_x4p(second));
        self.times_xl(sixteen!(i => a[i].unpack_low_halves(b[i])))
    }

    /// The products of `first` and x^(4p), in byte `p` of each lane, but for what [`Self::times_xl`] adds.
    #[inline(always)]
    fn times_x4p(&self, first: Xmm) -> [Zmm; 16] {
        /// The bytes from the last to the first.
        const BACKWARDS: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
        let first = first.map(U);
        let t = Zmm::picked(first, &BACKWARDS);
        let t4 = self.times_x4(first, t);
        let ([t, t_below], [t4, t4_below]) = (self.continued(t), self.continued(t4));
        let turns = [
            t.unpack_low_bytes(t4),
            t.unpack_high_bytes(t4),
            t_below.unpack_low_bytes(t4_below),
        ];
        sixteen!(b => {
            let n = 15 - b;
            turns[n / 8].window(turns[n / 8 + 1], 2 * (n % 8))
        })
    }

    /// The products of `x`, as [`Self::times_x4p`] makes it, and x^l in lane `l`.
    #[inline(always)]
    fn times_xl(&self, mut x: [Zmm; 16]) -> [Zmm; 16] {
        // Nothing comes to a first byte from below it; the continuation's bytes do without.
        x[0] = x[0].xor(x[15].map_halves(&self.fold_up));
        let ups = sixteen!(b => if b == 0 {
            x[15].map_halves(&self.xl_fold)
        } else {
            x[b - 1].map_halves(&self.xl_up)
        });
        let mut batch = sixteen!(b => x[b].map_halves(&self.xl).xor(ups[b]));
        batch[1] = batch[1].xor(x[15].map_halves(&self.xl_fold_up));
        batch
    }

    /// The product of `first` and x^4, where `t` holds `first` backwards, as the product is.
    #[inline(always)]
    fn times_x4(&self, first: Xmm, t: Zmm) -> Zmm {
        let [mut to_first, mut to_second] = [[128; 16]; 2];
        (to_first[15], to_second[14]) = (15, 15);
        let folded = Zmm::picked(first, &to_first).map_halves(&self.x4_fold);
        let folded_up = Zmm::picked(first, &to_second).map_halves(&self.x4_fold_up);
        let up = t.window(t, 1).map_halves(&self.x4_up);
        t.map_halves(&self.x4).xor3(up, folded.xor(folded_up))
    }

    /// A block, backwards, and in the first half of the second vector the bytes below it.
    #[inline(always)]
    fn continued(&self, t: Zmm) -> [Zmm; 2] {
        let up = t.map_halves(&self.fold_up);
        let up = up.window(up, 1);
        // What goes up from the last byte times x^8 arrives in the second byte, where the first byte is then.
        [t.add_last_byte(up), t.map_halves(&self.fold).xor(up)]
    }
}
