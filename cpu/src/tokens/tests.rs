use super::ALL;
use alloc::{format, vec::Vec};

/// The values of `shangmi_backend` among those listed that this build was given.
macro_rules! given {
    ($($value:literal)+) => {{
        let mut given: Vec<&str> = Vec::new();
        $(if cfg!(shangmi_backend = $value) {
            given.push($value);
        })+
        given
    }};
}

/// Every value that restricts, written out once more: the documented interface.
fn given() -> Vec<&'static str> {
    given!(
        "soft" "soft32" "soft64" "sse2" "ssse3" "aesni" "pclmul" "avx2" "vaes256" "gfni256"
        "vpclmul256" "avx_bmi2" "avx512" "vaes512" "gfni512" "vpclmul512" "sm3ni" "sm4ni" "neon"
        "neon_aes" "pmull" "neon_sha3" "sm3e" "sm4e"
    )
}

/// What the standard library finds on the running machine.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn machine_has(feature: &str) -> bool {
    macro_rules! ask {
        ($($name:tt)+) => {
            match feature {
                $($name => std::arch::is_x86_feature_detected!($name),)+
                _ => panic!("feature {feature} is not in the list"),
            }
        };
    }
    ask!(
        "sse2" "ssse3" "sse4.1" "aes" "pclmulqdq" "avx" "avx2" "bmi1" "bmi2" "gfni" "vaes"
        "vpclmulqdq" "avx512f" "avx512bw" "avx512dq" "avx512vl" "sm3" "sm4"
    )
}

/// What the standard library finds on the running machine.
#[cfg(target_arch = "aarch64")]
fn machine_has(feature: &str) -> bool {
    match feature {
        "neon" => std::arch::is_aarch64_feature_detected!("neon"),
        "aes" => {
            std::arch::is_aarch64_feature_detected!("aes")
                && std::arch::is_aarch64_feature_detected!("pmull")
        }
        "sha3" => std::arch::is_aarch64_feature_detected!("sha3"),
        "sm4" => std::arch::is_aarch64_feature_detected!("sm4"),
        _ => panic!("feature {feature} is not in the list"),
    }
}

#[test]
fn tokens_follow_the_machine_and_the_build() {
    let given = given();
    assert!(!ALL.is_empty());
    for (name, family, features, check) in ALL {
        let allowed = given.is_empty() || given.contains(family);
        let present = features.iter().all(|feature| machine_has(feature));
        assert_eq!(
            check(),
            allowed && present,
            "{name}: allowed {allowed}, present {present}, build names {given:?}"
        );
    }
}

#[test]
fn soft_alone_leaves_no_token() {
    let soft_only = given().iter().all(|value| value.starts_with("soft"));
    let restricted = !given().is_empty();
    let tokens = ALL.iter().filter(|(.., check)| check()).count();
    if restricted && soft_only {
        assert_eq!(tokens, 0);
    } else if !restricted && cfg!(any(target_arch = "x86_64", target_feature = "neon")) {
        assert_ne!(
            tokens, 0,
            "SSE2 and NEON are part of their base instruction sets"
        );
    }
}

#[test]
fn every_family_can_be_named() {
    let documented = include_str!("../../README.md");
    for (name, family, ..) in ALL {
        assert!(
            documented.contains(&format!("`{family}`")),
            "{name}: {family}"
        );
    }
}

#[test]
fn tokens_take_no_space() {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    assert_eq!(size_of::<crate::Avx512Gfni>(), 0);
    #[cfg(target_arch = "aarch64")]
    assert_eq!(size_of::<crate::NeonSm4>(), 0);
}

#[test]
fn the_second_answer_is_the_first() {
    for (name, .., check) in ALL {
        assert_eq!(check(), check(), "{name}");
    }
}
