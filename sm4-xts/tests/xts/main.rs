//! SM4-XTS against published values and against an independent model.

mod areas;
mod backends;
mod errors;
mod guard;
mod kat;
mod keys;
mod lengths;
mod model;
mod wiping;

/// `len` bytes that differ from place to place and from `seed` to `seed`.
fn bytes(seed: u8, len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (i as u8).wrapping_mul(29) ^ (i >> 8) as u8 ^ seed)
        .collect()
}
