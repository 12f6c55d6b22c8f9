//! 512-bit vectors with VPCLMULQDQ.
//!
//! A vector holds four blocks. Long inputs run in four lanes: block i goes to lane i modulo 4, all
//! lanes are multiplied by the same powers of `H^4`, eight vectors to a reduction, and a reduction
//! is of the lanes side by side. They come together once, at the end: the last 13 to 16 blocks are
//! multiplied each by its own power, `H^16` to `H`. So the table has 20 powers, where one without
//! lanes needs 32 for as few reductions, and a broadcast from memory does not use the port that all
//! multiplications go through.
//!
//! Field elements are in the order of their bits in memory: bit i of byte j is the coefficient of
//! x^(8j+i). Blocks have the bits of each byte the other way around, and the affine transformation
//! of GFNI turns them, on a port that has time, in place of the shuffle of bytes that the mirrored
//! representation needs.
//!
//! Each power h comes with h · x^64. With them, four multiplications of halves leave 192 bits in
//! place of 256, and a reduction takes one multiplication in place of two.
#![allow(unsafe_code)]

use super::{blocks_of, from_vector, load_bytes, to_vector};
use crate::{Block, Tag, backends::Kernel};
use core::arch::x86_64::{
    __m128i, __m512i, _mm_bslli_si128, _mm_clmulepi64_si128, _mm_gf2p8affine_epi64_epi8,
    _mm_maskz_loadu_epi8, _mm_set_epi64x, _mm_set1_epi64x, _mm_xor_si128, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_xor_si256, _mm512_broadcast_i32x4, _mm512_bslli_epi128,
    _mm512_castsi512_si128, _mm512_castsi512_si256, _mm512_clmulepi64_epi128,
    _mm512_extracti64x4_epi64, _mm512_gf2p8affine_epi64_epi8, _mm512_inserti32x4,
    _mm512_loadu_si512, _mm512_maskz_loadu_epi8, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_shuffle_i32x4, _mm512_storeu_si512, _mm512_ternarylogic_epi64, _mm512_xor_si512,
    _mm512_zextsi128_si512,
};
use shangmi_cpu::Avx512Vpclmul as Token;
use universal_hash::consts::U32;

/// Blocks that share the last reduction.
const WIDTH: usize = 16;

/// Vectors that share a reduction before.
const VECTORS: usize = 8;

/// Powers in the table.
pub(super) const POWERS: usize = WIDTH + VECTORS - WIDTH / 4;

/// Where `H^(4 · n)` stands in the table.
const fn stride(n: usize) -> usize {
    if n <= WIDTH / 4 {
        WIDTH - 4 * n
    } else {
        WIDTH - WIDTH / 4 - 1 + n
    }
}

#[derive(Clone)]
pub(crate) struct Vpclmul512 {
    token: Token,
    /// `H^16` to `H`, then `H^20`, `H^24`, `H^28` and `H^32`.
    powers: [__m128i; POWERS],
    /// The same, times x^64.
    shifted: [__m128i; POWERS],
}

impl Vpclmul512 {
    pub(crate) fn new(h: &Block, token: Token) -> Self {
        // SAFETY: the token proves that the CPU has the features.
        unsafe { Self::set_up(h, token) }
    }

