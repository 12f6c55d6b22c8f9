//! Digests from outside: the standard's examples, OpenSSL, and a model of the standard's text.

use digest::dev::{TestVector, fixed_reset_test, fixed_test};
use hex_literal::hex;
use sm3::{Backend, Digest, Sm3};

#[path = "support/model.rs"]
mod model;
use model::pattern;

/// GB/T 32905-2016, appendix A; the empty message.
const STANDARD: [(&[u8], [u8; 32]); 3] = [
    (
        b"abc",
        hex!("66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
    ),
    (
        b"abcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcd",
        hex!("debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732"),
    ),
    (
        b"",
        hex!("1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b"),
    ),
];

/// Digests of `pattern(n)` by OpenSSL 3.0, around the ends of blocks and of the padding.
const PATTERN: [(usize, [u8; 32]); 8] = [
    (
        55,
        hex!("e8db7ce49b650f0d86862da3a8184edba205c3ab6cb31096ba49c6b23d4ed70a"),
    ),
    (
        56,
        hex!("3ce5149f8b8b5be2105c4d09df0c6a59fe73df7ef4fa4a32b65be7841186e139"),
    ),
    (
        63,
        hex!("f00cc2d6a3733a2ce714a0d8ea7a68af8fb01f549d4a3533326da97b831e0f8a"),
    ),
    (
        64,
        hex!("97de314a1506e1b46aa051be0f20ab094a38bedc29eaeb3060f4477409d6e4d6"),
    ),
    (
        65,
        hex!("dc068b29e9179526942e7392faf7900e793123407a0e60a104ef6443c254f20b"),
    ),
    (
        119,
        hex!("3b1ba88b91c3a5e9d38e93afd6986c0f3389889bdde9635230dae0ae10fd5270"),
    ),
    (
        120,
        hex!("4455ed5c6a4ea5865876ea2c0a68bf93ce434b8559617aa2f28f66b8bce7cc3d"),
    ),
    (
        1000,
        hex!("65fbe8d001252b1cd9587bb7547c54acab1570a393254c8bbc4d03c0ea96bb65"),
    ),
];

fn by(backend: Backend, message: &[u8]) -> [u8; 32] {
    Sm3::with_backend(backend)
        .chain_update(message)
        .finalize()
        .into()
}

#[test]
fn standard_examples() {
    for (message, digest) in STANDARD {
        for backend in Backend::all_available() {
            assert_eq!(by(backend, message), digest, "{}", backend.name());
        }
        assert_eq!(Sm3::digest(message)[..], digest);
    }
}

#[test]
fn openssl_digests() {
    for (len, digest) in PATTERN {
        for backend in Backend::all_available() {
            assert_eq!(
                by(backend, &pattern(len)),
                digest,
                "{}: {len}",
                backend.name()
            );
        }
    }
}

#[test]
fn the_model_agrees_with_the_standard_and_openssl() {
    for (message, digest) in STANDARD {
        assert_eq!(model::digest(message), digest);
    }
    for (len, digest) in PATTERN {
        assert_eq!(model::digest(&pattern(len)), digest, "{len}");
    }
}

#[test]
fn every_length_equals_the_model() {
    let message = pattern(1100);
    for len in 0..=message.len() {
        let expected = model::digest(&message[..len]);
        for backend in Backend::all_available() {
            assert_eq!(
                by(backend, &message[..len]),
                expected,
                "{}: {len}",
                backend.name()
            );
        }
    }
}

#[test]
fn every_block_count_equals_the_model() {
    let full = pattern(64 * 300);
    let mut state = model::IV;
    for (count, block) in full.chunks(64).enumerate() {
        let message = &full[..64 * count];
        // One block of padding: a one bit, zeros, the length.
        let mut padding = [0; 64];
        padding[0] = 0x80;
        padding[56..].copy_from_slice(&(8 * message.len() as u64).to_be_bytes());
        let expected = model::output(model::compress(state, &padding));
        for backend in Backend::all_available() {
            assert_eq!(
                by(backend, message),
                expected,
                "{}: {count}",
                backend.name()
            );
        }
        state = model::compress(state, block);
    }
}

#[test]
fn bytes_of_every_value_equal_the_model() {
    for byte in 0..=255 {
        let message = [byte; 192];
        let expected = model::digest(&message);
        for backend in Backend::all_available() {
            assert_eq!(
                by(backend, &message),
                expected,
                "{}: {byte}",
                backend.name()
            );
        }
    }
}

#[test]
fn development_tests_of_the_traits() {
    for (input, output) in [
        (STANDARD[0].0, &STANDARD[0].1),
        (STANDARD[1].0, &STANDARD[1].1),
        (STANDARD[2].0, &STANDARD[2].1),
    ] {
        // The vector wants borrows for the whole program.
        let vector = TestVector {
            input,
            output: Vec::leak(output.to_vec()),
        };
        fixed_reset_test::<Sm3>(&vector).unwrap();
        fixed_test::<Sm3>(&vector).unwrap();
    }
}
