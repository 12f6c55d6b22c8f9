//! The choice of the compression function.

mod soft;

/// An implementation of the compression function.
///
/// It is chosen when a hasher is made, and kept through [`Reset`](digest::Reset) and
/// `finalize_reset`. It is no part of the serialized state: deserializing detects anew.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Backend {
    /// Portable code for every target.
    Soft,
}

impl Backend {
    /// The fastest backend that the running CPU has and the build allows.
    #[inline]
    #[must_use]
    pub fn detect() -> Self {
        Self::Soft
    }

    /// Every backend that the running CPU has and the build allows, the fastest first.
    pub fn all_available() -> impl Iterator<Item = Self> {
        core::iter::once(Self::Soft)
    }

    /// The name of the backend, in lower case.
    #[inline]
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Soft => "soft",
        }
    }

    /// Compresses `blocks` into `state`, one after the other.
    #[inline]
    pub(crate) fn compress(self, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
        match self {
            Self::Soft => soft::compress(state, blocks),
        }
    }
}