    pub(crate) fn token(&self) -> Token {
        self.token
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
    fn set_up(h: &Block, token: Token) -> Self {
        let h1 = _mm512_zextsi128_si512(reverse(load_bytes(&h.0)));
        let h2 = multiply(h1, key(h1));
        // H^2 and H, times H^2.
        let h21 = _mm512_inserti32x4::<1>(h2, _mm512_castsi512_si128(h1));
        let h43 = multiply(h21, key(_mm512_broadcast_i32x4(_mm512_castsi512_si128(h2))));
        let h4 = _mm512_shuffle_i32x4::<0b01_00_01_00>(h43, h21);
        let h4_key = key(_mm512_shuffle_i32x4::<0>(h4, h4));
        let h8 = multiply(h4, h4_key);
        let h8_key = key(_mm512_shuffle_i32x4::<0>(h8, h8));
        let h16 = multiply(h8, h8_key);
        let h12 = multiply(h4, h8_key);
        let h16_key = key(_mm512_shuffle_i32x4::<0>(h16, h16));
        let strides = _mm512_inserti32x4::<1>(h4, _mm512_castsi512_si128(h8));
        let strides = _mm512_inserti32x4::<2>(strides, _mm512_castsi512_si128(h12));
        let strides = _mm512_inserti32x4::<3>(strides, _mm512_castsi512_si128(h16));
        let strides = multiply(strides, h16_key);
        let mut this = Self {
            token,
            powers: [_mm_set1_epi64x(0); POWERS],
            shifted: [_mm_set1_epi64x(0); POWERS],
        };
        let powers = this.powers.as_chunks_mut().0;
        let shifted = this.shifted.as_chunks_mut().0;
        for (i, vector) in [h16, h12, h8, h4, strides].into_iter().enumerate() {
            let key = key(vector);
            store(&mut powers[i], key.h);
            store(&mut shifted[i], key.shifted);
        }
        this
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
    fn absorb(&self, value: &mut u128, data: &[u8]) {
        if data.len() > 16 {
            return self.absorb_many(value, data);
        }
        let bytes = match data.try_into() {
            Ok(block) => load_bytes(block),
            Err(_) if data.is_empty() => return,
            Err(_) if ends_page(data, 16) => return self.absorb_many(value, data),
            Err(_) => load_masked(data),
        };
        let x = _mm_xor_si128(to_vector(*value), reverse(bytes));
        *value = from_vector(self.one(x));
    }

    /// On its own, so that single blocks do without the stack that this one needs.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
    fn absorb_many(&self, value: &mut u128, data: &[u8]) {
        let y = to_vector(*value);
        let (y, tail) = if data.len() > 16 * WIDTH {
            self.lanes(y, data, 0)
        } else {
            (_mm512_zextsi128_si512(y), data)
        };
        *value = from_vector(self.pass(y, [tail], None));
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
    fn absorb_last(&self, value: &mut u128, mut a: &[u8], mut c: &[u8], last: u128) -> Tag {
        let mut y = _mm512_zextsi128_si512(to_vector(*value));
        if a.len().div_ceil(16) + c.len().div_ceil(16) >= WIDTH {
            if !a.is_empty() {
                self.absorb(value, a);
                a = &[];
                y = _mm512_zextsi128_si512(to_vector(*value));
            }
            if c.len() > 16 * (WIDTH - 1) {
                (y, c) = self.lanes(to_vector(*value), c, 1);
            }
        }
        let last = reverse(to_vector(last.swap_bytes()));
        let y = self.pass(y, [a, c], Some(last));
        from_vector(reverse(y)).to_le_bytes().into()
    }

    /// The product of one block and `H`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
    fn one(&self, x: __m128i) -> __m128i {
        let (h, shifted) = (self.powers[WIDTH - 1], self.shifted[WIDTH - 1]);
        let high = _mm_xor_si128(
            _mm_clmulepi64_si128::<0x10>(x, h),
            _mm_clmulepi64_si128::<0x11>(x, shifted),
        );
        let low = _mm_xor_si128(
            _mm_clmulepi64_si128::<0x00>(x, h),
            _mm_clmulepi64_si128::<0x01>(x, shifted),
        );
        let top = _mm_clmulepi64_si128::<0x01>(high, _mm_set_epi64x(0, POLYNOMIAL));
        _mm_xor_si128(_mm_xor_si128(low, _mm_bslli_si128::<8>(high)), top)
    }

    /// All but the last 13 to 16 of more than 16 blocks, `more` blocks behind `data` included.
    /// Returns the running value of each lane, to be added to the four blocks that follow, and what
    /// is left of `data`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
    fn lanes<'a>(&self, y: __m128i, data: &'a [u8], more: usize) -> (__m512i, &'a [u8]) {
        let mut y = _mm512_zextsi128_si512(y);
        let count = data.len().div_ceil(16) + more;
        let (head, tail) = data.split_at((count - WIDTH).div_ceil(4) * 64);
        let (steps, rest) = head.as_chunks();
        for vectors in steps {
            y = self.step(y, vectors);
        }
        let (vectors, _) = rest.as_chunks();
        if !vectors.is_empty() {
            let mut sum = Sum::zero();
            for (i, vector) in vectors.iter().enumerate() {
                let n = stride(vectors.len() - i);
                let x = _mm512_xor_si512(load(vector), y);
                sum.add(x, self.broadcast(n));
                y = _mm512_setzero_si512();
            }
            y = sum.reduce();
        }
        (y, tail)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
    fn broadcast(&self, at: usize) -> Key {
        Key {
            h: _mm512_broadcast_i32x4(self.powers[at]),
            shifted: _mm512_broadcast_i32x4(self.shifted[at]),
        }
    }

    /// Eight vectors, in lanes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
    fn step(&self, y: __m512i, vectors: &[u8; 64 * VECTORS]) -> __m512i {
        let (vectors, _) = vectors.as_chunks();
        let mut sum = Sum::zero();
        // The first vector carries the running values: last in line, it is waited for least.
        for i in (1..VECTORS).rev() {
            sum.add(load(&vectors[i]), self.broadcast(stride(VECTORS - i)));
        }
        let x = _mm512_xor_si512(load(&vectors[0]), y);
        sum.add(x, self.broadcast(stride(VECTORS)));
        sum.reduce()
    }

    /// Up to 16 blocks, with one reduction. Each part is filled up with zeroes to whole blocks,
    /// and `last` is one more.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
    fn pass<const N: usize>(
        &self,
        mut y: __m512i,
        parts: [&[u8]; N],
        last: Option<__m128i>,
    ) -> __m128i {
        let mut left = blocks_of(&parts) + usize::from(last.is_some());
        let mut sum = Sum::zero();
        for part in parts {
            let (vectors, rest) = part.as_chunks();
            for vector in vectors {
                let x = _mm512_xor_si512(load(vector), y);
                sum.add(x, self.last(left));
                y = _mm512_setzero_si512();
                left -= 4;
            }
            if !rest.is_empty() {
                // Lanes without a block are zero: their powers are whatever follows in the table.
                let x = _mm512_xor_si512(load_partial(rest), y);
                sum.add(x, self.last(left));
                y = _mm512_setzero_si512();
                left -= rest.len().div_ceil(16);
            }
        }
        if let Some(last) = last {
            let x = _mm512_xor_si512(_mm512_zextsi128_si512(last), y);
            sum.add(x, self.last(1));
        }
        join(sum.reduce())
    }

    /// The powers for four blocks of which the first is followed by `left - 1` blocks.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
    fn last(&self, left: usize) -> Key {
        Key {
            h: four(&self.powers, WIDTH - left),
            shifted: four(&self.shifted, WIDTH - left),
        }
    }
}

#[derive(Clone, Copy)]
struct Key {
    h: __m512i,
    /// `h` times x^64.
    shifted: __m512i,
}

/// Products summed over blocks, in two overlapping parts of 128 bits each.
struct Sum {
    low: __m512i,
    /// 64 bits further up.
    high: __m512i,
}

impl Sum {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
    fn zero() -> Self {
        let zero = _mm512_setzero_si512();
        Self {
            low: zero,
            high: zero,
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
    fn add(&mut self, x: __m512i, key: Key) {
        self.high = sum_of_three(
            self.high,
            _mm512_clmulepi64_epi128::<0x10>(x, key.h),
            _mm512_clmulepi64_epi128::<0x11>(x, key.shifted),
        );
        self.low = sum_of_three(
            self.low,
            _mm512_clmulepi64_epi128::<0x00>(x, key.h),
            _mm512_clmulepi64_epi128::<0x01>(x, key.shifted),
        );
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
    fn reduce(self) -> __m512i {
        sum_of_three(self.low, shift(self.high), fold(self.high))
    }
}

/// x^7 + x^2 + x + 1: what x^128 is equal to.
const POLYNOMIAL: i64 = 0b1000_0111;

/// The lower half, times x^64.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
fn shift(x: __m512i) -> __m512i {
    _mm512_bslli_epi128::<8>(x)
}

/// The upper half, times x^128.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
fn fold(x: __m512i) -> __m512i {
    _mm512_clmulepi64_epi128::<0x01>(x, _mm512_set1_epi64(POLYNOMIAL))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
fn sum_of_three(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0b1001_0110>(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
fn key(h: __m512i) -> Key {
    let shifted = _mm512_xor_si512(shift(h), fold(h));
    Key { h, shifted }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
fn multiply(x: __m512i, key: Key) -> __m512i {
    let mut sum = Sum::zero();
    sum.add(x, key);
    sum.reduce()
}

/// The sum of the lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
fn join(x: __m512i) -> __m128i {
    let x = _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64::<1>(x));
    _mm_xor_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x))
}

/// The bits of each byte in reverse.
const REVERSE: i64 = 0x8040_2010_0804_0201_u64 as i64;

/// Four blocks.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
fn load(blocks: &[u8; 64]) -> __m512i {
    // SAFETY: the reference is to 64 bytes that may be read; the load asks for no alignment.
    let bytes = unsafe { _mm512_loadu_si512(blocks.as_ptr().cast()) };
    _mm512_gf2p8affine_epi64_epi8::<0>(bytes, _mm512_set1_epi64(REVERSE))
}

/// 1 to 63 bytes, and zeroes behind them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
fn load_partial(data: &[u8]) -> __m512i {
    let bytes = if ends_page(data, 64) {
        load_backwards(data)
    } else {
        let mask = (1 << data.len()) - 1;
        // SAFETY: the mask is of the bytes of `data`, and the load touches no others.
        unsafe { _mm512_maskz_loadu_epi8(mask, data.as_ptr().cast()) }
    };
    _mm512_gf2p8affine_epi64_epi8::<0>(bytes, _mm512_set1_epi64(REVERSE))
}

/// 1 to 15 bytes, and zeroes behind them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
fn load_masked(data: &[u8]) -> __m128i {
    let mask = ((1_u32 << data.len()) - 1) as u16;
    // SAFETY: the mask is of the bytes of `data`, and the load touches no others.
    unsafe { _mm_maskz_loadu_epi8(mask, data.as_ptr().cast()) }
}

/// Whether `data` ends in the page in which it starts, but a load of `size` bytes does not.
///
/// If the next page is not there, the CPU takes hundreds of cycles to see that the mask leaves it
/// out.
#[inline]
fn ends_page(data: &[u8], size: usize) -> bool {
    const PAGE: usize = 4096;
    let start = data.as_ptr().addr() % PAGE;
    start + size > PAGE && start + data.len() <= PAGE
}

/// 1 to 63 bytes, and zeroes behind them, by a load of the 64 bytes that end with them.
#[cold]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
fn load_backwards(data: &[u8]) -> __m512i {
    let before = 64 - data.len();
    let mask = u64::MAX << before;
    // SAFETY: the mask is of the bytes of `data`, and the load touches no others.
    let bytes = unsafe { _mm512_maskz_loadu_epi8(mask, data.as_ptr().wrapping_sub(before).cast()) };
    let mut window = [0_u8; 128];
    // SAFETY: the first half of `window` is 64 bytes; the store asks for no alignment.
    unsafe { _mm512_storeu_si512(window.as_mut_ptr().cast(), bytes) };
    let window: &[u8] = &window[before..][..64];
    // SAFETY: the slice is of 64 bytes; the load asks for no alignment.
    unsafe { _mm512_loadu_si512(window.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
fn reverse(x: __m128i) -> __m128i {
    _mm_gf2p8affine_epi64_epi8::<0>(x, _mm_set1_epi64x(REVERSE))
}

/// Four powers of the table.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
fn four(table: &[__m128i; POWERS], at: usize) -> __m512i {
    let four: &[__m128i] = &table[at..][..4];
    // SAFETY: the slice is of four vectors, 64 bytes; the load asks for no alignment.
    unsafe { _mm512_loadu_si512(four.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
fn store(place: &mut [__m128i; 4], four: __m512i) {
    // SAFETY: the reference is to 64 bytes that may be written; the store asks for no alignment.
    unsafe { _mm512_storeu_si512(place.as_mut_ptr().cast(), four) }
}

impl Kernel for Vpclmul512 {
    type ParBlocksSize = U32;

    fn enter(&self, block: u128) -> u128 {
        block.reverse_bits()
    }

    #[inline]
    fn leave(&self, y: u128) -> Tag {
        y.reverse_bits().to_be_bytes().into()
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
impl Drop for Vpclmul512 {
    fn drop(&mut self) {
        use zeroize::Zeroize;
        self.powers.zeroize();
        self.shifted.zeroize();
    }
}
