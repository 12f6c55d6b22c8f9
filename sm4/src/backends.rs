//! The backends, and the choice between them.

mod bytes;
mod ecb;
mod masked;
pub(crate) mod soft;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use bytes::into_bytes;

use crate::ccm::{self, Lane, Message};
use crate::ctr::Expected;
use crate::feedback::{
    Chaining,
    by_closure::{CbcDecrypt, CfbDecrypt, Chain, ChainLanes},
};
use crate::schedule::RoundKeys;
use crate::xex::{Masks, Order, by_closure::Xex};
use cipher::{BlockCipherDecClosure, BlockCipherEncClosure, InOutBuf, array::Array, consts::U16};
use ecb::Ecb;

/// What a kernel answers. It is implemented by the proof that the machine can run it.
pub(crate) trait Kernel: Copy {
    /// The round keys of `key` in the order of encryption and in the kernel's own form.
    fn expand(self, key: &[u8; 16]) -> RoundKeys;

    /// Calls `f` with the kernel's encryption, with the kernel's CPU features enabled. It is anybody's closure: most of
    /// them take what is left behind the last batch one block at a time, so that the batches should be small.
    fn encrypt_with(self, keys: &RoundKeys, f: impl BlockCipherEncClosure<BlockSize = U16>);

    /// The same with the kernel's decryption.
    fn decrypt_with(self, keys: &RoundKeys, f: impl BlockCipherDecClosure<BlockSize = U16>);

    /// [`Self::encrypt_with`] for closures that give their tails to the kernel as well: batches as large as a pass.
    #[inline]
    fn encrypt_wide_with(self, keys: &RoundKeys, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        self.encrypt_with(keys, f);
    }

    /// The same with the kernel's decryption.
    #[inline]
    fn decrypt_wide_with(self, keys: &RoundKeys, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        self.decrypt_with(keys, f);
    }

    /// Encrypts any number of blocks, each by itself.
    fn ecb_encrypt(self, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
        self.encrypt_wide_with(keys, Ecb(blocks));
    }

    /// Decrypts any number of blocks, each by itself.
    fn ecb_decrypt(self, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
        self.decrypt_wide_with(keys, Ecb(blocks));
    }

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

    /// Returns the block `E(prefix || mask)` and XORs `data` as [`Self::ctr32`] does, but only if the block is as
    /// expected. Until that is known, nothing is written to `data`.
    #[inline]
    fn ctr32_if(
        self,
        keys: &RoundKeys,
        prefix: [u32; 3],
        mask: u32,
        counter: u32,
        data: InOutBuf<'_, '_, u8>,
        expected: &Expected,
    ) -> Option<Array<u8, U16>> {
        masked::ctr32_if(self, keys, prefix, mask, counter, data, expected)
    }

    // What follows goes through the closures where a kernel has no better loop of its own. Each one takes the
    // chaining value `iv` and leaves in it the one to go on with; input and output may be the same memory.

    /// Encrypts blocks that wait for each other, the one step from block to block given by `M`: first of all the
    /// latency of one block counts.
    #[inline]
    fn chain<M: Chaining>(
        self,
        keys: &RoundKeys,
        iv: &mut Array<u8, U16>,
        blocks: InOutBuf<'_, '_, Array<u8, U16>>,
    ) {
        self.encrypt_with(keys, Chain::<M>::new(iv, blocks));
    }

    /// [`Self::chain`] for 1 to [`LANES`][crate::feedback::LANES] messages at once: `ivs` and `lanes` are as many,
    /// and all `lanes` of one length.
    #[inline]
    fn chain_lanes<M: Chaining>(
        self,
        keys: &RoundKeys,
        ivs: &mut [Array<u8, U16>],
        lanes: &mut [InOutBuf<'_, '_, Array<u8, U16>>],
    ) {
        self.encrypt_with(keys, ChainLanes::<M>::new(ivs, lanes));
    }

    /// `out[i] = D(in[i]) ^ iv`, `iv = in[i]`, many blocks at a time.
    #[inline]
    fn cbc_decrypt(
        self,
        keys: &RoundKeys,
        iv: &mut Array<u8, U16>,
        blocks: InOutBuf<'_, '_, Array<u8, U16>>,
    ) {
        self.decrypt_wide_with(keys, CbcDecrypt { iv, blocks });
    }

