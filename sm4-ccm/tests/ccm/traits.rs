//! What the type can do beside sealing and opening.

use crate::bytes;
use sm4_ccm::{
    AeadCore, Ccm, Key, KeyInit, Sm4Ccm,
    aead::{Aead, Generate, KeySizeUser, Nonce, TagPosition, array::typenum::Unsigned},
    consts::{U4, U12, U13, U16},
};

const KEY: [u8; 16] = *b"traits of a type";

#[test]
fn the_default_sizes_are_those_of_rfc_8998() {
    assert_eq!(<Sm4Ccm as KeySizeUser>::key_size(), 16);
    assert_eq!(<Sm4Ccm as AeadCore>::NonceSize::USIZE, 12);
    assert_eq!(<Sm4Ccm as AeadCore>::TagSize::USIZE, 16);
    assert_eq!(Sm4Ccm::TAG_POSITION, TagPosition::Postfix);
}

#[test]
fn the_value_is_as_large_as_documented() {
    // The choice of the backend takes a word where there is one.
    let choice = 4 * size_of::<sm4::Backend>();
    assert_eq!(size_of::<Sm4Ccm>(), 128 + choice);
}

#[test]
fn debug_shows_sizes_and_no_secret() {
    assert_eq!(
        format!("{:?}", Ccm::<U4, U13>::new(&KEY.into())),
        "Ccm { tag_size: 4, nonce_size: 13, .. }"
    );
    assert_eq!(
        format!("{:?}", Sm4Ccm::new(&KEY.into())),
        format!("{:?}", Sm4Ccm::new(&[0; 16].into()))
    );
}

#[test]
fn a_clone_and_a_keyed_cipher_make_the_same_bytes() {
    let ccm = Sm4Ccm::new(&KEY.into());
    let plain = bytes(3, 77);
    let sealed = ccm.encrypt(&[1; 12].into(), &*plain).unwrap();
    let copy = ccm.clone();
    drop(ccm);
    assert_eq!(copy.decrypt(&[1; 12].into(), &*sealed).unwrap(), plain);
    let from = Ccm::<U16, U12>::from(sm4::Sm4::new(&KEY.into()));
    assert_eq!(from.encrypt(&[1; 12].into(), &*plain).unwrap(), sealed);
    let slice = Sm4Ccm::new_from_slice(&KEY).unwrap();
    assert_eq!(slice.encrypt(&[1; 12].into(), &*plain).unwrap(), sealed);
    assert!(Sm4Ccm::new_from_slice(&KEY[1..]).is_err());
}

#[test]
fn keys_and_nonces_can_be_drawn() {
    let ccm = Sm4Ccm::new(&Key::<Sm4Ccm>::generate());
    let (one, two) = (Nonce::<Sm4Ccm>::generate(), Nonce::<Sm4Ccm>::generate());
    assert_ne!(one, two);
    let sealed = ccm.encrypt(&one, b"drawn".as_slice()).unwrap();
    assert!(ccm.decrypt(&two, &*sealed).is_err());
    assert_eq!(ccm.decrypt(&one, &*sealed).unwrap(), b"drawn");
}

#[test]
fn a_value_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + Unpin + 'static>() {}
    shared::<Sm4Ccm>();
    shared::<Ccm<U4, U13>>();
}

#[cfg(feature = "zeroize")]
#[test]
fn a_value_wipes_itself() {
    fn wiped<T: zeroize::ZeroizeOnDrop>() {}
    wiped::<Sm4Ccm>();
    wiped::<sm4::Sm4>();
}
