//! What the backends on AES's round instruction share.
//!
//! The state stays in AES's field: instead of its bytes `x`, the kernels keep `U·x` (see [`field`]), from
//! one conversion on the way in to another one on the way out. The instruction then computes `A·inv(t) + c` of AES,
//! and what is left of a round is linear: AES's `A` undone, SM4's S-box completed, `L`, and the way back in
//! one matrix a term, each of them two shuffles of a table by the nibbles of the byte.
//!
//! There are two shapes, which the backends use for few blocks and for many:
//! - [`words`]: a vector holds one word of four blocks a lane. A round has little latency.
//! - [`sliced`]: a vector holds one byte of 16 blocks a lane, so that nothing has to be rotated.

#![allow(unsafe_code)]

pub(super) mod backend;
pub(super) mod schedule;
pub(super) mod sliced;
pub(super) mod vector;
pub(super) mod words;

use super::field::{self, Matrix};
use core::arch::x86_64::__m128i;
use vector::{HasAes, Vector, Xmm};

/// A map of bytes as tables for shuffles by nibbles.
type Table = ([u8; 16], [u8; 16]);

/// Onto the state, and back.
const INTO: Table = field::U.nibbles(0);
const BACK: Table = field::U.inverse().nibbles(0);

/// From the value of the round instruction with [`CONSTANT`] to the term by which the state changes where the
/// S-box's value is taken through `map`.
const fn term(map: Matrix) -> Table {
    field::U.times(map).times(FROM_AES).nibbles(0)
}

/// From AES's S-box to SM4's, but for the constants.
const FROM_AES: Matrix = field::V.times(field::AES_A.inverse());

/// As the key of the round instruction, makes [`FROM_AES`] give the whole S-box: it takes AES's constant away and
/// brings SM4's in.
const CONSTANT: [u8; 16] = [field::AES_C ^ FROM_AES.inverse().apply(field::C); 16];

/// Undoes ShiftRows and takes each byte from `n` bytes further on in its word.
const fn rotate(n: usize) -> [u8; 16] {
    let mut indices = [0; 16];
    let mut i = 0;
    while i < 16 {
        let row = (i + n) % 4;
        indices[i] = ((i / 4 + 4 - row) % 4 * 4 + row) as u8;
        i += 1;
    }
    indices
}

/// The nibbles of the bytes, the low ones first.
#[inline(always)]
fn split<V: Vector>(v: V, x: V::V) -> [V::V; 2] {
    let mask = v.lane(&[15; 16]);
    [v.and(x, mask), v.and(v.shift_right_4(x), mask)]
}

/// A table in registers.
#[inline(always)]
fn load<V: Vector>(v: V, table: &Table) -> [V::V; 2] {
    [v.lane(&table.0), v.lane(&table.1)]
}

/// The image of a byte that has been split.
#[inline(always)]
fn look_up<V: Vector>(v: V, table: [V::V; 2], nibbles: [V::V; 2]) -> V::V {
    v.xor(
        v.shuffle(table[0], nibbles[0]),
        v.shuffle(table[1], nibbles[1]),
    )
}

/// Takes all bytes through a map.
#[inline(always)]
fn map<V: Vector>(v: V, table: &Table, x: V::V) -> V::V {
    look_up(v, load(v, table), split(v, x))
}

/// Transposes the words of four vectors, lane by lane.
#[inline(always)]
fn transpose_words<V: Vector>(v: V, [a, b, c, d]: [V::V; 4]) -> [V::V; 4] {
    let (ab, cd) = (v.unpack_low_32(a, b), v.unpack_low_32(c, d));
    let (ef, gh) = (v.unpack_high_32(a, b), v.unpack_high_32(c, d));
    [
        v.unpack_low_64(ab, cd),
        v.unpack_high_64(ab, cd),
        v.unpack_low_64(ef, gh),
        v.unpack_high_64(ef, gh),
    ]
}

