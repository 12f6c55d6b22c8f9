//! Detection on AArch64, by the `cpufeatures` crate.
//!
//! AArch64 does not let programs read its identification registers, so the operating system has
//! to be asked. `cpufeatures` answers for two extensions at a time and is content when the system
//! names either; the architecture allows neither of a pair without the other (Arm Architecture
//! Reference Manual, ID_AA64ISAR0_EL1: AES with PMULL, SHA3 with SHA512, SM3 with SM4).

cpufeatures::new!(aes, "aes");
cpufeatures::new!(sha3, "sha3");
cpufeatures::new!(sm4, "sm4");

#[inline]
pub(crate) fn has_aes() -> bool {
    aes::get()
}

#[inline]
pub(crate) fn has_sha3() -> bool {
    sha3::get()
}

#[inline]
pub(crate) fn has_sm4() -> bool {
    sm4::get()
}

/// Whether the running machine has the features. NEON cannot be detected, only assumed: it is part
/// of every target but those that do without floating point.
macro_rules! detect {
    ("neon") => {
        false
    };
    ("neon" "aes") => {
        cfg!(target_feature = "neon") && $crate::aarch64::has_aes()
    };
    ("neon" "sha3") => {
        cfg!(target_feature = "neon") && $crate::aarch64::has_sha3()
    };
    ("neon" "sm4") => {
        cfg!(target_feature = "neon") && $crate::aarch64::has_sm4()
    };
}
