//! Ciphertext stealing (IEEE 1619-2018, 5.3.2 and 5.4.2).

use crate::{Block, InOutBuf};

/// Moves the first bytes of `last`, the output of the last whole block, to the partial block behind
/// it. Returns what the cipher has to take for the last whole block's place: the bytes that were
/// there to read, and the rest of `last`.
pub(crate) fn steal(last: &Block, mut partial: InOutBuf<'_, '_, u8>) -> Block {
    let mut block = *last;
    let len = partial.len();
    // In place, `partial` is input and output: its bytes go before others take their place.
    block[..len].copy_from_slice(partial.get_in());
    partial.get_out().copy_from_slice(&last[..len]);
    block
}