/// The words of a lane, each in all columns of a lane of its own.
#[inline(always)]
fn columns<T: HasAes>(v: Xmm<T>, a: __m128i) -> [__m128i; 4] {
    let (low, high) = (v.unpack_low_32(a, a), v.unpack_high_32(a, a));
    [
        v.unpack_low_64(low, low),
        v.unpack_high_64(low, low),
        v.unpack_low_64(high, high),
        v.unpack_high_64(high, high),
    ]
}

/// The inverse of [`columns`].
#[inline(always)]
fn uncolumns<T: HasAes>(v: Xmm<T>, [a, b, c, d]: [__m128i; 4]) -> __m128i {
    v.unpack_low_64(v.unpack_low_32(a, b), v.unpack_low_32(c, d))
}

/// Overwrites what was a secret, on builds with `zeroize`.
///
/// # Safety
/// Zeros are a value of `T`.
#[inline(always)]
unsafe fn wipe<T>(secret: &mut T) {
    const { assert!(align_of::<T>() >= 16 && size_of::<T>().is_multiple_of(16)) };
    #[cfg(feature = "zeroize")]
    {
        // SAFETY: `T` is as long and as aligned as so many vectors, and zeros are a value, as the caller says.
        let vectors = unsafe {
            let first = (&raw mut *secret).cast::<__m128i>();
            core::slice::from_raw_parts_mut(first, size_of::<T>() / 16)
        };
        for vector in vectors {
            cipher::zeroize::Zeroize::zeroize(vector);
        }
    }
    #[cfg(not(feature = "zeroize"))]
    let _ = secret;
}

#[cfg(test)]
mod tests {
    use super::vector::{Vector, Xmm};
    use super::{BACK, CONSTANT, FROM_AES, INTO, map, rotate};
    use crate::backends::x86::field::U_CONSTANT;
    use crate::sbox::{self, circuit};
    use core::array;
    use shangmi_cpu::AesNi;

    /// The bitsliced S-box, which has its own test against the table of the standard.
    fn sbox(x: u8) -> u8 {
        let y = circuit(array::from_fn(|i| (x ^ sbox::INPUT) >> i & 1));
        (0..8).fold(sbox::OUTPUT, |sum, i| sum ^ (y[i] & 1) << i)
    }

    /// All 256 inputs, through the instruction and back to SM4's field.
    #[test]
    fn sbox_by_the_round_instruction() {
        let Some(token) = AesNi::check() else { return };
        let v = Xmm(token);
        for first in (0..=255).step_by(16) {
            let x: [u8; 16] = array::from_fn(|i| first + i as u8);
            let t = v.xor(map(v, &INTO, v.lane(&x)), v.lane(&[U_CONSTANT; 16]));
            let s = v.aes_last(v.shuffle(t, v.lane(&rotate(0))), v.lane(&CONSTANT));
            let s = map(v, &FROM_AES.nibbles(0), s);
            assert_eq!(v.to_bytes(s), x.map(sbox), "from {first:#04x}");
            assert_eq!(v.to_bytes(map(v, &BACK, map(v, &INTO, v.lane(&x)))), x);
        }
    }

    /// ShiftRows of FIPS 197, 5.1.2, undone.
    #[test]
    fn rotation_undoes_shift_rows() {
        let shifted: [u8; 16] = array::from_fn(|i| ((i + 4 * (i % 4)) % 16) as u8);
        for n in 0..4 {
            let turned = rotate(n).map(|i| shifted[usize::from(i)]);
            assert_eq!(turned, array::from_fn(|i| (i / 4 * 4 + (i + n) % 4) as u8));
        }
    }

    #[test]
    fn schedule_is_that_of_the_portable_code() {
        let Some(token) = AesNi::check() else { return };
        for seed in 0..=255 {
            let key = array::from_fn(|i| (i as u8).wrapping_mul(seed).wrapping_add(seed >> 3));
            let expected = crate::schedule::expand(&key).map(|k| {
                let bytes = k
                    .to_be_bytes()
                    .map(|x| super::field::U.apply(x) ^ U_CONSTANT);
                u32::from_ne_bytes(bytes)
            });
            assert_eq!(super::schedule::expand(Xmm(token), &key), expected);
        }
    }
}
