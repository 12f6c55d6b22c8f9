//! Authenticated decryption (SP 800-38D, section 7.2): the whole tag first, then the first byte
//! of plaintext.

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
/// note; beyond, it costs what reading memory costs, and no plaintext that may be forged is ever seen.
pub(crate) fn open(
    cipher: &Sm4,
    key: &GHashKey,
    j0: &Counter,
    aad: &[u8],
    buffer: InOutBuf<'_, '_, u8>,
    tag: &[u8],
) -> Result<(), Error> {
    // Room for a short message costs less to clear.
    if buffer.len() <= SHORT {
        verified::<SHORT>(cipher, key, j0, aad, buffer, tag)
    } else {
        verified::<MOST>(cipher, key, j0, aad, buffer, tag)
    }
}

/// Most bytes of a short message.
const SHORT: usize = 240;

/// [`open`] with room for an end of `N` bytes.
fn verified<const N: usize>(
    cipher: &Sm4,
    key: &GHashKey,
    j0: &Counter,
    aad: &[u8],
    buffer: InOutBuf<'_, '_, u8>,
    tag: &[u8],
) -> Result<(), Error> {
    let before = before_end(buffer.len());
    let mut tail = Tail::<N>::zeros();
    tail.make(cipher, j0, before, buffer.len() - before);
    let mut expected = full_tag(key.hash_aead(aad, buffer.get_in()), tail.mask);
    let equal = expected[..tag.len()].ct_eq(tag);
    // The right tag of a message that was refused would be a forgery made to order.
    wipe(&mut expected);
    if !equal.to_bool() {
        return Err(Error);
    }

    let (data, end) = buffer.split_at(before);
    if !data.is_empty() {
        ctr32(cipher, j0.ahead(1).block(), data);
    }
    tail.xor(end);
    Ok(())
}
