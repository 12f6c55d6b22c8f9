//! What the type can do beside sealing and opening.

use crate::bytes;
use sm4_gcm::{
    A_MAX, AeadCore, Gcm, Key, KeyInit, P_MAX, Sm4Gcm,
    aead::{
        Aead, Generate, KeySizeUser, Nonce, TagPosition,
        array::typenum::Unsigned,
        consts::{U1, U12, U13, U16},
    },
};

const KEY: [u8; 16] = *b"traits of a type";

#[test]
fn the_default_sizes_are_those_of_rfc_8998() {
    assert_eq!(<Sm4Gcm as KeySizeUser>::key_size(), 16);
    assert_eq!(<Sm4Gcm as AeadCore>::NonceSize::USIZE, 12);
    assert_eq!(<Sm4Gcm as AeadCore>::TagSize::USIZE, 16);
    assert_eq!(Sm4Gcm::TAG_POSITION, TagPosition::Postfix);
    // SP 800-38D, section 5.2.1.1: 2^39 - 256 and 2^64 - 1 bits.
    assert_eq!(P_MAX, 68_719_476_704);
    assert_eq!(A_MAX, 2_305_843_009_213_693_951);
}

#[test]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn the_value_is_as_large_as_documented() {
    // A build that leaves no choice of backends spares the byte that keeps it, and the padding.
    let choice = 16 * size_of::<sm4::Backend>();
    let expected = if cfg!(target_arch = "x86_64") {
        784 + choice
    } else {
        208
    };
    assert_eq!(size_of::<Sm4Gcm>(), expected);
}

#[test]
fn debug_shows_sizes_and_no_secret() {
    assert_eq!(
        format!("{:?}", Gcm::<U1, U13>::new(&KEY.into())),
        "Gcm { nonce_size: 1, tag_size: 13, .. }"
    );
    assert_eq!(
        format!("{:?}", Sm4Gcm::new(&KEY.into())),
        format!("{:?}", Sm4Gcm::new(&[0; 16].into()))
    );
}

#[test]
fn a_clone_and_a_keyed_cipher_make_the_same_bytes() {
    let gcm = Sm4Gcm::new(&KEY.into());
    let plain = bytes(3, 77);
    let sealed = gcm.encrypt(&[1; 12].into(), &*plain).unwrap();
    let copy = gcm.clone();
    drop(gcm);
    assert_eq!(copy.decrypt(&[1; 12].into(), &*sealed).unwrap(), plain);
    let from = Gcm::<U12, U16>::from(sm4::Sm4::new(&KEY.into()));
    assert_eq!(from.encrypt(&[1; 12].into(), &*plain).unwrap(), sealed);
    let slice = Sm4Gcm::new_from_slice(&KEY).unwrap();
    assert_eq!(slice.encrypt(&[1; 12].into(), &*plain).unwrap(), sealed);
    assert!(Sm4Gcm::new_from_slice(&KEY[1..]).is_err());
}

#[test]
fn keys_and_nonces_can_be_drawn() {
    let gcm = Sm4Gcm::new(&Key::<Sm4Gcm>::generate());
    let (one, two) = (Nonce::<Sm4Gcm>::generate(), Nonce::<Sm4Gcm>::generate());
    assert_ne!(one, two);
    let sealed = gcm.encrypt(&one, b"drawn".as_slice()).unwrap();
    assert!(gcm.decrypt(&two, &*sealed).is_err());
    assert_eq!(gcm.decrypt(&one, &*sealed).unwrap(), b"drawn");
}

#[test]
fn a_value_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + Unpin + 'static>() {}
    shared::<Sm4Gcm>();
    shared::<Gcm<U1, U12>>();
}

#[cfg(feature = "zeroize")]
#[test]
fn a_value_wipes_itself() {
    fn wiped<T: zeroize::ZeroizeOnDrop>() {}
    wiped::<Sm4Gcm>();
    wiped::<sm4::Sm4>();
    wiped::<ghash_simd::GHash>();
}
