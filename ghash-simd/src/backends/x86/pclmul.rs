//! 128-bit vectors with PCLMULQDQ.
//!
//! Long inputs go by eight blocks to a reduction, with Karatsuba's method: its three
//! multiplications are what the one port that has them is busy with, and its shuffles and additions
//! run beside them. A single block is bound by latency instead. Four multiplications then, two of
//! them by the key divided by x^64, leave 192 bits in place of 256 and so one step of the reduction
//! in place of two.
#![allow(unsafe_code)]

use super::{
    LARGEST, MIRRORED, afresh, blocks_of, end_to_front, from_vector, load_bytes, padded, to_vector,
};
use crate::{
    Block, Tag,
    backends::{Kernel, soft::times_x},
};
use core::arch::x86_64::{
    __m128i, _mm_clmulepi64_si128, _mm_set_epi64x, _mm_setr_epi8, _mm_setzero_si128,
    _mm_shuffle_epi8, _mm_shuffle_epi32, _mm_unpackhi_epi64, _mm_unpacklo_epi64, _mm_xor_si128,
};
use shangmi_cpu::Pclmul as Token;
use universal_hash::consts::U8;

/// Blocks that share one reduction.
const WIDTH: usize = 8;

/// The key for one multiplication that is to be over soon.
#[derive(Clone, Copy)]
struct Key {
    h: __m128i,
    /// `h` divided by x^64.
    shifted: __m128i,
}

#[derive(Clone)]
pub(crate) struct Pclmul {
    token: Token,
    /// `H^8` to `H^1`.
    powers: [__m128i; WIDTH],
    /// The sums of the halves of `H^8` and `H^7`, of `H^6` and `H^5`, and so on.
    sums: [__m128i; WIDTH / 2],
    /// `H` divided by x^64.
    shifted: __m128i,
    /// Zero: see [`LARGEST`].
    _room: [__m128i; LARGEST - 13],
}

impl Pclmul {
    pub(crate) fn new(h: &Block, token: Token) -> Self {
        // SAFETY: the token proves that the CPU has the features.
        unsafe { Self::set_up(h, token) }
    }

    pub(crate) fn token(&self) -> Token {
        self.token
    }

    #[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
    fn set_up(h: &Block, token: Token) -> Self {
        let h1 = key(to_vector(times_x(u128::from_be_bytes((*h).into()))));
        let h2 = key(multiply(h1.h, h1));
        let h3 = multiply(h1.h, h2);
        let h4 = key(multiply(h2.h, h2));
        let [h5, h6, h7, h8] = [
            multiply(h1.h, h4),
            multiply(h2.h, h4),
            multiply(h3, h4),
            multiply(h4.h, h4),
        ];
        let powers = [h8, h7, h6, h5, h4.h, h3, h2.h, h1.h];
        let sums = [
            sums([powers[0], powers[1]]),
            sums([powers[2], powers[3]]),
            sums([powers[4], powers[5]]),
            sums([powers[6], powers[7]]),
        ];
        Self {
            token,
            powers,
            sums,
            shifted: h1.shifted,
            _room: [_mm_setzero_si128(); LARGEST - 13],
        }
    }

    #[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
    fn absorb(&self, value: &mut u128, data: &[u8]) {
        if data.len() > 16 {
            return self.absorb_many(value, data);
        }
        let x = match data.try_into() {
            Ok(block) => load(block),
            Err(_) if data.is_empty() => return,
            Err(_) => padded(data),
        };
        let x = _mm_xor_si128(to_vector(*value), x);
        *value = from_vector(self.one(x));
    }

    /// On its own, so that single blocks do without the registers that this one saves.
    #[inline(never)]
    #[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
    fn absorb_many(&self, value: &mut u128, data: &[u8]) {
        let mut y = to_vector(*value);
        let (wide, tail) = data.as_chunks();
        for blocks in wide {
            y = afresh(self).step(y, blocks);
        }
        if !tail.is_empty() {
            y = self.pass(y, [tail], None);
        }
        *value = from_vector(y);
    }

