//! ECB, CBC, CFB and OFB: vectors, and equality with RustCrypto's modes and with the models.

use cipher::array::Array;
use cipher::block_padding::{AnsiX923, Iso7816, NoPadding, Padding, Pkcs7, ZeroPadding};
use cipher::consts::U16;
use cipher::{
    BlockModeDecrypt, BlockModeEncrypt, InnerIvInit, IvState, KeyInit, KeyIvInit, SetIvState,
    StreamCipher,
};
use hex_literal::hex;
use shangmi_tests::model;
use shangmi_tests::model::cfb::Way;
use shangmi_tests::support::block_modes::*;
use shangmi_tests::support::bytes::{pat, unhex, unhex_array};
use shangmi_tests::support::ctr_modes::ctr128be;
use shangmi_tests::support::drive::Mode;
use shangmi_tests::support::rng::Rng;
use shangmi_tests::support::subjects::{ours, peer};
use shangmi_tests::vectors::json::{self, wycheproof};
use shangmi_tests::vectors::stanza::stanzas;
use shangmi_tests::vectors::{derived, folder};
use sm4_modes::{cbc, cfb, ecb, ofb};

const KEY: [u8; 16] = hex!("0123456789abcdeffedcba9876543210");

#[test]
fn ecb_equals_model_and_peer() {
    ecb_encrypt().everything(0x3001);
    ecb_decrypt().everything(0x3002);
}

#[test]
fn cbc_equals_model_and_peer() {
    cbc_encrypt().everything(0x3003);
    cbc_decrypt().everything(0x3004);
}

#[test]
fn cfb_of_blocks_equals_model_and_peer() {
    cfb_encrypt_blocks().everything(0x3005);
    cfb_decrypt_blocks().everything(0x3006);
}

#[test]
fn cfb_of_bytes_equals_model_and_peer() {
    cfb_encrypt().everything(0x3007);
    cfb_decrypt().everything(0x3008);
}

#[test]
fn ofb_equals_model_and_peer() {
    ofb().everything(0x3009);
    ofb_blocks().everything(0x300a);
}

/// A borrowed key, and a key that many modes share, give what an owned one gives.
#[test]
fn borrowed_keys_give_the_same() {
    let mut rng = Rng::new(0x300b);
    let (key, iv, data) = (rng.array(), rng.array(), rng.bytes(40 * 16));
    let (cipher, iv_array) = (ours(&key), Array(iv));
    let p = peer(&key);
    let enc = |mut mode: Box<Blocks>| {
        let mut blocks = Array::slice_as_chunks(&data).0.to_vec();
        mode(&mut blocks);
        Array::slice_as_flattened(&blocks).to_vec()
    };
    let leaked: &'static sm4::Sm4 = Box::leak(Box::new(cipher));
    let mut mode = ecb::Encryptor::<&sm4::Sm4>::inner(leaked);
    assert_eq!(
        enc(Box::new(move |b| mode.encrypt_blocks(b))),
        model::ecb::encrypt(&p, &data)
    );
    let mut mode = ecb::Decryptor::<&sm4::Sm4>::inner(leaked);
    assert_eq!(
        enc(Box::new(move |b| mode.decrypt_blocks(b))),
        model::ecb::decrypt(&p, &data)
    );
    let mut mode = cbc::Encryptor::<&sm4::Sm4>::inner_iv_init(leaked, &iv_array);
    assert_eq!(
        enc(Box::new(move |b| mode.encrypt_blocks(b))),
        model::cbc::encrypt(&p, iv, &data)
    );
    let mut mode = cbc::Decryptor::<&sm4::Sm4>::inner_iv_init(leaked, &iv_array);
    assert_eq!(
        enc(Box::new(move |b| mode.decrypt_blocks(b))),
        model::cbc::decrypt(&p, iv, &data)
    );
    let cfb = model::cfb::cfb128(&p, iv, &data, Way::Encrypt);
    let mut mode = cfb::Encryptor::<&sm4::Sm4>::inner_iv_init(leaked, &iv_array);
    assert_eq!(enc(Box::new(move |b| mode.encrypt_blocks(b))), cfb);
    let mut buffer = data.clone();
    cfb::BufEncryptor::<&sm4::Sm4>::inner_iv_init(leaked, &iv_array).encrypt(&mut buffer);
    assert_eq!(buffer, cfb);
    cfb::BufDecryptor::<&sm4::Sm4>::inner_iv_init(leaked, &iv_array).decrypt(&mut buffer);
    assert_eq!(buffer, data);
    cfb::Encryptor::<&sm4::Sm4>::inner_iv_init(leaked, &iv_array).encrypt(&mut buffer);
    cfb::Decryptor::<&sm4::Sm4>::inner_iv_init(leaked, &iv_array).decrypt(&mut buffer);
    assert_eq!(buffer, data);
    ofb::Ofb::from_core(ofb::OfbCore::<&sm4::Sm4>::inner_iv_init(leaked, &iv_array))
        .apply_keystream(&mut buffer);
    assert_eq!(buffer, model::ofb::apply(&p, iv, &data));
}

