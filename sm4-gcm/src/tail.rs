//! The keystream of a message's end, made together with the mask of its tag before the tag is known.

use crate::{Block, counter::Counter, wipe::wipe};
use aead::inout::InOutBuf;
use sm4::{Sm4, ctr::ctr32_with_mask};

/// Most bytes of the end: a pass of the widest kernels.
pub(crate) const MOST: usize = 2048;

/// How many bytes of a message of `len` bytes come before its end: whole passes of the widest kernels.
pub(crate) const fn before_end(len: usize) -> usize {
    len.saturating_sub(1) / MOST * MOST
}

/// The mask, and the keystream of an end of up to `N` bytes. Wiped on drop.
pub(crate) struct Tail<const N: usize> {
    pub(crate) mask: Block,
    keystream: [u8; N],
    len: usize,
}

impl<const N: usize> Tail<N> {
    #[inline]
    pub(crate) fn zeros() -> Self {
        Self {
            mask: Block::default(),
            keystream: [0; N],
            len: 0,
        }
    }

    /// Makes both for a message whose counter starts at `j0`, of `before` bytes and an end of `len` bytes.
    pub(crate) fn make(&mut self, cipher: &Sm4, j0: &Counter, before: usize, len: usize) {
        self.len = len;
        let keystream = &mut self.keystream[..len];
        let ahead = 1 + (before / 16) as u32;
        self.mask = ctr32_with_mask(cipher, j0.block(), ahead, keystream.into());
    }

    /// Decrypts the end.
    pub(crate) fn xor(&self, mut end: InOutBuf<'_, '_, u8>) {
        end.xor_in2out(&self.keystream[..self.len]);
    }
}

impl<const N: usize> Drop for Tail<N> {
    fn drop(&mut self) {
        wipe(&mut self.mask);
        wipe(&mut self.keystream[..self.len]);
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, before_end};

    #[test]
    fn an_end_is_never_empty_where_there_is_a_message() {
        assert_eq!(before_end(0), 0);
        for len in 1..10_000 {
            let before = before_end(len);
            assert_eq!(before % MOST, 0);
            assert!((1..=MOST).contains(&(len - before)), "{len}");
        }
    }
}
