//! Every tag size with every nonce size, and the longest message of each.

use crate::{bytes, model::Model};
use sm4_ccm::{
    AeadInOut, Ccm, Error, KeyInit, NonceSize, TagSize,
    aead::array::Array,
    consts::{U4, U6, U7, U8, U9, U10, U11, U12, U13, U14, U16},
};

const KEY: [u8; 16] = *b"sizes of a nonce";

fn check<T: TagSize, N: NonceSize>() {
    let (model, ccm) = (Model::new(&KEY), Ccm::<T, N>::new(&KEY.into()));
    let what = format!("tag {}, nonce {}", T::USIZE, N::USIZE);
    // A counter that reached the nonce would carry through all of the second one.
    for nonce in [[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9], [0xff; 13]] {
        let nonce = Array::<u8, N>::from_fn(|i| nonce[i]);
        for (len, aad) in [
            (0, 0),
            (0, 5),
            (1, 0),
            (15, 14),
            (16, 30),
            (17, 31),
            (5000, 100),
        ] {
            let (plain, aad) = (bytes(1, len), bytes(2, aad));
            let (cipher, expected) = model.seal(&nonce, T::USIZE, &aad, &plain);
            let mut buffer = plain.clone();
            let tag = ccm.encrypt_inout_detached(&nonce, &aad, buffer.as_mut_slice().into());
            let tag = tag.unwrap();
            assert_eq!(tag[..], expected[..], "{what}, {len} bytes");
            assert_eq!(buffer, cipher, "{what}, {len} bytes");
            ccm.decrypt_inout_detached(&nonce, &aad, buffer.as_mut_slice().into(), &tag)
                .unwrap();
            assert_eq!(buffer, plain, "{what}, {len} bytes");
        }
    }
}

fn check_tags<N: NonceSize>() {
    check::<U4, N>();
    check::<U6, N>();
    check::<U8, N>();
    check::<U10, N>();
    check::<U12, N>();
    check::<U14, N>();
    check::<U16, N>();
}

#[test]
fn every_tag_size_with_every_nonce_size() {
    check_tags::<U7>();
    check_tags::<U8>();
    check_tags::<U9>();
    check_tags::<U10>();
    check_tags::<U11>();
    check_tags::<U12>();
    check_tags::<U13>();
}

#[test]
fn the_longest_messages() {
    assert_eq!(Ccm::<U16, U7>::P_MAX, u64::MAX);
    assert_eq!(Ccm::<U16, U8>::P_MAX, 72_057_594_037_927_935);
    assert_eq!(Ccm::<U16, U9>::P_MAX, 281_474_976_710_655);
    assert_eq!(Ccm::<U16, U10>::P_MAX, 1_099_511_627_775);
    assert_eq!(Ccm::<U16, U11>::P_MAX, 4_294_967_295);
    assert_eq!(Ccm::<U16, U12>::P_MAX, 16_777_215);
    assert_eq!(Ccm::<U16, U13>::P_MAX, 65_535);
}

#[test]
fn a_message_of_65535_bytes_is_the_longest_under_a_nonce_of_13() {
    let (model, ccm) = (Model::new(&KEY), Ccm::<U16, U13>::new(&KEY.into()));
    let nonce = Array([0xff; 13]);
    let plain = bytes(3, 65_535);
    let (cipher, expected) = model.seal(&nonce, 16, b"header", &plain);
    let mut buffer = plain.clone();
    let tag = ccm.encrypt_inout_detached(&nonce, b"header", buffer.as_mut_slice().into());
    let tag = tag.unwrap();
    assert_eq!(tag[..], expected[..]);
    assert!(buffer == cipher);
    ccm.decrypt_inout_detached(&nonce, b"header", buffer.as_mut_slice().into(), &tag)
        .unwrap();
    assert!(buffer == plain);
}

fn too_long<N: NonceSize>(len: usize) {
    let ccm = Ccm::<U16, N>::new(&KEY.into());
    let nonce = Array::<u8, N>::default();
    let mut buffer = vec![0x5a; len];
    let sealed = ccm.encrypt_inout_detached(&nonce, b"", buffer.as_mut_slice().into());
    assert_eq!(sealed, Err(Error));
    assert!(buffer.iter().all(|&b| b == 0x5a));
    let opened =
        ccm.decrypt_inout_detached(&nonce, b"", buffer.as_mut_slice().into(), &Array::default());
    assert_eq!(opened, Err(Error));
    assert!(buffer.iter().all(|&b| b == 0x5a));
}

#[test]
fn a_message_too_long_is_refused_and_not_touched() {
    too_long::<U13>(65_536);
    too_long::<U13>(65_537);
    too_long::<U13>(200_000);
    too_long::<U12>(1 << 24);
}
