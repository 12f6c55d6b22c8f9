//! Vectors of one, two and four blocks' length, with the instructions that the kernel needs.
//!
//! A vector holds the token, so that all but loads and stores by pointer are safe, and the shapes can be
//! written once for the three lengths. Everything here is inlined into functions that enable the features.

use super::super::field::Matrix;
use core::arch::x86_64::*;
use shangmi_cpu::Avx512Gfni;

/// A vector `V`, and the proof that its instructions may be used. In memory it is the vector alone.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Simd<V>(V, Avx512Gfni);

/// One block.
pub(super) type Xmm = Simd<__m128i>;
/// Two blocks.
pub(super) type Ymm = Simd<__m256i>;
/// Four blocks.
pub(super) type Zmm = Simd<__m512i>;

/// What the shapes do with vectors of any length.
///
/// # Safety
/// A value is `BYTES` bytes in memory, none of them padding.
pub(super) unsafe trait Vector: Copy {
    /// The length in bytes.
    const BYTES: usize;

    fn zero(token: Avx512Gfni) -> Self;

    /// `word` in each word, as it lies in memory.
    fn words(token: Avx512Gfni, word: u32) -> Self;

    /// The word at `pointer` in each word, as it lies in memory.
    ///
    /// # Safety
    /// Four bytes can be read there.
    unsafe fn broadcast(token: Avx512Gfni, pointer: *const u32) -> Self;

    /// # Safety
    /// `BYTES` bytes can be read at `pointer`.
    unsafe fn load(token: Avx512Gfni, pointer: *const u8) -> Self;

    /// Loads `n` bytes, or `BYTES` if there are more, and zeros behind them.
    ///
    /// # Safety
    /// So many bytes can be read at `pointer`.
    unsafe fn load_part(token: Avx512Gfni, pointer: *const u8, n: usize) -> Self;

    /// Loads like `load_part`, but `block` in place of the first 16 bytes.
    ///
    /// # Safety
    /// The bytes from the 17th on can be read.
    unsafe fn load_behind(block: Xmm, pointer: *const u8, n: usize) -> Self;

    /// # Safety
    /// `BYTES` bytes can be written at `pointer`.
    unsafe fn store(self, pointer: *mut u8);

    /// Stores the first `n` bytes, or all if `n` is greater.
    ///
    /// # Safety
    /// So many bytes can be written at `pointer`.
    unsafe fn store_part(self, pointer: *mut u8, n: usize);

    /// A block from each of as many pointers as there are lanes.
    ///
    /// # Safety
    /// 16 bytes can be read at each.
    unsafe fn gather(token: Avx512Gfni, pointer: impl Fn(usize) -> *const u8) -> Self;

    /// Puts the blocks to as many pointers.
    ///
    /// # Safety
    /// 16 bytes can be written at each.
    unsafe fn scatter(self, pointer: impl Fn(usize) -> *mut u8);

    /// `start + k·lanes + l`, modulo 2^32, in word `k` of lane `l`, as it lies in memory in the blocks.
    fn counters(token: Avx512Gfni, start: u32) -> Self;

    /// The bytes of each word in reverse.
    fn reverse_words(self) -> Self;

    /// Adds one to each word, and where that makes 0, to the word of `high`.
    fn count(self, high: Self) -> (Self, Self);

    fn xor(self, b: Self) -> Self;

    /// The sum of three.
    fn xor3(self, b: Self, c: Self) -> Self;

    /// The image of each byte.
    fn map(self, matrix: Matrix) -> Self;

    /// The image of the inverse of each byte in AES's field, plus `C`.
    fn map_inverse<const C: i32>(self, matrix: Matrix) -> Self;

    /// Turns each word left by one byte, by a rotation.
    fn turn_1(self) -> Self;

    /// Turns each word left by three bytes, by a rotation.
    fn turn_3(self) -> Self;

    /// The shuffle for [`Self::turn_by`] of `n` bytes.
    fn turn(token: Avx512Gfni, n: usize) -> Self;

    /// Turns each word, by a shuffle: an instruction for another port than the rotation's.
    fn turn_by(self, turn: Self) -> Self;

    /// Block `i`, modulo the number of blocks.
    fn lane(self, i: usize) -> Xmm;

