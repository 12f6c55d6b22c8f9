//! Every backend of the cipher and every one of GHASH against RustCrypto's GCM over RustCrypto's SM4.

use crate::{bytes, model::Model};
use aes_gcm::AesGcm;
use sm4_gcm::{
    AeadInOut, Error, Gcm, Sm4Gcm, Tag,
    aead::{
        KeyInit,
        consts::{U12, U16},
        inout::InOutBuf,
    },
    ghash_simd, sm4,
};

const KEY: [u8; 16] = *b"all the backends";
const NONCE: [u8; 12] = *b"used once???";

type Peer = AesGcm<rc_sm4::Sm4, U12>;

fn gcm(cipher: sm4::Backend, hash: ghash_simd::Backend) -> Sm4Gcm {
    Gcm::with_hash_backend(sm4::Sm4::with_backend(&KEY.into(), cipher), hash)
}

/// Each backend of one kind with the best one of the other.
fn each() -> Vec<(String, Sm4Gcm)> {
    let best = ghash_simd::Backend::detect();
    let ciphers = sm4::Backend::all_available().map(|b| (b.name().into(), gcm(b, best)));
    let best = sm4::Backend::detect();
    let hashes = ghash_simd::Backend::all_available().map(|b| (b.name().into(), gcm(best, b)));
    ciphers.chain(hashes).collect()
}

fn peer(aad: &[u8], plain: &[u8]) -> (Vec<u8>, Tag) {
    let mut cipher = plain.to_vec();
    let tag = Peer::new(&KEY.into())
        .encrypt_inout_detached(&NONCE.into(), aad, cipher.as_mut_slice().into())
        .unwrap();
    (cipher, tag)
}

fn check(name: &str, gcm: &Sm4Gcm, aad: &[u8], plain: &[u8], cipher: &[u8], tag: &Tag) {
    let what = || format!("{name}, {} bytes, {} associated", plain.len(), aad.len());
    let mut buffer = plain.to_vec();
    let seal = gcm.encrypt_inout_detached(&NONCE.into(), aad, buffer.as_mut_slice().into());
    assert!(buffer == cipher, "{}", what());
    assert_eq!(seal.unwrap(), *tag, "{}", what());
    let mut out = vec![0x55; plain.len()];
    let between = InOutBuf::new(&buffer, &mut out).unwrap();
    let open = gcm.decrypt_inout_detached(&NONCE.into(), aad, between, tag);
    assert!(open == Ok(()) && out == plain, "{}", what());

    let between = InOutBuf::new(plain, &mut buffer).unwrap();
    let seal = gcm.encrypt_inout_detached(&NONCE.into(), aad, between);
    assert!(seal.unwrap() == *tag && buffer == cipher, "{}", what());
    let open = gcm.decrypt_inout_detached(&NONCE.into(), aad, buffer.as_mut_slice().into(), tag);
    assert!(open == Ok(()) && buffer == plain, "{}", what());
}

#[test]
fn every_length_to_4200() {
    let each = each();
    for len in 0..=4200 {
        let (plain, aad) = (bytes(len as u8, len), bytes(1, len % 53));
        let (cipher, tag) = peer(&aad, &plain);
        for (name, gcm) in &each {
            check(name, gcm, &aad, &plain, &cipher, &tag);
        }
    }
}

#[test]
fn lengths_around_each_chunk() {
    for edge in [8192, 16384, 24576, 65536] {
        for len in [
            edge - 16,
            edge - 1,
            edge,
            edge + 1,
            edge + 16,
            edge + 752,
            edge + 753,
        ] {
            let (plain, aad) = (bytes(9, len), bytes(1, 300));
            let (cipher, tag) = peer(&aad, &plain);
            for (name, gcm) in &each() {
                check(name, gcm, &aad, &plain, &cipher, &tag);
            }
        }
    }
}

#[test]
fn every_pair_of_backends() {
    for len in [0, 1, 15, 16, 17, 47 * 16, 48 * 16, 1024, 1420, 2048, 5000] {
        let (plain, aad) = (bytes(3, len), bytes(4, 13));
        let (expected, tag) = peer(&aad, &plain);
        for cipher in sm4::Backend::all_available() {
            for hash in ghash_simd::Backend::all_available() {
                let name = format!("{} and {}", cipher.name(), hash.name());
                check(&name, &gcm(cipher, hash), &aad, &plain, &expected, &tag);
            }
        }
    }
}

#[test]
fn counters_cross_2_to_the_32_at_every_place_of_a_batch() {
    let model = Model::new(&KEY);
    for before in 0..=140 {
        let nonce = model.nonce_of(u128::MAX << 32 | u128::from(u32::MAX - before));
        for len in [16 * (before as usize + 3) + 7, 16 * 150 + 1] {
            let plain = bytes(before as u8, len);
            let (expected, full) = model.seal(&nonce, b"wrap", &plain);
            for backend in sm4::Backend::all_available() {
                let what = || format!("{}, {before} blocks before", backend.name());
                let gcm = Gcm::<U16>::from(sm4::Sm4::with_backend(&KEY.into(), backend));
                let mut buffer = plain.clone();
                let tag = gcm
                    .encrypt_inout_detached(&nonce.into(), b"wrap", buffer.as_mut_slice().into())
                    .unwrap();
                assert!(buffer == expected && tag == full, "{}", what());
                let buffer = buffer.as_mut_slice().into();
                let open = gcm.decrypt_inout_detached(&nonce.into(), b"wrap", buffer, &tag);
                assert_eq!(open, Ok(()), "{}", what());
            }
        }
    }
}

#[test]
fn a_tag_wrong_at_any_place_is_refused_and_nothing_written() {
    for len in [0, 1, 16, 63, 64, 240, 753, 1024, 2048, 2100, 9000] {
        let (plain, aad) = (bytes(5, len), bytes(6, 20));
        let (cipher, tag) = peer(&aad, &plain);
        for (name, gcm) in &each() {
            for bit in 0..128 {
                let mut tag = tag;
                tag[bit / 8] ^= 1 << (bit % 8);
                let mut buffer = cipher.clone();
                let between = buffer.as_mut_slice().into();
                let open = gcm.decrypt_inout_detached(&NONCE.into(), &aad, between, &tag);
                assert_eq!(open, Err(Error), "{name}, {len} bytes, bit {bit}");
                assert!(buffer == cipher, "{name}, {len} bytes: changed in place");
                let mut out = vec![0xc3; len];
                let between = InOutBuf::new(&cipher, &mut out).unwrap();
                let open = gcm.decrypt_inout_detached(&NONCE.into(), &aad, between, &tag);
                assert_eq!(open, Err(Error), "{name}, {len} bytes, bit {bit}");
                assert!(
                    out.iter().all(|&b| b == 0xc3),
                    "{name}, {len} bytes: written"
                );
            }
        }
    }
}
