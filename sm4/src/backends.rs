//! The backends, and the choice between them.

pub(crate) mod soft;

/// How the blocks are computed. All backends give the same results.
///
/// [`KeyInit`][cipher::KeyInit] takes the best one that the machine has;
/// [`Sm4::with_backend`][crate::Sm4::with_backend] takes the one it is given.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Backend {
    /// Portable: bitsliced in 64-bit words, one pass for up to 16 blocks.
    Soft,
}

impl Backend {
    /// The best backend that this machine has and this build allows.
    #[must_use]
    pub fn detect() -> Self {
        Self::Soft
    }

    /// Every backend that this machine has and this build allows, the best one first.
    pub fn all_available() -> impl Iterator<Item = Self> {
        [Self::Soft].into_iter()
    }

    /// A short name, as in `--cfg shangmi_backend="soft"`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Soft => "soft",
        }
    }
}
