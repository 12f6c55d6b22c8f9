//! Encryption and decryption as types, so that what they share is written once.

use crate::Block;
use cipher::InOutBuf;
use sm4::{
    Sm4,
    xex::{self, Last, Masks, Order},
};

/// One of the two directions.
pub(crate) trait Direction {
    /// What becomes of the last two tweaks of a sector with a partial block.
    const STEALING: Last;

    /// All blocks in one call of the cipher.
    fn run<O: Order>(cipher: &Sm4, masks: Masks<'_, O>, blocks: InOutBuf<'_, '_, Block>);
}

pub(crate) enum Encrypt {}

impl Direction for Encrypt {
    const STEALING: Last = Last::Kept;

    fn run<O: Order>(cipher: &Sm4, mut masks: Masks<'_, O>, blocks: InOutBuf<'_, '_, Block>) {
        xex::encrypt(cipher, &mut masks, blocks);
    }
}

pub(crate) enum Decrypt {}

impl Direction for Decrypt {
    const STEALING: Last = Last::Swapped;

    fn run<O: Order>(cipher: &Sm4, mut masks: Masks<'_, O>, blocks: InOutBuf<'_, '_, Block>) {
        xex::decrypt(cipher, &mut masks, blocks);
    }
}
