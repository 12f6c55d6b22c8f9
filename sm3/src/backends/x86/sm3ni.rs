//! The SM3 instructions of x86-64.
//!
//! - **Round function.** VSM3RNDS2: two rounds. It keeps the state in two registers, and reads C, D, G and H as they were
//!   before the standard's rotations by 9 and 19 of B and F, so that the A, B, E and F of two rounds ago can be handed in
//!   as they are.
//! - **Load and schedule.** Four words a register; VSM3MSG1 and VSM3MSG2 make the next four of the last sixteen.
//! - **Blocks in flight.** One.
//! - **Tail.** None: blocks are taken one by one.
//!
//! Constant-time: the instructions are.
//!
//! The code is generic over what executes the instructions, so that tests can run it on machines that lack them.

#![allow(unsafe_code)]

use core::arch::x86_64::*;
use shangmi_cpu::Sm3Ni;

/// What the kernel is made of. Vectors are four words, of which the first is the least significant one.
trait Instructions: Copy {
    type Vector: Copy;

    /// Four words.
    fn words(self, words: [u32; 4]) -> Self::Vector;

    /// Four big-endian words.
    fn load(self, bytes: &[u8; 16]) -> Self::Vector;

    fn to_words(self, x: Self::Vector) -> [u32; 4];