/// What processes blocks in place.
type Blocks = dyn FnMut(&mut [Array<u8, U16>]);

/// ECB has no IV, and its trait another name for the constructor.
trait Inner<'a> {
    fn inner(cipher: &'a sm4::Sm4) -> Self;
}

impl<'a> Inner<'a> for ecb::Encryptor<&'a sm4::Sm4> {
    fn inner(cipher: &'a sm4::Sm4) -> Self {
        cipher::common::InnerInit::inner_init(cipher)
    }
}

impl<'a> Inner<'a> for ecb::Decryptor<&'a sm4::Sm4> {
    fn inner(cipher: &'a sm4::Sm4) -> Self {
        cipher::common::InnerInit::inner_init(cipher)
    }
}

/// The state that a mode gives out continues the message, in ours and in the peer's.
#[test]
fn iv_states_go_on_where_the_peer_stopped() {
    macro_rules! both {
        ($ours:ty, $peer:ty, $method:ident) => {{
            let mut rng = Rng::new(0x300c);
            for n in 0..40 {
                let (key, iv) = (Array(rng.array()), Array(rng.array()));
                let data = rng.bytes(40 * 16);
                let blocks = Array::slice_as_chunks(&data).0;
                let mut expected = blocks.to_vec();
                <$peer>::new(&key, &iv).$method(&mut expected);

                let mut a = <$ours>::new(&key, &iv);
                let mut b = <$peer>::new(&key, &iv);
                assert_eq!(a.iv_state(), b.iv_state());
                a.$method(&mut blocks.to_vec()[..n]);
                b.$method(&mut blocks.to_vec()[..n]);
                assert_eq!(
                    a.iv_state(),
                    b.iv_state(),
                    "{} after {n} blocks",
                    stringify!($ours)
                );

                let mut rest = blocks[n..].to_vec();
                let mut c = <$ours>::new(&key, &Array([0x99; 16]));
                c.set_iv(&b.iv_state());
                c.$method(&mut rest);
                assert_eq!(
                    rest,
                    expected[n..],
                    "{} after {n} blocks",
                    stringify!($ours)
                );
            }
        }};
    }
    both!(
        cbc::Encryptor,
        ::cbc::Encryptor<rc_sm4::Sm4>,
        encrypt_blocks
    );
    both!(
        cbc::Decryptor,
        ::cbc::Decryptor<rc_sm4::Sm4>,
        decrypt_blocks
    );
    both!(
        cfb::Encryptor,
        cfb_mode::Encryptor<rc_sm4::Sm4>,
        encrypt_blocks
    );
    both!(
        cfb::Decryptor,
        cfb_mode::Decryptor<rc_sm4::Sm4>,
        decrypt_blocks
    );
    both!(ofb::OfbCore, ::ofb::OfbCore<rc_sm4::Sm4>, encrypt_blocks);
}

