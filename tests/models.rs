//! The models themselves, against published examples with other ciphers and against peers: they judge the rest.

use aes::Aes128;
use cipher::{Array, KeyInit};
use hex_literal::hex;
use shangmi_tests::model::cfb::Way;
use shangmi_tests::model::cipher16::Cipher16;
use shangmi_tests::model::ctr::{Counter, counter_block};
use shangmi_tests::model::xts::Standard;
use shangmi_tests::model::{cbc, ccm, cfb, ctr, ecb, gcm, ghash, hmac, ofb, sm3, sm4, xts};
use shangmi_tests::support::rng::Rng;
use shangmi_tests::support::subjects::peer;
use shangmi_tests::vectors::folder;
use shangmi_tests::vectors::json::{self, wycheproof};
use shangmi_tests::vectors::stanza::stanzas;

fn aes(key: [u8; 16]) -> Aes128 {
    Aes128::new(&Array(key))
}

/// Key, IV and plaintext of SP 800-38A, appendix F.
const F_KEY: [u8; 16] = hex!("2b7e151628aed2a6abf7158809cf4f3c");
const F_IV: [u8; 16] = hex!("000102030405060708090a0b0c0d0e0f");
const F_PLAIN: [u8; 64] = hex!(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
);

#[test]
fn modes_give_the_examples_of_sp_800_38a() {
    let c = aes(F_KEY);
    let ecb_ct = hex!(
        "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
        "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4"
    );
    assert_eq!(ecb::encrypt(&c, &F_PLAIN), ecb_ct);
    assert_eq!(ecb::decrypt(&c, &ecb_ct), F_PLAIN);

    let cbc_ct = hex!(
        "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
        "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"
    );
    assert_eq!(cbc::encrypt(&c, F_IV, &F_PLAIN), cbc_ct);
    assert_eq!(cbc::decrypt(&c, F_IV, &cbc_ct), F_PLAIN);

    let cfb_ct = hex!(
        "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"
        "26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6"
    );
    assert_eq!(cfb::cfb128(&c, F_IV, &F_PLAIN, Way::Encrypt), cfb_ct);
    assert_eq!(cfb::cfb128(&c, F_IV, &cfb_ct, Way::Decrypt), F_PLAIN);

    let cfb8_ct = hex!("3b79424c9c0dd436bace9e0ed4586a4f32b9");
    assert_eq!(cfb::cfb8(&c, F_IV, &F_PLAIN[..18], Way::Encrypt), cfb8_ct);
    assert_eq!(cfb::cfb8(&c, F_IV, &cfb8_ct, Way::Decrypt), F_PLAIN[..18]);

    assert_eq!(cfb::cfb1_encrypt(&c, F_IV, &F_PLAIN[..2]), hex!("68b3"));

    let ofb_ct = hex!(
        "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"
        "9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e"
    );
    assert_eq!(ofb::apply(&c, F_IV, &F_PLAIN), ofb_ct);

    let ctr_iv = hex!("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    let ctr_ct = hex!(
        "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
        "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"
    );
    assert_eq!(
        ctr::apply(&c, Counter::Be(128), ctr_iv, 0, &F_PLAIN),
        ctr_ct
    );
    for start in 0..64 {
        let rest = ctr::apply(
            &c,
            Counter::Be(128),
            ctr_iv,
            start as u128,
            &F_PLAIN[start..],
        );
        assert_eq!(rest, ctr_ct[start..]);
    }
}

#[test]
fn counters_wrap_at_their_width() {
    let iv = hex!("ffffffffffffffff00112233fffffffe");
    let at = |counter, n| counter_block(counter, iv, n);
    assert_eq!(
        at(Counter::Be(32), 1),
        hex!("ffffffffffffffff00112233ffffffff")
    );
    assert_eq!(
        at(Counter::Be(32), 2),
        hex!("ffffffffffffffff0011223300000000")
    );
    assert_eq!(
        at(Counter::Be(64), 2),
        hex!("ffffffffffffffff0011223400000000")
    );
    assert_eq!(
        at(Counter::Be(128), 2),
        hex!("ffffffffffffffff0011223400000000")
    );
    assert_eq!(
        at(Counter::Le(32), 1),
        hex!("00000000ffffffff00112233fffffffe")
    );
    assert_eq!(
        at(Counter::Le(64), 1),
        hex!("000000000000000000112233fffffffe")
    );
    assert_eq!(
        at(Counter::Le(128), 1),
        hex!("000000000000000001112233fffffffe")
    );
    let carries = hex!("00ffffffffffffffffffffffffffffff");
    assert_eq!(
        counter_block(Counter::Be(128), carries, 1),
        hex!("01000000000000000000000000000000")
    );
    assert_eq!(counter_block(Counter::Be(128), [0xff; 16], 1), [0; 16]);
}