    /// In each lane of 16 bytes: the first half's bytes, alternating with those of `b`.
    fn unpack_low_bytes(self, b: Self) -> Self;
    /// In each lane of 16 bytes: the second half's bytes, alternating with those of `b`.
    fn unpack_high_bytes(self, b: Self) -> Self;
    /// In each lane of 16 bytes: the first half's words, alternating with those of `b`.
    fn unpack_low_words(self, b: Self) -> Self;
    /// In each lane of 16 bytes: the second half's words, alternating with those of `b`.
    fn unpack_high_words(self, b: Self) -> Self;
    /// In each lane of 16 bytes: the first half, then that of `b`.
    fn unpack_low_halves(self, b: Self) -> Self;
    /// In each lane of 16 bytes: the second half, then that of `b`.
    fn unpack_high_halves(self, b: Self) -> Self;
}

/// The shuffle that turns words left by `n` bytes.
const fn turned(n: u8) -> [u8; 64] {
    let mut indices = [0; 64];
    let mut i = 0;
    while i < 64 {
        indices[i] = (i as u8 & 12) | (i as u8 + n) & 3;
        i += 1;
    }
    indices
}

/// What the words of lane `l` of so many count: `k·lanes + l`.
const fn counts(lanes: u32) -> [u32; 16] {
    let mut counts = [0; 16];
    let mut i = 0;
    while i < 16 {
        counts[i as usize] = i % 4 * lanes + i / 4;
        i += 1;
    }
    counts
}

/// The shuffle that reverses the bytes of each word.
static REVERSED: [u8; 64] = {
    let mut indices = [0; 64];
    let mut i = 0;
    while i < 64 {
        indices[i] = i as u8 & 15 ^ 3;
        i += 1;
    }
    indices
};

/// The shuffles that take each byte four times, in the order of memory, and word by word from the end.
static SPREAD: [[u8; 64]; 2] = {
    let mut indices = [[0; 64]; 2];
    let mut i = 0;
    while i < 64 {
        indices[0][i] = (i / 4) as u8;
        indices[1][i] = (i / 4) as u8 ^ 12;
        i += 1;
    }
    indices
};

static TURNED: [[u8; 64]; 4] = [turned(0), turned(1), turned(2), turned(3)];