/// The state of the buffered CFB types, byte by byte, is the peer's.
#[test]
fn buffered_cfb_states_are_those_of_the_peer() {
    let mut rng = Rng::new(0x300d);
    let (key, iv, data) = (rng.array(), rng.array(), rng.bytes(200));
    let (key_array, iv_array) = (Array(key), Array(iv));
    let enc = model::cfb::cfb128(&peer(&key), iv, &data, Way::Encrypt);
    let dec = model::cfb::cfb128(&peer(&key), iv, &data, Way::Decrypt);
    for at in 0..=100 {
        let mut ours = cfb::BufEncryptor::<sm4::Sm4>::new(&key_array, &iv_array);
        let mut peers = cfb_mode::BufEncryptor::<rc_sm4::Sm4>::new(&key_array, &iv_array);
        ours.encrypt(&mut data.clone()[..at]);
        peers.encrypt(&mut data.clone()[..at]);
        let (state, position) = peers.get_state();
        assert_eq!(
            (ours.get_state().0, ours.get_state().1),
            (state, position),
            "after {at} bytes"
        );
        let mut rest = data[at..].to_vec();
        cfb::BufEncryptor::from_state(self::ours(&key), state, position).encrypt(&mut rest);
        assert_eq!(rest, enc[at..], "after {at} bytes");

        let mut ours = cfb::BufDecryptor::<sm4::Sm4>::new(&key_array, &iv_array);
        let mut peers = cfb_mode::BufDecryptor::<rc_sm4::Sm4>::new(&key_array, &iv_array);
        ours.decrypt(&mut data.clone()[..at]);
        peers.decrypt(&mut data.clone()[..at]);
        let (state, position) = peers.get_state();
        assert_eq!(
            (ours.get_state().0, ours.get_state().1),
            (state, position),
            "after {at} bytes"
        );
        let mut rest = data[at..].to_vec();
        cfb::BufDecryptor::from_state(self::ours(&key), state, position).decrypt(&mut rest);
        assert_eq!(rest, dec[at..], "after {at} bytes");
    }
}

/// Padded messages of every length are what the peer makes of them, and come back.
#[test]
fn padded_messages_equal_the_peer_s() {
    fn each<P: Padding>(rng: &mut Rng, exact: bool) {
        for len in 0..=200 {
            if exact && len % 16 != 0 {
                continue;
            }
            let (key, iv) = (Array(rng.array()), Array(rng.array()));
            let mut data = rng.bytes(len);
            if let Some(last) = data.last_mut() {
                // Padding with zeros gives back only messages that end in something else.
                *last |= 1;
            }
            let ours = cbc::Encryptor::<sm4::Sm4>::new(&key, &iv).encrypt_padded_vec::<P>(&data);
            let peers =
                ::cbc::Encryptor::<rc_sm4::Sm4>::new(&key, &iv).encrypt_padded_vec::<P>(&data);
            assert_eq!(ours, peers, "CBC, {len} bytes");
            let back = cbc::Decryptor::<sm4::Sm4>::new(&key, &iv).decrypt_padded_vec::<P>(&ours);
            assert_eq!(back.as_deref().ok(), Some(&data[..]), "CBC, {len} bytes");

            let ours = ecb::Encryptor::<sm4::Sm4>::new(&key).encrypt_padded_vec::<P>(&data);
            let peers = ::ecb::Encryptor::<rc_sm4::Sm4>::new(&key).encrypt_padded_vec::<P>(&data);
            assert_eq!(ours, peers, "ECB, {len} bytes");
            let back = ecb::Decryptor::<sm4::Sm4>::new(&key).decrypt_padded_vec::<P>(&ours);
            assert_eq!(back.as_deref().ok(), Some(&data[..]), "ECB, {len} bytes");

            let mut buffer = data.clone();
            buffer.resize(len + 32, 0xee);
            let written = cbc::Encryptor::<sm4::Sm4>::new(&key, &iv)
                .encrypt_padded::<P>(&mut buffer, len)
                .expect("there is room")
                .len();
            let expected =
                ::cbc::Encryptor::<rc_sm4::Sm4>::new(&key, &iv).encrypt_padded_vec::<P>(&data);
            assert_eq!(buffer[..written], expected);
            assert!(
                buffer[written..].iter().all(|&b| b == 0xee),
                "written past the padding"
            );
        }
    }
    let mut rng = Rng::new(0x300e);
    each::<Pkcs7>(&mut rng, false);
    each::<Iso7816>(&mut rng, false);
    each::<AnsiX923>(&mut rng, false);
    each::<ZeroPadding>(&mut rng, false);
    each::<NoPadding>(&mut rng, true);
}