    fn xor(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// The first two words of both.
    fn low_pairs(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// The last two words of both.
    fn high_pairs(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// The last two words of `x` and the first two of `y`.
    fn after_2(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// The last word of `x` and the first three of `y`.
    fn after_3(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// The last three words of `x` and zero.
    fn drop_1(self, x: Self::Vector) -> Self::Vector;

    /// VSM3MSG1, of W[i - 9], W[i - 3] and W[i - 16] and what follows each of them.
    fn message_1(self, w9: Self::Vector, w3: Self::Vector, w16: Self::Vector) -> Self::Vector;

    /// VSM3MSG2, of the result of VSM3MSG1, and of W[i - 13] and W[i - 6] and what follows each of them.
    fn message_2(self, x: Self::Vector, w13: Self::Vector, w6: Self::Vector) -> Self::Vector;

    /// VSM3RNDS2: rounds `J` and `J + 1`, of H, G, D, C; F, E, B, A; W[J], W[J + 1], W[J + 4], W[J + 5].
    fn rounds<const J: i32>(
        self,
        hgdc: Self::Vector,
        feba: Self::Vector,
        w: Self::Vector,
    ) -> Self::Vector;
}

/// Four rounds from `$j` on, whose words are in `$w0` and the four after them in `$w1`.
macro_rules! four {
    ($i:ident, $j:literal, $hgdc:ident, $feba:ident, $w0:ident, $w1:ident) => {
        $hgdc = $i.rounds::<{ $j }>($hgdc, $feba, $i.low_pairs($w0, $w1));
        $feba = $i.rounds::<{ $j + 2 }>($feba, $hgdc, $i.high_pairs($w0, $w1));
    };
}

/// The four words that follow the sixteen given.
macro_rules! expand {
    ($i:ident, $w0:ident, $w1:ident, $w2:ident, $w3:ident) => {
        $i.message_2(
            $i.message_1($i.after_3($w1, $w2), $i.drop_1($w3), $w0),
            $i.after_3($w0, $w1),
            $i.after_2($w2, $w3),
        )
    };
}

#[inline(always)]
fn compress_with<I: Instructions>(i: I, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    let [a, b, c, d, e, f, g, h] = *state;
    let mut feba = i.words([f, e, b, a]);
    let mut hgdc = i.words([
        h.rotate_right(19),
        g.rotate_right(19),
        d.rotate_right(9),
        c.rotate_right(9),
    ]);
    for block in blocks {
        let before = (hgdc, feba);
        let (quarters, _) = block.as_chunks::<16>();
        let mut w0 = i.load(&quarters[0]);
        let mut w1 = i.load(&quarters[1]);
        let mut w2 = i.load(&quarters[2]);
        let mut w3 = i.load(&quarters[3]);
        four!(i, 0, hgdc, feba, w0, w1);
        four!(i, 4, hgdc, feba, w1, w2);
        four!(i, 8, hgdc, feba, w2, w3);
        w0 = expand!(i, w0, w1, w2, w3);
        four!(i, 12, hgdc, feba, w3, w0);
        w1 = expand!(i, w1, w2, w3, w0);
        four!(i, 16, hgdc, feba, w0, w1);
        w2 = expand!(i, w2, w3, w0, w1);
        four!(i, 20, hgdc, feba, w1, w2);
        w3 = expand!(i, w3, w0, w1, w2);
        four!(i, 24, hgdc, feba, w2, w3);
        w0 = expand!(i, w0, w1, w2, w3);
        four!(i, 28, hgdc, feba, w3, w0);
        w1 = expand!(i, w1, w2, w3, w0);
        four!(i, 32, hgdc, feba, w0, w1);
        w2 = expand!(i, w2, w3, w0, w1);
        four!(i, 36, hgdc, feba, w1, w2);
        w3 = expand!(i, w3, w0, w1, w2);
        four!(i, 40, hgdc, feba, w2, w3);
        w0 = expand!(i, w0, w1, w2, w3);
        four!(i, 44, hgdc, feba, w3, w0);
        w1 = expand!(i, w1, w2, w3, w0);
        four!(i, 48, hgdc, feba, w0, w1);
        w2 = expand!(i, w2, w3, w0, w1);
        four!(i, 52, hgdc, feba, w1, w2);
        w3 = expand!(i, w3, w0, w1, w2);
        four!(i, 56, hgdc, feba, w2, w3);
        w0 = expand!(i, w0, w1, w2, w3);
        four!(i, 60, hgdc, feba, w3, w0);
        hgdc = i.xor(hgdc, before.0);
        feba = i.xor(feba, before.1);
    }
    let ([f, e, b, a], [h, g, d, c]) = (i.to_words(feba), i.to_words(hgdc));
    *state = [
        a,
        b,
        c.rotate_left(9),
        d.rotate_left(9),
        e,
        f,
        g.rotate_left(19),
        h.rotate_left(19),
    ];
}

/// By the machine. The token proves AVX, and with it SSE4.1 and what came before, and the SM3 instructions.
impl Instructions for Sm3Ni {
    type Vector = __m128i;

    #[inline(always)]
    fn words(self, [x, y, z, w]: [u32; 4]) -> __m128i {
        // SAFETY: the token proves AVX, and with it SSE2.
        unsafe { _mm_set_epi32(w as i32, z as i32, y as i32, x as i32) }
    }

    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> __m128i {
        // SAFETY: the reference is to the 16 bytes that are read, and the token proves SSSE3.
        unsafe {
            let order = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
            _mm_shuffle_epi8(_mm_loadu_si128(bytes.as_ptr().cast()), order)
        }
    }

    #[inline(always)]
    fn to_words(self, x: __m128i) -> [u32; 4] {
        let mut words = [0; 4];
        // SAFETY: the reference is to the 16 bytes that are written, and the token proves AVX.
        unsafe { _mm_storeu_si128((&raw mut words).cast(), x) };
        words
    }

    #[inline(always)]
    fn xor(self, x: __m128i, y: __m128i) -> __m128i {
        // SAFETY: the token proves AVX, and with it SSE2.
        unsafe { _mm_xor_si128(x, y) }
    }

    #[inline(always)]
    fn low_pairs(self, x: __m128i, y: __m128i) -> __m128i {
        // SAFETY: the token proves AVX, and with it SSE2.
        unsafe { _mm_unpacklo_epi64(x, y) }
    }

    #[inline(always)]
    fn high_pairs(self, x: __m128i, y: __m128i) -> __m128i {
        // SAFETY: the token proves AVX, and with it SSE2.
        unsafe { _mm_unpackhi_epi64(x, y) }
    }

    #[inline(always)]
    fn after_2(self, x: __m128i, y: __m128i) -> __m128i {
        // SAFETY: the token proves SSSE3.
        unsafe { _mm_alignr_epi8::<8>(y, x) }
    }

    #[inline(always)]
    fn after_3(self, x: __m128i, y: __m128i) -> __m128i {
        // SAFETY: the token proves SSSE3.
        unsafe { _mm_alignr_epi8::<12>(y, x) }
    }

    #[inline(always)]
    fn drop_1(self, x: __m128i) -> __m128i {
        // SAFETY: the token proves AVX, and with it SSE2.
        unsafe { _mm_bsrli_si128::<4>(x) }
    }

    #[inline(always)]
    fn message_1(self, w9: __m128i, w3: __m128i, w16: __m128i) -> __m128i {
        // SAFETY: the token proves the SM3 instructions.
        unsafe { _mm_sm3msg1_epi32(w9, w3, w16) }
    }

    #[inline(always)]
    fn message_2(self, x: __m128i, w13: __m128i, w6: __m128i) -> __m128i {
        // SAFETY: the token proves the SM3 instructions.
        unsafe { _mm_sm3msg2_epi32(x, w13, w6) }
    }

    #[inline(always)]
    fn rounds<const J: i32>(self, hgdc: __m128i, feba: __m128i, w: __m128i) -> __m128i {
        // SAFETY: the token proves the SM3 instructions.
        unsafe { _mm_sm3rnds2_epi32::<J>(hgdc, feba, w) }
    }
}

#[target_feature(enable = "avx,sm3")]
fn compress_blocks(token: Sm3Ni, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    compress_with(token, state, blocks);
}

/// Compresses `blocks` into `state`, one after the other.
#[inline]
pub(crate) fn compress(token: Sm3Ni, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    // SAFETY: the token proves AVX and the SM3 instructions.
    unsafe { compress_blocks(token, state, blocks) }
}

#[cfg(test)]
mod tests;
