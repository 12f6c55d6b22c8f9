//! Where in the block the counter is, and how wide.

use cipher::{Block, StreamCipherCounter};
use sm4::Sm4;

/// A flavor of the counter. Sealed.
pub trait CtrFlavor: sealed::Flavor {}

impl<F: sealed::Flavor> CtrFlavor for F {}

pub(super) mod sealed {
    use super::{Block, Sm4, StreamCipherCounter};

    pub trait Flavor {
        /// The type that counts the blocks.
        type Counter: StreamCipherCounter + Default;

        /// The name that the crate `ctr` gives.
        const NAME: &'static str;

        /// Whether the kernel for 32-bit big-endian counters serves this one.
        const BIG_ENDIAN: bool;

        /// The counter block `count` blocks after `nonce`.
        fn block(nonce: &Block<Sm4>, count: Self::Counter) -> Block<Sm4>;

        /// `count + blocks`, wrapping.
        fn advance(count: Self::Counter, blocks: usize) -> Self::Counter;

        /// `count - blocks`, wrapping.
        fn retreat(count: Self::Counter, blocks: usize) -> Self::Counter;

        /// `to - from`, wrapping, where it fits.
        fn distance(from: Self::Counter, to: Self::Counter) -> Option<usize>;

        /// The number of blocks from `count` to the end of the keystream, where it fits.
        fn remaining(count: Self::Counter) -> Option<usize>;
    }
}

macro_rules! flavors {
    ($($(#[$doc:meta])* $name:ident: $int:ident, $label:literal, $big:literal, $bytes:expr, $from:ident, $to:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}

        impl sealed::Flavor for $name {
            type Counter = $int;

            const NAME: &'static str = $label;

            const BIG_ENDIAN: bool = $big;

            #[inline(always)]
            fn block(nonce: &Block<Sm4>, count: $int) -> Block<Sm4> {
                let mut block = *nonce;
                let mut bytes = [0; size_of::<$int>()];
                bytes.copy_from_slice(&nonce[$bytes]);
                let counter = $int::$from(bytes).wrapping_add(count);
                block[$bytes].copy_from_slice(&counter.$to());
                block
            }

            #[inline(always)]
            fn advance(count: $int, blocks: usize) -> $int {
                // Truncation is what wrapping means.
                count.wrapping_add(blocks as $int)
            }

            #[inline(always)]
            fn retreat(count: $int, blocks: usize) -> $int {
                count.wrapping_sub(blocks as $int)
            }

            #[inline]
            fn distance(from: $int, to: $int) -> Option<usize> {
                to.wrapping_sub(from).try_into().ok()
            }

            #[inline]
            fn remaining(count: $int) -> Option<usize> {
                ($int::MAX - count).try_into().ok()
            }
        }
    )*};
}

flavors! {
    /// 32 bits, big-endian: the last 4 bytes.
    Ctr32BE: u32, "32BE", true, 12.., from_be_bytes, to_be_bytes;
    /// 32 bits, little-endian: the first 4 bytes.
    Ctr32LE: u32, "32LE", false, ..4, from_le_bytes, to_le_bytes;
    /// 64 bits, big-endian: the last 8 bytes.
    Ctr64BE: u64, "64BE", true, 8.., from_be_bytes, to_be_bytes;
    /// 64 bits, little-endian: the first 8 bytes.
    Ctr64LE: u64, "64LE", false, ..8, from_le_bytes, to_le_bytes;
    /// 128 bits, big-endian: all 16 bytes.
    Ctr128BE: u128, "128BE", true, .., from_be_bytes, to_be_bytes;
    /// 128 bits, little-endian: all 16 bytes.
    Ctr128LE: u128, "128LE", false, .., from_le_bytes, to_le_bytes;
}