#[test]
fn keys_and_ivs_of_other_lengths_are_refused() {
    let good = [7; 16];
    for len in (0..=40).filter(|&len| len != 16) {
        let bad = vec![7; len];
        macro_rules! refused {
            ($($mode:ty),+) => {$(
                assert!(<$mode>::new_from_slices(&bad, &good).is_err(), "key of {len} bytes");
                assert!(<$mode>::new_from_slices(&good, &bad).is_err(), "IV of {len} bytes");
                assert!(<$mode>::inner_iv_slice_init(ours(&good), &bad).is_err(), "IV of {len} bytes");
            )+};
        }
        refused!(
            cbc::Encryptor,
            cbc::Decryptor,
            cfb::Encryptor,
            cfb::Decryptor,
            ofb::OfbCore
        );
        refused!(cfb::BufEncryptor, cfb::BufDecryptor);
        assert!(ofb::Ofb::<sm4::Sm4>::new_from_slices(&bad, &good).is_err());
        assert!(ofb::Ofb::<sm4::Sm4>::new_from_slices(&good, &bad).is_err());
        assert!(ecb::Encryptor::<sm4::Sm4>::new_from_slice(&bad).is_err());
        assert!(ecb::Decryptor::<sm4::Sm4>::new_from_slice(&bad).is_err());
    }
}

#[test]
fn buffers_of_unequal_length_are_refused_untouched() {
    let (key, iv) = (Array(KEY), Array([1; 16]));
    for (from, to) in [(0, 1), (1, 0), (16, 17), (33, 32), (100, 99)] {
        let (input, mut output) = (vec![1; from], vec![0x77; to]);
        assert!(
            cfb::Encryptor::<sm4::Sm4>::new(&key, &iv)
                .encrypt_b2b(&input, &mut output)
                .is_err()
        );
        assert!(
            cfb::Decryptor::<sm4::Sm4>::new(&key, &iv)
                .decrypt_b2b(&input, &mut output)
                .is_err()
        );
        let mut stream = ofb::Ofb::<sm4::Sm4>::new(&key, &iv);
        assert!(stream.try_apply_keystream_b2b(&input, &mut output).is_err());
        assert!(output.iter().all(|&b| b == 0x77), "{from} to {to}");
        // Nothing was used up either.
        let mut zeros = [0; 40];
        stream.apply_keystream(&mut zeros);
        assert_eq!(zeros[..], model::ofb::apply(&peer(&KEY), [1; 16], &[0; 40]));
    }
    let (input, mut output) = ([Array([1; 16]); 3], [Array([0x77; 16]); 2]);
    let mut mode = cbc::Encryptor::<sm4::Sm4>::new(&key, &iv);
    assert!(mode.encrypt_blocks_b2b(&input, &mut output).is_err());
    assert_eq!(mode.iv_state(), iv);
    let mut mode = cbc::Decryptor::<sm4::Sm4>::new(&key, &iv);
    assert!(mode.decrypt_blocks_b2b(&input, &mut output).is_err());
    assert_eq!(mode.iv_state(), iv);
    assert!(output.iter().all(|b| b.0 == [0x77; 16]));
}

#[test]
fn derived_cfb_and_ofb() {
    let document = derived::cfb_ofb();
    let key = json::array(&document, "key");
    let iv: [u8; 16] = json::array(&document, "iv");
    let (mut cfb128, mut ofb_count, mut cfb8_count, mut cfb1_count) = (0, 0, 0, 0);
    let (cfb_enc, cfb_dec, ofb_mode) = (cfb_encrypt(), cfb_decrypt(), ofb());
    for test in json::list(&document, "tests") {
        let len = json::number(test, "len");
        let plain = pat(len);
        let check = |ciphertext: &[u8]| {
            if test["ct"].is_string() {
                assert_eq!(ciphertext, json::bytes(test, "ct"));
            }
            if test["ct_sm3"].is_string() {
                assert_eq!(model::sm3::sm3(ciphertext)[..], json::bytes(test, "ct_sm3"));
            }
            assert!(test["ct"].is_string() || test["ct_sm3"].is_string());
        };
        match json::text(test, "mode") {
            "CFB128" => {
                let ct = model::cfb::cfb128(&peer(&key), iv, &plain, Way::Encrypt);
                check(&ct);
                cfb_enc.gives(&key, &iv, &plain, &ct);
                cfb_dec.gives(&key, &iv, &ct, &plain);
                cfb128 += 1;
            }
            "OFB" => {
                let ct = model::ofb::apply(&peer(&key), iv, &plain);
                check(&ct);
                ofb_mode.gives(&key, &iv, &plain, &ct);
                ofb_mode.gives(&key, &iv, &ct, &plain);
                ofb_count += 1;
            }
            // These two segment sizes are no modes of ours: RustCrypto's over our SM4, and the model.
            "CFB8" => {
                let ct = model::cfb::cfb8(&peer(&key), iv, &plain, Way::Encrypt);
                check(&ct);
                let mut buffer = plain.clone();
                cfb8::Encryptor::inner_iv_init(ours(&key), &Array(iv)).encrypt(&mut buffer);
                assert_eq!(buffer, ct);
                cfb8::Decryptor::inner_iv_init(ours(&key), &Array(iv)).decrypt(&mut buffer);
                assert_eq!(buffer, plain);
                cfb8_count += 1;
            }
            "CFB1" => {
                check(&model::cfb::cfb1_encrypt(&ours(&key), iv, &plain));
                cfb1_count += 1;
            }
            other => panic!("mode {other}"),
        }
    }
    assert_eq!((cfb128, ofb_count, cfb8_count, cfb1_count), (42, 42, 6, 3));
}