    #[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
    fn absorb_last(&self, value: &mut u128, mut a: &[u8], mut c: &[u8], last: u128) -> Tag {
        if a.len().div_ceil(16) + c.len().div_ceil(16) >= WIDTH {
            self.absorb(value, a);
            a = &[];
            // What is left of `c` goes with the last block, if the two are no more than one pass.
            let mut whole = c.len() - c.len() % (16 * WIDTH);
            if c.len() - whole > 16 * (WIDTH - 1) {
                whole = c.len();
            }
            self.absorb(value, &c[..whole]);
            c = &c[whole..];
        }
        let y = self.pass(to_vector(*value), [a, c], Some(to_vector(last)));
        from_vector(y).to_be_bytes().into()
    }

    /// The product of one block and `H`.
    #[inline]
    #[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
    fn one(&self, x: __m128i) -> __m128i {
        let key = Key {
            h: self.powers[WIDTH - 1],
            shifted: self.shifted,
        };
        multiply(x, key)
    }

    /// Eight blocks.
    #[inline]
    #[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
    fn step(&self, y: __m128i, blocks: &[u8; 16 * WIDTH]) -> __m128i {
        let (blocks, _) = blocks.as_chunks();
        let mut sum = Sum::zero();
        // The first block carries the running value: last in line, it is waited for least.
        for i in 1..WIDTH / 2 {
            let x = [load(&blocks[2 * i]), load(&blocks[2 * i + 1])];
            sum.add_two(
                x,
                [self.powers[2 * i], self.powers[2 * i + 1]],
                self.sums[i],
            );
        }
        let x = [_mm_xor_si128(load(&blocks[0]), y), load(&blocks[1])];
        sum.add_two(x, [self.powers[0], self.powers[1]], self.sums[0]);
        sum.reduce()
    }

    /// Up to eight blocks, with one reduction. Each part is filled up with zeroes to whole blocks,
    /// and `last` is one more.
    #[inline]
    #[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
    fn pass<const N: usize>(
        &self,
        mut y: __m128i,
        parts: [&[u8]; N],
        last: Option<__m128i>,
    ) -> __m128i {
        let mut i = WIDTH - blocks_of(&parts) - usize::from(last.is_some());
        let mut sum = Sum::zero();
        for part in parts {
            let (blocks, partial) = part.as_chunks();
            for block in blocks {
                let x = _mm_xor_si128(load(block), y);
                sum.add(x, self.powers[i]);
                y = _mm_setzero_si128();
                i += 1;
            }
            if !partial.is_empty() {
                let x = _mm_xor_si128(load_partial(part, partial), y);
                sum.add(x, self.powers[i]);
                y = _mm_setzero_si128();
                i += 1;
            }
        }
        if let Some(last) = last {
            sum.add(_mm_xor_si128(last, y), self.powers[i]);
        }
        sum.reduce()
    }
}

/// Three products of halves, each summed over blocks: low, high, and that of the sums.
struct Sum {
    low: __m128i,
    high: __m128i,
    both: __m128i,
}

impl Sum {
    #[inline]
    #[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
    fn zero() -> Self {
        let zero = _mm_setzero_si128();
        Self {
            low: zero,
            high: zero,
            both: zero,
        }
    }

    #[inline]
    #[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
    fn add(&mut self, x: __m128i, h: __m128i) {
        let (x_sum, h_sum) = (_mm_xor_si128(x, swap(x)), _mm_xor_si128(h, swap(h)));
        self.low = _mm_xor_si128(self.low, _mm_clmulepi64_si128::<0x00>(x, h));
        self.high = _mm_xor_si128(self.high, _mm_clmulepi64_si128::<0x11>(x, h));
        self.both = _mm_xor_si128(self.both, _mm_clmulepi64_si128::<0x00>(x_sum, h_sum));
    }