    /// `out[i] = E(iv) ^ in[i]`, `iv = in[i]`, many blocks at a time, and a last block of fewer bytes with them, which
    /// leaves `iv` alone. `next` receives `E(iv)` of the `iv` that is left.
    #[inline]
    fn cfb_decrypt(
        self,
        keys: &RoundKeys,
        iv: &mut Array<u8, U16>,
        data: InOutBuf<'_, '_, u8>,
        next: Option<&mut Array<u8, U16>>,
    ) {
        self.encrypt_wide_with(keys, CfbDecrypt { iv, data, next });
    }

    /// Seals the text of a message of CCM, or opens it, and returns its tag.
    #[inline]
    fn ccm<const OPEN: bool>(
        self,
        keys: &RoundKeys,
        message: Message<'_>,
        text: InOutBuf<'_, '_, u8>,
    ) -> Array<u8, U16> {
        let mut tag = Array::default();
        self.encrypt_with(
            keys,
            ccm::by_closure::Ccm::<OPEN>::new(message, text, &mut tag),
        );
        tag
    }

    /// Seals or opens 1 to [`LANES`][crate::ccm::LANES] pieces of messages: `lanes` and `texts` are as many, and all `texts` of
    /// one length that is not 0.
    #[inline]
    fn ccm_lanes<const OPEN: bool>(
        self,
        keys: &RoundKeys,
        lanes: &mut [Lane],
        texts: &mut [InOutBuf<'_, '_, Array<u8, U16>>],
    ) {
        if ccm::by_passes::worth_it(lanes.len(), texts[0].len()) {
            ccm::by_passes::lanes::<OPEN>(self, keys, lanes, texts);
        } else {
            self.encrypt_wide_with(keys, ccm::by_closure::CcmLanes::<OPEN>::new(lanes, texts));
        }
    }

    /// `out[i] = E(in[i] ^ m[i]) ^ m[i]`, where `m` are the next masks.
    #[inline]
    fn xex_encrypt<O: Order>(
        self,
        keys: &RoundKeys,
        masks: &mut Masks<'_, O>,
        blocks: InOutBuf<'_, '_, Array<u8, U16>>,
    ) {
        self.encrypt_wide_with(keys, Xex { masks, blocks });
    }

    /// `out[i] = D(in[i] ^ m[i]) ^ m[i]`, where `m` are the next masks.
    #[inline]
    fn xex_decrypt<O: Order>(
        self,
        keys: &RoundKeys,
        masks: &mut Masks<'_, O>,
        blocks: InOutBuf<'_, '_, Array<u8, U16>>,
    ) {
        self.decrypt_wide_with(keys, Xex { masks, blocks });
    }
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

backends! {
    /// AVX-512 and GFNI: up to 128 blocks in one pass.
    Gfni512(Avx512Gfni) on "x86_64";
    /// AVX2 and the SM4 instructions: 16 blocks in one pass. Nothing is published about the speed of these instructions.
    /// In bulk, this backend is faster than the one above if a 256-bit one can begin every two cycles, and than the one
    /// below if every four; with a single block, than either if it takes less than 35 cycles. The CPUs that have
    /// them so far have no AVX-512.
    Sm4Ni(Sm4Ni) on "x86_64";
    /// AVX2 and GFNI, without AVX-512: up to 128 blocks in one pass.
    Gfni256(Avx2Gfni) on "x86_64";
    /// AVX2 with 256-bit AES-NI: up to 64 blocks in one pass.
    Vaes256(Avx2Vaes) on "x86_64";
    /// AVX2 with 128-bit AES-NI: up to 64 blocks in one pass.
    Avx2(Avx2Aes) on "x86_64";
    /// AES-NI with 128-bit vectors: up to 32 blocks in one pass.
    AesNi(AesNi) on "x86_64";
    /// SSE2 alone, which every x86-64 CPU has: bitsliced, 32 blocks in one pass, and the portable code for up to 16.
    Sse2(Sse2) on "x86_64";
}
