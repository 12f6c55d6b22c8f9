//! The backends, which one is used, and the way to it.

mod soft;
mod soft32;
mod soft64;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::{Block, Tag};
#[cfg(target_arch = "x86_64")]
use shangmi_cpu::{Avx2Vpclmul, Avx512Vpclmul, Pclmul};
use soft::Soft;
use soft32::Soft32;
use soft64::Soft64;
use universal_hash::{
    ParBlocks, UhfBackend, UhfClosure,
    array::ArraySize,
    common::{BlockSizeUser, ParBlocksSizeUser},
    consts::U16,
};
#[cfg(target_arch = "x86_64")]
use x86::{pclmul, vpclmul256::Vpclmul256, vpclmul512::Vpclmul512};

/// A way to compute GHASH. All of them are constant-time and give the same result.
///
/// A variant that needs CPU features holds the proof that this CPU has them.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Backend {
    /// 512-bit vectors: AVX-512, VPCLMULQDQ and GFNI.
    #[cfg(target_arch = "x86_64")]
    Vpclmul512(Avx512Vpclmul),
    /// 256-bit vectors: AVX2 and VPCLMULQDQ.
    #[cfg(target_arch = "x86_64")]
    Vpclmul256(Avx2Vpclmul),
    /// 128-bit vectors: PCLMULQDQ, SSSE3 and SSE4.1.
    #[cfg(target_arch = "x86_64")]
    Pclmul(Pclmul),
    /// Portable, for CPUs with a 64-bit multiplication that returns all 128 bits. Runs everywhere.
    Soft64,
    /// Portable, uses no multiplication but 32 x 32 bits to the low 32 bits. Runs everywhere.
    Soft32,
}

impl Backend {
    /// The backend that [`GHash::new`](crate::GHash::new) uses: the first of
    /// [`all_available`](Self::all_available).
    #[inline]
    #[must_use]
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(vectors) = Self::vectors().into_iter().flatten().next() {
            return vectors;
        }
        Self::portable()[0]
    }

    /// Every backend that this machine has and this build allows, and always the portable ones; the
    /// best one first.
    ///
    /// Of the portable ones the best is [`Soft64`](Self::Soft64) on targets with 64-bit pointers
    /// and [`Soft32`](Self::Soft32) on all others. `RUSTFLAGS='--cfg shangmi_backend="soft32"'`
    /// or `"soft64"` at build time puts the one named in front, and leaves no others but them.
    pub fn all_available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let vectors = Self::vectors().into_iter().flatten();
        #[cfg(not(target_arch = "x86_64"))]
        let vectors = core::iter::empty();
        vectors.chain(Self::portable())
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn vectors() -> [Option<Self>; 3] {
        [
            Avx512Vpclmul::check().map(Self::Vpclmul512),
            Avx2Vpclmul::check().map(Self::Vpclmul256),
            Pclmul::check().map(Self::Pclmul),
        ]
    }

    #[inline]
    fn portable() -> [Self; 2] {
        let narrow = cfg!(shangmi_backend = "soft32");
        let wide = cfg!(any(shangmi_backend = "soft64", target_pointer_width = "64"));
        if wide && !narrow {
            [Self::Soft64, Self::Soft32]
        } else {
            [Self::Soft32, Self::Soft64]
        }
    }

    /// Lower-case name, the one that `--cfg shangmi_backend` takes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Vpclmul512(_) => Avx512Vpclmul::FAMILY,
            #[cfg(target_arch = "x86_64")]
            Self::Vpclmul256(_) => Avx2Vpclmul::FAMILY,
            #[cfg(target_arch = "x86_64")]
            Self::Pclmul(_) => Pclmul::FAMILY,
            Self::Soft64 => "soft64",
            Self::Soft32 => "soft32",
        }
    }
}

/// What a backend does: a hash key, and GHASH under it. The running value is a `u128` in the
/// backend's own representation, in which zero is zero.
trait Kernel {
    /// Blocks that are worth a call of [`UhfBackend::proc_par_blocks`].
    type ParBlocksSize: ArraySize;

    /// The running value that starts as this block, read big-endian.
    fn enter(&self, block: u128) -> u128;

    /// The running value as a block.
    fn leave(&self, y: u128) -> Tag;

    /// Takes in `data`, filled up with zeroes to whole blocks.
    fn update(&self, y: &mut u128, data: &[u8]);

