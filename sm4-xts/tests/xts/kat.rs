//! Published values.

use hex_literal::hex;
use sm4_xts::{Gbt17964, Ieee1619, KeyInit, Standard, Xts, get_tweak_default};

fn check<S: Standard>(key: &[u8; 32], tweak: [u8; 16], plain: &[u8], cipher: &[u8]) {
    let xts = Xts::<S>::new(key.into());
    let mut sector = plain.to_vec();
    xts.encrypt_sector(&mut sector, tweak.into());
    assert_eq!(sector, cipher);
    xts.decrypt_sector(&mut sector, tweak.into());
    assert_eq!(sector, plain);
}

/// The example of GB/T 17964-2021, and the values of the same input under IEEE 1619 that OpenSSL
/// tests itself with (`evpciph_sm4.txt`): three blocks and a half.
#[test]
fn gbt_17964_example() {
    let key = hex!("2b7e151628aed2a6abf7158809cf4f3c000102030405060708090a0b0c0d0e0f");
    let tweak = hex!("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    let plain = hex!(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17"
    );
    check::<Gbt17964>(
        &key,
        tweak,
        &plain,
        &hex!(
            "e9538251c71d7b80bbe4483fef497bd12c5c581bd6242fc51e08964fb4f60fdb"
            "0ba42f63499279213d318d2c11f6886e903be7f93a1b3479"
        ),
    );
    check::<Ieee1619>(
        &key,
        tweak,
        &plain,
        &hex!(
            "e9538251c71d7b80bbe4483fef497bd1b3db1a3e60408c575d63ff7db39f8326"
            "0869f9e2585fec9f0b863bf8fd784b8627d16c0db6d2cfc7"
        ),
    );
}

/// `evpciph_sm4.txt` of OpenSSL, which names no standard there and so means GB/T 17964: one block
/// and a byte.
#[test]
fn openssl_17_bytes() {
    check::<Gbt17964>(
        &hex!("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0"),
        hex!("9a785634120000000000000000000000"),
        &hex!("000102030405060708090a0b0c0d0e0f10"),
        &hex!("9e52443a35410ca0ba5637b94c0766f469"),
    );
}

/// `xts_sm4_test.go` of emmansun/gmsm: the same sector under both standards.
#[test]
fn gmsm_sectors() {
    let key = hex!("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f022222222222222222222222222222222");
    let tweak = get_tweak_default(0x33_3333_3333).0;
    check::<Ieee1619>(
        &key,
        tweak,
        &[0x44; 32],
        &hex!("7f76088effadf70c02ea9f95da0628d351bfcb9eac0563bcf17b710dab0a9826"),
    );
    check::<Gbt17964>(
        &key,
        tweak,
        &[0x44; 32],
        &hex!("7f76088effadf70c02ea9f95da0628d3ef2d6a77004beaa9016001d6789dd5a0"),
    );

    let key = hex!("c46acc2e7e013cb71cdbf750cf76b000249fbf4fb6cd17607773c23ffa2c4330");
    let tweak = get_tweak_default(94).0;
    let plain = hex!("7e9c2289cba460e470222953439cdaa892a5433d4dab2a3f67");
    check::<Ieee1619>(
        &key,
        tweak,
        &plain,
        &hex!("c3cf5445c64aa518f4abce2848faddfb4605d9fb66f1f12c0c"),
    );
    check::<Gbt17964>(
        &key,
        tweak,
        &plain,
        &hex!("4d5501ea41cf6b6532b4b7129c6f6ee74605d9fb66f1f12c0c"),
    );
}

/// `xts_sm4_test.go` of emmansun/gmsm: exactly one block, and three.
#[test]
fn gmsm_whole_blocks() {
    check::<Gbt17964>(
        &hex!("44d5ed13a49771e27533cc8ece9489d757a55435b1871352ec0a08ac1933ae17"),
        hex!("d2aa700ffb6a92b265b6177810bd5980"),
        &hex!("c36f981fc08308ff509d99149481edc2"),
        &hex!("5da5ce300ef7719ca2d833f7d0662a13"),
    );
    check::<Gbt17964>(
        &hex!("2b92fe8bd1bb3da729cc98ad5f2b8a4ce2709a585d0094c5c67c2876f1f028bb"),
        hex!("89d8ac4a045b0e3b9b74ca6f81f13da2"),
        &hex!(
            "5b3191257435aa4600a385baf825e15c7fbac6bd7ba98a0ba1d0ffbfc92a71a5"
            "07c0949ceef4df11bbf0db2d2ec056c2"
        ),
        &hex!(
            "148ada33a84e4a4dc4c79ad03e69622d1597fb50ddf1a66b52adae76af0c868d"
            "7b29bf1befb5d795dc494c947e5aec52"
        ),
    );
}
