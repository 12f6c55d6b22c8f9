//! 256-bit vectors with VPCLMULQDQ.
//!
//! A vector holds two blocks. Long inputs run in two lanes: block i goes to lane i modulo 2, both
//! lanes are multiplied by the same powers of `H^2`, eight vectors to a reduction, and a reduction
//! is of the lanes side by side. They come together once, at the end: the last seven or eight
//! blocks are multiplied each by its own power, `H^8` to `H`. So the table has 12 powers, where one
//! without lanes needs 16, and it takes half the loads.
//!
//! The lanes use Karatsuba's method: its three multiplications are what the one port that has them
//! is busy with, and its shuffles and additions run beside them. The end is bound by latency
//! instead. Four multiplications then, two of them by the power divided by x^64, leave 192 bits in
//! place of 256 and so one step of the reduction in place of two.
#![allow(unsafe_code)]

use super::{
    LARGEST, MIRRORED, afresh, blocks_of, end_to_front, from_vector, load_bytes, padded, to_vector,
};
use crate::{
    Block, Tag,
    backends::{Kernel, soft::times_x},
};
use core::arch::x86_64::{
    __m128i, __m256i, _mm_clmulepi64_si128, _mm_set1_epi64x, _mm_setzero_si128, _mm_shuffle_epi8,
    _mm_shuffle_epi32, _mm_unpacklo_epi64, _mm_xor_si128, _mm256_broadcastsi128_si256,
    _mm256_castsi256_si128, _mm256_clmulepi64_epi128, _mm256_extracti128_si256,
    _mm256_inserti128_si256, _mm256_loadu_si256, _mm256_permute2x128_si256, _mm256_set1_epi64x,
    _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_shuffle_epi32,
    _mm256_storeu_si256, _mm256_xor_si256, _mm256_zextsi128_si256,
};
use shangmi_cpu::Avx2Vpclmul as Token;
use universal_hash::consts::U16;

/// Blocks that share the last reduction.
const WIDTH: usize = 8;

/// Vectors that share a reduction before.
const VECTORS: usize = 8;

/// Where `H^(2 · n)` stands in the table.
const fn stride(n: usize) -> usize {
    if n <= WIDTH / 2 {
        WIDTH - 2 * n
    } else {
        WIDTH - WIDTH / 2 - 1 + n
    }
}

#[derive(Clone)]
pub(crate) struct Vpclmul256 {
    token: Token,
    /// `H^8` to `H`, then `H^10`, `H^12`, `H^14` and `H^16`.
    powers: [__m128i; 12],
    /// `H^8` to `H`, each divided by x^64, and a place that is read but does not count.
    shifted: [__m128i; WIDTH + 1],
    /// The sums of the halves of `H^16` and `H^14`, `H^12` and `H^10`, and so on.
    sums: [__m128i; VECTORS / 2],
    /// Zero: see [`LARGEST`].
    _room: [__m128i; LARGEST - 25],
}

impl Vpclmul256 {
    pub(crate) fn new(h: &Block, token: Token) -> Self {
        // SAFETY: the token proves that the CPU has the features.
        unsafe { Self::set_up(h, token) }
    }