macro_rules! vector {
    ($name:ident($inner:ident), $mask:ident:
        $zero:ident $set32:ident $set64:ident $load:ident $maskz_load:ident $mask_load:ident $lengthen:ident $store:ident $mask_store:ident
        $add:ident $mask_add:ident $testn:ident $rotate:ident $xor:ident $ternary:ident $affine:ident $affine_inverse:ident $shuffle:ident
        $in_register:ident $widen:ident $lo8:ident $hi8:ident $lo32:ident $hi32:ident $lo64:ident $hi64:ident
    ) => {
        // SAFETY: in memory this is the inner vector alone, as the token has no size.
        unsafe impl Vector for $name {
            const BYTES: usize = size_of::<$inner>();

            #[inline(always)]
            fn zero(token: Avx512Gfni) -> Self {
                // SAFETY: the token proves the features.
                Self(unsafe { $zero() }, token)
            }

            #[inline(always)]
            fn words(token: Avx512Gfni, word: u32) -> Self {
                // SAFETY: the token proves the features.
                Self(unsafe { $set32(word as i32) }, token)
            }

            #[inline(always)]
            unsafe fn broadcast(token: Avx512Gfni, pointer: *const u32) -> Self {
                // SAFETY: the token proves the features; the caller vouches for the pointer.
                Self(unsafe { $set32(pointer.read_unaligned() as i32) }, token)
            }

            #[inline(always)]
            unsafe fn load(token: Avx512Gfni, pointer: *const u8) -> Self {
                // SAFETY: the token proves the features; the caller vouches for the pointer, which
                // this instruction needs no alignment of.
                Self(unsafe { $load(pointer.cast()) }, token)
            }

            #[inline(always)]
            unsafe fn load_part(token: Avx512Gfni, pointer: *const u8, n: usize) -> Self {
                // SAFETY: the token proves the features; the caller vouches for the bytes that the
                // mask selects, and the instruction does not touch others.
                Self(unsafe { $maskz_load(first(n) as $mask, pointer.cast()) }, token)
            }

            #[inline(always)]
            unsafe fn load_behind(block: Xmm, pointer: *const u8, n: usize) -> Self {
                let mask = first(n) & !0xffff;
                // SAFETY: as for `load_part`.
                unsafe { Self($mask_load($lengthen(block.0), mask as $mask, pointer.cast()), block.1) }
            }

            #[inline(always)]
            unsafe fn store(self, pointer: *mut u8) {
                // SAFETY: as for `load`.
                unsafe { $store(pointer.cast(), self.0) }
            }

            #[inline(always)]
            unsafe fn store_part(self, pointer: *mut u8, n: usize) {
                // SAFETY: as for `load_part`.
                unsafe { $mask_store(pointer.cast(), first(n) as $mask, self.0) }
            }

            #[inline(always)]
            unsafe fn gather(token: Avx512Gfni, pointer: impl Fn(usize) -> *const u8) -> Self {
                // SAFETY: the caller vouches for the pointers.
                let block = |lane| unsafe { Xmm::load(token, pointer(lane)) };
                Self::of_blocks(block)
            }

            #[inline(always)]
            unsafe fn scatter(self, pointer: impl Fn(usize) -> *mut u8) {
                for (lane, block) in self.blocks().into_iter().enumerate() {
                    // SAFETY: the caller vouches for the pointers.
                    unsafe { block.store(pointer(lane)) }
                }
            }

            #[inline(always)]
            fn counters(token: Avx512Gfni, start: u32) -> Self {
                static COUNTS: [u32; 16] = counts(size_of::<$inner>() as u32 / 16);
                // SAFETY: the token proves the features; the statics are as long as the longest vector.
                unsafe {
                    let counters = $add($set32(start as i32), $load(COUNTS.as_ptr().cast()));
                    Self($shuffle(counters, $load(REVERSED.as_ptr().cast())), token)
                }
            }

            #[inline(always)]
            fn reverse_words(self) -> Self {
                // SAFETY: the token proves the features; the static is as long as the longest vector.
                Self(unsafe { $shuffle(self.0, $load(REVERSED.as_ptr().cast())) }, self.1)
            }

            #[inline(always)]
            fn count(self, high: Self) -> (Self, Self) {
                // SAFETY: the token proves the features.
                unsafe {
                    let one = $set32(1);
                    let low = $add(self.0, one);
                    let carry = $testn(low, low);
                    (Self(low, self.1), Self($mask_add(high.0, carry, high.0, one), self.1))
                }
            }

            #[inline(always)]
            fn xor(self, b: Self) -> Self {
                // SAFETY: the token proves the features.
                Self(unsafe { $xor(self.0, b.0) }, self.1)
            }

            #[inline(always)]
            fn xor3(self, b: Self, c: Self) -> Self {
                // SAFETY: the token proves the features.
                Self(unsafe { $ternary::<0x96>(self.0, b.0, c.0) }, self.1)
            }

            #[inline(always)]
            fn map(self, matrix: Matrix) -> Self {
                // SAFETY: the token proves the features.
                Self(unsafe { $affine::<0>(self.0, $set64(matrix.gfni() as i64)) }, self.1)
            }

            #[inline(always)]
            fn map_inverse<const C: i32>(self, matrix: Matrix) -> Self {
                // SAFETY: the token proves the features.
                let image = unsafe {
                    let matrix = $in_register($set64(matrix.gfni() as i64));
                    $affine_inverse::<C>(self.0, matrix)
                };
                Self(image, self.1)
            }

            #[inline(always)]
            fn turn_1(self) -> Self {
                // SAFETY: the token proves the features.
                Self(unsafe { $rotate::<24>(self.0) }, self.1)
            }

            #[inline(always)]
            fn turn_3(self) -> Self {
                // SAFETY: the token proves the features.
                Self(unsafe { $rotate::<8>(self.0) }, self.1)
            }

            #[inline(always)]
            fn lane(self, i: usize) -> Xmm {
                // SAFETY: the token proves the features; all vectors can be widened.
                unsafe {
                    let mask = 3 << (2 * i & (Self::BYTES / 8 - 1));
                    let lane = _mm512_maskz_compress_epi64(mask, $widen(self.0));
                    Simd(_mm512_castsi512_si128(lane), self.1)
                }
            }

            #[inline(always)]
            fn turn(token: Avx512Gfni, n: usize) -> Self {
                // SAFETY: the token proves the features; the static is as long as the longest vector.
                Self(unsafe { $load(opaque(&TURNED[n]).as_ptr().cast()) }, token)
            }

            #[inline(always)]
            fn turn_by(self, turn: Self) -> Self {
                // SAFETY: the token proves the features.
                Self(unsafe { $shuffle(self.0, turn.0) }, self.1)
            }

            vector!(@unpack unpack_low_bytes $lo8);
            vector!(@unpack unpack_high_bytes $hi8);
            vector!(@unpack unpack_low_words $lo32);
            vector!(@unpack unpack_high_words $hi32);
            vector!(@unpack unpack_low_halves $lo64);
            vector!(@unpack unpack_high_halves $hi64);
        }
    };
    (@unpack $name:ident $intrinsic:ident) => {
        #[inline(always)]
        fn $name(self, b: Self) -> Self {
            // SAFETY: the token proves the features.
            Self(unsafe { $intrinsic(self.0, b.0) }, self.1)
        }
    };
}

