//! What the portable backends share: the field, the powers of the key, and the walk over blocks.
//!
//! A block is the big-endian reading of its bytes. GHASH counts bits from the most significant one;
//! here bit i is the coefficient of x^i, the mirror image, whose field is POLYVAL's (RFC 8452):
//! polynomials modulo x^128 + x^127 + x^126 + x^121 + 1. The mirror image of a product of 255 bits
//! lies one bit off in 256. Multiplying `H` by x at key set-up makes up for it once and for all
//! (RFC 8452, appendix A).
//!
//! Reduction is linear, so the products of several blocks with their powers of `H` are added first
//! and reduced once: `Y' = (Y ⊕ X1)·H^4 ⊕ X2·H^3 ⊕ X3·H^2 ⊕ X4·H`. Four at a time measured best:
//! two are a sixth slower, eight are no faster and need twice the powers.

use super::Kernel;
use crate::{Block, Tag};
use core::marker::PhantomData;
use universal_hash::consts::U4;

/// Blocks that share one reduction.
const WIDTH: usize = 4;

/// A carry-less product of 256 bits: the low half and the high half.
pub(crate) type Product = (u128, u128);

/// Multiplication without carries, the one thing in which the portable backends differ.
pub(crate) trait Multiplier: Clone {
    /// The sum (exclusive or) of the products `x[i]` times `h[i]`.
    fn sum_of_products<const N: usize>(x: &[u128; N], h: &[u128; N]) -> Product;
}

/// GHASH on a given multiplication.
#[derive(Clone)]
pub(crate) struct Soft<M> {
    /// `H^4`, `H^3`, `H^2` and `H`, each times x.
    powers: [u128; WIDTH],
    /// Zero, up to the size of the largest table: see `super::x86::LARGEST`.
    #[cfg(target_arch = "x86_64")]
    _room: [u128; super::x86::LARGEST - WIDTH],
    multiplier: PhantomData<M>,
}

impl<M: Multiplier> Soft<M> {
    pub(super) fn new(h: &Block) -> Self {
        let mul = |a, b| reduce(M::sum_of_products(&[a], &[b]));
        let h1 = times_x(u128::from_be_bytes((*h).into()));
        let h2 = mul(h1, h1);
        Self {
            powers: [mul(h2, h2), mul(h2, h1), h2, h1],
            #[cfg(target_arch = "x86_64")]
            _room: [0; super::x86::LARGEST - WIDTH],
            multiplier: PhantomData,
        }
    }

    /// The running value after N more blocks, 1 to 4, with one reduction.
    #[inline(always)]
    fn step<const N: usize>(&self, y: u128, blocks: &[Block; N]) -> u128 {
        const { assert!(1 <= N && N <= WIDTH) };
        let mut x = blocks.map(|block| u128::from_be_bytes(block.into()));
        x[0] ^= y;
        let h = core::array::from_fn(|i| self.powers[WIDTH - N + i]);
        reduce(M::sum_of_products(&x, &h))
    }

    /// The running value after blocks by the four. On its own, lest what the tails keep in
    /// registers crowd this loop.
    #[inline(never)]
    fn walk(&self, mut y: u128, wide: &[[Block; WIDTH]]) -> u128 {
        for blocks in wide {
            y = self.step(y, blocks);
        }
        y
    }

    fn blocks(&self, mut y: u128, blocks: &[Block]) -> u128 {
        let (wide, tail) = blocks.as_chunks::<WIDTH>();
        if !wide.is_empty() {
            y = self.walk(y, wide);
        }
        match *tail {
            [a] => self.step(y, &[a]),
            [a, b] => self.step(y, &[a, b]),
            [a, b, c] => self.step(y, &[a, b, c]),
            // Nothing left: `tail` is shorter than WIDTH.
            _ => y,
        }
    }
}

impl<M: Multiplier> Kernel for Soft<M> {
    type ParBlocksSize = U4;

    #[inline]
    fn enter(&self, block: u128) -> u128 {
        block
    }

    #[inline]
    fn leave(&self, y: u128) -> Tag {
        y.to_be_bytes().into()
    }

    fn update(&self, y: &mut u128, data: &[u8]) {
        let (blocks, partial) = Block::slice_as_chunks(data);
        if partial.is_empty() {
            *y = self.blocks(*y, blocks);
            return;
        }
        // The padded block goes with the whole ones that are left over, so the tail is one pass.
        let (wide, rest) = blocks.split_at(blocks.len() - blocks.len() % WIDTH);
        *y = self.blocks(*y, wide);
        let mut tail = [Block::default(); WIDTH];
        tail[..rest.len()].copy_from_slice(rest);
        tail[rest.len()][..partial.len()].copy_from_slice(partial);
        *y = self.blocks(*y, &tail[..=rest.len()]);
    }

