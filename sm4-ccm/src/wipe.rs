//! Wiping of what must not outlive its use.

/// Overwrites `bytes` with zeros, also where the compiler thinks that nobody will look. Does
/// nothing without the feature `zeroize`.
pub(crate) fn wipe(bytes: &mut [u8]) {
    #[cfg(feature = "zeroize")]
    zeroize::Zeroize::zeroize(bytes);
    #[cfg(not(feature = "zeroize"))]
    let _ = bytes;
}
