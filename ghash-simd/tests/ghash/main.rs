//! GHASH against the published values and an independent model, on every backend.

mod calls;
mod model;
mod values;
mod wiping;