/// The same reference, though the optimizer cannot know what is there.
#[inline(always)]
pub(super) fn opaque<T>(reference: &T) -> &T {
    let mut pointer: *const T = reference;
    // SAFETY: this does nothing with the register, so the pointer is still that of the reference.
    unsafe {
        core::arch::asm!(
            "/* {} */",
            inout(reg) pointer,
            options(pure, readonly, nostack, preserves_flags)
        );
        &*pointer
    }
}

/// A mask of the first `n` bytes of 64, or of all if `n` is greater.
#[inline(always)]
fn first(n: usize) -> u64 {
    if n < 64 { (1 << n) - 1 } else { u64::MAX }
}

/// The same vector, from a register: the compiler would otherwise load some constants anew for each use.
#[target_feature(enable = "avx512f")]
#[inline]
fn in_register(mut vector: __m512i) -> __m512i {
    // SAFETY: this does nothing with the register.
    unsafe {
        core::arch::asm!(
            "/* {} */",
            inout(zmm_reg) vector,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    vector
}

#[inline(always)]
fn identity<V>(x: V) -> V {
    x
}

vector! {
    Xmm(__m128i), __mmask16:
    _mm_setzero_si128 _mm_set1_epi32 _mm_set1_epi64x _mm_loadu_si128 _mm_maskz_loadu_epi8 _mm_mask_loadu_epi8 identity _mm_storeu_si128
    _mm_mask_storeu_epi8 _mm_add_epi32 _mm_mask_add_epi32 _mm_testn_epi32_mask _mm_rol_epi32 _mm_xor_si128 _mm_ternarylogic_epi32 _mm_gf2p8affine_epi64_epi8
    _mm_gf2p8affineinv_epi64_epi8 _mm_shuffle_epi8
    identity _mm512_castsi128_si512 _mm_unpacklo_epi8 _mm_unpackhi_epi8 _mm_unpacklo_epi32 _mm_unpackhi_epi32
    _mm_unpacklo_epi64 _mm_unpackhi_epi64
}
vector! {
    Ymm(__m256i), __mmask32:
    _mm256_setzero_si256 _mm256_set1_epi32 _mm256_set1_epi64x _mm256_loadu_si256 _mm256_maskz_loadu_epi8 _mm256_mask_loadu_epi8 _mm256_zextsi128_si256
    _mm256_storeu_si256 _mm256_mask_storeu_epi8 _mm256_add_epi32 _mm256_mask_add_epi32 _mm256_testn_epi32_mask _mm256_rol_epi32 _mm256_xor_si256 _mm256_ternarylogic_epi32
    _mm256_gf2p8affine_epi64_epi8 _mm256_gf2p8affineinv_epi64_epi8 _mm256_shuffle_epi8
    identity _mm512_castsi256_si512 _mm256_unpacklo_epi8 _mm256_unpackhi_epi8 _mm256_unpacklo_epi32 _mm256_unpackhi_epi32
    _mm256_unpacklo_epi64 _mm256_unpackhi_epi64
}
vector! {
    Zmm(__m512i), __mmask64:
    _mm512_setzero_si512 _mm512_set1_epi32 _mm512_set1_epi64 _mm512_loadu_si512 _mm512_maskz_loadu_epi8 _mm512_mask_loadu_epi8 _mm512_zextsi128_si512
    _mm512_storeu_si512 _mm512_mask_storeu_epi8 _mm512_add_epi32 _mm512_mask_add_epi32 _mm512_testn_epi32_mask _mm512_rol_epi32 _mm512_xor_si512 _mm512_ternarylogic_epi32
    _mm512_gf2p8affine_epi64_epi8 _mm512_gf2p8affineinv_epi64_epi8 _mm512_shuffle_epi8
    in_register identity _mm512_unpacklo_epi8 _mm512_unpackhi_epi8 _mm512_unpacklo_epi32 _mm512_unpackhi_epi32
    _mm512_unpacklo_epi64 _mm512_unpackhi_epi64
}

impl Zmm {
    /// Each byte of a block's length at `pointer` four times, in the order of memory, or else word by word from the end.
    ///
    /// # Safety
    /// 16 bytes can be read there.
    #[inline(always)]
    pub(super) unsafe fn spread(token: Avx512Gfni, pointer: *const u8, backwards: bool) -> Self {
        // SAFETY: the token proves the features; the caller vouches for the pointer; the static is a vector long.
        unsafe {
            let block = _mm512_broadcast_i32x4(_mm_loadu_si128(pointer.cast()));
            let indices = _mm512_loadu_si512(SPREAD[usize::from(backwards)].as_ptr().cast());
            Self(_mm512_shuffle_epi8(block, indices), token)
        }
    }
}

impl Zmm {
    /// The bytes of 16 counters as [`Vector::counters`] gives them, the first bytes of a lane's words in its first word, and so on.
    #[inline(always)]
    pub(super) fn counter_bytes(token: Avx512Gfni, start: u32) -> Self {
        static COUNTS: [u32; 16] = counts(4);
        // SAFETY: the token proves the features; the static is a vector long.
        let counters = unsafe {
            let counts = _mm512_loadu_si512(COUNTS.as_ptr().cast());
            _mm512_add_epi32(_mm512_set1_epi32(start as i32), counts)
        };
        Self(counters, token).bytes_of_numbers()
    }

    /// Numbers into the bytes that they have in blocks, the first bytes of a lane's words in its first word, and so on.
    #[inline(always)]
    pub(super) fn bytes_of_numbers(self) -> Self {
        static GATHERED: [u8; 64] = {
            let mut indices = [0; 64];
            let mut i = 0;
            while i < 64 {
                indices[i] = (i % 4 * 4 + (3 - i / 4 % 4)) as u8;
                i += 1;
            }
            indices
        };
        // SAFETY: the token proves the features; the static is a vector long.
        unsafe {
            let indices = _mm512_loadu_si512(GATHERED.as_ptr().cast());
            Self(_mm512_shuffle_epi8(self.0, indices), self.1)
        }
    }
}

impl Zmm {
    /// Block `j` of vector `i` in the place of block `i` of vector `j`.
    #[inline(always)]
    pub(super) fn transpose_blocks([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let token = a.1;
        // SAFETY: the token proves the features.
        unsafe {
            let low_ab = _mm512_shuffle_i32x4::<0x44>(a.0, b.0);
            let high_ab = _mm512_shuffle_i32x4::<0xee>(a.0, b.0);
            let low_cd = _mm512_shuffle_i32x4::<0x44>(c.0, d.0);
            let high_cd = _mm512_shuffle_i32x4::<0xee>(c.0, d.0);
            [
                Self(_mm512_shuffle_i32x4::<0x88>(low_ab, low_cd), token),
                Self(_mm512_shuffle_i32x4::<0xdd>(low_ab, low_cd), token),
                Self(_mm512_shuffle_i32x4::<0x88>(high_ab, high_cd), token),
                Self(_mm512_shuffle_i32x4::<0xdd>(high_ab, high_cd), token),
            ]
        }
    }
}

/// What acts in each lane of 16 bytes, or in its halves.
impl Zmm {
    /// Byte `i`.
    #[inline(always)]
    pub(super) fn byte(&self, i: usize) -> u8 {
        assert!(i < 64);
        // SAFETY: the vector is 64 bytes.
        unsafe { (&raw const self.0).cast::<u8>().add(i).read() }
    }

    /// The bytes of a block that `indices` name, in each lane; zeros where an index is 128 or more.
    #[inline(always)]
    pub(super) fn picked(block: Xmm, indices: &[u8; 16]) -> Self {
        // SAFETY: the token proves the features; the indices are a block.
        unsafe {
            let indices = _mm_loadu_si128(indices.as_ptr().cast());
            let picked = _mm_shuffle_epi8(block.0, indices);
            Simd(_mm512_broadcast_i32x4(picked), block.1)
        }
    }

    /// The image of each byte, by a matrix for each half of a lane, as [`Matrix::gfni`] gives it.
    #[inline(always)]
    pub(super) fn map_halves(self, matrices: &[u64; 8]) -> Self {
        // SAFETY: the token proves the features; the matrices are a vector long.
        unsafe {
            let matrices = _mm512_loadu_si512(matrices.as_ptr().cast());
            Self(_mm512_gf2p8affine_epi64_epi8::<0>(self.0, matrices), self.1)
        }
    }

    /// In each lane: the bytes from `n` on, then the first `n` of `next`. `n` is even, or 1.
    #[inline(always)]
    pub(super) fn window(self, next: Self, n: usize) -> Self {
        macro_rules! window {
            ($($n:literal)*) => {
                match n {
                    0 => self,
                    // SAFETY: the token proves the features.
                    $($n => Self(unsafe { _mm512_alignr_epi8::<$n>(next.0, self.0) }, self.1),)*
                    _ => unreachable!("a window is even, or at 1"),
                }
            };
        }
        window!(1 2 4 6 8 10 12 14)
    }

    /// Adds the last byte of each lane of `b`.
    #[inline(always)]
    pub(super) fn add_last_byte(self, b: Self) -> Self {
        // SAFETY: the token proves the features.
        unsafe {
            let last = _mm512_broadcast_i32x4(_mm_set_epi64x(0xff << 56, 0));
            // self ^ (b & last)
            Self(_mm512_ternarylogic_epi32::<0x78>(self.0, b.0, last), self.1)
        }
    }
}

impl Ymm {
    /// A mask of the first word.
    #[inline(always)]
    pub(super) fn first_word(token: Avx512Gfni) -> Self {
        static FIRST: [u32; 8] = [u32::MAX, 0, 0, 0, 0, 0, 0, 0];
        // SAFETY: the static is a vector long.
        unsafe { Self::load(token, opaque(&FIRST).as_ptr().cast()) }
    }

    /// The sum of what `mask` selects, and `b`.
    #[inline(always)]
    pub(super) fn and_xor(self, mask: Self, b: Self) -> Self {
        // SAFETY: the token proves the features.
        let sum = unsafe { _mm256_ternarylogic_epi32::<0x6a>(self.0, mask.0, b.0) };
        Self(sum, self.1)
    }
}

#[cfg(feature = "zeroize")]
impl Zmm {
    /// Overwrites the vector, though nobody may read it again.
    #[inline(always)]
    pub(super) fn wipe(&mut self) {
        cipher::zeroize::Zeroize::zeroize(&mut self.0);
    }
}

impl Ymm {
    /// The first block of a vector that has been computed whole: the optimizer would take shorter instructions, which
    /// take longer.
    #[inline(always)]
    pub(super) fn low(self) -> Xmm {
        #[target_feature(enable = "avx")]
        #[inline]
        fn opaque(mut vector: __m256i) -> __m256i {
            // SAFETY: this does nothing with the register.
            unsafe {
                core::arch::asm!(
                    "/* {} */",
                    inout(ymm_reg) vector,
                    options(pure, nomem, nostack, preserves_flags)
                );
            }
            vector
        }
        // SAFETY: the token proves the features.
        Simd(unsafe { _mm256_castsi256_si128(opaque(self.0)) }, self.1)
    }
}

impl From<Xmm> for [u8; 16] {
    #[inline(always)]
    fn from(vector: Xmm) -> Self {
        let mut block = [0; 16];
        // SAFETY: the block is as long as the vector.
        unsafe { vector.store(block.as_mut_ptr()) };
        block
    }
}

impl Zmm {
    /// The four blocks.
    #[inline(always)]
    fn blocks(self) -> [Xmm; 4] {
        // SAFETY: the token proves the features.
        unsafe {
            [
                Simd(_mm512_castsi512_si128(self.0), self.1),
                Simd(_mm512_extracti32x4_epi32::<1>(self.0), self.1),
                Simd(_mm512_extracti32x4_epi32::<2>(self.0), self.1),
                Simd(_mm512_extracti32x4_epi32::<3>(self.0), self.1),
            ]
        }
    }

    /// Four blocks.
    #[inline(always)]
    fn of_blocks(block: impl Fn(usize) -> Xmm) -> Self {
        let low = Ymm::of_blocks(&block);
        let high = Ymm::of_blocks(|lane| block(lane + 2));
        // SAFETY: the token proves the features.
        let blocks = unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low.0), high.0) };
        Self(blocks, low.1)
    }
}

