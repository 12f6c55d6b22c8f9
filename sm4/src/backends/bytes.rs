//! Blocks as bytes: what `inout` has only for a single block.

#![allow(unsafe_code)]

use crate::Sm4;
use cipher::{Block, InOutBuf};

/// The bytes of `blocks`, 16 for each.
#[inline]
#[must_use]
pub fn into_bytes<'inp, 'out>(
    blocks: InOutBuf<'inp, 'out, Block<Sm4>>,
) -> InOutBuf<'inp, 'out, u8> {
    let len = size_of::<Block<Sm4>>() * blocks.len();
    let (input, output) = blocks.into_raw();
    // SAFETY: both pointers come from a value of the same type and lifetimes, which is consumed, so that what it says
    // of them still holds: `blocks.len()` blocks, initialized, valid to read and write, equal or apart, and no
    // larger than `isize::MAX` bytes, so that `len` cannot have overflowed. A block is 16 bytes, of alignment 1.
    unsafe { InOutBuf::from_raw(input.cast(), output.cast(), len) }
}
