//! The choice of the compression function.

pub(crate) mod lanes;
mod soft;
#[cfg(target_arch = "x86_64")]
mod x86;

/// Makes [`Backend`] from the kernels that need CPU features, the best one first.
macro_rules! backends {
    ($($(#[doc = $doc:literal])+ $variant:ident($($held:ident: $token:ident),+) on $arch:literal: $name:literal, $($kernel:ident)::+;)*) => {
        /// An implementation of the compression function. All of them give the same digests.
        ///
        /// It is chosen when a hasher is made, and kept through [`Reset`](digest::Reset) and
        /// `finalize_reset`. It is no part of the serialized state: deserializing detects anew.
        ///
        /// A value is the proof that the machine can run it: those that need CPU features hold the
        /// token of `shangmi-cpu`.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        pub enum Backend {
            $(
                $(#[doc = $doc])+
                #[cfg(target_arch = $arch)]
                $variant($(shangmi_cpu::$token),+),
            )*
            /// Portable code for every target.
            Soft,
        }

        impl Backend {
            /// The fastest backend that the running CPU has and the build allows.
            #[inline]
            #[must_use]
            pub fn detect() -> Self {
                $(
                    #[cfg(target_arch = $arch)]
                    if let ($(Some($held),)+) = ($(shangmi_cpu::$token::check(),)+) {
                        return Self::$variant($($held),+);
                    }
                )*
                Self::Soft
            }

            /// Every backend that the running CPU has and the build allows, the fastest first.
            pub fn all_available() -> impl Iterator<Item = Self> {
                [
                    $(
                        #[cfg(target_arch = $arch)]
                        match ($(shangmi_cpu::$token::check(),)+) {
                            ($(Some($held),)+) => Some(Self::$variant($($held),+)),
                            _ => None,
                        },
                    )*
                    Some(Self::Soft),
                ]
                .into_iter()
                .flatten()
            }

            /// The name of the backend, in lower case.
            #[inline]
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(
                        #[cfg(target_arch = $arch)]
                        Self::$variant(..) => $name,
                    )*
                    Self::Soft => "soft",
                }
            }

            /// Compresses `blocks` into `state`, one after the other.
            #[inline]
            pub(crate) fn compress(self, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
                match self {
                    $(
                        #[cfg(target_arch = $arch)]
                        Self::$variant($($held),+) => $($kernel)::+::compress($($held),+, state, blocks),
                    )*
                    Self::Soft => soft::compress(state, blocks),
                }
            }
        }
    };
}

backends! {
    /// x86-64 with the SM3 instructions.
    Sm3Ni(sm3ni: Sm3Ni) on "x86_64": "sm3ni", x86::sm3ni;
    /// x86-64 with AVX-512VL and BMI2: as the next, with fewer instructions for the schedule.
    Avx512Vl(avx512: Avx512, bmi2: Avx2Bmi2) on "x86_64": "avx512vl", x86::avx512vl;
    /// x86-64 with AVX2 and BMI2: vectors for the schedule, scalar rounds.
    AvxBmi2(bmi2: Avx2Bmi2) on "x86_64": "avx_bmi2", x86::avx_bmi2;
}
