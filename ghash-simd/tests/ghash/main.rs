//! GHASH against the published values, an independent model and `ghash`, on every backend.

mod aead;
mod calls;
mod gcm;
#[cfg(unix)]
mod guard;
mod lengths;
mod model;
mod values;
mod wiping;
