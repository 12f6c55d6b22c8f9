//! Made-up machines. Bit numbers are those of the Intel SDM, volume 2A, table "Information
//! Returned by CPUID Instruction"; expected sets are written down, not computed.

use super::{Features, Registers};
use alloc::vec::Vec;

const SSE_ERA: [u32; 4] = [0, 9, 19, 20]; // SSE3, SSSE3, SSE4.1, SSE4.2
const CRYPTO: [u32; 2] = [1, 25]; // PCLMULQDQ, AES
const XSAVE: [u32; 2] = [26, 27]; // XSAVE, OSXSAVE
const AVX_ERA: [u32; 3] = [12, 28, 29]; // FMA, AVX, F16C

fn bits(lists: &[&[u32]]) -> u32 {
    lists
        .iter()
        .copied()
        .flatten()
        .fold(0, |word, bit| word | 1 << bit)
}

fn names(features: Features) -> Vec<&'static str> {
    [
        (0, "sse2"),
        (1, "sse3"),
        (2, "ssse3"),
        (3, "sse4.1"),
        (4, "sse4.2"),
        (5, "aes"),
        (6, "pclmulqdq"),
        (7, "avx"),
        (8, "f16c"),
        (9, "fma"),
        (10, "avx2"),
        (11, "bmi1"),
        (12, "bmi2"),
        (13, "gfni"),
        (14, "vaes"),
        (15, "vpclmulqdq"),
        (16, "avx512f"),
        (17, "avx512bw"),
        (18, "avx512dq"),
        (19, "avx512vl"),
        (20, "sm3"),
        (21, "sm4"),
    ]
    .into_iter()
    .filter(|(bit, _)| features.bits() >> bit & 1 == 1)
    .map(|(_, name)| name)
    .collect()
}

fn features(registers: &Registers) -> Vec<&'static str> {
    names(Features::of(registers))
}

/// Westmere: AES and PCLMULQDQ, no AVX. Leaf 0 says 11, leaf 7 is there and empty.
fn westmere() -> Registers {
    Registers {
        max_leaf: 0xb,
        leaf1_ecx: bits(&[&SSE_ERA, &CRYPTO]),
        leaf1_edx: bits(&[&[25, 26]]),
        ..Registers::default()
    }
}

/// Sandy Bridge: AVX without AVX2, F16C, FMA.
fn sandy_bridge() -> Registers {
    Registers {
        max_leaf: 0xd,
        leaf1_ecx: bits(&[&SSE_ERA, &CRYPTO, &XSAVE, &[28]]),
        leaf1_edx: bits(&[&[25, 26]]),
        xcr0: 7,
        ..Registers::default()
    }
}

/// Alder Lake and the like: AVX2, GFNI, VAES, VPCLMULQDQ, and no AVX-512.
fn client() -> Registers {
    Registers {
        max_leaf: 0x20,
        leaf1_ecx: bits(&[&SSE_ERA, &CRYPTO, &XSAVE, &AVX_ERA]),
        leaf1_edx: bits(&[&[25, 26]]),
        leaf7_max_subleaf: 1,
        leaf7_ebx: bits(&[&[3, 5, 8]]),
        leaf7_ecx: bits(&[&[8, 9, 10]]),
        leaf7_1_eax: bits(&[&[4]]),
        xcr0: 7,
    }
}

const CLIENT: [&str; 16] = [
    "sse2",
    "sse3",
    "ssse3",
    "sse4.1",
    "sse4.2",
    "aes",
    "pclmulqdq",
    "avx",
    "f16c",
    "fma",
    "avx2",
    "bmi1",
    "bmi2",
    "gfni",
    "vaes",
    "vpclmulqdq",
];

/// A server with AVX-512 and the SM3 and SM4 instructions, all of it saved by the system.
fn everything() -> Registers {
    Registers {
        leaf7_ebx: bits(&[&[3, 5, 8, 16, 17, 30, 31]]),
        leaf7_1_eax: bits(&[&[0, 1, 2]]),
        xcr0: 0xe7,
        ..client()
    }
}

const EVERYTHING: [&str; 22] = [
    "sse2",
    "sse3",
    "ssse3",
    "sse4.1",
    "sse4.2",
    "aes",
    "pclmulqdq",
    "avx",
    "f16c",
    "fma",
    "avx2",
    "bmi1",
    "bmi2",
    "gfni",
    "vaes",
    "vpclmulqdq",
    "avx512f",
    "avx512bw",
    "avx512dq",
    "avx512vl",
    "sm3",
    "sm4",
];

#[test]
fn nothing() {
    assert_eq!(Features::of(&Registers::default()), Features::NONE);
}

#[test]
fn all_features() {
    assert_eq!(features(&everything()), EVERYTHING);
}

