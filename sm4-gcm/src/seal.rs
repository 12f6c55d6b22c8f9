//! Authenticated encryption (SP 800-38D, section 7.1).

use crate::{Block, counter::Counter, wipe::wipe};
use aead::{array::Array, inout::InOutBuf};
use ghash_simd::{GHash, GHashKey, universal_hash::UniversalHash};
use sm4::{
    Sm4,
    ctr::{ctr32, ctr32_with_mask},
};

/// What one turn of counter mode and hash takes: what the first wrote is still in the innermost
/// cache when the second reads it.
const CHUNK: usize = 8192;

/// Encrypts `buffer` and returns the full tag. The counter starts at `j0`.
pub(crate) fn seal(
    cipher: &Sm4,
    key: &GHashKey,
    j0: &Counter,
    aad: &[u8],
    mut buffer: InOutBuf<'_, '_, u8>,
) -> Block {
    let len = buffer.len();
    if len <= 2 * CHUNK {
        let mask = ctr32_with_mask(cipher, j0.block(), 1, buffer.reborrow());
        return tag(key.hash_aead(aad, buffer.get_out()), mask);
    }

    let mut ghash = GHash::with_key(key);
    ghash.update_padded(aad);
    let mut rest = buffer;
    let mut ahead = 1_u32;
    while rest.len() > 2 * CHUNK {
        let (mut chunk, behind) = rest.split_at(CHUNK);
        ctr32(cipher, j0.ahead(ahead).block(), chunk.reborrow());
        ghash.update_padded(chunk.get_out());
        ahead += (CHUNK / 16) as u32;
        rest = behind;
    }
    let mask = ctr32_with_mask(cipher, j0.block(), ahead, rest.reborrow());
    tag(
        ghash.finalize_aead(rest.get_out(), aad.len() as u64, len as u64),
        mask,
    )
}

/// The full tag (SP 800-38D, section 7.1, step 6).
fn tag(hash: Block, mut mask: Block) -> Block {
    let tag = Array::from_fn(|i| hash[i] ^ mask[i]);
    wipe(&mut mask);
    tag
}
