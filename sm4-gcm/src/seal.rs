//! Authenticated encryption (SP 800-38D, section 7.1).

use crate::{
    Block,
    counter::Counter,
    head::{DATA, Head},
    tag::full_tag,
};
use aead::inout::InOutBuf;
use ghash_simd::{GHash, universal_hash::UniversalHash};
use sm4::{Sm4, ctr::ctr32};

/// What one turn of counter mode and hash takes: what the first wrote is still in the innermost
/// cache when the second reads it.
pub(crate) const CHUNK: usize = 4096;

/// Encrypts `buffer` and returns the full tag. `counter` stands at `J0`.
pub(crate) fn seal(
    cipher: &Sm4,
    ghash: &GHash,
    mut counter: Counter,
    aad: &[u8],
    buffer: InOutBuf<'_, '_, u8>,
) -> Block {
    let len = buffer.len();
    let mut ghash = ghash.clone();
    ghash.update_padded(aad);

    let (mut first, mut rest) = buffer.split_at(len.min(DATA));
    let head = Head::encrypt(cipher, &mut counter, first.get_in());
    first.get_out().copy_from_slice(head.data());
    ghash.update_padded(head.data());

    while !rest.is_empty() {
        let at = rest.len().min(CHUNK);
        let (mut chunk, behind) = rest.split_at(at);
        ctr32(cipher, counter.block(), chunk.reborrow());
        ghash.update_padded(chunk.get_out());
        counter.advance((CHUNK / 16) as u32);
        rest = behind;
    }
    full_tag(ghash, &head, aad.len(), len)
}