impl Ymm {
    /// The two blocks.
    #[inline(always)]
    fn blocks(self) -> [Xmm; 2] {
        // SAFETY: the token proves the features.
        unsafe {
            [
                Simd(_mm256_castsi256_si128(self.0), self.1),
                Simd(_mm256_extracti128_si256::<1>(self.0), self.1),
            ]
        }
    }

    /// Two blocks.
    #[inline(always)]
    fn of_blocks(block: impl Fn(usize) -> Xmm) -> Self {
        let (low, high) = (block(0), block(1));
        // SAFETY: the token proves the features.
        let blocks = unsafe { _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low.0), high.0) };
        Self(blocks, low.1)
    }
}

impl Xmm {
    /// The block, as vectors of more have them.
    #[inline(always)]
    fn blocks(self) -> [Self; 1] {
        [self]
    }

    /// One block.
    #[inline(always)]
    fn of_blocks(block: impl Fn(usize) -> Self) -> Self {
        block(0)
    }
}

impl Xmm {
    /// A vector with this block first.
    #[inline(always)]
    pub(super) fn wide(self) -> Ymm {
        // SAFETY: the token proves the features.
        Simd(unsafe { _mm256_zextsi128_si256(self.0) }, self.1)
    }

    /// A block of bytes.
    #[inline(always)]
    pub(super) fn block(token: Avx512Gfni, block: [u8; 16]) -> Self {
        // SAFETY: a block is as long as the vector.
        unsafe { Self::load(token, block.as_ptr()) }
    }

