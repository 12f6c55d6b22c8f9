//! The text of a message's end, made aside together with the mask of its tag before the tag is known.

use crate::{Block, counter::Counter, wipe::wipe};
use aead::inout::InOutBuf;
use sm4::{Sm4, ctr::ctr32_with_mask};

/// Most bytes of the end: a pass of the widest kernels.
pub(crate) const MOST: usize = 2048;

/// How many bytes of a message of `len` bytes come before its end: whole passes of the widest kernels.
pub(crate) const fn before_end(len: usize) -> usize {
    len.saturating_sub(1) / MOST * MOST
}

/// The mask, and the text of an end of up to `N` bytes. Wiped on drop.
pub(crate) struct Tail<const N: usize> {
    pub(crate) mask: Block,
    text: [u8; N],
    len: usize,
}

impl<const N: usize> Tail<N> {
    #[inline]
    pub(crate) fn zeros() -> Self {
        Self {
            mask: Block::default(),
            text: [0; N],
            len: 0,
        }
    }

    /// Makes both for a message whose counter starts at `j0`, of `before` bytes and an end of the ciphertext `end`.
    pub(crate) fn make(&mut self, cipher: &Sm4, j0: &Counter, before: usize, end: &[u8]) {
        self.len = end.len();
        let end = InOutBuf::new(end, &mut self.text[..end.len()]).expect("of the same length");
        let ahead = 1 + (before / 16) as u32;
        self.mask = ctr32_with_mask(cipher, j0.block(), ahead, end);
    }

    /// The text of the end. Nobody may see it before the tag is known to be right.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text[..self.len]
    }
}

impl<const N: usize> Drop for Tail<N> {
    fn drop(&mut self) {
        wipe(&mut self.mask);
        wipe(&mut self.text[..self.len]);
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
