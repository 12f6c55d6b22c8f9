//! What can be wrong with lengths and keys.

use core::fmt;

/// Lengths that XTS does not allow. Nothing was read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Error {
    /// The sector, or the last sector of the area, has fewer than 16 bytes.
    SectorTooShort,
    /// A sector has more than 2^20 blocks, 16 MiB (IEEE 1619, section 5.1; SP 800-38E, section 4).
    SectorTooLong,
    /// The sector size of the area is less than 16 bytes.
    SectorSize,
    /// The index of the last sector of the area does not fit 128 bits.
    SectorIndex,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SectorTooShort => "XTS sector of less than 16 bytes",
            Self::SectorTooLong => "XTS sector of more than 2^20 blocks",
            Self::SectorSize => "XTS sector size of less than 16 bytes",
            Self::SectorIndex => "XTS sector index beyond 128 bits",
        })
    }
}

impl core::error::Error for Error {}

/// The two halves of an XTS key are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeakKey;

impl fmt::Display for WeakKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("XTS key with equal halves")
    }
}

impl core::error::Error for WeakKey {}