    pub(crate) fn token(&self) -> Token {
        self.token
    }

    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn set_up(h: &Block, token: Token) -> Self {
        let h1 = to_vector(times_x(u128::from_be_bytes((*h).into())));
        let h1 = _mm256_zextsi128_si256(h1);
        let h2 = multiply(h1, key(h1));
        let h2_key = key(_mm256_permute2x128_si256::<0x00>(h2, h2));
        // H^2 and H, then H^4 and H^3, and so on.
        let h2 = _mm256_permute2x128_si256::<0x20>(h2, h1);
        let h4 = multiply(h2, h2_key);
        let h4_key = key(_mm256_permute2x128_si256::<0x00>(h4, h4));
        let h6 = multiply(h2, h4_key);
        let h8 = multiply(h4, h4_key);
        let h8_key = key(_mm256_permute2x128_si256::<0x00>(h8, h8));
        // The first of each: H^2 and H^4, H^6 and H^8.
        let low = _mm256_permute2x128_si256::<0x20>(h2, h4);
        let high = _mm256_permute2x128_si256::<0x20>(h6, h8);
        let (lower, higher) = (multiply(low, h8_key), multiply(high, h8_key));

        let mut this = Self {
            token,
            powers: [_mm_setzero_si128(); 12],
            shifted: [_mm_setzero_si128(); WIDTH + 1],
            sums: [_mm_setzero_si128(); VECTORS / 2],
            _room: [_mm_setzero_si128(); LARGEST - 25],
        };
        let powers = this.powers.as_chunks_mut().0;
        let shifted = this.shifted.as_chunks_mut().0;
        for (i, vector) in [h8, h6, h4, h2].into_iter().enumerate() {
            let key = key(vector);
            store(&mut powers[i], key.h);
            store(&mut shifted[i], key.shifted);
        }
        store(&mut powers[4], lower);
        store(&mut powers[5], higher);
        for (sum, vector) in this.sums.iter_mut().zip([higher, lower, high, low]) {
            let halves = _mm256_xor_si256(vector, swap(vector));
            // The higher power first.
            *sum = _mm_unpacklo_epi64(
                _mm256_extracti128_si256::<1>(halves),
                _mm256_castsi256_si128(halves),
            );
        }
        this
    }

    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn absorb(&self, value: &mut u128, data: &[u8]) {
        if data.len() > 16 {
            return self.absorb_many(value, data);
        }
        let x = match data.try_into() {
            Ok(block) => load_one(block),
            Err(_) if data.is_empty() => return,
            Err(_) => padded(data),
        };
        let x = _mm_xor_si128(to_vector(*value), x);
        *value = from_vector(self.one(x));
    }

    /// On its own, so that single blocks do without the stack that this one needs.
    #[inline(never)]
    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn absorb_many(&self, value: &mut u128, data: &[u8]) {
        let y = to_vector(*value);
        let (y, tail) = if data.len() > 16 * WIDTH {
            self.lanes(y, data, 0)
        } else {
            (_mm256_zextsi128_si256(y), data)
        };
        *value = from_vector(self.pass(y, [tail], None));
    }

    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn absorb_last(&self, value: &mut u128, mut a: &[u8], mut c: &[u8], last: u128) -> Tag {
        let mut y = _mm256_zextsi128_si256(to_vector(*value));
        if a.len().div_ceil(16) + c.len().div_ceil(16) >= WIDTH {
            if !a.is_empty() {
                self.absorb(value, a);
                a = &[];
                y = _mm256_zextsi128_si256(to_vector(*value));
            }
            if c.len() > 16 * (WIDTH - 1) {
                (y, c) = self.lanes(to_vector(*value), c, 1);
            }
        }
        let y = self.pass(y, [a, c], Some(to_vector(last)));
        from_vector(y).to_be_bytes().into()
    }

    /// The product of one block and `H`.
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn one(&self, x: __m128i) -> __m128i {
        let (h, shifted) = (self.powers[WIDTH - 1], self.shifted[WIDTH - 1]);
        let low = _mm_xor_si128(
            _mm_clmulepi64_si128::<0x00>(x, shifted),
            _mm_clmulepi64_si128::<0x01>(x, h),
        );
        let high = _mm_xor_si128(
            _mm_clmulepi64_si128::<0x10>(x, shifted),
            _mm_clmulepi64_si128::<0x11>(x, h),
        );
        let multiple = _mm_clmulepi64_si128::<0x00>(low, _mm_set1_epi64x(MIRRORED));
        let swapped = _mm_shuffle_epi32::<0b01_00_11_10>(low);
        _mm_xor_si128(_mm_xor_si128(high, swapped), multiple)
    }

