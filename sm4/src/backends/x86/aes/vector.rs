//! The instructions that the kernels are made of, for either width.

use core::arch::{asm, x86_64::*};
use shangmi_cpu::{AesNi, Avx2Aes, Avx2Vaes};

/// A vector of 128-bit lanes and the operations on it, in the hand of a proof that the machine has them.
///
/// Everything is inlined into the functions of the backends that enable the features.
///
/// # Safety
/// [`Self::V`] is `16·LANES` bytes, without padding.
pub(crate) unsafe trait Vector: Copy {
    type V: Copy;

    /// Lanes of 16 bytes.
    const LANES: usize;

    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;

    /// Adds words of 32 bits.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;

    /// Shifts words of 16 bits to the right by four.
    fn shift_right_4(self, a: Self::V) -> Self::V;

    /// In each lane, the bytes of `a` that `indices` name.
    fn shuffle(self, a: Self::V, indices: Self::V) -> Self::V;

    /// In each lane, ShiftRows and SubBytes of AES, and the addition of `key`.
    fn aes_last(self, a: Self::V, key: Self::V) -> Self::V;

    fn unpack_low_8(self, a: Self::V, b: Self::V) -> Self::V;
    fn unpack_high_8(self, a: Self::V, b: Self::V) -> Self::V;
    fn unpack_low_32(self, a: Self::V, b: Self::V) -> Self::V;
    fn unpack_high_32(self, a: Self::V, b: Self::V) -> Self::V;
    fn unpack_low_64(self, a: Self::V, b: Self::V) -> Self::V;
    fn unpack_high_64(self, a: Self::V, b: Self::V) -> Self::V;

    /// The same word everywhere.
    fn word(self, word: u32) -> Self::V;

    /// The same 16 bytes in each lane.
    fn lane(self, bytes: &[u8; 16]) -> Self::V;

    /// The words `LANES·i + lane`, where `i` is the number of the word in its lane.
    fn count(self) -> Self::V;

    /// The same value, of which the compiler does not know where it comes from: keeps sums in the order in which they
    /// are written.
    fn opaque(self, a: Self::V) -> Self::V;

    /// The same for four values: they are there before the next ones of other calls.
    fn pin(self, a: [Self::V; 4]) -> [Self::V; 4];

    /// # Safety
    /// `from` is valid for reads of `16·LANES` bytes.
    unsafe fn load(self, from: *const u8) -> Self::V;

    /// Loads one block a lane.
    ///
    /// # Safety
    /// The pointers that `from` gives for the lanes are valid for reads of 16 bytes.
    unsafe fn load_lanes(self, from: impl Fn(usize) -> *const u8) -> Self::V;

    /// # Safety
    /// `to` is valid for writes of `16·LANES` bytes.
    unsafe fn store(self, to: *mut u8, a: Self::V);

    /// Stores one block a lane, the first lane last.
    ///
    /// # Safety
    /// The pointers that `to` gives for the lanes are valid for writes of 16 bytes.
    unsafe fn store_lanes(self, to: impl Fn(usize) -> *mut u8, a: Self::V);
}

/// A proof that the machine has `ssse3`, `sse4.1` and `aes`.
///
/// # Safety
/// There are values of the type on machines that have these only.
pub(crate) unsafe trait HasAes: Copy {}

// SAFETY: this token proves the three.
unsafe impl HasAes for AesNi {}
// SAFETY: this token proves `avx2`, which includes the first two, and `aes`.
unsafe impl HasAes for Avx2Aes {}
// SAFETY: this token proves `avx2`, which includes the first two, and `aes`.
unsafe impl HasAes for Avx2Vaes {}

/// One lane.
#[derive(Clone, Copy)]
pub(crate) struct Xmm<T>(pub(crate) T);

impl<T: HasAes> Xmm<T> {
    /// Four words as they lie in memory.
    #[inline(always)]
    pub(crate) fn words(self, words: &[u32; 4]) -> __m128i {
        // SAFETY: the reference is valid for reads of 16 bytes.
        unsafe { self.load(words.as_ptr().cast()) }
    }

    /// A lane as it lies in memory.
    #[inline(always)]
    pub(crate) fn to_bytes(self, a: __m128i) -> [u8; 16] {
        let mut bytes = [0; 16];
        // SAFETY: the array is valid for writes of 16 bytes.
        unsafe { self.store(bytes.as_mut_ptr(), a) };
        bytes
    }

    /// The inverse of [`Self::words`].
    #[inline(always)]
    pub(crate) fn to_words(self, a: __m128i) -> [u32; 4] {
        let mut words = [0; 4];
        // SAFETY: the array is valid for writes of 16 bytes.
        unsafe { self.store(words.as_mut_ptr().cast(), a) };
        words
    }
}

/// Two lanes.
#[derive(Clone, Copy)]
pub(crate) struct Ymm<T>(pub(crate) T);

