//! What the kernels for x86-64 share: 128-bit values between integers and vectors, and the block
//! that is shorter than 16 bytes.
//!
//! `pclmul` and `vpclmul256` keep field elements as the portable backends do, mirrored
//! (`super::soft` has the algebra); `vpclmul512` keeps them in the order of their bits in memory.
#![allow(unsafe_code)]

pub(super) mod pclmul;
pub(super) mod vpclmul256;
pub(super) mod vpclmul512;

use core::arch::{
    asm,
    x86_64::{__m128i, _mm_loadu_si128, _mm_set_epi64x, _mm_storeu_si128},
};

/// Vectors in the largest table, which is that of `vpclmul512`.
///
/// The other tables, the portable ones too, fill up to it with zeroes. The key has room for the
/// largest one anyway, and what a smaller one left as it was would be whatever lay there before,
/// perhaps a secret, that moves along with the key and that no drop wipes.
pub(super) const LARGEST: usize = 2 * vpclmul512::POWERS;

/// x^63 + x^62 + x^57: the upper terms of the mirrored polynomial, without x^128 and 64 places
/// down. What `super::soft` calls the multiple is made 64 bits at a time by multiplying with it.
const MIRRORED: i64 = (0b1100_0010_u64 << 56) as i64;

/// The same reference, of which the compiler does not know that it is the same. Without this it
/// reads the whole of a table ahead of a loop, and keeps what does not fit into registers on the
/// stack: a copy of secrets that gains nothing.
#[inline]
fn afresh<T>(reference: &T) -> &T {
    let mut pointer = core::ptr::from_ref(reference);
    // SAFETY: there are no instructions, so the pointer is the one that the reference gave.
    unsafe {
        asm!("/* {0} */", inout(reg) pointer, options(readonly, nostack, preserves_flags));
        &*pointer
    }
}

/// How many blocks the parts are, each filled up to whole ones.
#[inline]
fn blocks_of(parts: &[&[u8]]) -> usize {
    parts.iter().map(|part| part.len().div_ceil(16)).sum()
}

/// An integer as a vector, its least significant byte first.
#[inline]
#[target_feature(enable = "sse2")]
fn to_vector(integer: u128) -> __m128i {
    _mm_set_epi64x((integer >> 64) as i64, integer as i64)
}

/// A vector as an integer, its first byte the least significant one.
#[inline]
#[target_feature(enable = "sse2")]
fn from_vector(vector: __m128i) -> u128 {
    let mut integer = 0;
    // SAFETY: the reference is to 16 bytes that may be written; the store asks for no alignment.
    unsafe { _mm_storeu_si128(core::ptr::from_mut::<u128>(&mut integer).cast(), vector) };
    integer
}

/// 16 bytes of memory as a vector.
#[inline]
#[target_feature(enable = "sse2")]
fn load_bytes(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the reference is to 16 bytes that may be read; the load asks for no alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// 0 to 15 bytes and the zeroes that make them 16, reversed: a block as the mirrored kernels have
/// it.
///
/// Two reads that overlap, instead of a loop or a copy of variable length.
#[inline]
#[target_feature(enable = "sse2")]
fn padded(bytes: &[u8]) -> __m128i {
    let n = bytes.len();
    if let (Some(head), Some(tail)) = (bytes.first_chunk(), bytes.last_chunk()) {
        // Of the tail, what the head does not have: nothing if there are 8 bytes, hence two shifts.
        let tail = u64::from_be_bytes(*tail) << (4 * (16 - n)) << (4 * (16 - n));
        return _mm_set_epi64x(i64::from_be_bytes(*head), tail as i64);
    }
    let high = if let (Some(head), Some(tail)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let tail = u32::from_be_bytes(*tail) << (4 * (8 - n)) << (4 * (8 - n));
        u64::from(u32::from_be_bytes(*head)) << 32 | u64::from(tail)
    } else {
        let places = bytes.iter().zip([56, 48, 40]);
        places.fold(0, |sum, (&byte, place)| sum | u64::from(byte) << place)
    };
    _mm_set_epi64x(high as i64, 0)
}

/// The shuffle that takes the last `n` bytes of 16 to the front, reverses the whole, and clears the
/// rest, for `n` up to 16.
#[inline]
fn end_to_front(n: usize) -> &'static [u8; 16] {
    const SHUFFLES: [u8; 32] = {
        let mut shuffles = [0x80; 32];
        let mut i = 16;
        while i < 32 {
            shuffles[i] = 31 - i as u8;
            i += 1;
        }
        shuffles
    };
    SHUFFLES[n..].first_chunk().unwrap_or(&[0x80; 16])
}

#[cfg(test)]
mod tests {
    use super::{end_to_front, from_vector, padded};

    #[test]
    fn padded_reads_what_is_there() {
        let bytes: [u8; 16] = core::array::from_fn(|i| 0xf0 ^ (7 * i as u8));
        for n in 0..16 {
            let mut block = [0; 16];
            block[..n].copy_from_slice(&bytes[..n]);
            // SAFETY: SSE2 belongs to the architecture.
            let padded = unsafe { from_vector(padded(&bytes[..n])) };
            assert_eq!(padded, u128::from_be_bytes(block), "{n}");
        }
    }

    #[test]
    fn end_to_front_shuffles() {
        for n in 0..=16 {
            let shuffle = end_to_front(n);
            for (place, &source) in shuffle.iter().rev().enumerate() {
                let expected = if place < n { 16 - n + place } else { 0x80 };
                assert_eq!(usize::from(source), expected, "{n} {place}");
            }
        }
    }
}
