//! Authenticated decryption (SP 800-38D, section 7.2): the whole tag first, then the first byte
//! of output.

use crate::{counter::Counter, wipe::wipe};
use aead::{Error, inout::InOutBuf};
use ghash_simd::GHashKey;
use sm4::{
    Sm4,
    ctr::{Expected, ctr32_if},
};

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
    // The mask of the tag has to be what makes the hash to the tag.
    let mut mask = key.hash_aead(aad, buffer.get_in());
    for (byte, tag) in mask.iter_mut().zip(tag) {
        *byte ^= tag;
    }
    let expected = Expected::new(&mask, tag.len());
    wipe(&mut mask);
    match ctr32_if(cipher, j0.block(), 1, buffer, &expected) {
        Some(mut mask) => {
            wipe(&mut mask);
            Ok(())
        }
        None => Err(Error),
    }
}
