//! Secrets on the stack.

use cipher::array::{Array, ArraySize};
use cipher::consts::U16;

/// Blocks of keystream, text or masks. Wiped in the end, under `zeroize`.
#[derive(Default)]
pub(crate) struct Wiped<N: ArraySize>(pub(crate) Array<Array<u8, U16>, N>);

impl<N: ArraySize> Drop for Wiped<N> {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        cipher::zeroize::Zeroize::zeroize(self.0.as_flattened_mut());
    }
}
