//! The counter blocks: where they start and how they go on (SP 800-38D, sections 6.2 and 7.1).

use crate::{Block, NonceSize, wipe::wipe};
use aead::array::Array;
use ghash_simd::GHashKey;

/// A counter block. Wiped on drop: one that GHASH made tells something about the hash key.
pub(crate) struct Counter(Block);

impl Counter {
    /// The block `J0` of this nonce.
    pub(crate) fn new<N: NonceSize>(key: &GHashKey, nonce: &Array<u8, N>) -> Self {
        if N::USIZE == 12 {
            let mut block = Block::default();
            block[..12].copy_from_slice(nonce);
            block[15] = 1;
            return Self(block);
        }
        // The nonce stands where a ciphertext would: J0 is GHASH of it, padded, and of the block of 64
        // zero bits and its length.
        Self(key.hash_aead(&[], nonce))
    }

    pub(crate) fn block(&self) -> &Block {
        &self.0
    }

    /// The counter block `blocks` on. Counts in the last four bytes alone.
    pub(crate) fn ahead(&self, blocks: u32) -> Self {
        let mut block = self.0;
        let [.., a, b, c, d] = block.0;
        let next = u32::from_be_bytes([a, b, c, d]).wrapping_add(blocks);
        block[12..].copy_from_slice(&next.to_be_bytes());
        Self(block)
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
        let counter = Counter(hex!("ffffffffffffffffffffffff fffffffe").into());
        assert_eq!(
            counter.ahead(1).0,
            hex!("ffffffffffffffffffffffff ffffffff")
        );
        assert_eq!(
            counter.ahead(2).0,
            hex!("ffffffffffffffffffffffff 00000000")
        );
        assert_eq!(
            counter.ahead(17).0,
            hex!("ffffffffffffffffffffffff 0000000f")
        );
        assert_eq!(
            counter.ahead(0xffff_ffff).0,
            hex!("ffffffffffffffffffffffff fffffffd")
        );
    }
}