#[test]
fn ghash_and_gcm_give_the_examples_of_their_submission() {
    // Test cases 3 to 6 of McGrew and Viega, by way of SP 800-38D's validation.
    let h = hex!("66e94bd4ef8a2c3b884cfa59ca342b2e");
    let blocks = [
        hex!("0388dace60b6a392f328c2b971b2fe78"),
        hex!("00000000000000000000000000000080"),
    ];
    assert_eq!(
        ghash::ghash(h, blocks),
        hex!("f38cbb1ad69223dcc3457ae5b6b0f885")
    );

    let c = aes(hex!("feffe9928665731c6d6a8f9467308308"));
    let plain = hex!(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
    );
    let aad = hex!("feedfacedeadbeeffeedfacedeadbeefabaddad2");
    let case = |nonce: &[u8], tag: [u8; 16]| {
        let (ct, full) = gcm::seal(&c, nonce, &aad, &plain, 16);
        assert_eq!(full, tag);
        assert_eq!(gcm::open(&c, nonce, &aad, &ct, &tag), Some(plain.to_vec()));
        assert_eq!(gcm::open(&c, nonce, &aad, &ct, &[0; 16]), None);
    };
    case(
        &hex!("cafebabefacedbaddecaf888"),
        hex!("5bc94fbc3221a5db94fae95ae7121a47"),
    );
    case(
        &hex!("cafebabefacedbad"),
        hex!("3612d2e79e3b0785561be14aaca2fccb"),
    );
    case(
        &hex!(
            "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728"
            "c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b"
        ),
        hex!("619cc5aefffe0bfa462af43c1699d050"),
    );
}

#[test]
fn powers_in_the_field_of_ghash_are_repeated_products() {
    let mut rng = Rng::new(1);
    let x = u128::from_be_bytes(rng.array());
    let mut product = 1 << 127;
    for n in 0..40 {
        assert_eq!(ghash::pow(x, n), product);
        product = ghash::mul(product, x);
    }
}

#[test]
fn ccm_gives_the_examples_of_rfc_3610_and_sp_800_38c() {
    let c = aes(hex!("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf"));
    let nonce = hex!("00000003020100a0a1a2a3a4a5");
    let plain = hex!("08090a0b0c0d0e0f101112131415161718191a1b1c1d1e");
    let (ct, tag) = ccm::seal(&c, &nonce, &hex!("0001020304050607"), &plain, 8);
    assert_eq!(ct, hex!("588c979a61c663d2f066d0c2c0f989806d5f6b61dac384"));
    assert_eq!(tag, hex!("17e8d12cfdf926e0"));

    // SP 800-38C, example 4: associated data of 65536 bytes.
    let c = aes(hex!("404142434445464748494a4b4c4d4e4f"));
    let aad: Vec<u8> = (0..65536u32).map(|i| i as u8).collect();
    let plain: Vec<u8> = (0x20..0x40).collect();
    let nonce = hex!("101112131415161718191a1b1c");
    let (ct, tag) = ccm::seal(&c, &nonce, &aad, &plain, 14);
    assert_eq!(
        ct,
        hex!("69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72")
    );
    assert_eq!(tag, hex!("b4ac6bec93e8598e7f0dadbcea5b"));
    assert_eq!(ccm::open(&c, &nonce, &aad, &ct, &tag), Some(plain));
    assert_eq!(ccm::open(&c, &nonce, &aad, &ct, &[0; 14]), None);
}