/// The modes that a file may name, both ways.
fn both_ways(name: &str) -> Option<(Mode<'static>, Mode<'static>)> {
    Some(match name {
        "ECB" => (ecb_encrypt(), ecb_decrypt()),
        "CBC" => (cbc_encrypt(), cbc_decrypt()),
        "CFB" => (cfb_encrypt(), cfb_decrypt()),
        "OFB" => (ofb(), ofb()),
        "CTR" => (ctr128be(), ctr128be()),
        _ => return None,
    })
}

fn gives_both_ways(mode: &str, key: &[u8], iv: &[u8], plaintext: &[u8], ciphertext: &[u8]) {
    let (enc, dec) = both_ways(mode).unwrap_or_else(|| panic!("mode {mode}"));
    let key = key.try_into().expect("16 bytes");
    let iv = if mode == "ECB" {
        assert!(iv.is_empty());
        [0; 16]
    } else {
        iv.try_into().expect("16 bytes")
    };
    enc.gives(key, &iv, plaintext, ciphertext);
    dec.gives(key, &iv, ciphertext, plaintext);
}

#[test]
fn draft_ribose_cfrg_sm4() {
    let name = "draft_ribose_cfrg_sm4.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let tests = json::list(&document, "tests");
    for test in tests {
        let iv = if test["iv"].is_string() {
            json::bytes(test, "iv")
        } else {
            Vec::new()
        };
        gives_both_ways(
            json::text(test, "mode"),
            &json::bytes(test, "key"),
            &iv,
            &json::bytes(test, "plaintext"),
            &json::bytes(test, "ciphertext"),
        );
    }
    let million = &document["iteration_1e6"];
    let cipher = ours(&json::array(million, "key"));
    let mut block = Array(json::array(million, "plaintext"));
    for n in 1..=1_000_000 {
        cipher::BlockCipherEncrypt::encrypt_block(&cipher, &mut block);
        if n == 1 {
            assert_eq!(block.0, json::array(million, "after_1"));
        }
    }
    assert_eq!(block.0, json::array(million, "after_1000000"));
    folder::report(name, tests.len() + 1, 11);
}

#[test]
fn openssl_evpciph_sm4() {
    let name = "openssl/evpciph_sm4.txt";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let (mut tested, mut others) = (0, 0);
    for stanza in stanzas(&text, "Cipher") {
        let mode = stanza
            .text("Cipher")
            .strip_prefix("SM4-")
            .expect("SM4")
            .to_owned();
        if both_ways(&mode).is_none() {
            assert!(["GCM", "CCM", "XTS"].contains(&&*mode), "{mode}");
            others += 1;
            continue;
        }
        gives_both_ways(
            &mode,
            &stanza.bytes("Key"),
            &stanza.bytes_or_empty("IV"),
            &stanza.bytes("Plaintext"),
            &stanza.bytes("Ciphertext"),
        );
        tested += 1;
    }
    folder::report(&format!("{name} (ECB, CBC, OFB, CFB, CTR)"), tested, 7);
    folder::report_other(
        name,
        "GCM, CCM, XTS: in the tests of these modes",
        others,
        6,
    );
}

