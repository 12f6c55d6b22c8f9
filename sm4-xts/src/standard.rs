//! Where the two standards differ: how a tweak is multiplied by x.

use crate::Block;
use core::fmt::Debug;

/// The standards of XTS: [`Ieee1619`] and [`Gbt17964`].
///
/// The trait is sealed.
pub trait Standard: sealed::Standard {}

impl<S: sealed::Standard> Standard for S {}

/// IEEE 1619: the least significant bit of the first byte is the coefficient of x^0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ieee1619;

/// GB/T 17964-2021: the most significant bit of the first byte is the coefficient of x^0, as in
/// GCM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gbt17964;

mod sealed {
    use super::{Block, Debug};

    pub trait Standard: Copy + Debug + Default + Send + Sync + Unpin + 'static {
        /// The block as a number in which multiplication by x is a shift.
        fn load(block: &Block) -> u128;

        /// The inverse of `load`.
        fn store(tweak: u128) -> Block;

        /// The product of a loaded block and x, modulo x^128 + x^7 + x^2 + x + 1.
        fn double(tweak: u128) -> u128;
    }

    impl Standard for super::Ieee1619 {
        #[inline(always)]
        fn load(block: &Block) -> u128 {
            u128::from_le_bytes(block.0)
        }

        #[inline(always)]
        fn store(tweak: u128) -> Block {
            tweak.to_le_bytes().into()
        }

        #[inline(always)]
        fn double(tweak: u128) -> u128 {
            // All ones if a bit leaves at the top: the tweak is secret, so no branch.
            let carried = 0u128.wrapping_sub(tweak >> 127);
            (tweak << 1) ^ (carried & 0x87)
        }
    }

    impl Standard for super::Gbt17964 {
        #[inline(always)]
        fn load(block: &Block) -> u128 {
            u128::from_be_bytes(block.0)
        }

        #[inline(always)]
        fn store(tweak: u128) -> Block {
            tweak.to_be_bytes().into()
        }

        #[inline(always)]
        fn double(tweak: u128) -> u128 {
            let carried = 0u128.wrapping_sub(tweak & 1);
            (tweak >> 1) ^ (carried & (0xe1 << 120))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Gbt17964, Ieee1619, sealed::Standard};
    use hex_literal::hex;

    fn doubled<S: Standard>(block: [u8; 16]) -> [u8; 16] {
        S::store(S::double(S::load(&block.into()))).0
    }

    #[test]
    fn ieee_1619() {
        for (tweak, expected) in [
            (
                hex!("01000000000000000000000000000000"),
                hex!("02000000000000000000000000000000"),
            ),
            (
                hex!("80000000000000000000000000000000"),
                hex!("00010000000000000000000000000000"),
            ),
            (
                hex!("00000000000000000000000000000080"),
                hex!("87000000000000000000000000000000"),
            ),
            (
                hex!("ffffffffffffffffffffffffffffffff"),
                hex!("79ffffffffffffffffffffffffffffff"),
            ),
        ] {
            assert_eq!(doubled::<Ieee1619>(tweak), expected);
        }
    }

    #[test]
    fn gbt_17964_is_ieee_1619_with_the_bits_of_each_byte_reversed() {
        let mut tweak = hex!("0123456789abcdeffedcba9876543217");
        let mut mirrored = tweak.map(u8::reverse_bits);
        for _ in 0..300 {
            tweak = doubled::<Ieee1619>(tweak);
            mirrored = doubled::<Gbt17964>(mirrored);
            assert_eq!(mirrored, tweak.map(u8::reverse_bits));
        }
    }
}
