//! Whatever is changed, opening fails and leaves zeros in the whole output.

use crate::bytes;
use sm4_ccm::{
    AeadInOut, Ccm, Error, KeyInit, Nonce, Sm4Ccm, Tag,
    aead::inout::InOutBuf,
    consts::{U4, U12, U16},
};

const KEY: [u8; 16] = *b"tamper with this";
const NONCE: [u8; 12] = *b"used once!!!";

fn refused(ccm: &Sm4Ccm, nonce: &Nonce, aad: &[u8], cipher: &[u8], tag: &Tag) {
    let mut buffer = cipher.to_vec();
    let result = ccm.decrypt_inout_detached(nonce, aad, buffer.as_mut_slice().into(), tag);
    assert_eq!(result, Err(Error));
    assert!(buffer.iter().all(|&b| b == 0), "plaintext left in place");

    let mut out = vec![0xc3; cipher.len()];
    let buffer = InOutBuf::new(cipher, &mut out).unwrap();
    assert_eq!(
        ccm.decrypt_inout_detached(nonce, aad, buffer, tag),
        Err(Error)
    );
    assert!(
        out.iter().all(|&b| b == 0),
        "plaintext left in the other buffer"
    );
}

fn sealed(ccm: &Sm4Ccm, aad: &[u8], len: usize) -> (Vec<u8>, Tag) {
    let mut buffer = bytes(1, len);
    let tag = ccm.encrypt_inout_detached(&NONCE.into(), aad, buffer.as_mut_slice().into());
    (buffer, tag.unwrap())
}

#[test]
fn every_bit_of_the_tag_counts_at_every_length() {
    let ccm = Sm4Ccm::new(&KEY.into());
    for len in (0..=600).chain([1023, 1024, 4096, 9000]) {
        let (cipher, tag) = sealed(&ccm, b"header", len);
        let bits = if len % 50 == 0 {
            0..128
        } else {
            len % 128..len % 128 + 1
        };
        for bit in bits {
            let mut tag = tag;
            tag[bit / 8] ^= 1 << (bit % 8);
            refused(&ccm, &NONCE.into(), b"header", &cipher, &tag);
        }
    }
}

#[test]
fn every_byte_of_the_message_counts() {
    let ccm = Sm4Ccm::new(&KEY.into());
    for len in (1..=600).step_by(23) {
        let (cipher, tag) = sealed(&ccm, b"", len);
        for i in 0..len {
            let mut cipher = cipher.clone();
            cipher[i] ^= 1 << (i % 8);
            refused(&ccm, &NONCE.into(), b"", &cipher, &tag);
        }
        refused(&ccm, &NONCE.into(), b"", &cipher[..len - 1], &tag);
        let longer = [&*cipher, &[0]].concat();
        refused(&ccm, &NONCE.into(), b"", &longer, &tag);
    }
}

#[test]
fn every_byte_of_the_associated_data_counts() {
    let ccm = Sm4Ccm::new(&KEY.into());
    for len in [1, 15, 16, 17, 100] {
        let aad = bytes(9, len);
        let (cipher, tag) = sealed(&ccm, &aad, 33);
        for i in 0..len {
            let mut aad = aad.clone();
            aad[i] ^= 0x80 >> (i % 8);
            refused(&ccm, &NONCE.into(), &aad, &cipher, &tag);
        }
        refused(&ccm, &NONCE.into(), &aad[..len - 1], &cipher, &tag);
        let longer = [&*aad, &[0]].concat();
        refused(&ccm, &NONCE.into(), &longer, &cipher, &tag);
    }
}

#[test]
fn every_bit_of_the_nonce_and_of_the_key_counts() {
    let ccm = Sm4Ccm::new(&KEY.into());
    let (cipher, tag) = sealed(&ccm, b"header", 50);
    for bit in 0..96 {
        let mut nonce = NONCE;
        nonce[bit / 8] ^= 1 << (bit % 8);
        refused(&ccm, &nonce.into(), b"header", &cipher, &tag);
    }
    for bit in 0..128 {
        let mut key = KEY;
        key[bit / 8] ^= 1 << (bit % 8);
        refused(
            &Sm4Ccm::new(&key.into()),
            &NONCE.into(),
            b"header",
            &cipher,
            &tag,
        );
    }
}

#[test]
fn every_bit_of_a_short_tag_counts() {
    let ccm = Ccm::<U4, U12>::new(&KEY.into());
    let mut cipher = bytes(1, 40);
    let tag = ccm
        .encrypt_inout_detached(&NONCE.into(), b"", cipher.as_mut_slice().into())
        .unwrap();
    for bit in 0..32 {
        let mut tag = tag;
        tag[bit / 8] ^= 1 << (bit % 8);
        let mut buffer = cipher.clone();
        let result =
            ccm.decrypt_inout_detached(&NONCE.into(), b"", buffer.as_mut_slice().into(), &tag);
        assert_eq!(result, Err(Error));
        assert_eq!(buffer, [0; 40]);
    }
}

#[test]
fn the_size_of_the_tag_is_authenticated() {
    let long = Ccm::<U16, U12>::new(&KEY.into())
        .encrypt_inout_detached(&NONCE.into(), b"", bytes(1, 40).as_mut_slice().into())
        .unwrap();
    let short = Ccm::<U4, U12>::new(&KEY.into())
        .encrypt_inout_detached(&NONCE.into(), b"", bytes(1, 40).as_mut_slice().into())
        .unwrap();
    assert_ne!(long[..4], short[..]);
}
