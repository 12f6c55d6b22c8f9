//! The choice of the lanes.

use super::lane;
use crate::{
    Sm3,
    backends::lanes::{Kernel, Runs, States},
};

/// How many messages are computed at once, and by what. All of them give the same results.
///
/// A value is the proof that the machine can run it: those that need CPU features hold the token of `shangmi-cpu`.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Backend {
    /// x86-64 with AVX-512: sixteen lanes.
    #[cfg(target_arch = "x86_64")]
    Avx512(shangmi_cpu::Avx512),
    /// x86-64 with AVX2: eight lanes.
    #[cfg(target_arch = "x86_64")]
    Avx2(shangmi_cpu::Avx2),
    /// x86-64: four lanes.
    #[cfg(target_arch = "x86_64")]
    Sse2(shangmi_cpu::Sse2),
    /// Every target: one message after the other.
    Single(crate::Backend),
}

/// Calls a function that is generic over a kernel and its number of lanes.
macro_rules! with_kernel {
    ($backend:expr, $kernel:ident => $call:expr) => {
        match $backend {
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512($kernel) => $call,
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2($kernel) => $call,
            #[cfg(target_arch = "x86_64")]
            Backend::Sse2($kernel) => $call,
            Backend::Single($kernel) => $call,
        }
    };
}
pub(super) use with_kernel;

impl Backend {
    /// The fastest backend that the running CPU has and the build allows.
    #[inline]
    #[must_use]
    pub fn detect() -> Self {
        Self::all_available()
            .next()
            .unwrap_or(Self::Single(crate::Backend::Soft))
    }

    /// Every backend that the running CPU has and the build allows, the fastest first.
    pub fn all_available() -> impl Iterator<Item = Self> {
        [
            #[cfg(target_arch = "x86_64")]
            shangmi_cpu::Avx512::check().map(Self::Avx512),
            #[cfg(target_arch = "x86_64")]
            shangmi_cpu::Avx2::check().map(Self::Avx2),
            #[cfg(target_arch = "x86_64")]
            shangmi_cpu::Sse2::check().map(Self::Sse2),
            Some(Self::Single(crate::Backend::detect())),
        ]
        .into_iter()
        .flatten()
    }

    /// The name of the backend, in lower case.
    #[inline]
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Sse2(_) => "sse2",
            Self::Single(_) => "single",
        }
    }

    /// The number of messages computed at once.
    #[inline]
    #[must_use]
    pub fn lanes(self) -> usize {
        fn lanes<const L: usize>(_: impl Kernel<L>) -> usize {
            L
        }
        with_kernel!(self, kernel => lanes(kernel))
    }

    /// Hashes every message behind `prefix`, then if there is `outer` its digest behind that, and calls `emit` with the
    /// number of the message and the last digest.
    pub(super) fn run<I>(
        self,
        prefix: &Sm3,
        outer: Option<&Sm3>,
        messages: I,
        emit: impl FnMut(usize, &[u8; 32]),
    ) where
        I: IntoIterator<Item: AsRef<[u8]>>,
    {
        let messages = messages.into_iter();
        with_kernel!(self, kernel => lane::run(kernel, prefix, outer, messages, emit));
        #[cfg(feature = "zeroize")]
        wipe_stack();
    }
}

/// Wipes what the lanes and their kernels, that have returned, have left on the stack.
#[cfg(feature = "zeroize")]
pub(super) fn wipe_stack() {
    digest::zeroize::zeroize_stack::<8192>();
}

/// One lane.
impl Kernel<1> for crate::Backend {
    const FEW: usize = 0;

    #[inline]
    fn compress(self, states: &mut States<1>, runs: &Runs<'_, 1>) {
        let mut state = states.get(0);
        crate::Backend::compress(self, &mut state, runs[0]);
        states.set(0, &state);
    }

    fn chain(
        self,
        inner: &States<1>,
        outer: &States<1>,
        u: &mut States<1>,
        sum: &mut States<1>,
        times: u32,
    ) {
        let (inner, outer) = (inner.get(0), outer.get(0));
        let (mut v, mut total) = (u.get(0), sum.get(0));
        for _ in 0..times {
            for start in [&inner, &outer] {
                let block = lane::block_of_digest(&v);
                v = *start;
                crate::Backend::compress(self, &mut v, &[block]);
            }
            for (total, v) in total.iter_mut().zip(v) {
                *total ^= v;
            }
        }
        u.set(0, &v);
        sum.set(0, &total);
    }
}
