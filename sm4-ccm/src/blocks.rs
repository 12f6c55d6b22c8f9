//! The blocks that CCM makes from nonce and lengths: B0, and the counter blocks A0, A1, ..
//! (SP 800-38C, appendices A.2.1 and A.3).

use crate::{Block, NonceSize, TagSize};
use aead::array::Array;

/// B0, and what all counter blocks have in common.
#[derive(Clone, Copy)]
pub(crate) struct Blocks {
    first: u128,
    counters: u128,
}

impl Blocks {
    /// For a message of `message` bytes, no more than its field can hold, and `aad` bytes of
    /// associated data.
    pub(crate) fn new<T: TagSize, N: NonceSize>(
        nonce: &Array<u8, N>,
        aad: u64,
        message: u64,
    ) -> Self {
        let field = 15 - N::U8;
        let mut block = [0; 16];
        block[0] = field - 1;
        block[1..=N::USIZE].copy_from_slice(nonce);
        let counters = u128::from_be_bytes(block);
        let flags = u8::from(aad > 0) << 6 | ((T::U8 - 2) / 2) << 3;
        Self {
            first: counters | u128::from(flags) << 120 | u128::from(message),
            counters,
        }
    }

    /// B0, the first block of the MAC.
    pub(crate) fn first(&self) -> Block {
        self.first.to_be_bytes().into()
    }

    /// The counter block of this number. The numbers that a permitted message needs fit the field,
    /// so that none of them reaches the nonce.
    #[inline(always)]
    pub(crate) fn counter(&self, number: u64) -> Block {
        (self.counters | u128::from(number)).to_be_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::Blocks;
    use aead::{
        array::Array,
        consts::{U4, U6, U7, U8, U11, U12, U13, U16},
    };
    use hex_literal::hex;

    /// SP 800-38C, appendix C, examples 1 to 3.
    #[test]
    fn sp_800_38c_examples() {
        let nonce = hex!("10111213141516");
        let blocks = Blocks::new::<U4, U7>(&nonce.into(), 8, 4);
        assert_eq!(blocks.first(), hex!("4f101112131415160000000000000004"));
        assert_eq!(blocks.counter(0), hex!("07101112131415160000000000000000"));
        assert_eq!(blocks.counter(1), hex!("07101112131415160000000000000001"));

        let nonce = hex!("1011121314151617");
        let blocks = Blocks::new::<U6, U8>(&nonce.into(), 16, 16);
        assert_eq!(blocks.first(), hex!("56101112131415161700000000000010"));
        assert_eq!(blocks.counter(1), hex!("06101112131415161700000000000001"));

        let nonce = hex!("101112131415161718191a1b");
        let blocks = Blocks::new::<U8, U12>(&nonce.into(), 20, 24);
        assert_eq!(blocks.first(), hex!("5a101112131415161718191a1b000018"));
        assert_eq!(blocks.counter(2), hex!("02101112131415161718191a1b000002"));
    }

    #[test]
    fn no_associated_data_clears_its_flag() {
        let blocks = Blocks::new::<U16, U12>(&[0x20; 12].into(), 0, 0);
        assert_eq!(blocks.first(), hex!("3a202020202020202020202020000000"));
    }

    #[test]
    fn a_counter_fills_its_field_and_leaves_the_nonce_alone() {
        let ones = Array([0xff; 7]);
        let blocks = Blocks::new::<U16, U7>(&ones, 1, u64::MAX);
        assert_eq!(blocks.first(), hex!("7fffffffffffffffffffffffffffffff"));
        for (number, counter) in [
            (0, hex!("07ffffffffffffff0000000000000000")),
            (0xffff_ffff, hex!("07ffffffffffffff00000000ffffffff")),
            (0x1_0000_0000, hex!("07ffffffffffffff0000000100000000")),
            (u64::MAX, hex!("07ffffffffffffffffffffffffffffff")),
        ] {
            assert_eq!(blocks.counter(number), counter);
        }

        let blocks = Blocks::new::<U16, U11>(&Array([0xff; 11]), 1, 0xffff_ffff);
        assert_eq!(
            blocks.counter(0xffff_ffff),
            hex!("03ffffffffffffffffffffffffffffff")
        );
        assert_eq!(
            blocks.counter(0x0fff_ffff),
            hex!("03ffffffffffffffffffffff0fffffff")
        );

        let blocks = Blocks::new::<U16, U13>(&Array([0xff; 13]), 1, 0xffff);
        assert_eq!(blocks.first(), hex!("79ffffffffffffffffffffffffffffff"));
        assert_eq!(
            blocks.counter(0x1000),
            hex!("01ffffffffffffffffffffffffff1000")
        );
    }
}
