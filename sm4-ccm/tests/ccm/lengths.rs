//! Every length, in place and from buffer to buffer.

use crate::{bytes, model::Model};
use sm4_ccm::{AeadInOut, KeyInit, Nonce, Sm4Ccm, aead::inout::InOutBuf};

const KEY: [u8; 16] = *b"lengths are many";

fn check(ccm: &Sm4Ccm, model: &Model, aad: &[u8], plain: &[u8]) {
    let nonce = Nonce::from([0xfe; 12]);
    let (cipher, expected) = model.seal(&nonce, 16, aad, plain);
    let what = format!("{} bytes, {} associated", plain.len(), aad.len());

    let mut out = plain.to_vec();
    let tag = ccm.encrypt_inout_detached(&nonce, aad, out.as_mut_slice().into());
    let tag = tag.unwrap();
    assert_eq!(tag[..], expected[..], "in place, {what}");
    assert_eq!(out, cipher, "in place, {what}");
    ccm.decrypt_inout_detached(&nonce, aad, out.as_mut_slice().into(), &tag)
        .unwrap();
    assert_eq!(out, plain, "in place, {what}");

    let mut out = vec![0x55; plain.len()];
    let buffer = InOutBuf::new(plain, &mut out).unwrap();
    assert_eq!(
        ccm.encrypt_inout_detached(&nonce, aad, buffer).unwrap(),
        tag
    );
    assert_eq!(out, cipher, "to another buffer, {what}");
    let mut out = vec![0x55; plain.len()];
    let buffer = InOutBuf::new(&cipher, &mut out).unwrap();
    ccm.decrypt_inout_detached(&nonce, aad, buffer, &tag)
        .unwrap();
    assert_eq!(out, plain, "to another buffer, {what}");
}

#[test]
fn every_message_length_to_100_with_associated_data_around_a_block() {
    let (ccm, model) = (Sm4Ccm::new(&KEY.into()), Model::new(&KEY));
    for len in 0..=100 {
        for aad in [0, 1, 13, 14, 15, 16, 17, 29, 30, 31, 32] {
            check(&ccm, &model, &bytes(1, aad), &bytes(2, len));
        }
    }
}

#[test]
fn every_message_length_to_600() {
    let (ccm, model) = (Sm4Ccm::new(&KEY.into()), Model::new(&KEY));
    for len in 0..=600 {
        check(&ccm, &model, &bytes(1, len % 19), &bytes(2, len));
    }
}

#[test]
fn every_length_of_associated_data_to_600() {
    let (ccm, model) = (Sm4Ccm::new(&KEY.into()), Model::new(&KEY));
    for len in 0..=600 {
        check(&ccm, &model, &bytes(1, len), &bytes(2, len % 19));
    }
}

#[test]
fn associated_data_around_the_border_of_the_short_header() {
    let (ccm, model) = (Sm4Ccm::new(&KEY.into()), Model::new(&KEY));
    for aad in [
        65_278, 65_279, 65_280, 65_281, 65_289, 65_290, 65_291, 65_536, 100_000,
    ] {
        for len in [0, 1, 16, 33] {
            check(&ccm, &model, &bytes(1, aad), &bytes(2, len));
        }
    }
}
