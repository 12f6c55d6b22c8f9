//! Authenticated decryption (SP 800-38D, section 7.2): the whole tag first, then the first byte
//! of plaintext.

use crate::{
    counter::Counter,
    head::{DATA, Head},
    seal::CHUNK,
    tag::full_tag,
    wipe::wipe,
};
use aead::{Error, inout::InOutBuf};
use ctutils::CtEq;
use ghash_simd::{GHash, universal_hash::UniversalHash};
use sm4::{Sm4, ctr::ctr32};

/// Decrypts `buffer` if `tag` is the first bytes of the full tag; touches nothing otherwise.
/// `counter` stands at `J0`.
pub(crate) fn open(
    cipher: &Sm4,
    ghash: &GHash,
    mut counter: Counter,
    aad: &[u8],
    buffer: InOutBuf<'_, '_, u8>,
    tag: &[u8],
) -> Result<(), Error> {
    let len = buffer.len();
    let mut ghash = ghash.clone();
    ghash.update_padded(aad);
    ghash.update_padded(buffer.get_in());

    let head = Head::keystream(cipher, &mut counter, len.min(DATA));
    let mut expected = full_tag(ghash, &head, aad.len(), len);
    let equal = expected[..tag.len()].ct_eq(tag);
    // The right tag of a message that was refused would be a forgery made to order.
    wipe(&mut expected);
    if !equal.to_bool() {
        return Err(Error);
    }

    let (mut first, mut rest) = buffer.split_at(head.data().len());
    first.xor_in2out(head.data());
    while !rest.is_empty() {
        let at = rest.len().min(CHUNK);
        let (chunk, behind) = rest.split_at(at);
        ctr32(cipher, counter.block(), chunk);
        counter.advance((CHUNK / 16) as u32);
        rest = behind;
    }
    Ok(())
}