    /// All but the last seven or eight of more than eight blocks, `more` blocks behind `data`
    /// included. Returns the running value of each lane, to be added to the two blocks that follow,
    /// and what is left of `data`.
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn lanes<'a>(&self, y: __m128i, data: &'a [u8], more: usize) -> (__m256i, &'a [u8]) {
        let mut y = _mm256_zextsi128_si256(y);
        let count = data.len().div_ceil(16) + more;
        let (head, tail) = data.split_at((count - WIDTH).div_ceil(2) * 32);
        let (steps, rest) = head.as_chunks();
        for vectors in steps {
            y = afresh(self).step(y, vectors);
        }
        let (vectors, _) = rest.as_chunks();
        if !vectors.is_empty() {
            let mut sum = WideSum::zero();
            for (i, vector) in vectors.iter().enumerate() {
                let h = _mm256_broadcastsi128_si256(self.powers[stride(vectors.len() - i)]);
                let x = _mm256_xor_si256(load(vector), y);
                sum.add::<0x00>(x, h, _mm256_xor_si256(h, swap(h)));
                y = _mm256_setzero_si256();
            }
            y = sum.reduce();
        }
        (y, tail)
    }

    /// Eight vectors, in lanes.
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn step(&self, y: __m256i, vectors: &[u8; 32 * VECTORS]) -> __m256i {
        let (vectors, _) = vectors.as_chunks();
        let mut sum = WideSum::zero();
        // The first vector carries the running values: last in line, it is waited for least.
        for i in (0..VECTORS / 2).rev() {
            let sums = _mm256_broadcastsi128_si256(self.sums[i]);
            let h = _mm256_broadcastsi128_si256(self.powers[stride(VECTORS - 2 * i - 1)]);
            sum.add::<0x10>(load(&vectors[2 * i + 1]), h, sums);
            let mut x = load(&vectors[2 * i]);
            if i == 0 {
                x = _mm256_xor_si256(x, y);
            }
            let h = _mm256_broadcastsi128_si256(self.powers[stride(VECTORS - 2 * i)]);
            sum.add::<0x00>(x, h, sums);
        }
        sum.reduce()
    }

    /// Up to eight blocks, with one reduction. Each part is filled up with zeroes to whole blocks,
    /// and `last` is one more.
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn pass<const N: usize>(
        &self,
        mut y: __m256i,
        parts: [&[u8]; N],
        last: Option<__m128i>,
    ) -> __m128i {
        let mut left = blocks_of(&parts) + usize::from(last.is_some());
        let mut sum = Sum::zero();
        for part in parts {
            let (vectors, rest) = part.as_chunks();
            for vector in vectors {
                let x = _mm256_xor_si256(load(vector), y);
                sum.add(x, self.last(left));
                y = _mm256_setzero_si256();
                left -= 2;
            }
            if !rest.is_empty() {
                // A lane without a block is zero: its power is whatever follows in the table.
                let x = _mm256_xor_si256(load_partial(part, rest), y);
                sum.add(x, self.last(left));
                y = _mm256_setzero_si256();
                left -= rest.len().div_ceil(16);
            }
        }
        if let Some(last) = last {
            let x = _mm256_xor_si256(_mm256_zextsi128_si256(last), y);
            sum.add(x, self.last(1));
        }
        join(sum.reduce())
    }

    /// The powers for two blocks of which the first is followed by `left - 1` blocks.
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn last(&self, left: usize) -> Key {
        Key {
            h: two(&self.powers, WIDTH - left),
            shifted: two(&self.shifted, WIDTH - left),
        }
    }
}

#[derive(Clone, Copy)]
struct Key {
    h: __m256i,
    /// `h` divided by x^64.
    shifted: __m256i,
}

/// Products summed over blocks, in two overlapping parts of 128 bits each.
struct Sum {
    low: __m256i,
    /// 64 bits further up.
    high: __m256i,
}

