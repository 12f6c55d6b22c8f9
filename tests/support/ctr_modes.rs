//! CTR in all its flavours: ours on every backend, RustCrypto's over ours, RustCrypto's over its own.

use cipher::InnerIvInit;
use cipher::array::Array;
use sm4_modes::ctr;

use super::drive::{Mode, Named};
use super::run::Stream;
use super::subjects::{backends, peer};
use crate::model;
use crate::model::ctr::Counter;

/// A flavour with its name.
#[allow(missing_debug_implementations, reason = "holds functions")]
pub struct Flavour {
    /// The name of the type.
    pub name: &'static str,
    /// What the model calls it.
    pub counter: Counter,
    /// The implementations.
    pub mode: Mode<'static>,
}

macro_rules! flavour {
    ($name:ident, $counter:expr) => {{
        let mut subjects: Vec<Named> = Vec::new();
        for (backend, make) in backends() {
            let ours = make.clone();
            subjects.push((
                format!("ours, {backend}"),
                Box::new(Stream(move |key: &_, iv: &_| {
                    ctr::$name::from_core(InnerIvInit::inner_iv_init(ours(key), &Array(*iv)))
                })),
            ));
            subjects.push((
                format!("peer over ours, {backend}"),
                Box::new(Stream(move |key: &_, iv: &_| {
                    ::ctr::$name::from_core(InnerIvInit::inner_iv_init(make(key), &Array(*iv)))
                })),
            ));
        }
        subjects.push((
            "peer".to_owned(),
            Box::new(Stream(|key: &_, iv: &_| {
                ::ctr::$name::from_core(InnerIvInit::inner_iv_init(peer(key), &Array(*iv)))
            })),
        ));
        Flavour {
            name: stringify!($name),
            counter: $counter,
            mode: Mode {
                unit: 1,
                subjects,
                model: &|key, iv, data| model::ctr::apply(&peer(key), $counter, *iv, 0, data),
            },
        }
    }};
}

/// All six flavours.
pub fn all() -> Vec<Flavour> {
    vec![
        flavour!(Ctr32BE, Counter::Be(32)),
        flavour!(Ctr64BE, Counter::Be(64)),
        flavour!(Ctr128BE, Counter::Be(128)),
        flavour!(Ctr32LE, Counter::Le(32)),
        flavour!(Ctr64LE, Counter::Le(64)),
        flavour!(Ctr128LE, Counter::Le(128)),
    ]
}

/// The flavour that standards and libraries mean by CTR: all 128 bits, big-endian.
pub fn ctr128be() -> Mode<'static> {
    flavour!(Ctr128BE, Counter::Be(128)).mode
}
