//! The tokens of every architecture, in one table.

use core::convert::Infallible;

/// What a token may be made of.
trait Permit: Sized {
    fn permit() -> Option<Self>;
}

impl Permit for () {
    #[inline(always)]
    fn permit() -> Option<Self> {
        Some(())
    }
}

impl Permit for Infallible {
    #[inline(always)]
    fn permit() -> Option<Self> {
        None
    }
}

/// Makes the tokens from the table below.
///
/// The families of all architectures take part in `Unnamed`, so that naming a family of one
/// architecture switches every kernel of another one off.
macro_rules! tokens {
    ($(
        $arch:meta {
            $(
                $(#[doc = $doc:literal])+
                $name:ident($family:tt): [$($feature:tt)+];
            )+
        }
    )+) => {
        /// What a token of a family that the build does not name is made of: nothing at all if it
        /// names others, so that the compiler drops what only this token leads to.
        #[cfg(not(any(
            shangmi_backend = "soft",
            shangmi_backend = "soft32",
            shangmi_backend = "soft64",
            $($(shangmi_backend = $family,)+)+
        )))]
        type Unnamed = ();
        #[cfg(any(
            shangmi_backend = "soft",
            shangmi_backend = "soft32",
            shangmi_backend = "soft64",
            $($(shangmi_backend = $family,)+)+
        ))]
        type Unnamed = Infallible;

        $($(
            $(#[doc = $doc])+
            ///
            #[doc = concat!("Features proved:", $(" `", $feature, "`",)+ ". Family: `", $family, "`.")]
            #[cfg($arch)]
            #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
            pub struct $name(
                #[cfg(shangmi_backend = $family)] (),
                #[cfg(not(shangmi_backend = $family))] Unnamed,
            );

            #[cfg($arch)]
            impl $name {
                /// The name by which `--cfg shangmi_backend="…"` allows this token.
                pub const FAMILY: &'static str = $family;

                /// Returns the token if the CPU has the features, the operating system saves
                /// the registers that they need, and the build does not forbid the family.
                ///
                /// Costs one relaxed atomic load after the first call, and nothing where the
                /// features are enabled at compile time.
                #[inline]
                #[must_use]
                pub fn check() -> Option<Self> {
                    let present =
                        cfg!(all($(target_feature = $feature),+)) || detect!($($feature)+);
                    if present { Permit::permit().map(Self) } else { None }
                }
            }
        )+)+

        /// Every token of this architecture: name, family, features, result of `check`.
        #[cfg(test)]
        pub(crate) const ALL: &[(&str, &str, &[&str], fn() -> bool)] = &[$($(
            #[cfg($arch)]
            (
                stringify!($name),
                $name::FAMILY,
                &[$($feature),+],
                || $name::check().is_some(),
            ),
        )+)+];
    };
}

tokens! {
    any(target_arch = "x86", target_arch = "x86_64") {
        /// 128-bit integer vectors.
        Sse2("sse2"): ["sse2"];
        /// 128-bit integer vectors with byte shuffles.
        Ssse3("ssse3"): ["ssse3"];
        /// 128-bit vectors with the AES round instructions.
        AesNi("aesni"): ["ssse3" "sse4.1" "aes"];
        /// 128-bit vectors with the carry-less multiplication.
        Pclmul("pclmul"): ["ssse3" "sse4.1" "pclmulqdq"];
        /// 256-bit integer vectors.
        Avx2("avx2"): ["avx2"];
        /// 256-bit integer vectors beside the 128-bit AES round instructions.
        Avx2Aes("avx2"): ["avx2" "aes"];
        /// 256-bit vectors with the AES round instructions.
        Avx2Vaes("vaes256"): ["avx2" "aes" "vaes"];
        /// 256-bit vectors with the Galois field instructions. Does not need AVX-512.
        Avx2Gfni("gfni256"): ["avx2" "gfni"];
        /// 256-bit vectors with the carry-less multiplication. Does not need AVX-512.
        Avx2Vpclmul("vpclmul256"): ["avx2" "pclmulqdq" "vpclmulqdq"];
        /// Vector message expansion beside scalar rounds with `andn` and `rorx`.
        Avx2Bmi2("avx_bmi2"): ["avx2" "bmi1" "bmi2"];
        /// 512-bit integer vectors, and their 128- and 256-bit forms.
        Avx512("avx512"): ["avx512f" "avx512bw" "avx512dq" "avx512vl"];
        /// 512-bit vectors with the AES round instructions.
        Avx512Vaes("vaes512"): ["avx512f" "avx512bw" "avx512dq" "avx512vl" "aes" "vaes"];
        /// 512-bit vectors with the Galois field instructions.
        Avx512Gfni("gfni512"): ["avx512f" "avx512bw" "avx512dq" "avx512vl" "gfni"];
        /// 512-bit vectors with the carry-less multiplication and the Galois field instructions.
        Avx512Vpclmul("vpclmul512"):
            ["avx512f" "avx512bw" "avx512dq" "avx512vl" "gfni" "pclmulqdq" "vpclmulqdq"];
        /// The SM3 instructions.
        Sm3Ni("sm3ni"): ["avx" "sm3"];
        /// The SM4 instructions, 128- and 256-bit.
        Sm4Ni("sm4ni"): ["avx2" "sm4"];
    }

    target_arch = "aarch64" {
        /// 128-bit vectors.
        Neon("neon"): ["neon"];
        /// 128-bit vectors with the AES round instructions.
        NeonAes("neon_aes"): ["neon" "aes"];
        /// 128-bit vectors with the 64-bit polynomial multiplication. Rust's feature `aes` covers
        /// FEAT_AES and FEAT_PMULL.
        NeonPmull("pmull"): ["neon" "aes"];
        /// 128-bit vectors with the three-operand logic of FEAT_SHA3. Rust's feature `sha3` covers
        /// FEAT_SHA3 and FEAT_SHA512.
        NeonSha3("neon_sha3"): ["neon" "sha3"];
        /// The SM3 instructions. Rust's feature `sm4` covers FEAT_SM3 and FEAT_SM4.
        NeonSm3("sm3e"): ["neon" "sm4"];
        /// The SM4 instructions. Rust's feature `sm4` covers FEAT_SM3 and FEAT_SM4.
        NeonSm4("sm4e"): ["neon" "sm4"];
    }
}

#[cfg(test)]
mod tests;
