//! Carry-less multiplication by integer multiplication of 32 x 32 to 32 bits.
//!
//! The long multiplication (32 x 32 to 64 bits) of some 32-bit CPUs, among them ARM Cortex-M3,
//! takes a time that depends on its operands; the short one, which returns the low half only, does
//! not. So only the latter is used. The high half of a product comes from the mirrored words: the
//! low half of the mirrored product is the mirror image of its high half.
//!
//! As in `soft64`, words are split into the four classes of bits whose numbers are equal modulo
//! 4. Here a class has eight bits, and the holes between them, which take 15 terms, are never
//! full. Karatsuba's method makes nine products of classes for one of words, and nine of words,
//! each in both directions, for one of blocks.

use super::soft::{Multiplier, Product};

/// The bits of class 0.
const CLASS: u32 = 0x1111_1111;

#[derive(Clone)]
pub(crate) struct Soft32;

impl Multiplier for Soft32 {
    #[inline(always)]
    fn sum_of_products<const N: usize>(x: &[u128; N], h: &[u128; N]) -> Product {
        let (x, h) = (x.map(words), h.map(words));
        let mut halves = [0; 18];
        for (word, half) in halves.iter_mut().enumerate() {
            let mut products = [0; 9];
            // The first block carries the previous result: last in line, it is waited for least.
            for n in (0..N).rev() {
                let (x, h) = (split(x[n][word]), split(h[n][word]));
                for i in 0..9 {
                    products[i] ^= x[i].wrapping_mul(h[i]);
                }
            }
            *half = join(&products);
        }
        // A product of two words has 63 bits, so its mirror image overlaps the low half by one.
        let product = |i: usize| {
            let (low, high) = (halves[i], halves[i + 9].reverse_bits() >> 1);
            u64::from(low) | u64::from(high) << 32
        };
        let low = karatsuba(product(0), product(1), product(4));
        let high = karatsuba(product(2), product(3), product(5));
        let middle = karatsuba(product(6), product(7), product(8)) ^ low ^ high;
        (low ^ middle << 64, high ^ middle >> 64)
    }
}

/// The product of two pairs of words from those of the low words, the high words and the sums.
#[inline(always)]
fn karatsuba(low: u64, high: u64, sums: u64) -> u128 {
    let middle = sums ^ low ^ high;
    u128::from(low) ^ u128::from(middle) << 32 ^ u128::from(high) << 64
}

/// The four words of a block, lowest first, and the sums that Karatsuba's method asks for: 0+1,
/// 2+3, 0+2, 1+3, and all. Then the nine of them mirrored.
#[inline(always)]
fn words(x: u128) -> [u32; 18] {
    let sums = |[a, b, c, d]: [u32; 4]| [a, b, c, d, a ^ b, c ^ d, a ^ c, b ^ d, a ^ b ^ c ^ d];
    let words = [0, 32, 64, 96].map(|shift| (x >> shift) as u32);
    let mut all = [0; 18];
    all[..9].copy_from_slice(&sums(words));
    all[9..].copy_from_slice(&sums(words.map(u32::reverse_bits)));
    all
}

/// The four classes of a word, each moved down to class 0, and their sums: 0+1, 2+3, 0+2, 1+3, and
/// all.
#[inline(always)]
fn split(word: u32) -> [u32; 9] {
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| word >> i & CLASS);
    [a, b, c, d, a ^ b, c ^ d, a ^ c, b ^ d, a ^ b ^ c ^ d]
}

/// Puts the low half of a product of two words together from the products of their classes.
#[inline(always)]
fn join(p: &[u32; 9]) -> u32 {
    // Coefficients of x^0 to x^6, where x^4 is one place further in class 0.
    let shared = p[1] ^ p[2];
    let z0 = p[0];
    let z1 = p[4] ^ p[0] ^ p[1];
    let z2 = shared ^ p[0] ^ p[6];
    let z5 = p[5] ^ p[2] ^ p[3];
    let z3 = p[8] ^ p[6] ^ p[7] ^ z1 ^ z5;
    let z4 = shared ^ p[3] ^ p[7];
    let z6 = p[3];
    ((z0 ^ z4 << 4) & CLASS)
        ^ ((z1 ^ z5 << 4) & CLASS) << 1
        ^ ((z2 ^ z6 << 4) & CLASS) << 2
        ^ (z3 & CLASS) << 3
}
