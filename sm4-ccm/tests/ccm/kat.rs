//! Published values.

use hex_literal::hex;
use sm4_ccm::{
    Ccm, Sm4Ccm,
    aead::dev::{TestVector, fail_test, pass_test},
    consts::{U4, U7, U12, U13, U16},
};

/// RFC 8998, appendix A.2.
const RFC_8998: TestVector = TestVector {
    key: &hex!("0123456789abcdeffedcba9876543210"),
    nonce: &hex!("00001234567800000000abcd"),
    aad: &hex!("feedfacedeadbeeffeedfacedeadbeefabaddad2"),
    plaintext: &hex!(
        "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd"
        "eeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa"
    ),
    ciphertext: &hex!(
        "48af93501fa62adbcd414cce6034d895dda1bf8f132f042098661572e7483094"
        "fd12e518ce062c98acee28d95df4416bed31a2f04476c18bb40c84a74b97dc5b"
        "16842d4fa186f56ab33256971fa110f4"
    ),
};

#[test]
fn rfc_8998() {
    pass_test::<Sm4Ccm>(&RFC_8998).unwrap();
}

#[test]
fn rfc_8998_with_one_wrong_bit() {
    let mut ciphertext: [u8; 80] = RFC_8998.ciphertext.try_into().unwrap();
    for bit in 0..8 * ciphertext.len() {
        ciphertext[bit / 8] ^= 1 << (bit % 8);
        let leaked: &'static [u8] = Vec::leak(ciphertext.to_vec());
        fail_test::<Sm4Ccm>(&TestVector {
            ciphertext: leaked,
            ..RFC_8998
        })
        .unwrap();
        ciphertext[bit / 8] ^= 1 << (bit % 8);
    }
}

/// Wycheproof, sm4_ccm_test, cases 2, 81, 111 and 117.
#[test]
fn wycheproof_sizes() {
    pass_test::<Sm4Ccm>(&TestVector {
        key: &hex!("384ea416ac3c2f51a76e7d8226346d4e"),
        nonce: &hex!("b30c084727ad1c592ac21d12"),
        aad: b"",
        plaintext: &hex!("35"),
        ciphertext: &hex!("14" "a89dac08615bb452cac6c9b83b3e7445"),
    })
    .unwrap();
    pass_test::<Ccm<U16, U7>>(&TestVector {
        key: &hex!("6bd7363be81b3f803c7faee607050274"),
        nonce: &hex!("303da678d1679e"),
        aad: b"",
        plaintext: &hex!("539c7d6fcc0a691bd39bc43422d4e13c"),
        ciphertext: &hex!("0c2b2b4083157712636ff355666bad76" "846843c40a0824ef994bada4aea1e3c4"),
    })
    .unwrap();
    pass_test::<Ccm<U16, U13>>(&TestVector {
        key: &hex!("7c5aa1cd2fc171d5bb91ee74f31e1a63"),
        nonce: &hex!("70a2a5303734517827faa7ee78"),
        aad: b"",
        plaintext: &hex!("4bd1d3427e0735a08f475bc73ec3648c"),
        ciphertext: &hex!("ebd9b919a1fda1e22ad5b2adf23aef41" "1481884dcdb7f6ef6f16f71e2d24ac6f"),
    })
    .unwrap();
    pass_test::<Ccm<U4, U12>>(&TestVector {
        key: &hex!("3cc93804e2d699619278a941389cec3c"),
        nonce: &hex!("c775dda314af64c310a7c1d3"),
        aad: b"",
        plaintext: &hex!("124ce71e08c1324f916570d533032919"),
        ciphertext: &hex!("3874219b19b4d2b19c8d665bc6c33067" "cd1dbd6c"),
    })
    .unwrap();
}
