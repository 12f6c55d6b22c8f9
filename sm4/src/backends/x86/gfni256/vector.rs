//! Vectors of one and two blocks' length, with the instructions that the kernel needs.
//!
//! A vector holds the token, so that all but loads and stores by pointer are safe, and a shape can be written once
//! for both lengths. Everything here is inlined into functions that enable the features.

use super::super::field::Matrix;
use core::{
    arch::{asm, x86_64::*},
    slice,
};
use shangmi_cpu::Avx2Gfni;

/// A vector `V`, and the proof that its instructions may be used.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Simd<V>(V, Avx2Gfni);

/// One block.
pub(super) type Xmm = Simd<__m128i>;

/// Two blocks.
pub(super) type Ymm = Simd<__m256i>;

/// What the shapes do with vectors of any length.
///
/// # Safety
/// A value is `BLOCKS` blocks in memory, without padding.
pub(super) unsafe trait Vector: Copy {
    /// Blocks in a vector.
    const BLOCKS: usize;

    /// `word` in each word, as it lies in memory.
    fn words(token: Avx2Gfni, word: u32) -> Self;

    /// # Safety
    /// As many bytes as the vector has can be read at `pointer`.
    unsafe fn load(token: Avx2Gfni, pointer: *const u8) -> Self;

    /// # Safety
    /// As many bytes as the vector has can be written at `pointer`.
    unsafe fn store(self, pointer: *mut u8);

    /// `bytes` in each block.
    fn repeated(token: Avx2Gfni, bytes: &[u8; 16]) -> Self;

    fn xor(self, other: Self) -> Self;

    /// `matrix` times each byte.
    fn map(self, matrix: Matrix) -> Self;

    /// `matrix` times the inverse of each byte in AES's field, plus `CONSTANT`.
    fn map_inverse<const CONSTANT: i32>(self, matrix: Matrix) -> Self;

    /// Takes byte `shuffle[i]` of the same block as byte `i`.
    fn shuffle(self, shuffle: Self) -> Self;

    /// The same value; but the compiler does not know that it is, and leaves the order of operations around it alone.
    fn opaque(self) -> Self;

    /// In each block: the first half's words, alternating with those of `other`.
    fn unpack_low_words(self, other: Self) -> Self;

    /// In each block: the second half's words, alternating with those of `other`.
    fn unpack_high_words(self, other: Self) -> Self;

    /// In each block: the first half, then that of `other`.
    fn unpack_low_halves(self, other: Self) -> Self;

    /// In each block: the second half, then that of `other`.
    fn unpack_high_halves(self, other: Self) -> Self;
}

/// Implements the methods of [`Vector`] that are one instruction.
macro_rules! instructions {
    ($vector:ty, $register:ident, $set_words:ident, $set_halves:ident, $xor:ident, $affine:ident, $affine_inverse:ident,
        $shuffle:ident, $low_words:ident, $high_words:ident, $low_halves:ident, $high_halves:ident) => {
        #[inline(always)]
        fn words(token: Avx2Gfni, word: u32) -> Self {
            // SAFETY: the token proves the features.
            Self(unsafe { $set_words(word as i32) }, token)
        }

        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            // SAFETY: the token in the vector proves the features.
            Self(unsafe { $xor(self.0, other.0) }, self.1)
        }

        #[inline(always)]
        fn map(self, matrix: Matrix) -> Self {
            // SAFETY: the token in the vector proves the features.
            Self(unsafe { $affine::<0>(self.0, $set_halves(matrix.gfni() as i64)) }, self.1)
        }

        #[inline(always)]
        fn map_inverse<const CONSTANT: i32>(self, matrix: Matrix) -> Self {
            // SAFETY: the token in the vector proves the features.
            let image = unsafe {
                $affine_inverse::<CONSTANT>(self.0, $set_halves(matrix.gfni() as i64))
            };
            Self(image, self.1)
        }

        #[inline(always)]
        fn shuffle(self, shuffle: Self) -> Self {
            // SAFETY: the token in the vector proves the features.
            Self(unsafe { $shuffle(self.0, shuffle.0) }, self.1)
        }

        #[inline(always)]
        fn opaque(self) -> Self {
            #[inline]
            #[target_feature(enable = "avx2")]
            fn opaque(mut x: $vector) -> $vector {
                // SAFETY: there is no instruction.
                unsafe {
                    asm!(
                        "/* {0} */",
                        inout($register) x,
                        options(pure, nomem, nostack, preserves_flags)
                    );
                }
                x
            }
            // SAFETY: the token in the vector proves the feature.
            Self(unsafe { opaque(self.0) }, self.1)
        }

        #[inline(always)]
        fn unpack_low_words(self, other: Self) -> Self {
            // SAFETY: the token in the vector proves the features.
            Self(unsafe { $low_words(self.0, other.0) }, self.1)
        }

        #[inline(always)]
        fn unpack_high_words(self, other: Self) -> Self {
            // SAFETY: the token in the vector proves the features.
            Self(unsafe { $high_words(self.0, other.0) }, self.1)
        }

        #[inline(always)]
        fn unpack_low_halves(self, other: Self) -> Self {
            // SAFETY: the token in the vector proves the features.
            Self(unsafe { $low_halves(self.0, other.0) }, self.1)
        }

        #[inline(always)]
        fn unpack_high_halves(self, other: Self) -> Self {
            // SAFETY: the token in the vector proves the features.
            Self(unsafe { $high_halves(self.0, other.0) }, self.1)
        }
    };
}

