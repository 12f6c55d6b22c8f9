//! The instructions that the kernel uses.

use core::arch::x86_64::*;
use shangmi_cpu::Sm4Ni;

/// The SM4 instructions, or a model of them.
///
/// Vectors are of words, each of them a number as the standard has it, and independent lanes of four.
///
/// # Safety
/// A value proves AVX2.
pub(super) unsafe trait Sm4Instructions: Copy {
    /// VSM4KEY4: four steps of the key schedule from the words `k`, with the parameters `ck`.
    fn key4(self, k: __m128i, ck: __m128i) -> __m128i;

    /// VSM4RNDS4: four rounds of the words `x`.
    fn rounds4(self, x: __m128i, keys: __m128i) -> __m128i;

    /// [`Self::rounds4`] in each half.
    fn rounds4_pair(self, x: __m256i, keys: __m256i) -> __m256i;
}

// SAFETY: AVX2 is among the features that the token proves.
unsafe impl Sm4Instructions for Sm4Ni {
    #[inline(always)]
    fn key4(self, k: __m128i, ck: __m128i) -> __m128i {
        // SAFETY: the token proves the features.
        unsafe { _mm_sm4key4_epi32(k, ck) }
    }

    #[inline(always)]
    fn rounds4(self, x: __m128i, keys: __m128i) -> __m128i {
        // SAFETY: the token proves the features.
        unsafe { _mm_sm4rnds4_epi32(x, keys) }
    }

    #[inline(always)]
    fn rounds4_pair(self, x: __m256i, keys: __m256i) -> __m256i {
        // SAFETY: the token proves the features.
        unsafe { _mm256_sm4rnds4_epi32(x, keys) }
    }
}

/// Two blocks.
#[derive(Clone, Copy)]
pub(super) struct Pair<I>(__m256i, I);

/// The shuffle that reverses the bytes of each word.
const WORDS_REVERSED: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

/// The shuffle that reverses a block: the words, and the bytes of each.
const BLOCK_REVERSED: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

impl<I: Sm4Instructions> Pair<I> {
    /// # Safety
    /// 32 bytes can be read at `pointer`.
    #[inline(always)]
    pub(super) unsafe fn load(instructions: I, pointer: *const u8) -> Self {
        // SAFETY: `I` proves AVX2; the caller says that the bytes can be read.
        Self(unsafe { _mm256_loadu_si256(pointer.cast()) }, instructions)
    }

    /// # Safety
    /// 32 bytes can be written at `pointer`.
    #[inline(always)]
    pub(super) unsafe fn store(self, pointer: *mut u8) {
        // SAFETY: `I` proves AVX2; the caller says that the bytes can be written.
        unsafe { _mm256_storeu_si256(pointer.cast(), self.0) }
    }

    /// Two blocks of four words.
    #[inline(always)]
    pub(super) fn new(instructions: I, words: &[[u32; 4]; 2]) -> Self {
        // SAFETY: these are 32 bytes.
        unsafe { Self::load(instructions, words.as_ptr().cast()) }
    }

    #[inline(always)]
    pub(super) fn xor(self, other: Self) -> Self {
        // SAFETY: `I` proves AVX2.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) }, self.1)
    }

    /// The sums of the words modulo 2^32.
    #[inline(always)]
    pub(super) fn add(self, other: Self) -> Self {
        // SAFETY: `I` proves AVX2.
        Self(unsafe { _mm256_add_epi32(self.0, other.0) }, self.1)
    }

    /// Bytes into words.
    #[inline(always)]
    pub(super) fn enter(self) -> Self {
        self.shuffle(&WORDS_REVERSED)
    }

    /// Four rounds.
    #[inline(always)]
    pub(super) fn rounds4(self, keys: &[u32; 4]) -> Self {
        // SAFETY: `I` proves AVX2; this is a reference to 16 bytes.
        let keys = unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(keys.as_ptr().cast())) };
        Self(self.1.rounds4_pair(self.0, keys), self.1)
    }

    /// Words into bytes, with the reversal of the words.
    #[inline(always)]
    pub(super) fn leave(self) -> Self {
        self.shuffle(&BLOCK_REVERSED)
    }

    #[inline(always)]
    fn shuffle(self, shuffle: &[u8; 16]) -> Self {
        // SAFETY: `I` proves AVX2; this is a reference to 16 bytes.
        let shuffle =
            unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(shuffle.as_ptr().cast())) };
        // SAFETY: `I` proves AVX2.
        Self(unsafe { _mm256_shuffle_epi8(self.0, shuffle) }, self.1)
    }
}

/// One block.
#[derive(Clone, Copy)]
pub(super) struct Single<I>(__m128i, I);

impl<I: Sm4Instructions> Single<I> {
    #[inline(always)]
    pub(super) fn new(instructions: I, bytes: &[u8; 16]) -> Self {
        // SAFETY: `I` proves AVX2; this is a reference to 16 bytes.
        Self(
            unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) },
            instructions,
        )
    }

    #[inline(always)]
    pub(super) fn put(self, bytes: &mut [u8; 16]) {
        // SAFETY: `I` proves AVX2; this is a reference to 16 bytes.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    pub(super) fn put_words(self, words: &mut [u32; 4]) {
        // SAFETY: `I` proves AVX2; this is a reference to 16 bytes.
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    pub(super) fn xor_words(self, words: &[u32; 4]) -> Self {
        // SAFETY: `I` proves AVX2.
        Self(unsafe { _mm_xor_si128(self.0, load(words)) }, self.1)
    }

    /// Bytes into words.
    #[inline(always)]
    pub(super) fn enter(self) -> Self {
        self.shuffle(&WORDS_REVERSED)
    }

    /// Four rounds.
    #[inline(always)]
    pub(super) fn rounds4(self, keys: &[u32; 4]) -> Self {
        // SAFETY: `I` proves AVX2.
        Self(self.1.rounds4(self.0, unsafe { load(keys) }), self.1)
    }

    /// Four steps of the key schedule.
    #[inline(always)]
    pub(super) fn key4(self, ck: &[u32; 4]) -> Self {
        // SAFETY: `I` proves AVX2.
        Self(self.1.key4(self.0, unsafe { load(ck) }), self.1)
    }

    /// Words into bytes, with the reversal of the words.
    #[inline(always)]
    pub(super) fn leave(self) -> Self {
        self.shuffle(&BLOCK_REVERSED)
    }

    #[inline(always)]
    fn shuffle(self, shuffle: &[u8; 16]) -> Self {
        // SAFETY: `I` proves AVX2; this is a reference to 16 bytes.
        let shuffle = unsafe { _mm_loadu_si128(shuffle.as_ptr().cast()) };
        // SAFETY: `I` proves AVX2.
        Self(unsafe { _mm_shuffle_epi8(self.0, shuffle) }, self.1)
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(words: &[u32; 4]) -> __m128i {
    // SAFETY: a reference to 16 bytes.
    unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
}
