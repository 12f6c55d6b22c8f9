//! The counter kernel that CTR and GCM share.
//!
//! This is a low-level interface: it authenticates nothing, and a counter block that comes twice
//! under one key reveals the XOR of two plaintexts. Use an AEAD such as SM4-GCM or SM4-CCM, or a mode of
//! the crate `sm4-modes`, unless you build one yourself.

use crate::{
    Sm4,
    backends::{Kernel, dispatch},
};
use cipher::{Block, InOutBuf};
use core::fmt;

/// XORs `data` with the keystream that starts at the block `counter`.
///
/// The keystream is `E(counter) || E(counter + 1) || ...`, where `+` counts modulo 2^32 in the last four
/// bytes, most significant first, and leaves the first twelve alone (the function `inc_32` of NIST SP
/// 800-38D, 6.2). `data` may have any length in bytes; the last block of keystream is used as far as needed.
///
/// A caller whose counter is wider than 32 bits splits its data where the last four bytes wrap. The time does not
/// depend on the counter, which GCM derives from a secret where the nonce is not of 12 bytes.
pub fn ctr32(cipher: &Sm4, counter: &Block<Sm4>, data: InOutBuf<'_, '_, u8>) {
    ctr32_with_rest(cipher, counter, data);
}

/// Like [`ctr32`], and returns what is left of the keystream: where `data` ends within a block, that block,
/// with its first `data.len() % 16` bytes set to zero; else a block of zeros.
pub fn ctr32_with_rest(
    cipher: &Sm4,
    counter: &Block<Sm4>,
    data: InOutBuf<'_, '_, u8>,
) -> Block<Sm4> {
    let (prefix, start) = words(counter);
    cipher.ctr32(prefix, start, data)
}

/// Returns `E(mask)`, and XORs `data` as [`ctr32`] does from the counter block `mask + ahead` on. Where `E(mask)` is not as
/// expected, returns `None` and leaves `data` as it is.
///
/// So the block that masks the tag of GCM needs no pass of the kernel by itself: it takes part in that of the last
/// blocks of `data`, whose keystream stays inside until the tag is known to be right.
///
/// ```
/// use sm4::{Sm4, cipher::KeyInit, ctr::{Expected, ctr32_if}};
///
/// let cipher = Sm4::new(&[0x42; 16].into());
/// let counter = [7; 16].into();
/// let mut data = *b"attack at dawn";
///
/// let wrong = Expected::new(&[0; 16].into(), 16);
/// let mask = ctr32_if(&cipher, &counter, 1, data.as_mut_slice().into(), &wrong);
/// assert!(mask.is_none());
/// assert_eq!(&data, b"attack at dawn");
///
/// let mask = ctr32_if(&cipher, &counter, 1, data.as_mut_slice().into(), &Expected::ANY).unwrap();
/// assert_ne!(&data, b"attack at dawn");
/// let right = Expected::new(&mask, 16);
/// assert!(ctr32_if(&cipher, &counter, 1, data.as_mut_slice().into(), &right).is_some());
/// assert_eq!(&data, b"attack at dawn");
/// ```
pub fn ctr32_if(
    cipher: &Sm4,
    mask: &Block<Sm4>,
    ahead: u32,
    data: InOutBuf<'_, '_, u8>,
    expected: &Expected,
) -> Option<Block<Sm4>> {
    let (prefix, mask) = words(mask);
    let counter = mask.wrapping_add(ahead);
    dispatch!(cipher.backend, kernel => {
        kernel.ctr32_if(&cipher.round_keys, prefix, mask, counter, data, expected)
    })
}

/// [`ctr32_if`] without a condition.
pub fn ctr32_with_mask(
    cipher: &Sm4,
    mask: &Block<Sm4>,
    ahead: u32,
    data: InOutBuf<'_, '_, u8>,
) -> Block<Sm4> {
    static ANY: Expected = Expected::ANY;
    ctr32_if(cipher, mask, ahead, data, &ANY).expect("every block is as expected")
}

/// What a block is expected to begin with. The comparison takes the same time whatever the bytes are. Wiped on drop.
pub struct Expected {
    block: u128,
    /// The bits of it that count.
    bits: u128,
}

impl Expected {
    /// Nothing: all blocks are as expected.
    pub const ANY: Self = Self { block: 0, bits: 0 };

    /// The first `len` bytes of `block`.
    ///
    /// # Panics
    /// If `len` is greater than 16.
    #[must_use]
    pub fn new(block: &Block<Sm4>, len: usize) -> Self {
        let mut bits = [0; 16];
        bits[..len].fill(0xff);
        Self {
            block: u128::from_ne_bytes(block.0),
            bits: u128::from_ne_bytes(bits),
        }
    }

    #[inline]
    pub(crate) fn is_any(&self) -> bool {
        self.bits == 0
    }

    /// The block if it is as expected. Else it is wiped: that somebody expected another does not mean that he may know it.
    #[inline(always)]
    pub(crate) fn check(&self, mut block: Block<Sm4>) -> Option<Block<Sm4>> {
        let wrong = (u128::from_ne_bytes(block.0) ^ self.block) & self.bits;
        // The optimizer cannot know what it compares, and has no way but to take the sum of all bits.
        if core::hint::black_box(wrong as u64 | (wrong >> 64) as u64) == 0 {
            return Some(block);
        }
        #[cfg(feature = "zeroize")]
        cipher::zeroize::Zeroize::zeroize(block.as_mut_slice());
        #[cfg(not(feature = "zeroize"))]
        let _ = &mut block;
        None
    }
}

impl fmt::Debug for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expected").finish_non_exhaustive()
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        cipher::zeroize::Zeroize::zeroize(&mut self.block);
    }
}

fn words(counter: &Block<Sm4>) -> ([u32; 3], u32) {
    let (words, _) = counter.as_chunks::<4>();
    let [a, b, c, start] = core::array::from_fn(|i| u32::from_be_bytes(words[i]));
    ([a, b, c], start)
}
