//! Whatever is changed, opening fails and writes nothing.

use crate::bytes;
use sm4_gcm::{
    AeadInOut, Error, Gcm, KeyInit, Nonce, Sm4Gcm, Tag,
    aead::{
        consts::{U12, U16},
        inout::InOutBuf,
    },
};

const KEY: [u8; 16] = *b"tamper with this";
const NONCE: [u8; 12] = *b"used once!!!";

fn refused(gcm: &Sm4Gcm, nonce: &Nonce, aad: &[u8], cipher: &[u8], tag: &Tag) {
    let mut buffer = cipher.to_vec();
    let result = gcm.decrypt_inout_detached(nonce, aad, buffer.as_mut_slice().into(), tag);
    assert_eq!(result, Err(Error));
    assert_eq!(buffer, cipher, "changed in place");

    let mut out = vec![0xc3; cipher.len()];
    let buffer = InOutBuf::new(cipher, &mut out).unwrap();
    assert_eq!(
        gcm.decrypt_inout_detached(nonce, aad, buffer, tag),
        Err(Error)
    );
    assert!(
        out.iter().all(|&b| b == 0xc3),
        "the other buffer was written"
    );
}

fn sealed(gcm: &Sm4Gcm, aad: &[u8], len: usize) -> (Vec<u8>, Tag) {
    let mut buffer = bytes(1, len);
    let tag = gcm.encrypt_inout_detached(&NONCE.into(), aad, buffer.as_mut_slice().into());
    (buffer, tag.unwrap())
}

#[test]
fn every_bit_of_the_tag_counts_at_every_length() {
    let gcm = Sm4Gcm::new(&KEY.into());
    for len in (0..=600).chain([4095, 4096, 4336, 4337, 9000]) {
        let (cipher, tag) = sealed(&gcm, b"header", len);
        let bits = if len % 50 == 0 {
            0..128
        } else {
            len % 128..len % 128 + 1
        };
        for bit in bits {
            let mut tag = tag;
            tag[bit / 8] ^= 1 << (bit % 8);
            refused(&gcm, &NONCE.into(), b"header", &cipher, &tag);
        }
    }
}

#[test]
fn every_byte_of_the_message_counts() {
    let gcm = Sm4Gcm::new(&KEY.into());
    for len in (1..=600).step_by(23) {
        let (cipher, tag) = sealed(&gcm, b"", len);
        for i in 0..len {
            let mut cipher = cipher.clone();
            cipher[i] ^= 1 << (i % 8);
            refused(&gcm, &NONCE.into(), b"", &cipher, &tag);
        }
        refused(&gcm, &NONCE.into(), b"", &cipher[..len - 1], &tag);
        let longer = [&*cipher, &[0]].concat();
        refused(&gcm, &NONCE.into(), b"", &longer, &tag);
    }
}

#[test]
fn every_byte_of_the_associated_data_counts() {
    let gcm = Sm4Gcm::new(&KEY.into());
    for len in [1, 15, 16, 17, 100] {
        let aad = bytes(9, len);
        let (cipher, tag) = sealed(&gcm, &aad, 33);
        for i in 0..len {
            let mut aad = aad.clone();
            aad[i] ^= 0x80 >> (i % 8);
            refused(&gcm, &NONCE.into(), &aad, &cipher, &tag);
        }
        refused(&gcm, &NONCE.into(), &aad[..len - 1], &cipher, &tag);
        let longer = [&*aad, &[0]].concat();
        refused(&gcm, &NONCE.into(), &longer, &cipher, &tag);
    }
}

#[test]
fn every_bit_of_the_nonce_and_of_the_key_counts() {
    let gcm = Sm4Gcm::new(&KEY.into());
    let (cipher, tag) = sealed(&gcm, b"header", 50);
    for bit in 0..96 {
        let mut nonce = NONCE;
        nonce[bit / 8] ^= 1 << (bit % 8);
        refused(&gcm, &nonce.into(), b"header", &cipher, &tag);
    }
    for bit in 0..128 {
        let mut key = KEY;
        key[bit / 8] ^= 1 << (bit % 8);
        refused(
            &Sm4Gcm::new(&key.into()),
            &NONCE.into(),
            b"header",
            &cipher,
            &tag,
        );
    }
}

#[test]
fn every_bit_of_a_short_tag_counts() {
    let gcm = Gcm::<U12, U12>::new(&KEY.into());
    let mut buffer = bytes(1, 40);
    let tag = gcm
        .encrypt_inout_detached(&NONCE.into(), b"", buffer.as_mut_slice().into())
        .unwrap();
    let cipher = buffer.clone();
    for bit in 0..96 {
        let mut tag = tag;
        tag[bit / 8] ^= 1 << (bit % 8);
        let result =
            gcm.decrypt_inout_detached(&NONCE.into(), b"", buffer.as_mut_slice().into(), &tag);
        assert_eq!(result, Err(Error));
        assert_eq!(buffer, cipher);
    }
    // The bytes that a 12-byte tag lacks are not looked at: the full tag of the same message begins
    // with it.
    let full = Gcm::<U12, U16>::new(&KEY.into())
        .encrypt_inout_detached(&NONCE.into(), b"", bytes(1, 40).as_mut_slice().into())
        .unwrap();
    assert_eq!(full[..12], tag[..]);
}