// SAFETY: in memory this is the inner vector alone, as the token has no size.
unsafe impl Vector for Xmm {
    const BLOCKS: usize = 1;

    instructions! {
        __m128i, xmm_reg, _mm_set1_epi32, _mm_set1_epi64x, _mm_xor_si128, _mm_gf2p8affine_epi64_epi8,
        _mm_gf2p8affineinv_epi64_epi8, _mm_shuffle_epi8, _mm_unpacklo_epi32, _mm_unpackhi_epi32,
        _mm_unpacklo_epi64, _mm_unpackhi_epi64
    }

    #[inline(always)]
    fn repeated(token: Avx2Gfni, bytes: &[u8; 16]) -> Self {
        // SAFETY: a reference to as many bytes.
        unsafe { Self::load(token, bytes.as_ptr()) }
    }

    #[inline(always)]
    unsafe fn load(token: Avx2Gfni, pointer: *const u8) -> Self {
        // SAFETY: the token proves the features; the caller says that the bytes can be read.
        Self(unsafe { _mm_loadu_si128(pointer.cast()) }, token)
    }

    #[inline(always)]
    unsafe fn store(self, pointer: *mut u8) {
        // SAFETY: the token proves the features; the caller says that the bytes can be written.
        unsafe { _mm_storeu_si128(pointer.cast(), self.0) }
    }
}

// SAFETY: in memory this is the inner vector alone, as the token has no size.
unsafe impl Vector for Ymm {
    const BLOCKS: usize = 2;

    instructions! {
        __m256i, ymm_reg, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_xor_si256,
        _mm256_gf2p8affine_epi64_epi8, _mm256_gf2p8affineinv_epi64_epi8, _mm256_shuffle_epi8,
        _mm256_unpacklo_epi32, _mm256_unpackhi_epi32, _mm256_unpacklo_epi64, _mm256_unpackhi_epi64
    }

    #[inline(always)]
    fn repeated(token: Avx2Gfni, bytes: &[u8; 16]) -> Self {
        let Simd(block, _) = Xmm::repeated(token, bytes);
        // SAFETY: the token proves the features.
        Self(unsafe { _mm256_broadcastsi128_si256(block) }, token)
    }

    #[inline(always)]
    unsafe fn load(token: Avx2Gfni, pointer: *const u8) -> Self {
        // SAFETY: the token proves the features; the caller says that the bytes can be read.
        Self(unsafe { _mm256_loadu_si256(pointer.cast()) }, token)
    }

    #[inline(always)]
    unsafe fn store(self, pointer: *mut u8) {
        // SAFETY: the token proves the features; the caller says that the bytes can be written.
        unsafe { _mm256_storeu_si256(pointer.cast(), self.0) }
    }
}