    fn finish(&self, y: &mut u128, a: &[u8], c: &[u8], last: u128) -> Tag {
        self.update(y, a);
        self.update(y, c);
        self.update(y, &last.to_be_bytes());
        self.leave(*y)
    }
}

#[cfg(feature = "zeroize")]
impl<M> Drop for Soft<M> {
    fn drop(&mut self) {
        use zeroize::Zeroize;
        self.powers.zeroize();
    }
}

/// x^128 + x^127 + x^126 + x^121 + 1 without x^128.
const POLYNOMIAL: u128 = 1 << 127 | 1 << 126 | 1 << 121 | 1;

/// Multiplies by x, without a branch on the bit that is carried out.
pub(super) fn times_x(h: u128) -> u128 {
    (h << 1) ^ (0_u128.wrapping_sub(h >> 127) & POLYNOMIAL)
}

/// Reduces a product to one block.
///
/// Montgomery's way: adds the multiple of the polynomial that clears the low half, and keeps the
/// high half, which divides by x^128 as the mirrored product asks. The multiple is `low` times the
/// polynomial, which is its own inverse modulo x^128, for the squares of its upper terms vanish.
#[inline(always)]
fn reduce((low, high): Product) -> u128 {
    let m = low ^ (low << 121) ^ (low << 126) ^ (low << 127);
    high ^ m ^ (m >> 1) ^ (m >> 2) ^ (m >> 7)
}

#[cfg(test)]
mod tests {
    extern crate alloc;

    use super::{super::soft32::Soft32, super::soft64::Soft64, Multiplier, Product};
    use alloc::vec;

    /// Shift and add, one bit at a time.
    fn model(x: u128, h: u128) -> Product {
        let mut product = (0, 0);
        for i in 0..128 {
            if x >> i & 1 == 1 {
                product.0 ^= h << i;
                product.1 ^= h.checked_shr(128 - i).unwrap_or(0);
            }
        }
        product
    }

    fn check<M: Multiplier>(x: [u128; 4], h: [u128; 4]) {
        let add = |a: Product, b: Product| (a.0 ^ b.0, a.1 ^ b.1);
        let one = model(x[0], h[0]);
        let two = add(one, model(x[1], h[1]));
        let three = add(two, model(x[2], h[2]));
        let four = add(three, model(x[3], h[3]));
        assert_eq!(M::sum_of_products(&[x[0]], &[h[0]]), one);
        assert_eq!(M::sum_of_products(&[x[0], x[1]], &[h[0], h[1]]), two);
        assert_eq!(
            M::sum_of_products(&[x[0], x[1], x[2]], &[h[0], h[1], h[2]]),
            three
        );
        assert_eq!(M::sum_of_products(&x, &h), four);
    }

    /// Operands that fill the holes between the bits of a class to the brim.
    #[test]
    fn carries_stay_in_their_holes() {
        const CLASS: u128 = u128::MAX / 15;
        let mut full = vec![0, 1, 1 << 127, u128::MAX];
        full.extend((0..4).map(|i| CLASS << i));
        full.extend((0..4).map(|i| u128::MAX ^ CLASS << i));
        full.extend([1, 31, 32, 63, 64, 95, 96, 126].map(|i| u128::MAX ^ 1 << i));
        full.extend([4, 28, 32, 60, 64, 68, 124].map(|n| u128::MAX >> n));
        full.extend([4, 28, 32, 60, 64, 68, 124].map(|n| u128::MAX << n));
        // Words of which two are equal or opposite, so that their sums are full or empty.
        for low in [0, u64::MAX, u64::MAX / 15, (u64::MAX / 15) << 3] {
            full.push(u128::from(low) << 64 | u128::from(!low));
            full.push(u128::from(low) << 64 | u128::from(low >> 4));
        }
        for &x in &full {
            for &h in &full {
                check::<Soft64>([x, h, !x, x], [h, h, x, !h]);
                check::<Soft32>([x, h, !x, x], [h, h, x, !h]);
            }
        }
    }

    #[test]
    fn single_bits() {
        for i in 0..128 {
            for j in 0..128 {
                let (x, h) = (1 << i, 1 << j);
                assert_eq!(Soft64::sum_of_products(&[x], &[h]), model(x, h));
                assert_eq!(Soft32::sum_of_products(&[x], &[h]), model(x, h));
            }
        }
    }
}