/// A proof that the machine has `avx2` and `aes`, and how it takes two lanes through the round instruction.
///
/// # Safety
/// There are values of the type on machines that have these only.
pub(crate) unsafe trait AesLast256: Copy {
    fn aes_last_256(self, a: __m256i, key: __m256i) -> __m256i;
}

// SAFETY: this token proves both.
unsafe impl AesLast256 for Avx2Aes {
    #[inline(always)]
    fn aes_last_256(self, a: __m256i, key: __m256i) -> __m256i {
        // SAFETY: this token proves `avx2` and `aes`.
        unsafe {
            let key = _mm256_castsi256_si128(key);
            let low = _mm_aesenclast_si128(_mm256_castsi256_si128(a), key);
            let high = _mm_aesenclast_si128(_mm256_extracti128_si256::<1>(a), key);
            _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
        }
    }
}

// SAFETY: this token proves both.
unsafe impl AesLast256 for Avx2Vaes {
    #[inline(always)]
    fn aes_last_256(self, a: __m256i, key: __m256i) -> __m256i {
        // SAFETY: this token proves `vaes`.
        unsafe { _mm256_aesenclast_epi128(a, key) }
    }
}

/// Methods that are one intrinsic each.
macro_rules! intrinsics {
    ($($method:ident($($arg:ident),+) = $intrinsic:expr;)+) => {$(
        #[inline(always)]
        fn $method(self, $($arg: Self::V),+) -> Self::V {
            // SAFETY: the token in `self` proves the instruction's feature.
            unsafe { $intrinsic($($arg),+) }
        }
    )+};
}

// SAFETY: `__m128i` is 16 bytes.
unsafe impl<T: HasAes> Vector for Xmm<T> {
    type V = __m128i;
    const LANES: usize = 1;

    intrinsics! {
        xor(a, b) = _mm_xor_si128;
        and(a, b) = _mm_and_si128;
        add(a, b) = _mm_add_epi32;
        shift_right_4(a) = _mm_srli_epi16::<4>;
        shuffle(a, indices) = _mm_shuffle_epi8;
        aes_last(a, key) = _mm_aesenclast_si128;
        unpack_low_8(a, b) = _mm_unpacklo_epi8;
        unpack_high_8(a, b) = _mm_unpackhi_epi8;
        unpack_low_32(a, b) = _mm_unpacklo_epi32;
        unpack_high_32(a, b) = _mm_unpackhi_epi32;
        unpack_low_64(a, b) = _mm_unpacklo_epi64;
        unpack_high_64(a, b) = _mm_unpackhi_epi64;
    }

    #[inline(always)]
    fn opaque(self, a: Self::V) -> Self::V {
        #[target_feature(enable = "sse2")]
        #[inline]
        fn opaque(mut a: __m128i) -> __m128i {
            // SAFETY: there is no instruction.
            unsafe {
                asm!("/* {} */", inout(xmm_reg) a, options(pure, nomem, nostack, preserves_flags))
            };
            a
        }
        // SAFETY: the token in `self` proves `ssse3`, which includes it.
        unsafe { opaque(a) }
    }

    #[inline(always)]
    fn pin(self, a: [Self::V; 4]) -> [Self::V; 4] {
        #[target_feature(enable = "sse2")]
        #[inline]
        fn pin([mut a, mut b, mut c, mut d]: [__m128i; 4]) -> [__m128i; 4] {
            // SAFETY: there is no instruction.
            unsafe {
                asm!(
                    "/* {} {} {} {} */",
                    inout(xmm_reg) a,
                    inout(xmm_reg) b,
                    inout(xmm_reg) c,
                    inout(xmm_reg) d,
                    options(nomem, nostack, preserves_flags)
                );
            }
            [a, b, c, d]
        }
        // SAFETY: the token in `self` proves `ssse3`, which includes it.
        unsafe { pin(a) }
    }

    #[inline(always)]
    fn word(self, word: u32) -> Self::V {
        // SAFETY: the token in `self` proves `ssse3`, which includes `sse2`.
        unsafe { _mm_set1_epi32(word.cast_signed()) }
    }

    #[inline(always)]
    fn lane(self, bytes: &[u8; 16]) -> Self::V {
        // SAFETY: the reference is valid for reads of 16 bytes.
        unsafe { self.load(bytes.as_ptr()) }
    }

    #[inline(always)]
    fn count(self) -> Self::V {
        // SAFETY: the token in `self` proves `ssse3`, which includes `sse2`.
        unsafe { _mm_setr_epi32(0, 1, 2, 3) }
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u8) -> Self::V {
        // SAFETY: the caller says that `from` is valid for 16 bytes; no alignment is needed. The token in `self`
        // proves `ssse3`.
        unsafe { _mm_loadu_si128(from.cast()) }
    }