impl Sum {
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn zero() -> Self {
        let zero = _mm256_setzero_si256();
        Self {
            low: zero,
            high: zero,
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn add(&mut self, x: __m256i, key: Key) {
        let low = _mm256_xor_si256(
            _mm256_clmulepi64_epi128::<0x00>(x, key.shifted),
            _mm256_clmulepi64_epi128::<0x01>(x, key.h),
        );
        let high = _mm256_xor_si256(
            _mm256_clmulepi64_epi128::<0x10>(x, key.shifted),
            _mm256_clmulepi64_epi128::<0x11>(x, key.h),
        );
        self.low = _mm256_xor_si256(self.low, low);
        self.high = _mm256_xor_si256(self.high, high);
    }

    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn reduce(self) -> __m256i {
        shift(self.low, self.high)
    }
}

/// Three products of halves, each summed over blocks: low, high, and that of the sums.
struct WideSum {
    low: __m256i,
    high: __m256i,
    both: __m256i,
}

impl WideSum {
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn zero() -> Self {
        let zero = _mm256_setzero_si256();
        Self {
            low: zero,
            high: zero,
            both: zero,
        }
    }

    /// `HALF` is 0x00 or 0x10, for the half of `sums` that belongs to `h`.
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn add<const HALF: i32>(&mut self, x: __m256i, h: __m256i, sums: __m256i) {
        let both = _mm256_xor_si256(x, swap(x));
        self.low = _mm256_xor_si256(self.low, _mm256_clmulepi64_epi128::<0x00>(x, h));
        self.high = _mm256_xor_si256(self.high, _mm256_clmulepi64_epi128::<0x11>(x, h));
        self.both = _mm256_xor_si256(self.both, _mm256_clmulepi64_epi128::<HALF>(both, sums));
    }

    /// Divides by x^128, in two steps of 64 bits.
    #[inline]
    #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
    fn reduce(self) -> __m256i {
        let middle = _mm256_xor_si256(self.both, _mm256_xor_si256(self.low, self.high));
        shift(shift(self.low, middle), self.high)
    }
}

/// `high` and what is left of `low`, which lies 64 bits further down, once its lower half has been
/// cleared by adding the multiple of the polynomial that ends in it.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
fn shift(low: __m256i, high: __m256i) -> __m256i {
    let polynomial = _mm256_set1_epi64x(MIRRORED);
    let multiple = _mm256_clmulepi64_epi128::<0x00>(low, polynomial);
    _mm256_xor_si256(_mm256_xor_si256(high, swap(low)), multiple)
}

#[inline]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
fn key(h: __m256i) -> Key {
    let shifted = shift(h, _mm256_setzero_si256());
    Key { h, shifted }
}

#[inline]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
fn multiply(x: __m256i, key: Key) -> __m256i {
    let mut sum = Sum::zero();
    sum.add(x, key);
    sum.reduce()
}

/// The sum of the lanes.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
fn join(x: __m256i) -> __m128i {
    _mm_xor_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x))
}

/// The halves of each lane in each other's place.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
fn swap(x: __m256i) -> __m256i {
    _mm256_shuffle_epi32::<0b01_00_11_10>(x)
}

/// The bytes of each lane in reverse.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
fn reverse(x: __m256i) -> __m256i {
    let reverse = _mm256_setr_epi8(
        15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, //
        15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
    );
    _mm256_shuffle_epi8(x, reverse)
}

/// Two blocks.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
fn load(blocks: &[u8; 32]) -> __m256i {
    // SAFETY: the reference is to 32 bytes that may be read; the load asks for no alignment.
    reverse(unsafe { _mm256_loadu_si256(blocks.as_ptr().cast()) })
}

/// The 1 to 31 bytes `rest`, which are the end of `data`, and zeroes behind them.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
fn load_partial(data: &[u8], rest: &[u8]) -> __m256i {
    match rest.split_first_chunk() {
        None => _mm256_zextsi128_si256(load_padded(data, rest)),
        Some((first, [])) => _mm256_zextsi128_si256(load_one(first)),
        Some((first, partial)) => {
            let first = _mm256_zextsi128_si256(load_one(first));
            _mm256_inserti128_si256::<1>(first, load_padded(data, partial))
        }
    }
}

/// The 1 to 15 bytes `rest`, which are the end of `data`, and zeroes behind them.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
fn load_padded(data: &[u8], rest: &[u8]) -> __m128i {
    match data.last_chunk() {
        Some(block) => _mm_shuffle_epi8(load_bytes(block), load_bytes(end_to_front(rest.len()))),
        None => padded(rest),
    }
}

/// One block.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
fn load_one(block: &[u8; 16]) -> __m128i {
    _mm256_castsi256_si128(reverse(_mm256_zextsi128_si256(load_bytes(block))))
}

/// Two powers of the table.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
fn two(table: &[__m128i], at: usize) -> __m256i {
    let two: &[__m128i] = &table[at..][..2];
    // SAFETY: the slice is of two vectors, 32 bytes; the load asks for no alignment.
    unsafe { _mm256_loadu_si256(two.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
fn store(place: &mut [__m128i; 2], two: __m256i) {
    // SAFETY: the reference is to 32 bytes that may be written; the store asks for no alignment.
    unsafe { _mm256_storeu_si256(place.as_mut_ptr().cast(), two) }
}

impl Kernel for Vpclmul256 {
    type ParBlocksSize = U16;

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
impl Drop for Vpclmul256 {
    fn drop(&mut self) {
        use zeroize::Zeroize;
        self.powers.zeroize();
        self.shifted.zeroize();
        self.sums.zeroize();
    }
}
