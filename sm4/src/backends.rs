//! The backends, and the choice between them.

pub(crate) mod soft;

use crate::schedule::RoundKeys;
use cipher::{BlockCipherDecClosure, BlockCipherEncClosure, InOutBuf, array::Array, consts::U16};

/// What a kernel answers. It is implemented by the proof that the machine can run it.
pub(crate) trait Kernel: Copy {
    /// The round keys of `key` in the order of encryption and in the kernel's own form.
    fn expand(self, key: &[u8; 16]) -> RoundKeys;

    /// Calls `f` with the kernel's encryption, with the kernel's CPU features enabled.
    fn encrypt_with(self, keys: &RoundKeys, f: impl BlockCipherEncClosure<BlockSize = U16>);

    /// Calls `f` with the kernel's decryption, with the kernel's CPU features enabled.
    fn decrypt_with(self, keys: &RoundKeys, f: impl BlockCipherDecClosure<BlockSize = U16>);

    /// XORs `data` with the keystream of the counter blocks `prefix || counter`,
    /// `prefix || counter + 1`, and so on, modulo 2^32. Returns the keystream that is left of a block begun,
    /// where it belongs in the block, or zeros.
    fn ctr32(
        self,
        keys: &RoundKeys,
        prefix: [u32; 3],
        counter: u32,
        data: InOutBuf<'_, '_, u8>,
    ) -> Array<u8, U16>;
}

/// Makes [`Backend`] from the kernels that need CPU features, the best one first.
macro_rules! backends {
    ($($(#[doc = $doc:literal])+ $name:ident($token:ident) on $arch:literal;)*) => {
        /// How the blocks are computed. All backends give the same results.
        ///
        /// [`KeyInit`][cipher::KeyInit] takes the best one that the machine has;
        /// [`Sm4::with_backend`][crate::Sm4::with_backend] takes the one it is given. A value is the proof that the
        /// machine can run it: those of this enum that need CPU features hold the token of `shangmi-cpu`.
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        #[non_exhaustive]
        pub enum Backend {
            $(
                $(#[doc = $doc])+
                #[cfg(target_arch = $arch)]
                $name(shangmi_cpu::$token),
            )*
            /// Portable: bitsliced in 64-bit words, one pass for up to 16 blocks.
            Soft,
        }

        impl Backend {
            /// The best backend that this machine has and this build allows.
            #[must_use]
            pub fn detect() -> Self {
                $(
                    #[cfg(target_arch = $arch)]
                    if let Some(token) = shangmi_cpu::$token::check() {
                        return Self::$name(token);
                    }
                )*
                Self::Soft
            }

            /// Every backend that this machine has and this build allows, the best one first.
            pub fn all_available() -> impl Iterator<Item = Self> {
                [
                    $(
                        #[cfg(target_arch = $arch)]
                        shangmi_cpu::$token::check().map(Self::$name),
                    )*
                    Some(Self::Soft),
                ]
                .into_iter()
                .flatten()
            }

            /// A short name, the one by which `--cfg shangmi_backend="…"` allows it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(
                        #[cfg(target_arch = $arch)]
                        Self::$name(_) => shangmi_cpu::$token::FAMILY,
                    )*
                    Self::Soft => "soft",
                }
            }
        }

        /// Evaluates an expression with the kernel of a backend.
        macro_rules! dispatch {
            ($backend:expr, $kernel:ident => $body:expr) => {
                match $backend {
                    $(
                        #[cfg(target_arch = $arch)]
                        $crate::Backend::$name($kernel) => $body,
                    )*
                    $crate::Backend::Soft => {
                        let $kernel = $crate::backends::soft::Portable;
                        $body
                    }
                }
            };
        }
        pub(crate) use dispatch;
    };
}

backends! {}
