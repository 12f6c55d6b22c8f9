//! Published values.

use hex_literal::hex;
use sm4_gcm::{
    Gcm, Sm4Gcm,
    aead::{
        consts::{U1, U16, U20},
        dev::{TestVector, fail_test, pass_test},
    },
};

/// RFC 8998, appendix A.1.
const RFC_8998: TestVector = TestVector {
    key: &hex!("0123456789abcdeffedcba9876543210"),
    nonce: &hex!("00001234567800000000abcd"),
    aad: &hex!("feedfacedeadbeeffeedfacedeadbeefabaddad2"),
    plaintext: &hex!(
        "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd"
        "eeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa"
    ),
    ciphertext: &hex!(
        "17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735"
        "d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d"
        "83de3541e4c2b58177e065a9bf7b62ec"
    ),
};

#[test]
fn rfc_8998() {
    pass_test::<Sm4Gcm>(&RFC_8998).unwrap();
}

#[test]
fn rfc_8998_with_one_wrong_bit() {
    let mut ciphertext: [u8; 80] = RFC_8998.ciphertext.try_into().unwrap();
    for bit in 0..8 * ciphertext.len() {
        ciphertext[bit / 8] ^= 1 << (bit % 8);
        let leaked: &'static [u8] = Vec::leak(ciphertext.to_vec());
        fail_test::<Sm4Gcm>(&TestVector {
            ciphertext: leaked,
            ..RFC_8998
        })
        .unwrap();
        ciphertext[bit / 8] ^= 1 << (bit % 8);
    }
}

/// Wycheproof, sm4_gcm_test, cases 69 and 73: counters that wrap inside the message.
#[test]
fn wycheproof_counters_that_wrap() {
    let vector = TestVector {
        key: &hex!("00112233445566778899aabbccddeeff"),
        nonce: &hex!("9170e4ac007e70752b7b76839fc310f6"),
        aad: b"",
        plaintext: &[0; 40],
        ciphertext: &hex!(
            "2c5a21c8403dc22b156bb620db23cb5c3c5a4347f370ff7c7affd4a10b3ed1ea"
            "8e1393f00c3ff44f"
            "4bda4fea9b280467217a01bd143155f3"
        ),
    };
    pass_test::<Gcm<U16>>(&vector).unwrap();
    pass_test::<Gcm<U16>>(&TestVector {
        nonce: &hex!("31c0f6d7f008723a59fe30ee3c2aa255"),
        ciphertext: &hex!(
            "62d861508b4633b1bd36116bbf3ac9d1ce3accdfdaa44e27e4d0dd28be07b4d0"
            "22c0809d825fae45"
            "f5d4357e568000a2c279fc2e02177f22"
        ),
        ..vector
    })
    .unwrap();
}

/// Wycheproof, sm4_gcm_test, cases 92 and 86: nonces of 1 and of 20 bytes.
#[test]
fn wycheproof_nonces_of_other_sizes() {
    pass_test::<Gcm<U1>>(&TestVector {
        key: &hex!("fec58aa8cf06bfe05de829f27ec77693"),
        nonce: &hex!("9d"),
        aad: b"",
        plaintext: &hex!("f2d99a9f893378e0757d27c2e3a3101b"),
        ciphertext: &hex!(
            "cac61589057f75405d41fa646a757b59"
            "dfc394e6590ff100d0754f45c01f958e"
        ),
    })
    .unwrap();
    pass_test::<Gcm<U20>>(&TestVector {
        key: &hex!("55cb7cac77efe18a1ea3b30c65f3f346"),
        nonce: &hex!("e22b6b144ab26b5781316e7a42a76202ac4b2278"),
        aad: b"",
        plaintext: &hex!("2f3d11ea32bf5bc72cbe2b8d"),
        ciphertext: &hex!("49fa2fa2a9d2ea2018c0a5a1" "373ce720cd578052c40b4543a04deb2d"),
    })
    .unwrap();
}

/// Wycheproof, sm4_gcm_test, case 78: the tag is all zeros and still has to be compared.
#[test]
fn wycheproof_a_tag_of_zeros() {
    pass_test::<Gcm<U16>>(&TestVector {
        key: &hex!("00112233445566778899aabbccddeeff"),
        nonce: &[0; 16],
        aad: b"",
        plaintext: &hex!("164909d96c05ceee3c5ac92dcda2579b"),
        ciphertext: &hex!("415721a1165a8b37d25c387f1d5a880c" "00000000000000000000000000000000"),
    })
    .unwrap();
}
