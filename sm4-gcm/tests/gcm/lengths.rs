//! Every length, in place and from buffer to buffer, and counters that wrap.

use crate::{bytes, model::Model};
use sm4_gcm::{
    AeadInOut, Gcm, KeyInit, Sm4Gcm,
    aead::{consts::U16, inout::InOutBuf},
};

const KEY: [u8; 16] = *b"lengths are many";

fn check<A: AeadInOut>(gcm: &A, model: &Model, nonce: &[u8], aad: &[u8], plain: &[u8]) {
    let (cipher, full) = model.seal(nonce, aad, plain);
    let nonce = nonce.try_into().unwrap();
    let what = format!("{} bytes, {} associated", plain.len(), aad.len());

    let mut out = plain.to_vec();
    let tag = gcm.encrypt_inout_detached(nonce, aad, out.as_mut_slice().into());
    let tag = tag.unwrap();
    assert_eq!(tag[..], full[..], "in place, {what}");
    assert_eq!(out, cipher, "in place, {what}");
    gcm.decrypt_inout_detached(nonce, aad, out.as_mut_slice().into(), &tag)
        .unwrap();
    assert_eq!(out, plain, "in place, {what}");

    let mut out = vec![0x55; plain.len()];
    let buffer = InOutBuf::new(plain, &mut out).unwrap();
    assert_eq!(gcm.encrypt_inout_detached(nonce, aad, buffer).unwrap(), tag);
    assert_eq!(out, cipher, "to another buffer, {what}");
    let mut out = vec![0x55; plain.len()];
    let buffer = InOutBuf::new(&cipher, &mut out).unwrap();
    gcm.decrypt_inout_detached(nonce, aad, buffer, &tag)
        .unwrap();
    assert_eq!(out, plain, "to another buffer, {what}");
}

#[test]
fn every_message_length_to_1100() {
    let (gcm, model) = (Sm4Gcm::new(&KEY.into()), Model::new(&KEY));
    for len in 0..=1100 {
        check(&gcm, &model, &[3; 12], &bytes(1, len % 21), &bytes(2, len));
    }
}

#[test]
fn every_length_of_associated_data_to_300() {
    let (gcm, model) = (Sm4Gcm::new(&KEY.into()), Model::new(&KEY));
    for len in 0..=300 {
        check(&gcm, &model, &[4; 12], &bytes(1, len), &bytes(2, len % 35));
    }
}

#[test]
fn lengths_around_each_chunk() {
    let (gcm, model) = (Sm4Gcm::new(&KEY.into()), Model::new(&KEY));
    for edge in [240, 240 + 4096, 240 + 2 * 4096, 4096, 8192, 16384] {
        for len in [
            edge - 17,
            edge - 16,
            edge - 1,
            edge,
            edge + 1,
            edge + 16,
            edge + 17,
        ] {
            check(&gcm, &model, &[5; 12], b"associated", &bytes(6, len));
        }
    }
}

#[test]
fn a_counter_wraps_at_every_place_of_the_head_and_behind_it() {
    let (gcm, model) = (Gcm::<U16>::new(&KEY.into()), Model::new(&KEY));
    let prefix = u128::MAX << 32;
    for before in (0..=40).chain([255, 256, 257, 270, 271, 272, 273, 300, 527, 528, 529]) {
        let j0 = prefix | u128::from(u32::MAX - before);
        let len = 16 * (before as usize + 3) + 7;
        check(&gcm, &model, &model.nonce_of(j0), b"wrap", &bytes(7, len));
    }
}
