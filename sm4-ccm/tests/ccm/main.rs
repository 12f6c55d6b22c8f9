//! SM4-CCM against published values and against an independent model.

mod backends;
mod guard;
mod kat;
mod lengths;
mod many;
mod model;
mod sizes;
mod tamper;
mod traits;
mod wiping;

/// `len` bytes that differ from place to place and from `seed` to `seed`.
fn bytes(seed: u8, len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (i as u8).wrapping_mul(29) ^ (i >> 8) as u8 ^ seed)
        .collect()
}
