//! The backends, which one is used, and the way to it.

mod soft;
mod soft32;
mod soft64;

use crate::{Block, Key, Tag};
use soft::Soft;
use soft32::Soft32;
use soft64::Soft64;
use universal_hash::{UhfClosure, consts::U16};

/// A way to compute GHASH. All of them are constant-time and give the same result.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Backend {
    /// Portable, for CPUs with a 64-bit multiplication that returns all 128 bits. Runs everywhere.
    Soft64,
    /// Portable, uses no multiplication but 32 x 32 bits to the low 32 bits. Runs everywhere.
    Soft32,
}

impl Backend {
    /// The backend that [`GHash::new`](crate::GHash::new) uses: [`Soft64`](Self::Soft64) on
    /// targets with 64-bit pointers and [`Soft32`](Self::Soft32) on all others.
    ///
    /// `RUSTFLAGS='--cfg shangmi_backend="soft32"'` or `"soft64"` at build time forces one.
    #[inline]
    #[must_use]
    pub fn detect() -> Self {
        if cfg!(shangmi_backend = "soft32") {
            Self::Soft32
        } else if cfg!(any(shangmi_backend = "soft64", target_pointer_width = "64")) {
            Self::Soft64
        } else {
            Self::Soft32
        }
    }

    /// Every backend that this machine has and this build allows, and always the portable ones.
    pub fn all_available() -> impl Iterator<Item = Self> {
        [Self::Soft64, Self::Soft32].into_iter()
    }

    /// Lower-case name, the one that `--cfg shangmi_backend` takes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Soft64 => "soft64",
            Self::Soft32 => "soft32",
        }
    }
}

/// The state of the chosen backend.
#[derive(Clone)]
pub(crate) enum Engine {
    Soft64(Soft<Soft64>),
    Soft32(Soft<Soft32>),
}

/// Evaluates an expression on the state of whichever backend was chosen.
macro_rules! dispatch {
    ($engine:expr, $state:ident => $body:expr) => {
        match $engine {
            Engine::Soft64($state) => $body,
            Engine::Soft32($state) => $body,
        }
    };
}

impl Engine {
    pub(crate) fn new(h: &Key, init_block: u128, backend: Backend) -> Self {
        match backend {
            Backend::Soft64 => Self::Soft64(Soft::new(h, init_block)),
            Backend::Soft32 => Self::Soft32(Soft::new(h, init_block)),
        }
    }

    pub(crate) fn backend(&self) -> Backend {
        match self {
            Self::Soft64(_) => Backend::Soft64,
            Self::Soft32(_) => Backend::Soft32,
        }
    }

    #[inline]
    pub(crate) fn call(&mut self, f: impl UhfClosure<BlockSize = U16>) {
        dispatch!(self, state => f.call(state));
    }

    pub(crate) fn update(&mut self, blocks: &[Block]) {
        dispatch!(self, state => state.update(blocks));
    }

    pub(crate) fn update_padded(&mut self, data: &[u8]) {
        dispatch!(self, state => state.update_padded(data));
    }

    pub(crate) fn value(&self) -> Tag {
        dispatch!(self, state => state.value())
    }

    pub(crate) fn reset(&mut self) {
        dispatch!(self, state => state.reset());
    }
}
