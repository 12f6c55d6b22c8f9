//! Authenticated decryption (SP 800-38D, section 7.2): the whole tag first, then the first byte
//! of output.

use crate::{
    counter::Counter,
    seal::tag as full_tag,
    tail::{MOST, Tail, before_end},
    wipe::wipe,
};
use aead::{Error, inout::InOutBuf};
use ctutils::CtEq;
use ghash_simd::GHashKey;
use sm4::{Sm4, ctr::ctr32};

/// Decrypts `buffer` if `tag` is the first bytes of the full tag; touches nothing otherwise.
/// The counter starts at `j0`.
///
/// So the ciphertext is read twice. Up to the size of the second-level cache that costs nothing of
/// note; beyond, it costs what reading memory costs, and no plaintext that may be forged is ever seen:
/// what shares a pass of the cipher with the mask of the tag is decrypted aside.
pub(crate) fn open(
    cipher: &Sm4,
    key: &GHashKey,
    j0: &Counter,
    aad: &[u8],
    buffer: InOutBuf<'_, '_, u8>,
    tag: &[u8],
) -> Result<(), Error> {
    // Less room costs less to clear.
    let before = before_end(buffer.len());
    match buffer.len() - before {
        0..=240 => verified::<240>(cipher, key, j0, aad, buffer, tag, before),
        241..=1024 => verified::<1024>(cipher, key, j0, aad, buffer, tag, before),
        _ => verified::<MOST>(cipher, key, j0, aad, buffer, tag, before),
    }
}

/// [`open`] with room for an end of `N` bytes.
fn verified<const N: usize>(
    cipher: &Sm4,
    key: &GHashKey,
    j0: &Counter,
    aad: &[u8],
    buffer: InOutBuf<'_, '_, u8>,
    tag: &[u8],
    before: usize,
) -> Result<(), Error> {
    let mut tail = Tail::<N>::zeros();
    tail.make(cipher, j0, before, &buffer.get_in()[before..]);
    let mut expected = full_tag(key.hash_aead(aad, buffer.get_in()), tail.mask);
    let equal = expected[..tag.len()].ct_eq(tag);
    // The right tag of a message that was refused would be a forgery made to order.
    wipe(&mut expected);
    if !equal.to_bool() {
        return Err(Error);
    }

    let (data, mut end) = buffer.split_at(before);
    if !data.is_empty() {
        ctr32(cipher, j0.ahead(1).block(), data);
    }
    end.get_out().copy_from_slice(tail.text());
    Ok(())
}
