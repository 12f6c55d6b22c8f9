//! The kernel of XTS: a mask before the block cipher and again behind it, and each mask the product of the one
//! before and x.
//!
//! This is a low-level interface: it authenticates nothing, and knows neither tweaks nor ciphertext stealing. Use the
//! crate `sm4-xts` unless you build such a mode yourself.

pub(crate) mod by_closure;
mod masks;
mod order;

pub use masks::{Last, Masks};
pub use order::{HighFirst, LowFirst, Order};

use crate::{
    Sm4,
    backends::{Kernel, dispatch},
};
use cipher::{Block, InOutBuf};

/// `out[i] = E(in[i] ^ m[i]) ^ m[i]`, where `m` are the next masks (IEEE 1619-2018, 5.3.1; NIST SP 800-38E; GB/T
/// 17964-2021, 10).
///
/// Input and output may be the same memory.
///
/// # Panics
/// If there are more blocks than masks.
pub fn encrypt<O: Order>(
    cipher: &Sm4,
    masks: &mut Masks<'_, O>,
    blocks: InOutBuf<'_, '_, Block<Sm4>>,
) {
    dispatch!(cipher.backend, kernel => kernel.xex_encrypt(&cipher.round_keys, masks, blocks));
}

/// `out[i] = D(in[i] ^ m[i]) ^ m[i]`, the inverse of [`encrypt`].
///
/// Input and output may be the same memory.
///
/// # Panics
/// If there are more blocks than masks.
pub fn decrypt<O: Order>(
    cipher: &Sm4,
    masks: &mut Masks<'_, O>,
    blocks: InOutBuf<'_, '_, Block<Sm4>>,
) {
    dispatch!(cipher.backend, kernel => kernel.xex_decrypt(&cipher.round_keys, masks, blocks));
}
