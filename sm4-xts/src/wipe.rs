//! Wiping of what must not outlive its use.

use crate::Block;
use cipher::array::ArraySize;

/// Blocks on the stack that are wiped on drop. Without the feature `zeroize` they are not.
pub(crate) struct Wiped<N: ArraySize>(pub(crate) cipher::Array<Block, N>);

impl<N: ArraySize> Wiped<N> {
    #[inline(always)]
    pub(crate) fn zeros() -> Self {
        Self(cipher::Array::from_fn(|_| Block::default()))
    }
}

#[cfg(feature = "zeroize")]
impl<N: ArraySize> Drop for Wiped<N> {
    fn drop(&mut self) {
        use cipher::zeroize::Zeroize;
        self.0.as_flattened_mut().zeroize();
    }
}