    #[inline(always)]
    unsafe fn load_lanes(self, from: impl Fn(usize) -> *const u8) -> Self::V {
        // SAFETY: as the caller says.
        unsafe { self.load(from(0)) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8, a: Self::V) {
        // SAFETY: the caller says that `to` is valid for 16 bytes; no alignment is needed. The token in `self` proves
        // `ssse3`.
        unsafe { _mm_storeu_si128(to.cast(), a) }
    }

    #[inline(always)]
    unsafe fn store_lanes(self, to: impl Fn(usize) -> *mut u8, a: Self::V) {
        // SAFETY: as the caller says.
        unsafe { self.store(to(0), a) }
    }
}

// SAFETY: `__m256i` is 32 bytes.
unsafe impl<T: AesLast256> Vector for Ymm<T> {
    type V = __m256i;
    const LANES: usize = 2;

    intrinsics! {
        xor(a, b) = _mm256_xor_si256;
        and(a, b) = _mm256_and_si256;
        add(a, b) = _mm256_add_epi32;
        shift_right_4(a) = _mm256_srli_epi16::<4>;
        shuffle(a, indices) = _mm256_shuffle_epi8;
        unpack_low_8(a, b) = _mm256_unpacklo_epi8;
        unpack_high_8(a, b) = _mm256_unpackhi_epi8;
        unpack_low_32(a, b) = _mm256_unpacklo_epi32;
        unpack_high_32(a, b) = _mm256_unpackhi_epi32;
        unpack_low_64(a, b) = _mm256_unpacklo_epi64;
        unpack_high_64(a, b) = _mm256_unpackhi_epi64;
    }

    #[inline(always)]
    fn aes_last(self, a: Self::V, key: Self::V) -> Self::V {
        self.0.aes_last_256(a, key)
    }

    #[inline(always)]
    fn opaque(self, a: Self::V) -> Self::V {
        #[target_feature(enable = "avx2")]
        #[inline]
        fn opaque(mut a: __m256i) -> __m256i {
            // SAFETY: there is no instruction.
            unsafe {
                asm!("/* {} */", inout(ymm_reg) a, options(pure, nomem, nostack, preserves_flags))
            };
            a
        }
        // SAFETY: the token in `self` proves `avx2`.
        unsafe { opaque(a) }
    }

    #[inline(always)]
    fn pin(self, a: [Self::V; 4]) -> [Self::V; 4] {
        #[target_feature(enable = "avx2")]
        #[inline]
        fn pin([mut a, mut b, mut c, mut d]: [__m256i; 4]) -> [__m256i; 4] {
            // SAFETY: there is no instruction.
            unsafe {
                asm!(
                    "/* {} {} {} {} */",
                    inout(ymm_reg) a,
                    inout(ymm_reg) b,
                    inout(ymm_reg) c,
                    inout(ymm_reg) d,
                    options(nomem, nostack, preserves_flags)
                );
            }
            [a, b, c, d]
        }
        // SAFETY: the token in `self` proves `avx2`.
        unsafe { pin(a) }
    }

    #[inline(always)]
    fn word(self, word: u32) -> Self::V {
        // SAFETY: the token in `self` proves `avx2`.
        unsafe { _mm256_set1_epi32(word.cast_signed()) }
    }

    #[inline(always)]
    fn lane(self, bytes: &[u8; 16]) -> Self::V {
        // SAFETY: the reference is valid for reads of 16 bytes; the token in `self` proves `avx2`.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
    }

    #[inline(always)]
    fn count(self) -> Self::V {
        // SAFETY: the token in `self` proves `avx2`.
        unsafe { _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7) }
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u8) -> Self::V {
        // SAFETY: the caller says that `from` is valid for 32 bytes; no alignment is needed. The token in
        // `self` proves `avx2`.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn load_lanes(self, from: impl Fn(usize) -> *const u8) -> Self::V {
        // SAFETY: the caller says that both pointers are valid for 16 bytes; no alignment is needed. The token in
        // `self` proves `avx2`.
        unsafe {
            let low = _mm256_castsi128_si256(_mm_loadu_si128(from(0).cast()));
            _mm256_inserti128_si256::<1>(low, _mm_loadu_si128(from(1).cast()))
        }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8, a: Self::V) {
        // SAFETY: the caller says that `to` is valid for 32 bytes; no alignment is needed. The token in
        // `self` proves `avx2`.
        unsafe { _mm256_storeu_si256(to.cast(), a) }
    }

    #[inline(always)]
    unsafe fn store_lanes(self, to: impl Fn(usize) -> *mut u8, a: Self::V) {
        // SAFETY: the caller says that both pointers are valid for 16 bytes; no alignment is needed. The token in
        // `self` proves `avx2`.
        unsafe {
            _mm_storeu_si128(to(1).cast(), _mm256_extracti128_si256::<1>(a));
            _mm_storeu_si128(to(0).cast(), _mm256_castsi256_si128(a));
        }
    }
}
