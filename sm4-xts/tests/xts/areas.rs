//! An area is what its sectors are.

use crate::{bytes, model::Model};
use core::cell::RefCell;
use sm4_xts::{Gbt17964, Ieee1619, InOutBuf, KeyInit, Standard, Xts, get_tweak_default};

const KEY: [u8; 32] = *b"an area is made of many sectors.";

fn check<S: Standard>(gb: bool, len: usize, sector_size: usize, first: u128) {
    let (xts, model) = (Xts::<S>::new(&KEY.into()), Model::new(&KEY, gb));
    let what = format!("{len} bytes in sectors of {sector_size}");
    let plain = bytes(3, len);
    let cipher: Vec<u8> = plain
        .chunks(sector_size)
        .zip(0..)
        .flat_map(|(sector, i)| model.encrypt(sector, (first + i).to_le_bytes()))
        .collect();

    let mut area = plain.clone();
    xts.encrypt_area(&mut area, sector_size, first, get_tweak_default);
    assert!(area == cipher, "encrypted in place: {what}");
    xts.decrypt_area(&mut area, sector_size, first, get_tweak_default);
    assert!(area == plain, "decrypted in place: {what}");

    let mut out = vec![0xee; len];
    let buffer = InOutBuf::new(&plain, &mut out).unwrap();
    xts.encrypt_area_inout(buffer, sector_size, first, get_tweak_default)
        .unwrap();
    assert!(out == cipher, "encrypted to another buffer: {what}");
    let mut out = vec![0xee; len];
    let buffer = InOutBuf::new(&cipher, &mut out).unwrap();
    xts.decrypt_area_inout(buffer, sector_size, first, get_tweak_default)
        .unwrap();
    assert!(out == plain, "decrypted to another buffer: {what}");
}

fn check_both(len: usize, sector_size: usize, first: u128) {
    check::<Ieee1619>(false, len, sector_size, first);
    check::<Gbt17964>(true, len, sector_size, first);
}

#[test]
fn sectors_of_many_sizes_with_and_without_an_odd_last_one() {
    for size in [16, 17, 31, 32, 48, 80, 100, 512, 520, 528, 1040, 4096, 4104] {
        for sectors in [0, 1, 2, 3, 15, 17] {
            let full = size * sectors;
            check_both(full, size, 0);
            for odd in [16, 17, 31, 32, 33, 100, size - 1] {
                if (16..size).contains(&odd) {
                    check_both(full + odd, size, 5);
                }
            }
        }
    }
}

#[test]
fn every_last_sector_of_an_area_of_small_sectors() {
    for last in 16..=80 {
        check_both(3 * 80 + last, 80, 1);
        check_both(3 * 81 + last, 81, 1);
    }
}

#[test]
fn more_sectors_than_have_their_tweaks_encrypted_together() {
    for size in [16, 20, 48, 512] {
        for sectors in [127, 128, 129, 255, 256, 257, 300] {
            check_both(size * sectors, size, 1 << 70);
            if size > 18 {
                check_both(size * sectors + 18, size, u128::from(u64::MAX) - 3);
            }
        }
    }
}

#[test]
fn a_sector_larger_than_the_area() {
    check_both(100, 512, 9);
    check_both(512, usize::MAX, 9);
}

#[test]
fn the_last_index_of_all() {
    check_both(512, 512, u128::MAX);
    check_both(1024 + 17, 512, u128::MAX - 2);
}

#[test]
fn the_tweak_function_gets_each_index_once_and_in_order() {
    let xts = Xts::<Ieee1619>::new(&KEY.into());
    let seen = RefCell::new(Vec::new());
    let mut area = bytes(1, 64 * 200 + 20);
    xts.encrypt_area(&mut area, 64, 7, |index| {
        seen.borrow_mut().push(index);
        index.to_be_bytes().into()
    });
    assert_eq!(*seen.borrow(), (7..=207).collect::<Vec<u128>>());

    let mut expected = Vec::new();
    let model = Model::new(&KEY, false);
    for (sector, index) in bytes(1, 64 * 200 + 20).chunks(64).zip(7u128..) {
        expected.extend(model.encrypt(sector, index.to_be_bytes()));
    }
    assert!(area == expected);
}
