//! Every backend of the cipher against RustCrypto's CCM over RustCrypto's SM4.

use crate::bytes;
use sm4_ccm::{
    AeadInOut, Error, KeyInit, Sm4Ccm, Tag,
    aead::inout::InOutBuf,
    consts::{U12, U16},
    sm4::{Backend, Sm4},
};

const KEY: [u8; 16] = *b"all the backends";
const NONCE: [u8; 12] = *b"used once???";

type Peer = ccm::Ccm<rc_sm4::Sm4, U16, U12>;

fn ccm(backend: Backend) -> Sm4Ccm {
    Sm4Ccm::from(Sm4::with_backend(&KEY.into(), backend))
}

fn peer(aad: &[u8], plain: &[u8]) -> (Vec<u8>, Tag) {
    let mut cipher = plain.to_vec();
    let tag = Peer::new(&KEY.into())
        .encrypt_inout_detached(&NONCE.into(), aad, cipher.as_mut_slice().into())
        .unwrap();
    (cipher, tag)
}

fn check(ccm: &Sm4Ccm, in_place: bool, aad: &[u8], plain: &[u8], cipher: &[u8], tag: &Tag) {
    let mut buffer = plain.to_vec();
    let mut out = vec![0x55; plain.len()];
    if in_place {
        let seal = ccm.encrypt_inout_detached(&NONCE.into(), aad, buffer.as_mut_slice().into());
        assert!(seal.unwrap() == *tag && buffer == cipher);
        let between = InOutBuf::new(&buffer, &mut out).unwrap();
        let open = ccm.decrypt_inout_detached(&NONCE.into(), aad, between, tag);
        assert!(open == Ok(()) && out == plain);
    } else {
        let between = InOutBuf::new(&buffer, &mut out).unwrap();
        let seal = ccm.encrypt_inout_detached(&NONCE.into(), aad, between);
        assert!(seal.unwrap() == *tag && out == cipher);
        let open = ccm.decrypt_inout_detached(&NONCE.into(), aad, out.as_mut_slice().into(), tag);
        assert!(open == Ok(()) && out == plain);
    }
}

#[test]
fn every_length_to_4200() {
    let each: Vec<_> = Backend::all_available().map(ccm).collect();
    for len in 0..=4200 {
        let (plain, aad) = (bytes(len as u8, len), bytes(1, len % 53));
        let (cipher, tag) = peer(&aad, &plain);
        for (ccm, i) in each.iter().zip(0..) {
            check(ccm, (i + len) % 2 == 0, &aad, &plain, &cipher, &tag);
        }
    }
}

#[test]
fn long_messages() {
    for len in [8192, 20_000, 65_551] {
        let (plain, aad) = (bytes(9, len), bytes(1, 3000));
        let (cipher, tag) = peer(&aad, &plain);
        for backend in Backend::all_available() {
            check(&ccm(backend), true, &aad, &plain, &cipher, &tag);
        }
    }
}

#[test]
fn a_tag_wrong_at_any_place_is_refused_and_leaves_zeros() {
    for len in [0, 1, 16, 63, 64, 240, 737, 753, 1024, 2100] {
        let (plain, aad) = (bytes(5, len), bytes(6, 20));
        let (cipher, tag) = peer(&aad, &plain);
        for backend in Backend::all_available() {
            let (name, ccm) = (backend.name(), ccm(backend));
            for byte in 0..16 {
                let mut tag = tag;
                tag[byte] ^= 1 << ((byte + len) % 8);
                let mut buffer = cipher.clone();
                let between = buffer.as_mut_slice().into();
                let open = ccm.decrypt_inout_detached(&NONCE.into(), &aad, between, &tag);
                assert_eq!(open, Err(Error), "{name}, {len} bytes, byte {byte}");
                assert!(buffer.iter().all(|&b| b == 0), "{name}, {len} bytes: left");
                let mut out = vec![0xc3; len];
                let between = InOutBuf::new(&cipher, &mut out).unwrap();
                let open = ccm.decrypt_inout_detached(&NONCE.into(), &aad, between, &tag);
                assert_eq!(open, Err(Error), "{name}, {len} bytes, byte {byte}");
                assert!(out.iter().all(|&b| b == 0), "{name}, {len} bytes: left");
            }
        }
    }
}
