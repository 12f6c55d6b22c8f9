//! Byte order and memory.

use super::*;

/// botan#2252, openssl#19911: on hosts of the other byte order.
///
/// No test on one machine can show this: the whole package is to run on a big-endian one, where every vector of it says
/// the same. What is here are inputs whose bytes all differ, with known answers, for each algorithm: a word taken in the
/// wrong order cannot give them.
#[test]
fn big_endian_hosts_wrong() {
    assert_eq!(ours(&KEY).e(KEY), hex!("681edf34d206965e86b3e94f536e4246"));
    let abc = hex!("66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0");
    assert_eq!(sm3::Sm3::digest(b"abc")[..], abc);
    let mut hash = ghash_simd::GHash::new(&Array(hex!("66e94bd4ef8a2c3b884cfa59ca342b2e")));
    hash.update(&[
        Array(hex!("0388dace60b6a392f328c2b971b2fe78")),
        Array(hex!("00000000000000000000000000000080")),
    ]);
    assert_eq!(hash.finalize().0, hex!("f38cbb1ad69223dcc3457ae5b6b0f885"));
    let mut buffer =
        hex!("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411");
    let key = hex!("2b7e151628aed2a6abf7158809cf4f3c000102030405060708090a0b0c0d0e0f");
    xts_agrees(&key, hex!("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"), &buffer);
    ctr::Ctr64BE::<sm4::Sm4>::new(
        &Array(KEY),
        &Array(hex!("000102030405060708090a0b0c0d0eff")),
    )
    .apply_keystream(&mut buffer);
    let plain =
        hex!("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411");
    let expected = model::ctr::apply(
        &model::sm4::Model::new(&KEY),
        Counter::Be(64),
        hex!("000102030405060708090a0b0c0d0eff"),
        0,
        &plain,
    );
    assert_eq!(buffer[..], expected);
    gcm_agrees(&hex!("000102030405060708090a0b"), &plain, &plain, 16);
    ccm_agrees(&hex!("000102030405060708090a0b"), &plain, &plain, 16);
}

/// AEADs#825, block-ciphers#385: memory after drop. `wipe.rs` looks at every type; here at each kind of secret once.
#[test]
fn round_keys_or_tables_not_wiped() {
    for (name, make) in backends() {
        let round_keys = model::sm4::Model::new(&KEY).round_keys();
        let seen = traces(make(&KEY));
        seen.assert_wiped(name, 8);
        for rk in round_keys {
            for bytes in [rk.to_le_bytes(), rk.to_be_bytes()] {
                assert!(
                    !seen.after.windows(4).any(|w| w == bytes),
                    "{name}: a round key survives"
                );
            }
        }
        traces(Sm4Gcm::from(make(&KEY))).assert_wiped(name, 16);
        traces(Sm4Ccm::from(make(&KEY))).assert_wiped(name, 8);
        traces(Sm4Xts::from_ciphers(make(&KEY), make(&[1; 16]))).assert_wiped(name, 16);
    }
    let h = ours(&KEY).e([0; 16]);
    for backend in ghash_simd::Backend::all_available() {
        let seen = traces(ghash_simd::GHash::with_backend(&Array(h), backend));
        seen.assert_wiped(backend.name(), 8);
    }
}
