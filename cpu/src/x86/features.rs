//! From register values to a set of features: no CPU is asked here.

use super::registers::{OSXSAVE, Registers};

/// A set of CPU features that may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features(u32);

/// The state that legacy SSE and general-purpose instructions need: always there.
const BASE: u64 = 0;
/// XCR0 bits 1 (SSE) and 2 (AVX): every VEX-encoded vector instruction faults without both, those
/// on 128-bit registers too.
const YMM: u64 = 0b0000_0110;
/// XCR0 bits 1, 2, 5 (opmask), 6 (upper halves of ZMM0 to 15), 7 (ZMM16 to 31).
const ZMM: u64 = 0b1110_0110;

impl Features {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const SSE2: Self = Self(1 << 0);
    pub(crate) const SSE3: Self = Self(1 << 1);
    pub(crate) const SSSE3: Self = Self(1 << 2);
    pub(crate) const SSE41: Self = Self(1 << 3);
    pub(crate) const SSE42: Self = Self(1 << 4);
    pub(crate) const AES: Self = Self(1 << 5);
    pub(crate) const PCLMULQDQ: Self = Self(1 << 6);
    pub(crate) const AVX: Self = Self(1 << 7);
    pub(crate) const F16C: Self = Self(1 << 8);
    pub(crate) const FMA: Self = Self(1 << 9);
    pub(crate) const AVX2: Self = Self(1 << 10);
    pub(crate) const BMI1: Self = Self(1 << 11);
    pub(crate) const BMI2: Self = Self(1 << 12);
    pub(crate) const GFNI: Self = Self(1 << 13);
    pub(crate) const VAES: Self = Self(1 << 14);
    pub(crate) const VPCLMULQDQ: Self = Self(1 << 15);
    pub(crate) const AVX512F: Self = Self(1 << 16);
    pub(crate) const AVX512BW: Self = Self(1 << 17);
    pub(crate) const AVX512DQ: Self = Self(1 << 18);
    pub(crate) const AVX512VL: Self = Self(1 << 19);
    pub(crate) const SM3: Self = Self(1 << 20);
    pub(crate) const SM4: Self = Self(1 << 21);

    #[inline]
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    pub(crate) const fn has(self, all: Self) -> bool {
        self.0 & all.0 == all.0
    }

    #[inline]
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    #[inline]
    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The features that these register values allow.
    ///
    /// A feature counts only with all that the compiler takes for granted beside it: a function
    /// with `avx512f` enabled may also contain FMA instructions.
    pub(crate) fn of(registers: &Registers) -> Self {
        let r = registers;
        let xcr0 = if r.leaf1_ecx & OSXSAVE != 0 {
            r.xcr0
        } else {
            0
        };
        let (leaf7_ebx, leaf7_ecx) = if r.max_leaf >= 7 {
            (r.leaf7_ebx, r.leaf7_ecx)
        } else {
            (0, 0)
        };
        let leaf7_1_eax = if r.max_leaf >= 7 && r.leaf7_max_subleaf >= 1 {
            r.leaf7_1_eax
        } else {
            0
        };

        // Feature, register and bit that report it, state that it needs, features that it implies.
        // An implied feature stands above.
        let rows = [
            (Self::SSE2, r.leaf1_edx, 26, BASE, Self::NONE),
            (Self::SSE3, r.leaf1_ecx, 0, BASE, Self::SSE2),
            (Self::SSSE3, r.leaf1_ecx, 9, BASE, Self::SSE3),
            (Self::SSE41, r.leaf1_ecx, 19, BASE, Self::SSSE3),
            (Self::SSE42, r.leaf1_ecx, 20, BASE, Self::SSE41),
            (Self::AES, r.leaf1_ecx, 25, BASE, Self::SSE2),
            (Self::PCLMULQDQ, r.leaf1_ecx, 1, BASE, Self::SSE2),
            (Self::AVX, r.leaf1_ecx, 28, YMM, Self::SSE42),
            (Self::F16C, r.leaf1_ecx, 29, YMM, Self::AVX),
            (Self::FMA, r.leaf1_ecx, 12, YMM, Self::AVX),
            (Self::AVX2, leaf7_ebx, 5, YMM, Self::AVX),
            (Self::BMI1, leaf7_ebx, 3, BASE, Self::NONE),
            (Self::BMI2, leaf7_ebx, 8, BASE, Self::NONE),
            (Self::GFNI, leaf7_ecx, 8, BASE, Self::SSE2),
            (Self::VAES, leaf7_ecx, 9, YMM, Self::AVX2.and(Self::AES)),
            (
                Self::VPCLMULQDQ,
                leaf7_ecx,
                10,
                YMM,
                Self::AVX.and(Self::PCLMULQDQ),
            ),
            (
                Self::AVX512F,
                leaf7_ebx,
                16,
                ZMM,
                Self::AVX2.and(Self::F16C).and(Self::FMA),
            ),
            (Self::AVX512BW, leaf7_ebx, 30, ZMM, Self::AVX512F),
            (Self::AVX512DQ, leaf7_ebx, 17, ZMM, Self::AVX512F),
            (Self::AVX512VL, leaf7_ebx, 31, ZMM, Self::AVX512F),
            (Self::SM3, leaf7_1_eax, 1, YMM, Self::AVX),
            (Self::SM4, leaf7_1_eax, 2, YMM, Self::AVX2),
        ];

        let mut found = Self::NONE;
        for (feature, register, bit, state, implied) in rows {
            if register >> bit & 1 == 1 && xcr0 & state == state && found.has(implied) {
                found = found.and(feature);
            }
        }
        found
    }
}

/// The bit of a feature by the name that Rust gives it.
macro_rules! named {
    ("sse2") => {
        $crate::x86::Features::SSE2
    };
    ("ssse3") => {
        $crate::x86::Features::SSSE3
    };
    ("sse4.1") => {
        $crate::x86::Features::SSE41
    };
    ("aes") => {
        $crate::x86::Features::AES
    };
    ("pclmulqdq") => {
        $crate::x86::Features::PCLMULQDQ
    };
    ("avx") => {
        $crate::x86::Features::AVX
    };
    ("avx2") => {
        $crate::x86::Features::AVX2
    };
    ("bmi1") => {
        $crate::x86::Features::BMI1
    };
    ("bmi2") => {
        $crate::x86::Features::BMI2
    };
    ("gfni") => {
        $crate::x86::Features::GFNI
    };
    ("vaes") => {
        $crate::x86::Features::VAES
    };
    ("vpclmulqdq") => {
        $crate::x86::Features::VPCLMULQDQ
    };
    ("avx512f") => {
        $crate::x86::Features::AVX512F
    };
    ("avx512bw") => {
        $crate::x86::Features::AVX512BW
    };
    ("avx512dq") => {
        $crate::x86::Features::AVX512DQ
    };
    ("avx512vl") => {
        $crate::x86::Features::AVX512VL
    };
    ("sm3") => {
        $crate::x86::Features::SM3
    };
    ("sm4") => {
        $crate::x86::Features::SM4
    };
}
pub(crate) use named;

#[cfg(test)]
mod tests;
