//! The kernels that CBC, CFB and OFB share.
//!
//! This is a low-level interface: it authenticates nothing, knows no padding, and takes the chaining value from its
//! caller, who must not use one twice. Use an AEAD such as SM4-GCM or SM4-CCM, or a mode of the crate
//! `sm4-modes`, unless you build one yourself.
//!
//! Each function takes the chaining value `iv` (the initialization vector at first) and leaves in it the one to go on
//! with, so that calls over the pieces of a message equal one call. Input and output may be the same memory.
//!
//! Decryption with CBC and CFB takes many blocks at a time. Encryption, and OFB, cannot: each block waits for the one
//! before. The functions of several `lanes` do so for up to [`LANES`] messages at once, at about the time of one.

pub(crate) mod by_closure;

use crate::{
    Sm4,
    backends::{Kernel, dispatch},
};
use cipher::{Block, InOutBuf};

/// How many messages the functions of several lanes take at once.
pub const LANES: usize = 16;

/// How a mode chains its blocks: what one step makes of the chaining value and a block of text.
pub(crate) trait Chaining {
    /// Whether the text is XORed into what the cipher takes, or else into what it gives.
    const TEXT_IN: bool;

    /// Whether the output is the next chaining value, or else what the cipher gave.
    const OUTPUT_BACK: bool;
}

/// `C = iv = E(iv ^ P)`.
pub(crate) enum Cbc {}

impl Chaining for Cbc {
    const TEXT_IN: bool = true;
    const OUTPUT_BACK: bool = true;
}

/// `C = iv = E(iv) ^ P`.
pub(crate) enum Cfb {}

impl Chaining for Cfb {
    const TEXT_IN: bool = false;
    const OUTPUT_BACK: bool = true;
}

/// `iv = E(iv)`, `C = iv ^ P`.
pub(crate) enum Ofb {}

impl Chaining for Ofb {
    const TEXT_IN: bool = false;
    const OUTPUT_BACK: bool = false;
}

/// Encrypts with CBC: `iv = E(iv ^ P[i])`, `C[i] = iv` (NIST SP 800-38A, 6.2; GB/T 17964-2021, 6).
pub fn cbc_encrypt(cipher: &Sm4, iv: &mut Block<Sm4>, blocks: InOutBuf<'_, '_, Block<Sm4>>) {
    chain::<Cbc>(cipher, iv, blocks);
}

/// Encrypts with CFB of whole blocks: `iv = E(iv) ^ P[i]`, `C[i] = iv` (NIST SP 800-38A, 6.3; GB/T 17964-2021, 7).
///
/// The keystream for a last block that is shorter is the encryption of the `iv` that is left.
pub fn cfb_encrypt(cipher: &Sm4, iv: &mut Block<Sm4>, blocks: InOutBuf<'_, '_, Block<Sm4>>) {
    chain::<Cfb>(cipher, iv, blocks);
}

/// Encrypts or decrypts with OFB: `iv = E(iv)`, `C[i] = iv ^ P[i]` (NIST SP 800-38A, 6.4; GB/T 17964-2021, 8).
pub fn ofb(cipher: &Sm4, iv: &mut Block<Sm4>, blocks: InOutBuf<'_, '_, Block<Sm4>>) {
    chain::<Ofb>(cipher, iv, blocks);
}

/// [`cbc_encrypt`] for up to [`LANES`] messages at once: one chaining value and one buffer each, all buffers of
/// the same length.
///
/// # Panics
/// If there are more than [`LANES`] buffers, not as many as chaining values, or of unequal lengths.
pub fn cbc_encrypt_lanes(
    cipher: &Sm4,
    ivs: &mut [Block<Sm4>],
    lanes: &mut [InOutBuf<'_, '_, Block<Sm4>>],
) {
    chain_lanes::<Cbc>(cipher, ivs, lanes);
}

/// [`cfb_encrypt`] for up to [`LANES`] messages at once, as [`cbc_encrypt_lanes`].
///
/// # Panics
/// As [`cbc_encrypt_lanes`].
pub fn cfb_encrypt_lanes(
    cipher: &Sm4,
    ivs: &mut [Block<Sm4>],
    lanes: &mut [InOutBuf<'_, '_, Block<Sm4>>],
) {
    chain_lanes::<Cfb>(cipher, ivs, lanes);
}

/// [`ofb`] for up to [`LANES`] messages at once, as [`cbc_encrypt_lanes`].
///
/// # Panics
/// As [`cbc_encrypt_lanes`].
pub fn ofb_lanes(cipher: &Sm4, ivs: &mut [Block<Sm4>], lanes: &mut [InOutBuf<'_, '_, Block<Sm4>>]) {
    chain_lanes::<Ofb>(cipher, ivs, lanes);
}

/// Decrypts with CBC: `P[i] = D(C[i]) ^ iv`, `iv = C[i]` (NIST SP 800-38A, 6.2; GB/T 17964-2021, 6).
pub fn cbc_decrypt(cipher: &Sm4, iv: &mut Block<Sm4>, blocks: InOutBuf<'_, '_, Block<Sm4>>) {
    dispatch!(cipher.backend, kernel => kernel.cbc_decrypt(&cipher.round_keys, iv, blocks));
}

/// Decrypts with CFB of whole blocks: `P[i] = E(iv) ^ C[i]`, `iv = C[i]` (NIST SP 800-38A, 6.3; GB/T 17964-2021, 7).
///
/// `data` may have any length in bytes. A last block that is shorter than 16 bytes takes the first bytes of `E(iv)`
/// and leaves `iv` alone.
///
/// `next`, where there is one, receives the keystream behind the last whole block: `E(iv)` of the `iv` that is left.
pub fn cfb_decrypt(
    cipher: &Sm4,
    iv: &mut Block<Sm4>,
    data: InOutBuf<'_, '_, u8>,
    next: Option<&mut Block<Sm4>>,
) {
    dispatch!(cipher.backend, kernel => kernel.cfb_decrypt(&cipher.round_keys, iv, data, next));
}

fn chain<M: Chaining>(cipher: &Sm4, iv: &mut Block<Sm4>, blocks: InOutBuf<'_, '_, Block<Sm4>>) {
    dispatch!(cipher.backend, kernel => kernel.chain::<M>(&cipher.round_keys, iv, blocks));
}

fn chain_lanes<M: Chaining>(
    cipher: &Sm4,
    ivs: &mut [Block<Sm4>],
    lanes: &mut [InOutBuf<'_, '_, Block<Sm4>>],
) {
    assert!(lanes.len() <= LANES, "too many lanes");
    assert_eq!(ivs.len(), lanes.len(), "one chaining value for each lane");
    let steps = match lanes {
        [] => return,
        [lane] => return chain::<M>(cipher, &mut ivs[0], lane.reborrow()),
        [lane, ..] => lane.len(),
    };
    assert!(
        lanes.iter().all(|lane| lane.len() == steps),
        "lanes of unequal lengths"
    );
    dispatch!(cipher.backend, kernel => kernel.chain_lanes::<M>(&cipher.round_keys, ivs, lanes));
}
