//! The counter blocks: where they start and how they go on (SP 800-38D, sections 6.2 and 7.1).

use crate::{Block, NonceSize, wipe::wipe};
use aead::array::Array;
use ghash_simd::{GHash, universal_hash::UniversalHash};

/// A counter block. Wiped on drop: one that GHASH made tells something about the hash key.
pub(crate) struct Counter(Block);

impl Counter {
    /// The block `J0` of this nonce. `ghash` has hashed nothing yet.
    pub(crate) fn new<N: NonceSize>(ghash: &GHash, nonce: &Array<u8, N>) -> Self {
        let mut block = Block::default();
        if N::USIZE == 12 {
            block[..12].copy_from_slice(nonce);
            block[15] = 1;
            return Self(block);
        }
        let mut ghash = ghash.clone();
        ghash.update_padded(nonce);
        block[8..].copy_from_slice(&(N::U64 * 8).to_be_bytes());
        ghash.update(&[block]);
        Self(ghash.finalize())
    }

    pub(crate) fn block(&self) -> &Block {
        &self.0
    }

    /// Moves on by `blocks`, in the last four bytes alone.
    pub(crate) fn advance(&mut self, blocks: u32) {
        let [.., a, b, c, d] = self.0.0;
        let next = u32::from_be_bytes([a, b, c, d]).wrapping_add(blocks);
        self.0[12..].copy_from_slice(&next.to_be_bytes());
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::Counter;
    use hex_literal::hex;

    #[test]
    fn a_counter_wraps_without_reaching_the_nonce() {
        let mut counter = Counter(hex!("ffffffffffffffffffffffff fffffffe").into());
        counter.advance(1);
        assert_eq!(counter.0, hex!("ffffffffffffffffffffffff ffffffff"));
        counter.advance(1);
        assert_eq!(counter.0, hex!("ffffffffffffffffffffffff 00000000"));
        counter.advance(u32::MAX);
        assert_eq!(counter.0, hex!("ffffffffffffffffffffffff ffffffff"));
        counter.advance(16);
        assert_eq!(counter.0, hex!("ffffffffffffffffffffffff 0000000f"));
    }
}