    /// Takes in `a` and `c`, each filled up with zeroes to whole blocks, and one more block, read
    /// big-endian. Returns the running value as a block.
    fn finish(&self, y: &mut u128, a: &[u8], c: &[u8], last: u128) -> Tag;
}

/// The hash key as the chosen backend needs it.
#[derive(Clone)]
#[allow(
    clippy::large_enum_variant,
    reason = "nothing here allocates, and the largest is what most machines use"
)]
pub(crate) enum Table {
    #[cfg(target_arch = "x86_64")]
    Vpclmul512(Vpclmul512),
    #[cfg(target_arch = "x86_64")]
    Vpclmul256(Vpclmul256),
    #[cfg(target_arch = "x86_64")]
    Pclmul(pclmul::Pclmul),
    Soft64(Soft<Soft64>),
    Soft32(Soft<Soft32>),
}

/// Evaluates an expression on the kernel of whichever backend was chosen.
macro_rules! dispatch {
    ($table:expr, $kernel:ident => $body:expr) => {
        match $table {
            #[cfg(target_arch = "x86_64")]
            Table::Vpclmul512($kernel) => $body,
            #[cfg(target_arch = "x86_64")]
            Table::Vpclmul256($kernel) => $body,
            #[cfg(target_arch = "x86_64")]
            Table::Pclmul($kernel) => $body,
            Table::Soft64($kernel) => $body,
            Table::Soft32($kernel) => $body,
        }
    };
}

impl Table {
    pub(crate) fn new(h: &Block, backend: Backend) -> Self {
        match backend {
            #[cfg(target_arch = "x86_64")]
            Backend::Vpclmul512(token) => Self::Vpclmul512(Vpclmul512::new(h, token)),
            #[cfg(target_arch = "x86_64")]
            Backend::Vpclmul256(token) => Self::Vpclmul256(Vpclmul256::new(h, token)),
            #[cfg(target_arch = "x86_64")]
            Backend::Pclmul(token) => Self::Pclmul(pclmul::Pclmul::new(h, token)),
            Backend::Soft64 => Self::Soft64(Soft::new(h)),
            Backend::Soft32 => Self::Soft32(Soft::new(h)),
        }
    }

    pub(crate) fn backend(&self) -> Backend {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Vpclmul512(kernel) => Backend::Vpclmul512(kernel.token()),
            #[cfg(target_arch = "x86_64")]
            Self::Vpclmul256(kernel) => Backend::Vpclmul256(kernel.token()),
            #[cfg(target_arch = "x86_64")]
            Self::Pclmul(kernel) => Backend::Pclmul(kernel.token()),
            Self::Soft64(_) => Backend::Soft64,
            Self::Soft32(_) => Backend::Soft32,
        }
    }

    #[inline]
    pub(crate) fn call(&self, y: &mut u128, f: impl UhfClosure<BlockSize = U16>) {
        dispatch!(self, kernel => f.call(&mut Running { kernel, y }));
    }

    pub(crate) fn enter(&self, block: u128) -> u128 {
        dispatch!(self, kernel => kernel.enter(block))
    }

    #[inline]
    pub(crate) fn leave(&self, y: u128) -> Tag {
        dispatch!(self, kernel => kernel.leave(y))
    }

    #[inline]
    pub(crate) fn update(&self, y: &mut u128, data: &[u8]) {
        dispatch!(self, kernel => kernel.update(y, data));
    }

    #[inline]
    pub(crate) fn finish(&self, y: &mut u128, a: &[u8], c: &[u8], last: u128) -> Tag {
        dispatch!(self, kernel => kernel.finish(y, a, c, last))
    }
}

/// A kernel at work, for closures that feed it themselves.
struct Running<'a, K> {
    kernel: &'a K,
    y: &'a mut u128,
}

impl<K> BlockSizeUser for Running<'_, K> {
    type BlockSize = U16;
}

impl<K: Kernel> ParBlocksSizeUser for Running<'_, K> {
    type ParBlocksSize = K::ParBlocksSize;
}

impl<K: Kernel> UhfBackend for Running<'_, K> {
    #[inline(always)]
    fn proc_block(&mut self, block: &Block) {
        self.kernel.update(self.y, block);
    }

    #[inline(always)]
    fn proc_par_blocks(&mut self, blocks: &ParBlocks<Self>) {
        self.kernel
            .update(self.y, Block::slice_as_flattened(blocks));
    }
}