impl Ymm {
    #[inline(always)]
    pub(super) fn zero(token: Avx2Gfni) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { _mm256_setzero_si256() }, token)
    }

    /// `byte` in each byte.
    #[inline(always)]
    pub(super) fn bytes(token: Avx2Gfni, byte: u8) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { _mm256_set1_epi8(byte as i8) }, token)
    }

    /// The vector of these bytes.
    #[inline(always)]
    pub(super) fn new(token: Avx2Gfni, bytes: &[u8; 32]) -> Self {
        // SAFETY: a reference to 32 bytes.
        unsafe { Self::load(token, bytes.as_ptr()) }
    }

    #[inline(always)]
    pub(super) fn put(self, bytes: &mut [u8; 32]) {
        // SAFETY: a reference to 32 bytes.
        unsafe { self.store(bytes.as_mut_ptr()) }
    }

    #[inline(always)]
    pub(super) fn as_bytes(vectors: &[Self]) -> &[u8] {
        const { assert!(size_of::<Ymm>() == 32) };
        // SAFETY: a vector is these bytes and the token, which has none.
        unsafe { slice::from_raw_parts(vectors.as_ptr().cast(), size_of_val(vectors)) }
    }

    /// `words` in each block.
    #[inline(always)]
    pub(super) fn repeated_words(token: Avx2Gfni, words: &[u32; 4]) -> Self {
        // SAFETY: the token proves the features; a reference to 16 bytes.
        let block = unsafe { _mm_loadu_si128(words.as_ptr().cast()) };
        // SAFETY: the token proves the features.
        Self(unsafe { _mm256_broadcastsi128_si256(block) }, token)
    }

    /// Word `i` of these vectors in each word.
    #[inline(always)]
    pub(super) fn broadcast(vectors: &[Self; 16], i: usize) -> Self {
        assert!(i < 8 * vectors.len());
        // SAFETY: a vector is eight words, so that there are more than `i`.
        let word = unsafe { vectors.as_ptr().cast::<u32>().add(i).read() };
        Self::words(vectors[0].1, word)
    }

    /// The sums of the words modulo 2^32.
    #[inline(always)]
    pub(super) fn add_words(self, other: Self) -> Self {
        // SAFETY: the token in the vector proves the features.
        Self(unsafe { _mm256_add_epi32(self.0, other.0) }, self.1)
    }

    /// The sums of the bytes modulo 2^8.
    #[inline(always)]
    pub(super) fn add_bytes(self, other: Self) -> Self {
        // SAFETY: the token in the vector proves the features.
        Self(unsafe { _mm256_add_epi8(self.0, other.0) }, self.1)
    }

    /// 0xff in each byte that is less than the one of `other`, else 0.
    #[inline(always)]
    pub(super) fn less(self, other: Self) -> Self {
        // SAFETY: the token in the vector proves the features.
        let not_less = unsafe { _mm256_cmpeq_epi8(_mm256_max_epu8(self.0, other.0), self.0) };
        Self(not_less, self.1).xor(Self::bytes(self.1, 0xff))
    }

    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        // SAFETY: the token in the vector proves the features.
        Self(unsafe { _mm256_and_si256(self.0, other.0) }, self.1)
    }

    /// In each block: the first half's bytes, alternating with those of `other`.
    #[inline(always)]
    pub(super) fn unpack_low_bytes(self, other: Self) -> Self {
        // SAFETY: the token in the vector proves the features.
        Self(unsafe { _mm256_unpacklo_epi8(self.0, other.0) }, self.1)
    }

    /// In each block: the second half's bytes, alternating with those of `other`.
    #[inline(always)]
    pub(super) fn unpack_high_bytes(self, other: Self) -> Self {
        // SAFETY: the token in the vector proves the features.
        Self(unsafe { _mm256_unpackhi_epi8(self.0, other.0) }, self.1)
    }

    #[cfg(feature = "zeroize")]
    #[inline(always)]
    pub(super) fn wipe(&mut self) {
        cipher::zeroize::Zeroize::zeroize(&mut self.0);
    }
}
