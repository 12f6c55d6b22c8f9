//! Lengths that XTS does not allow: an error or a panic, and nothing written.

use crate::bytes;
use core::panic::AssertUnwindSafe;
use sm4_xts::{Error, Gbt17964, Ieee1619, InOutBuf, KeyInit, Standard, Xts, get_tweak_default};
use std::panic::catch_unwind;

const KEY: [u8; 32] = *b"errors are found before writing.";

fn sector_refused<S: Standard>(len: usize, error: Error) {
    let xts = Xts::<S>::new(&KEY.into());
    let (before, tweak) = (bytes(1, len), [3; 16].into());
    let mut sector = before.clone();
    assert_eq!(xts.try_encrypt_sector(&mut sector, tweak), Err(error));
    assert_eq!(xts.try_decrypt_sector(&mut sector, tweak), Err(error));
    assert!(sector == before);

    let mut out = vec![0xee; len];
    let buffer = InOutBuf::new(&before, &mut out).unwrap();
    assert_eq!(xts.encrypt_sector_inout(buffer, tweak), Err(error));
    let buffer = InOutBuf::new(&before, &mut out).unwrap();
    assert_eq!(xts.decrypt_sector_inout(buffer, tweak), Err(error));
    assert!(out.iter().all(|&b| b == 0xee));

    let encrypted = catch_unwind(AssertUnwindSafe(|| xts.encrypt_sector(&mut sector, tweak)));
    assert_eq!(message(encrypted), error.to_string());
    let decrypted = catch_unwind(AssertUnwindSafe(|| xts.decrypt_sector(&mut sector, tweak)));
    assert_eq!(message(decrypted), error.to_string());
    assert!(sector == before);
}

fn message(result: std::thread::Result<()>) -> String {
    *result.unwrap_err().downcast::<String>().unwrap()
}

#[test]
fn a_sector_of_less_than_16_bytes() {
    for len in 0..16 {
        sector_refused::<Ieee1619>(len, Error::SectorTooShort);
        sector_refused::<Gbt17964>(len, Error::SectorTooShort);
    }
}

#[test]
fn a_sector_of_more_than_2_to_the_20_blocks() {
    sector_refused::<Ieee1619>((16 << 20) + 1, Error::SectorTooLong);
    sector_refused::<Gbt17964>((16 << 20) + 16, Error::SectorTooLong);
}

fn area_refused<S: Standard>(len: usize, sector_size: usize, first: u128, error: Error) {
    let xts = Xts::<S>::new(&KEY.into());
    let before = bytes(1, len);
    let mut area = before.clone();
    let encrypted = xts.try_encrypt_area(&mut area, sector_size, first, get_tweak_default);
    assert_eq!(encrypted, Err(error));
    let decrypted = xts.try_decrypt_area(&mut area, sector_size, first, get_tweak_default);
    assert_eq!(decrypted, Err(error));
    assert!(area == before);

    let mut out = vec![0xee; len];
    let buffer = InOutBuf::new(&before, &mut out).unwrap();
    let encrypted = xts.encrypt_area_inout(buffer, sector_size, first, get_tweak_default);
    assert_eq!(encrypted, Err(error));
    let buffer = InOutBuf::new(&before, &mut out).unwrap();
    let decrypted = xts.decrypt_area_inout(buffer, sector_size, first, get_tweak_default);
    assert_eq!(decrypted, Err(error));
    assert!(out.iter().all(|&b| b == 0xee));

    let encrypted = catch_unwind(AssertUnwindSafe(|| {
        xts.encrypt_area(&mut area, sector_size, first, get_tweak_default);
    }));
    assert_eq!(message(encrypted), error.to_string());
    let decrypted = catch_unwind(AssertUnwindSafe(|| {
        xts.decrypt_area(&mut area, sector_size, first, get_tweak_default);
    }));
    assert_eq!(message(decrypted), error.to_string());
    assert!(area == before);
}

#[test]
fn a_last_sector_of_less_than_16_bytes() {
    for last in 1..16 {
        area_refused::<Ieee1619>(last, 512, 0, Error::SectorTooShort);
        area_refused::<Ieee1619>(1024 + last, 512, 0, Error::SectorTooShort);
        area_refused::<Gbt17964>(1024 + last, 512, 0, Error::SectorTooShort);
        area_refused::<Gbt17964>(3 * 50 + last, 50, 0, Error::SectorTooShort);
    }
}

#[test]
fn a_sector_size_of_less_than_16_bytes() {
    for size in 0..16 {
        area_refused::<Ieee1619>(512, size, 0, Error::SectorSize);
        area_refused::<Gbt17964>(0, size, 0, Error::SectorSize);
    }
}

#[test]
fn an_index_that_does_not_fit() {
    area_refused::<Ieee1619>(1024, 512, u128::MAX, Error::SectorIndex);
    area_refused::<Gbt17964>(512 * 3 + 16, 512, u128::MAX - 2, Error::SectorIndex);
}

#[test]
fn an_area_whose_sectors_are_too_long() {
    let size = (16 << 20) + 16;
    area_refused::<Ieee1619>(size, size, 0, Error::SectorTooLong);
    area_refused::<Ieee1619>(size, usize::MAX, 0, Error::SectorTooLong);
}

#[test]
fn an_empty_area_has_no_sectors() {
    let xts = Xts::<Ieee1619>::new(&KEY.into());
    let never = |_| unreachable!("there is no sector to ask for");
    assert_eq!(xts.try_encrypt_area(&mut [], 512, 0, never), Ok(()));
    assert_eq!(xts.try_decrypt_area(&mut [], 512, 0, never), Ok(()));
}

#[test]
fn the_longest_sector_is_accepted() {
    let xts = Xts::<Ieee1619>::new(&KEY.into());
    let mut sector = vec![6; 16 << 20];
    xts.try_encrypt_sector(&mut sector, [1; 16].into()).unwrap();
    assert!(sector.chunks(16).all(|block| block != [6; 16]));
    xts.try_decrypt_sector(&mut sector, [1; 16].into()).unwrap();
    assert!(sector.iter().all(|&b| b == 6));
}