#[test]
fn ipsec_mb_modes() {
    for (mode, file, count) in [("ECB", "ecb", 34), ("CBC", "cbc", 33), ("CTR", "ctr", 33)] {
        let name = format!("ipsec-mb/sm4_{file}_test.json");
        let Some(text) = folder::read_text(&name) else {
            return;
        };
        let document = json::parse(&text);
        let cases = wycheproof(&document);
        for case in &cases {
            assert!(case.valid);
            let (msg, ct) = (json::bytes(case.test, "msg"), json::bytes(case.test, "ct"));
            let (key, iv) = (json::bytes(case.test, "key"), json::bytes(case.test, "iv"));
            gives_both_ways(mode, &key, &iv, &msg, &ct);
        }
        folder::report(&name, cases.len(), count);
    }
}

#[test]
fn gmsm_modes() {
    let name = "gmsm/gmsm_vectors.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let (mut tested, mut greetings, mut bare) = (0, 0, 0);
    for (mode, file) in [
        ("ECB", "cipher/ecb_sm4_test.go"),
        ("CBC", "cipher/cbc_sm4_test.go"),
        ("CFB", "cipher/cfb_sm4_test.go"),
        ("OFB", "cipher/ofb_sm4_test.go"),
        ("CTR", "cipher/ctr_sm4_test.go"),
    ] {
        for table in json::list(&document["files"], file) {
            for entry in json::list(table, "entries") {
                let values: Vec<&str> = (json::list(entry, "values").iter())
                    .map(|value| value.as_str().expect("text"))
                    .collect();
                match values[..] {
                    // CBC without an IV in the table: zeros, and PKCS#7 padding.
                    [key, "", plain, ct] => {
                        let ct = unhex(ct);
                        let key = Array(unhex_array(key));
                        let mode = cbc::Encryptor::<sm4::Sm4>::new(&key, &Array([0; 16]));
                        assert_eq!(mode.encrypt_padded_vec::<Pkcs7>(&unhex(plain)), ct);
                        let mode = cbc::Decryptor::<sm4::Sm4>::new(&key, &Array([0; 16]));
                        assert_eq!(
                            mode.decrypt_padded_vec::<Pkcs7>(&ct).ok(),
                            Some(unhex(plain))
                        );
                        tested += 1;
                    }
                    [key, iv, plain, ct] => {
                        gives_both_ways(mode, &unhex(key), &unhex(iv), &unhex(plain), &unhex(ct));
                        tested += 1;
                    }
                    // The source has key, IV and message of these as text: sixteen digits, and a greeting over and over.
                    [ct] => {
                        let ct = unhex(ct);
                        let text = Array(*b"0123456789ABCDEF");
                        let mode = cbc::Decryptor::<sm4::Sm4>::new(&text, &text);
                        let plain = mode.decrypt_padded_vec::<Pkcs7>(&ct).expect("padding");
                        let letters = plain.iter().all(|&b| b.is_ascii_alphabetic() || b == b' ');
                        assert!(letters && plain.starts_with(b"Hello World"), "{entry}");
                        let mode = cbc::Encryptor::<sm4::Sm4>::new(&text, &text);
                        assert_eq!(mode.encrypt_padded_vec::<Pkcs7>(&plain), ct);
                        greetings += 1;
                    }
                    // No bytes at all.
                    [] => bare += 1,
                    _ => panic!("{entry}"),
                }
            }
        }
    }
    folder::report(
        &format!("{name} (CBC, CFB, CTR)"),
        tested + greetings,
        10 + 14,
    );
    folder::report_other(name, "ECB without bytes", bare, 11);

    let mut others = 0;
    for file in [
        "hctr_test.go",
        "bc_test.go",
        "ofbnlf_test.go",
        "gcmsiv_sm4_test.go",
    ] {
        for table in json::list(&document["files"], &format!("cipher/{file}")) {
            others += table["entries"].as_array().map_or(1, Vec::len);
        }
    }
    folder::report_other(
        name,
        "HCTR, BC, OFBNLF, GCM-SIV: modes we do not have",
        others,
        31,
    );
    let macs: usize = (json::list(&document["files"], "cbcmac/cbcmac_test.go").iter())
        .map(|table| json::list(table, "entries").len())
        .sum();
    folder::report_other(name, "CBC-MAC and its kin: modes we do not have", macs, 62);
}
