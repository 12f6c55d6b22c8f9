//! The full tag (SP 800-38D, section 7.1, steps 5 and 6).

use crate::{Block, head::Head, wipe::wipe};
use ghash_simd::{GHash, universal_hash::UniversalHash};

/// Hashes the length block and masks the result. `ghash` has hashed `aad` bytes of associated
/// data and `message` bytes of ciphertext, each padded to whole blocks; both lengths were checked.
pub(crate) fn full_tag(mut ghash: GHash, head: &Head, aad: usize, message: usize) -> Block {
    let mut lengths = Block::default();
    lengths[..8].copy_from_slice(&(aad as u64 * 8).to_be_bytes());
    lengths[8..].copy_from_slice(&(message as u64 * 8).to_be_bytes());
    ghash.update(&[lengths]);

    let mut tag = ghash.finalize();
    let mut mask = head.mask();
    for (t, m) in tag.iter_mut().zip(&mask) {
        *t ^= m;
    }
    wipe(&mut mask);
    tag
}