    /// The first `n` bytes, before zeros.
    #[inline(always)]
    pub(super) fn first(self, n: usize) -> Self {
        // SAFETY: the token proves the features.
        Self(
            unsafe { _mm_maskz_mov_epi8(first(n) as u16, self.0) },
            self.1,
        )
    }

    /// The bytes from `n` on, behind zeros.
    #[inline(always)]
    pub(super) fn from(self, n: usize) -> [u8; 16] {
        let mut block = [0; 16];
        // SAFETY: the token proves the features; the block is as long as the vector.
        unsafe {
            let rest = _mm_maskz_mov_epi8(!(first(n) as u16), self.0);
            _mm_storeu_si128(block.as_mut_ptr().cast(), rest);
        }
        block
    }

    /// Each byte four times.
    #[inline(always)]
    pub(super) fn spread(self) -> Zmm {
        // SAFETY: the token proves the features; the static is a vector long.
        unsafe {
            let indices = _mm512_loadu_si512(SPREAD[0].as_ptr().cast());
            let spread = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(self.0), indices);
            Simd(spread, self.1)
        }
    }

    /// [`Vector::map_inverse`] with a matrix for each half.
    #[inline(always)]
    pub(super) fn map_inverse_halves<const C: i32>(self, low: Matrix, high: Matrix) -> Self {
        // SAFETY: the token proves the features.
        unsafe {
            let matrices = _mm_set_epi64x(high.gfni() as i64, low.gfni() as i64);
            Self(_mm_gf2p8affineinv_epi64_epi8::<C>(self.0, matrices), self.1)
        }
    }

    /// The first word, as it lies in memory.
    #[inline(always)]
    pub(super) fn first_word(self) -> u32 {
        // SAFETY: the token proves the features.
        unsafe { _mm_cvtsi128_si32(self.0) as u32 }
    }

    /// Word `N` in all four.
    #[inline(always)]
    pub(super) fn word<const N: i32>(self) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { _mm_shuffle_epi32::<N>(self.0) }, self.1)
    }
}
