//! The steps of CBC-MAC.

use crate::{Block, associated::header};
use cipher::{BlockCipherEncBackend, consts::U16};

/// XORs `data`, at most a block, into the beginning of `block`.
#[inline(always)]
pub(crate) fn xor(block: &mut Block, data: &[u8]) {
    for (b, d) in block.iter_mut().zip(data) {
        *b ^= d;
    }
}

/// Takes the associated data, with its header and padding, into the MAC.
#[inline(always)]
pub(crate) fn absorb<B>(backend: &B, mac: &mut Block, aad: &[u8])
where
    B: BlockCipherEncBackend<BlockSize = U16>,
{
    if aad.is_empty() {
        return;
    }
    let (mut first, size) = header(aad.len() as u64);
    let (beside, rest) = aad.split_at(aad.len().min(16 - size));
    first[size..][..beside.len()].copy_from_slice(beside);
    xor(mac, &first);
    backend.encrypt_block_inplace(mac);
    for chunk in rest.chunks(16) {
        xor(mac, chunk);
        backend.encrypt_block_inplace(mac);
    }
}
