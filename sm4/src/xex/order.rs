//! How a block stands for a polynomial over GF(2), and the multiplication by powers of x modulo
//! x^128 + x^7 + x^2 + x + 1.

/// The order of the coefficients in a block: [`LowFirst`] or [`HighFirst`].
///
/// The trait is sealed.
pub trait Order: sealed::Order {}

impl<O: sealed::Order> Order for O {}

/// The least significant bit of the first byte is the coefficient of x^0 (IEEE 1619).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct LowFirst;

/// The most significant bit of the first byte is the coefficient of x^0 (GB/T 17964, and GCM).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct HighFirst;

mod sealed {
    /// A block is two words: the near one has the coefficients from x^0 on, the far one those from x^64 on.
    pub trait Order: Copy + Default {
        /// Whether the least significant bit of a byte is the coefficient of the lowest power.
        const LOW_FIRST: bool;

        /// A word of eight bytes.
        fn read(bytes: [u8; 8]) -> u64;

        /// The inverse of `read`.
        fn write(word: u64) -> [u8; 8];

        /// Multiplies by x^`k`, and drops the coefficients that leave the word. `k` is at most 63.
        fn up(word: u64, k: u32) -> u64;

        /// Divides by x^`k`, and drops the coefficients that leave the word. `k` is at most 63.
        fn down(word: u64, k: u32) -> u64;
    }
}

impl sealed::Order for LowFirst {
    const LOW_FIRST: bool = true;

    #[inline(always)]
    fn read(bytes: [u8; 8]) -> u64 {
        u64::from_le_bytes(bytes)
    }

    #[inline(always)]
    fn write(word: u64) -> [u8; 8] {
        word.to_le_bytes()
    }

    #[inline(always)]
    fn up(word: u64, k: u32) -> u64 {
        word << k
    }

    #[inline(always)]
    fn down(word: u64, k: u32) -> u64 {
        word >> k
    }
}

impl sealed::Order for HighFirst {
    const LOW_FIRST: bool = false;

    #[inline(always)]
    fn read(bytes: [u8; 8]) -> u64 {
        u64::from_be_bytes(bytes)
    }

    #[inline(always)]
    fn write(word: u64) -> [u8; 8] {
        word.to_be_bytes()
    }

    #[inline(always)]
    fn up(word: u64, k: u32) -> u64 {
        word >> k
    }

    #[inline(always)]
    fn down(word: u64, k: u32) -> u64 {
        word << k
    }
}

/// What leaves a word at its far end when it is multiplied by x^`k`, where it arrives. `k` is at most 63.
#[inline(always)]
pub(super) fn carried<O: Order>(word: u64, k: u32) -> u64 {
    // In two steps, for 0.
    O::down(O::down(word, 1), 63 - k)
}

/// The near word of a product with x^`k`, where `carry` left the far word. `k` is at most 57.
#[inline(always)]
pub(super) fn near<O: Order>(near: u64, carry: u64, k: u32) -> u64 {
    // x^128 = x^7 + x^2 + x + 1.
    O::up(near, k) ^ carry ^ O::up(carry, 1) ^ O::up(carry, 2) ^ O::up(carry, 7)
}

/// The far word of a product with x^`k`, where `carry` left the near word. `k` is at most 63.
#[inline(always)]
pub(super) fn far<O: Order>(far: u64, carry: u64, k: u32) -> u64 {
    O::up(far, k) | carry
}