#[test]
fn xts_gives_the_examples_of_both_standards() {
    // IEEE 1619, vector 1 and vector 15 (17 bytes: ciphertext stealing).
    let zero = aes([0; 16]);
    let ct = hex!("917cf69ebd68b2ec9b9fe9a3eadda692cd43d2f59598ed858c02c2652fbf922e");
    assert_eq!(
        xts::encrypt(&zero, &zero, Standard::Ieee, [0; 16], &[0; 32]),
        ct
    );
    assert_eq!(
        xts::decrypt(&zero, &zero, Standard::Ieee, [0; 16], &ct),
        [0; 32]
    );

    let k1 = aes(hex!("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0"));
    let k2 = aes(hex!("bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0"));
    let tweak = hex!("9a785634120000000000000000000000");
    let plain: Vec<u8> = (0..17).collect();
    let ct = hex!("6c1625db4671522d3d7599601de7ca09ed");
    assert_eq!(xts::encrypt(&k1, &k2, Standard::Ieee, tweak, &plain), ct);
    assert_eq!(xts::decrypt(&k1, &k2, Standard::Ieee, tweak, &ct), plain);

    // GB/T 17964-2021: SM4, 56 bytes.
    let k1 = peer(&hex!("2b7e151628aed2a6abf7158809cf4f3c"));
    let k2 = peer(&hex!("000102030405060708090a0b0c0d0e0f"));
    let tweak = hex!("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    let plain = &F_PLAIN[..56];
    let ct = hex!(
        "e9538251c71d7b80bbe4483fef497bd12c5c581bd6242fc51e08964fb4f60fdb"
        "0ba42f63499279213d318d2c11f6886e903be7f93a1b3479"
    );
    assert_eq!(xts::encrypt(&k1, &k2, Standard::Gb, tweak, plain), ct);
    assert_eq!(xts::decrypt(&k1, &k2, Standard::Gb, tweak, &ct), plain);
}

#[test]
fn sm3_gives_the_examples_of_gb_t_32905_and_the_peer() {
    let abc = hex!("66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0");
    assert_eq!(sm3::sm3(b"abc"), abc);
    let long = hex!("debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732");
    assert_eq!(sm3::sm3(&b"abcd".repeat(16)), long);
    let mut rng = Rng::new(2);
    for len in 0..300 {
        let message = rng.bytes(len);
        let peer = <rc_sm3::Sm3 as rc_sm3::Digest>::digest(&message);
        assert_eq!(sm3::sm3(&message), peer[..], "{len} bytes");
    }
}

#[test]
fn hmac_gives_an_example_of_gm_t_0042() {
    let message =
        b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopqabcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    let key: Vec<u8> = (1..=32).collect();
    let tag = hex!("ca05e144ed05d1857840d1f318a4a8669e559fc8391f414485bfdf7bb408963a");
    assert_eq!(hmac::hmac(&key, message), tag);
}

#[test]
fn sm4_gives_the_example_of_gb_t_32907_and_the_peer() {
    let key = hex!("0123456789abcdeffedcba9876543210");
    let model = sm4::Model::new(&key);
    // The standard prints the round keys of this example: the first and the last.
    assert_eq!(model.round_keys()[0], 0xf12186f9);
    assert_eq!(model.round_keys()[31], 0x9124a012);
    assert_eq!(model.e(key), hex!("681edf34d206965e86b3e94f536e4246"));
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let (key, block) = (rng.array(), rng.array());
        let (model, peer) = (sm4::Model::new(&key), peer(&key));
        assert_eq!(model.e(block), peer.e(block));
        assert_eq!(model.d(block), peer.d(block));
    }
    // A substitution box is a permutation; the corners of the standard's table.
    let mut seen = [false; 256];
    for x in 0..=255u8 {
        seen[usize::from(sm4::sbox(x))] = true;
    }
    assert!(seen.iter().all(|&s| s));
    assert_eq!(
        [0x00, 0x0f, 0xef, 0xf0, 0xff].map(sm4::sbox),
        [0xd6, 0x05, 0x84, 0x18, 0x48]
    );
}

/// A block cipher that one of the files uses, by the name and key that it gives; nothing for ciphers that we lack.
fn named(cipher: &str, key: &[u8]) -> Option<Box<dyn Cipher16>> {
    let cipher: Box<dyn Cipher16> = match (cipher, key.len()) {
        ("AES-128", 16) => Box::new(Aes128::new_from_slice(key).expect("16 bytes")),
        ("AES-192", 24) => Box::new(aes::Aes192::new_from_slice(key).expect("24 bytes")),
        ("AES-256", 32) => Box::new(aes::Aes256::new_from_slice(key).expect("32 bytes")),
        ("SM4", 16) => Box::new(peer(key.try_into().expect("16 bytes"))),
        _ => return None,
    };
    Some(cipher)
}

/// A boxed cipher is a cipher.
struct Any(Box<dyn Cipher16>);

impl Cipher16 for Any {
    fn e(&self, block: [u8; 16]) -> [u8; 16] {
        self.0.e(block)
    }

    fn d(&self, block: [u8; 16]) -> [u8; 16] {
        self.0.d(block)
    }
}

