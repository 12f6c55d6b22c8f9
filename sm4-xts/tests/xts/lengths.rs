//! Every length of a sector, in place and from buffer to buffer.

use crate::{bytes, model::Model};
use sm4_xts::{Gbt17964, Ieee1619, InOutBuf, KeyInit, Standard, Xts};

const KEY: [u8; 32] = *b"lengths are many, sectors as wel";

fn check<S: Standard>(xts: &Xts<S>, model: &Model, len: usize) {
    // Carries out of the top and ones at both ends turn up in a few hundred tweaks.
    let tweak: [u8; 16] = bytes(len as u8, 16).try_into().unwrap();
    let plain = bytes(77, len);
    let cipher = model.encrypt(&plain, tweak);
    assert_eq!(model.decrypt(&cipher, tweak), plain, "the model, {len}");
    let tweak = tweak.into();

    let mut sector = plain.clone();
    xts.encrypt_sector(&mut sector, tweak);
    assert_eq!(sector, cipher, "in place, {len}");
    xts.decrypt_sector(&mut sector, tweak);
    assert_eq!(sector, plain, "in place, {len}");

    let mut out = vec![0xee; len];
    xts.encrypt_sector_inout(InOutBuf::new(&plain, &mut out).unwrap(), tweak)
        .unwrap();
    assert_eq!(out, cipher, "to another buffer, {len}");
    let mut out = vec![0xee; len];
    xts.decrypt_sector_inout(InOutBuf::new(&cipher, &mut out).unwrap(), tweak)
        .unwrap();
    assert_eq!(out, plain, "to another buffer, {len}");
}

fn check_all<S: Standard>(gb: bool) {
    let (xts, model) = (Xts::<S>::new(&KEY.into()), Model::new(&KEY, gb));
    for len in 16..=1100 {
        check(&xts, &model, len);
    }
    for blocks in 1..=140 {
        check(&xts, &model, 16 * blocks);
        check(&xts, &model, 16 * blocks + 1);
        check(&xts, &model, 16 * blocks + 15);
    }
}

#[test]
fn every_length_under_ieee_1619() {
    check_all::<Ieee1619>(false);
}

#[test]
fn every_length_under_gbt_17964() {
    check_all::<Gbt17964>(true);
}

#[test]
fn the_standards_agree_on_the_first_block_only() {
    let ieee = Xts::<Ieee1619>::new(&KEY.into());
    let gb = Xts::<Gbt17964>::new(&KEY.into());
    let (mut one, mut two) = ([5; 64], [5; 64]);
    ieee.encrypt_sector(&mut one, [9; 16].into());
    gb.encrypt_sector(&mut two, [9; 16].into());
    assert_eq!(one[..16], two[..16]);
    for block in 1..4 {
        assert_ne!(one[16 * block..][..16], two[16 * block..][..16]);
    }
}
