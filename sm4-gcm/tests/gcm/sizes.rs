//! Tag sizes, nonce sizes, and what one message leaves behind for the next.

use crate::{bytes, model::Model};
use sm4_gcm::{
    AeadInOut, Gcm, KeyInit, NonceSize, Sm4Gcm, TagSize,
    aead::{
        Aead,
        array::Array,
        consts::{
            U1, U2, U7, U8, U11, U12, U13, U14, U15, U16, U17, U31, U32, U64, U100, U128, U256,
        },
    },
};

const KEY: [u8; 16] = *b"sizes of a nonce";

fn check<N: NonceSize, T: TagSize>() {
    let model = Model::new(&KEY);
    let gcm = Gcm::<N, T>::new(&KEY.into());
    let nonce = Array::<u8, N>::from_fn(|i| (i * 3) as u8 ^ 0xa5);
    for len in [0, 1, 16, 47, 240, 257, 5000] {
        let (plain, aad) = (bytes(1, len), bytes(2, len % 37));
        let (cipher, full) = model.seal(&nonce, &aad, &plain);
        let mut buffer = plain.clone();
        let tag = gcm
            .encrypt_inout_detached(&nonce, &aad, buffer.as_mut_slice().into())
            .unwrap();
        assert_eq!(tag[..], full[..T::USIZE], "nonce {}, {len} bytes", N::USIZE);
        assert_eq!(buffer, cipher);
        gcm.decrypt_inout_detached(&nonce, &aad, buffer.as_mut_slice().into(), &tag)
            .unwrap();
        assert_eq!(buffer, plain);
    }
}

#[test]
fn a_short_tag_is_the_beginning_of_the_full_one() {
    check::<U12, U12>();
    check::<U12, U13>();
    check::<U12, U14>();
    check::<U12, U15>();
    check::<U12, U16>();
    check::<U16, U12>();
}

#[cfg(feature = "hazmat")]
#[test]
fn tags_of_4_and_8_bytes_exist_under_hazmat() {
    use sm4_gcm::aead::consts::U4;

    check::<U12, U4>();
    check::<U12, U8>();
}

#[test]
fn nonces_of_any_size_go_through_ghash() {
    check::<U1, U16>();
    check::<U2, U16>();
    check::<U7, U16>();
    check::<U8, U16>();
    check::<U11, U16>();
    check::<U13, U16>();
    check::<U15, U16>();
    check::<U16, U16>();
    check::<U17, U16>();
    check::<U31, U16>();
    check::<U32, U16>();
    check::<U64, U16>();
    check::<U100, U16>();
    check::<U128, U16>();
    check::<U256, U16>();
}

#[test]
fn a_buffer_shorter_than_the_tag_is_refused() {
    let gcm = Sm4Gcm::new(&KEY.into());
    for len in 0..16 {
        assert!(gcm.decrypt(&[0; 12].into(), &*vec![0; len]).is_err());
    }
}

#[test]
fn non_96_bit_nonce_does_not_change_the_next_message() {
    let cipher = sm4::Sm4::new(&KEY.into());
    let short = Sm4Gcm::from(cipher.clone());
    let long = Gcm::<U16>::from(cipher);
    let model = Model::new(&KEY);
    let (twelve, sixteen) = ([9; 12], [8; 16]);
    for i in 0..3 {
        let plain = bytes(i, 100);
        let joined = |(mut cipher, tag): (Vec<u8>, [u8; 16])| {
            cipher.extend(tag);
            cipher
        };
        assert_eq!(
            long.encrypt(&sixteen.into(), &*plain).unwrap(),
            joined(model.seal(&sixteen, b"", &plain))
        );
        assert_eq!(
            short.encrypt(&twelve.into(), &*plain).unwrap(),
            joined(model.seal(&twelve, b"", &plain))
        );
    }
}