    /// Two blocks. `h_sums` are the sums of the halves of the powers.
    #[inline]
    #[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
    fn add_two(&mut self, x: [__m128i; 2], h: [__m128i; 2], h_sums: __m128i) {
        let x_sums = sums(x);
        for i in 0..2 {
            self.low = _mm_xor_si128(self.low, _mm_clmulepi64_si128::<0x00>(x[i], h[i]));
            self.high = _mm_xor_si128(self.high, _mm_clmulepi64_si128::<0x11>(x[i], h[i]));
        }
        self.both = _mm_xor_si128(self.both, _mm_clmulepi64_si128::<0x00>(x_sums, h_sums));
        self.both = _mm_xor_si128(self.both, _mm_clmulepi64_si128::<0x11>(x_sums, h_sums));
    }

    /// Divides by x^128, in two steps of 64 bits.
    #[inline]
    #[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
    fn reduce(self) -> __m128i {
        let middle = _mm_xor_si128(self.both, _mm_xor_si128(self.low, self.high));
        shift(shift(self.low, middle), self.high)
    }
}

/// The sums of the halves of two blocks.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
fn sums([a, b]: [__m128i; 2]) -> __m128i {
    _mm_xor_si128(_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b))
}

/// `high` and what is left of `low`, which lies 64 bits further down, once its lower half has been
/// cleared by adding the multiple of the polynomial that ends in it.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
fn shift(low: __m128i, high: __m128i) -> __m128i {
    let multiple = _mm_clmulepi64_si128::<0x00>(low, _mm_set_epi64x(0, MIRRORED));
    _mm_xor_si128(_mm_xor_si128(high, swap(low)), multiple)
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
fn key(h: __m128i) -> Key {
    let shifted = shift(h, _mm_setzero_si128());
    Key { h, shifted }
}

/// One product at the least latency.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
fn multiply(x: __m128i, key: Key) -> __m128i {
    let low = _mm_xor_si128(
        _mm_clmulepi64_si128::<0x00>(x, key.shifted),
        _mm_clmulepi64_si128::<0x01>(x, key.h),
    );
    let high = _mm_xor_si128(
        _mm_clmulepi64_si128::<0x10>(x, key.shifted),
        _mm_clmulepi64_si128::<0x11>(x, key.h),
    );
    shift(low, high)
}

/// The halves in each other's place.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
fn swap(x: __m128i) -> __m128i {
    _mm_shuffle_epi32::<0b01_00_11_10>(x)
}

/// A block, its bytes reversed.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
fn load(block: &[u8; 16]) -> __m128i {
    let reverse = _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    _mm_shuffle_epi8(load_bytes(block), reverse)
}

/// The 1 to 16 bytes `partial`, which are the end of `data`, and zeroes behind them.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,pclmulqdq")]
fn load_partial(data: &[u8], partial: &[u8]) -> __m128i {
    match data.last_chunk() {
        Some(block) => _mm_shuffle_epi8(load_bytes(block), load_bytes(end_to_front(partial.len()))),
        None => padded(partial),
    }
}

impl Kernel for Pclmul {
    type ParBlocksSize = U8;

    #[inline]
    fn enter(&self, block: u128) -> u128 {
        block
    }

    #[inline]
    fn leave(&self, y: u128) -> Tag {
        y.to_be_bytes().into()
    }

    #[inline]
    fn update(&self, y: &mut u128, data: &[u8]) {
        // SAFETY: the token in `self` proves that the CPU has the features.
        unsafe { self.absorb(y, data) }
    }

    #[inline]
    fn finish(&self, y: &mut u128, a: &[u8], c: &[u8], last: u128) -> Tag {
        // SAFETY: the token in `self` proves that the CPU has the features.
        unsafe { self.absorb_last(y, a, c, last) }
    }
}

#[cfg(feature = "zeroize")]
impl Drop for Pclmul {
    fn drop(&mut self) {
        use zeroize::Zeroize;
        self.powers.zeroize();
        self.sums.zeroize();
        self.shifted.zeroize();
    }
}