#[test]
fn westmere_has_no_vex() {
    assert_eq!(
        features(&westmere()),
        [
            "sse2",
            "sse3",
            "ssse3",
            "sse4.1",
            "sse4.2",
            "aes",
            "pclmulqdq"
        ]
    );
}

#[test]
fn avx_without_avx2() {
    assert_eq!(
        features(&sandy_bridge()),
        [
            "sse2",
            "sse3",
            "ssse3",
            "sse4.1",
            "sse4.2",
            "aes",
            "pclmulqdq",
            "avx"
        ]
    );
}

#[test]
fn client_without_avx512_keeps_gfni_vaes_vpclmulqdq() {
    assert_eq!(features(&client()), CLIENT);
}

#[test]
fn avx512_without_zmm_state() {
    let registers = Registers {
        xcr0: 7,
        ..everything()
    };
    let expected: Vec<_> = CLIENT.into_iter().chain(["sm3", "sm4"]).collect();
    assert_eq!(features(&registers), expected);
}

#[test]
fn each_missing_zmm_state_bit_removes_avx512() {
    for missing in [5, 6, 7] {
        let registers = Registers {
            xcr0: 0xe7 & !(1 << missing),
            ..everything()
        };
        let expected: Vec<_> = CLIENT.into_iter().chain(["sm3", "sm4"]).collect();
        assert_eq!(features(&registers), expected, "XCR0 bit {missing}");
    }
}

/// What is left without the AVX state: legacy encodings and general-purpose instructions.
const NO_AVX_STATE: [&str; 10] = [
    "sse2",
    "sse3",
    "ssse3",
    "sse4.1",
    "sse4.2",
    "aes",
    "pclmulqdq",
    "bmi1",
    "bmi2",
    "gfni",
];

#[test]
fn each_missing_ymm_state_bit_removes_every_vex_instruction() {
    for missing in [1, 2] {
        let registers = Registers {
            xcr0: 0xe7 & !(1 << missing),
            ..everything()
        };
        assert_eq!(features(&registers), NO_AVX_STATE, "XCR0 bit {missing}");
    }
}

#[test]
fn osxsave_off() {
    // The value of XCR0 means nothing then.
    let mut registers = everything();
    registers.leaf1_ecx &= !(1 << 27);
    assert_eq!(features(&registers), NO_AVX_STATE);
}

#[test]
fn leaf_7_beyond_the_highest_leaf_is_ignored() {
    let registers = Registers {
        max_leaf: 6,
        ..everything()
    };
    assert_eq!(
        features(&registers),
        [
            "sse2",
            "sse3",
            "ssse3",
            "sse4.1",
            "sse4.2",
            "aes",
            "pclmulqdq",
            "avx",
            "f16c",
            "fma",
        ]
    );
}

#[test]
fn sub_leaf_1_beyond_the_highest_sub_leaf_is_ignored() {
    let registers = Registers {
        leaf7_max_subleaf: 0,
        ..everything()
    };
    assert_eq!(features(&registers), EVERYTHING[..20]);
}

#[test]
fn sm3_and_sm4_are_bits_1_and_2() {
    for (bit, name) in [(1, "sm3"), (2, "sm4")] {
        let registers = Registers {
            leaf7_1_eax: 1 << bit,
            ..client()
        };
        let expected: Vec<_> = CLIENT.into_iter().chain([name]).collect();
        assert_eq!(features(&registers), expected);
    }
}

#[test]
fn sm4_needs_avx2_and_sm3_only_avx() {
    let registers = Registers {
        leaf7_max_subleaf: 1,
        leaf7_1_eax: bits(&[&[1, 2]]),
        ..sandy_bridge()
    };
    assert_eq!(
        features(&registers),
        [
            "sse2",
            "sse3",
            "ssse3",
            "sse4.1",
            "sse4.2",
            "aes",
            "pclmulqdq",
            "avx",
            "sm3"
        ]
    );
}

#[test]
fn a_masked_feature_takes_what_builds_on_it_along() {
    // A hypervisor that hides AVX in leaf 1 but leaves leaf 7 as it is.
    let mut registers = everything();
    registers.leaf1_ecx &= !(1 << 28);
    assert_eq!(features(&registers), NO_AVX_STATE);

    // AES hidden: no VAES, the rest stays.
    let mut registers = client();
    registers.leaf1_ecx &= !(1 << 25);
    let expected: Vec<_> = CLIENT
        .into_iter()
        .filter(|name| !["aes", "vaes"].contains(name))
        .collect();
    assert_eq!(features(&registers), expected);

    // PCLMULQDQ hidden: no VPCLMULQDQ.
    let mut registers = client();
    registers.leaf1_ecx &= !(1 << 1);
    let expected: Vec<_> = CLIENT
        .into_iter()
        .filter(|name| !["pclmulqdq", "vpclmulqdq"].contains(name))
        .collect();
    assert_eq!(features(&registers), expected);
}
