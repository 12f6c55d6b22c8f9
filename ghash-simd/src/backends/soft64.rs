//! Carry-less multiplication by integer multiplication of 64 x 64 to 128 bits.
//!
//! A 64-bit word is split into four classes, the bits whose numbers are equal modulo 4. In an
//! integer product of two classes the terms of a coefficient add up in four bits of which only the
//! lowest, their parity, is wanted: the other three are a hole for the carries. A hole takes 15
//! terms. A class has 16 bits, so the top four bits of `h`, one of each class, are left out and
//! multiplied apart: a class of `x` times a number of four bits has no carries at all.
//!
//! Sixteen products of classes would do. Karatsuba's method over the classes (0 and 1, 2 and 3,
//! then the pairs) needs nine, and over the two words of a block three times nine. Sums of
//! products are taken before anything is masked or moved, so that all this is paid once for
//! several blocks.
//!
//! `h` is split anew in each call, and the compiler keeps the parts for the blocks of one call. A
//! ready-made table of them is fifteen times as large as `h` and gains about a tenth.
//!
//! This is constant-time where the CPU's multiplication is. On targets without a 128-bit product
//! in hardware it is correct, but slow.

use super::soft::{Multiplier, Product};

/// The bits of class 0.
const CLASS: u64 = 0x1111_1111_1111_1111;

/// All of a word but one bit of each class.
const LOW_60: u64 = u64::MAX >> 4;

#[derive(Clone)]
pub(crate) struct Soft64;

impl Multiplier for Soft64 {
    #[inline(always)]
    fn sum_of_products<const N: usize>(x: &[u128; N], h: &[u128; N]) -> Product {
        let (x, h) = (x.map(words), h.map(words));
        let mut sums = [0; 3];
        for (word, sum) in sums.iter_mut().enumerate() {
            let mut products = [0; 9];
            let mut top = [0; 4];
            // The first block carries the previous result: last in line, it is waited for least.
            for n in (0..N).rev() {
                let x = split(x[n][word]);
                let (low, high) = (split(h[n][word] & LOW_60), h[n][word] >> 60);
                for i in 0..9 {
                    products[i] ^= u128::from(x[i]) * u128::from(low[i]);
                }
                for i in 0..4 {
                    top[i] ^= x[i].wrapping_mul(high);
                }
            }
            *sum = join(&products, &top);
        }
        let [low, high, both] = sums;
        let middle = both ^ low ^ high;
        (low ^ middle << 64, high ^ middle >> 64)
    }
}

/// The low word, the high word, and their sum.
#[inline(always)]
fn words(x: u128) -> [u64; 3] {
    let (low, high) = (x as u64, (x >> 64) as u64);
    [low, high, low ^ high]
}

/// The four classes of a word, each moved down to class 0, and the sums that Karatsuba's method
/// asks for: 0+1, 2+3, 0+2, 1+3, and all.
#[inline(always)]
fn split(word: u64) -> [u64; 9] {
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| word >> i & CLASS);
    [a, b, c, d, a ^ b, c ^ d, a ^ c, b ^ d, a ^ b ^ c ^ d]
}

/// Puts a product of two words together from the products of their classes and the products of
/// the first word's classes with the top four bits of the second.
#[inline(always)]
fn join(p: &[u128; 9], top: &[u64; 4]) -> u128 {
    const MASK: u128 = (CLASS as u128) << 64 | CLASS as u128;
    // Coefficients of x^0 to x^6, where x^4 is one place further in class 0.
    let shared = p[1] ^ p[2];
    let z0 = p[0];
    let z1 = p[4] ^ p[0] ^ p[1];
    let z2 = shared ^ p[0] ^ p[6];
    let z5 = p[5] ^ p[2] ^ p[3];
    let z3 = p[8] ^ p[6] ^ p[7] ^ z1 ^ z5;
    let z4 = shared ^ p[3] ^ p[7];
    let z6 = p[3];
    let classes = ((z0 ^ z4 << 4) & MASK)
        ^ ((z1 ^ z5 << 4) & MASK) << 1
        ^ ((z2 ^ z6 << 4) & MASK) << 2
        ^ (z3 & MASK) << 3;
    let [t0, t1, t2, t3] = top.map(u128::from);
    classes ^ (t0 ^ t1 << 1 ^ t2 << 2 ^ t3 << 3) << 60
}
