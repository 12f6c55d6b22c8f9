//! The kernels of CCM: CBC-MAC and counter mode at once.
//!
//! This is a low-level interface: it formats no nonce or length, limits no message, and gives out what it decrypts
//! before anybody has compared the tag. Use SM4-CCM, unless you build a mode of that kind yourself.
//!
//! The MAC is a chain, each link of which waits for the whole latency of the cipher. The keystream takes the places
//! that it leaves idle, and so costs next to nothing.

pub(crate) mod by_closure;
pub(crate) mod by_passes;

use crate::{
    Sm4,
    backends::{Kernel, dispatch},
};
use cipher::{Block, InOutBuf};
use core::fmt;

/// How many messages [`seal_lanes`] and [`open_lanes`] take at once.
pub const LANES: usize = 64;

/// What [`seal`] and [`open`] take beside the text.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The blocks that the MAC begins with, at least one: B0, and what needs a header or padding of its own.
    pub head: &'a [Block<Sm4>],
    /// What the MAC takes before the text, of any length in bytes, filled up to whole blocks with zeros.
    pub rest: &'a [u8],
    /// A0, the counter block that masks the tag.
    pub counter: &'a Block<Sm4>,
}

/// Encrypts a text of any length in bytes and returns the tag of 16 bytes (NIST SP 800-38C, 6.1).
///
/// With `P` the text, block `i` from 1 on, the output is `C[i] = P[i] ^ E(A0 + i)`, cut to the length of `P`, and the tag is
/// `CBC-MAC(head || rest || P) ^ E(A0)`. The MAC takes `rest` and `P` filled up with zeros to whole blocks, and `+` counts modulo
/// 2^64 in the last eight bytes, most significant first. Input and output may be the same memory.
///
/// # Panics
/// If `head` has no block.
pub fn seal(cipher: &Sm4, message: Message<'_>, text: InOutBuf<'_, '_, u8>) -> Block<Sm4> {
    run::<false>(cipher, message, text)
}

fn run<const OPEN: bool>(
    cipher: &Sm4,
    message: Message<'_>,
    text: InOutBuf<'_, '_, u8>,
) -> Block<Sm4> {
    assert!(!message.head.is_empty(), "the MAC begins with a block");
    dispatch!(cipher.backend, kernel => kernel.ccm::<OPEN>(&cipher.round_keys, message, text))
}

/// Decrypts a text of any length in bytes and returns the tag of 16 bytes that it should have (NIST SP 800-38C, 6.2).
///
/// As [`seal`], but the output is the text that the MAC takes. The caller compares the tag, in constant time, and wipes the
/// output where it is wrong.
///
/// # Panics
/// As [`seal`].
pub fn open(cipher: &Sm4, message: Message<'_>, text: InOutBuf<'_, '_, u8>) -> Block<Sm4> {
    run::<true>(cipher, message, text)
}

/// How far a message has come that goes through [`seal_lanes`] or [`open_lanes`], at a whole number of blocks of its text.
/// Wiped on drop under the feature `zeroize`.
pub struct Lane {
    /// The MAC of what was taken so far.
    pub chain: Block<Sm4>,
    /// The keystream of the next block of text, `E(A0 + i)`.
    pub keystream: Block<Sm4>,
    /// The counter block behind that, `A0 + i + 1`.
    pub counter: Block<Sm4>,
}

impl fmt::Debug for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lane").finish_non_exhaustive()
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        for block in [&mut self.chain, &mut self.keystream, &mut self.counter] {
            cipher::zeroize::Zeroize::zeroize(block.as_mut_slice());
        }
    }
}

/// Encrypts pieces of up to [`LANES`] messages at once, in about the time of one: one lane and one buffer each, all buffers of
/// the same length.
///
/// For each block `P` of a text, the output is `C = P ^ keystream`. Then `chain = E(chain ^ P)`, `keystream = E(counter)`, and
/// `counter` counts on modulo 2^64 in its last eight bytes, most significant first. Input and output may be the same memory.
///
/// # Panics
/// If there are more than [`LANES`] buffers, not as many as lanes, or of unequal lengths.
pub fn seal_lanes(cipher: &Sm4, lanes: &mut [Lane], texts: &mut [InOutBuf<'_, '_, Block<Sm4>>]) {
    run_lanes::<false>(cipher, lanes, texts);
}

/// Decrypts as [`seal_lanes`] encrypts; the chain takes the output.
///
/// # Panics
/// As [`seal_lanes`].
pub fn open_lanes(cipher: &Sm4, lanes: &mut [Lane], texts: &mut [InOutBuf<'_, '_, Block<Sm4>>]) {
    run_lanes::<true>(cipher, lanes, texts);
}

fn run_lanes<const OPEN: bool>(
    cipher: &Sm4,
    lanes: &mut [Lane],
    texts: &mut [InOutBuf<'_, '_, Block<Sm4>>],
) {
    assert!(texts.len() <= LANES, "too many lanes");
    assert_eq!(lanes.len(), texts.len(), "one text for each lane");
    let steps = texts.first().map_or(0, InOutBuf::len);
    assert!(
        texts.iter().all(|text| text.len() == steps),
        "texts of unequal lengths"
    );
    if steps == 0 {
        return;
    }
    dispatch!(cipher.backend, kernel => kernel.ccm_lanes::<OPEN>(&cipher.round_keys, lanes, texts));
}

/// Counter blocks, which count in their last eight bytes.
pub(crate) struct Counters {
    prefix: u64,
    number: u64,
}

impl Counters {
    /// The counter blocks from this one on.
    #[inline(always)]
    pub(crate) fn new(first: &Block<Sm4>) -> Self {
        let block = u128::from_be_bytes(first.0);
        Self {
            prefix: (block >> 64) as u64,
            number: block as u64,
        }
    }

    #[inline(always)]
    pub(crate) fn next_block(&mut self) -> [u8; 16] {
        let block = u128::from(self.prefix) << 64 | u128::from(self.number);
        self.number = self.number.wrapping_add(1);
        block.to_be_bytes()
    }
}