#[test]
fn botan_gcm() {
    let name = "botan/gcm.vec";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let (mut tested, mut aria) = (0, 0);
    for stanza in stanzas(&text, "Out") {
        let (cipher, mode) = stanza.heading.split_once('/').expect("cipher and mode");
        let tag_len = match mode.strip_prefix("GCM").expect("GCM") {
            "" => 16,
            size => size.trim_matches(['(', ')']).parse().expect("a number"),
        };
        let Some(c) = named(cipher, &stanza.bytes("Key")).map(Any) else {
            assert!(cipher.starts_with("ARIA"), "{cipher}");
            aria += 1;
            continue;
        };
        let (nonce, aad) = (stanza.bytes("Nonce"), stanza.bytes_or_empty("AD"));
        let plaintext = stanza.bytes("In");
        let (ciphertext, tag) = gcm::seal(&c, &nonce, &aad, &plaintext, tag_len);
        assert_eq!(
            [&ciphertext[..], &tag].concat(),
            stanza.bytes("Out"),
            "{stanza:?}"
        );
        assert_eq!(
            gcm::open(&c, &nonce, &aad, &ciphertext, &tag),
            Some(plaintext)
        );
        tested += 1;
    }
    folder::report(&format!("{name} (models; AES, SM4)"), tested, 50);
    folder::report_other(name, "ARIA", aria, 5);
}

#[test]
fn botan_ccm() {
    let name = "botan/ccm.vec";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let mut tested = 0;
    for stanza in stanzas(&text, "Out") {
        let (cipher, mode) = stanza.heading.split_once('/').expect("cipher and mode");
        let sizes = mode
            .strip_prefix("CCM(")
            .and_then(|s| s.strip_suffix(')'))
            .expect("CCM");
        let (tag_len, field) = sizes.split_once(',').expect("two sizes");
        let c = Any(named(cipher, &stanza.bytes("Key")).expect("AES-128 or SM4"));
        let nonce = stanza.bytes("Nonce");
        assert_eq!(nonce.len(), 15 - field.parse::<usize>().expect("a number"));
        let (aad, plaintext) = (stanza.bytes("AD"), stanza.bytes("In"));
        let tag_len = tag_len.parse().expect("a number");
        let (ciphertext, tag) = ccm::seal(&c, &nonce, &aad, &plaintext, tag_len);
        assert_eq!(
            [&ciphertext[..], &tag].concat(),
            stanza.bytes("Out"),
            "{stanza:?}"
        );
        assert_eq!(
            ccm::open(&c, &nonce, &aad, &ciphertext, &tag),
            Some(plaintext)
        );
        tested += 1;
    }
    folder::report(&format!("{name} (models; AES, SM4)"), tested, 35);
}

/// XTS after IEEE 1619 with AES, where the tweak may be shorter than a block.
fn xts_case(cipher: &str, key: &[u8], tweak: &[u8], plaintext: &[u8], ciphertext: &[u8]) -> bool {
    let (data_key, tweak_key) = key.split_at(key.len() / 2);
    let both = (
        named(cipher, data_key).map(Any),
        named(cipher, tweak_key).map(Any),
    );
    let (Some(c), Some(t)) = both else {
        return false;
    };
    let tweak = shangmi_tests::model::cipher16::padded(tweak);
    assert_eq!(
        xts::encrypt(&c, &t, Standard::Ieee, tweak, plaintext),
        ciphertext
    );
    assert_eq!(
        xts::decrypt(&c, &t, Standard::Ieee, tweak, ciphertext),
        plaintext
    );
    true
}

#[test]
fn botan_xts() {
    let name = "botan/xts.vec";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let (mut tested, mut others) = (0, 0);
    for stanza in stanzas(&text, "Out") {
        let cipher = stanza.heading.strip_suffix("/XTS").expect("XTS");
        let bytes = |field| stanza.bytes(field);
        if xts_case(
            cipher,
            &bytes("Key"),
            &bytes("Nonce"),
            &bytes("In"),
            &bytes("Out"),
        ) {
            tested += 1;
        } else {
            let known = [
                "Twofish",
                "Serpent",
                "TripleDES",
                "SHACAL2",
                "Threefish-512",
            ];
            assert!(known.contains(&cipher), "{cipher}");
            others += 1;
        }
    }
    folder::report(&format!("{name} (models; AES)"), tested, 224);
    folder::report_other(
        name,
        "Twofish 240, Serpent 242, TripleDES 128, SHACAL2 1, Threefish-512 1",
        others,
        612,
    );
}

#[test]
fn wycheproof_aes_xts() {
    let name = "wycheproof/aes_xts_test.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let cases = wycheproof(&document);
    for case in &cases {
        assert!(case.valid);
        let bytes = |field| json::bytes(case.test, field);
        let key = bytes("key");
        let cipher = format!("AES-{}", key.len() * 4);
        assert!(
            xts_case(&cipher, &key, &bytes("iv"), &bytes("msg"), &bytes("ct")),
            "{cipher}"
        );
    }
    folder::report(&format!("{name} (models)"), cases.len(), 123);
}
