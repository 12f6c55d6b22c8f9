//! Keys, and what the type can do beside encrypting.

use crate::{bytes, model::Model};
use sm4_xts::{KeyInit, KeySizeUser, Sm4Xts, Sm4XtsGb, WeakKey, Xts, get_tweak_default, sm4::Sm4};

const KEY: [u8; 32] = *b"the first half, the second half.";

#[test]
fn the_value_is_as_large_as_documented() {
    // The choice of the backend takes a word of each cipher where there is one.
    let choice = 4 * size_of::<sm4::Backend>();
    assert_eq!(size_of::<Sm4Xts>(), 2 * (128 + choice));
}

#[test]
fn equal_halves_are_refused() {
    let equal: [u8; 32] = [KEY[..16].to_vec(), KEY[..16].to_vec()]
        .concat()
        .try_into()
        .unwrap();
    assert_eq!(Sm4Xts::new_checked(&equal.into()).unwrap_err(), WeakKey);
    assert_eq!(Sm4XtsGb::new_checked(&equal.into()).unwrap_err(), WeakKey);
    assert_eq!(Sm4Xts::new_checked(&[0; 32].into()).unwrap_err(), WeakKey);
    for bit in 0..256 {
        let mut key = equal;
        key[bit / 8] ^= 1 << (bit % 8);
        assert!(Sm4Xts::new_checked(&key.into()).is_ok(), "bit {bit}");
        assert!(Sm4XtsGb::new_checked(&key.into()).is_ok(), "bit {bit}");
    }
}

#[test]
fn data_under_a_key_with_equal_halves_can_still_be_opened() {
    let equal = [0x3c; 32];
    let plain = bytes(1, 100);
    let mut cipher = Model::new(&equal, false).encrypt(&plain, [8; 16]);
    Sm4Xts::new(&equal.into()).decrypt_sector(&mut cipher, [8; 16].into());
    assert_eq!(cipher, plain);
    let mut cipher = Model::new(&equal, true).encrypt(&plain, [8; 16]);
    Sm4XtsGb::new(&equal.into()).decrypt_sector(&mut cipher, [8; 16].into());
    assert_eq!(cipher, plain);
}

#[test]
fn all_ways_to_make_a_value_lead_to_the_same_bytes() {
    let mut expected = bytes(1, 50);
    Sm4Xts::new(&KEY.into()).encrypt_sector(&mut expected, [8; 16].into());

    let half = |at: usize| Sm4::new_from_slice(&KEY[at..at + 16]).unwrap();
    let checked = Sm4Xts::new_checked(&KEY.into()).unwrap();
    let copy = checked.clone();
    for xts in [
        checked,
        copy,
        Xts::from_ciphers(half(0), half(16)),
        Xts::new_from_slice(&KEY).unwrap(),
    ] {
        let mut sector = bytes(1, 50);
        xts.encrypt_sector(&mut sector, [8; 16].into());
        assert_eq!(sector, expected);
    }
    assert!(Sm4Xts::new_from_slice(&KEY[1..]).is_err());
    assert_eq!(Sm4Xts::key_size(), 32);
}

#[test]
fn debug_shows_the_standard_and_no_secret() {
    assert_eq!(
        format!("{:?}", Sm4Xts::new(&KEY.into())),
        "Xts { standard: Ieee1619, .. }"
    );
    assert_eq!(
        format!("{:?}", Sm4XtsGb::new(&KEY.into())),
        "Xts { standard: Gbt17964, .. }"
    );
}

#[test]
fn the_default_tweak_is_the_index_from_its_low_end() {
    let tweak = get_tweak_default(0x0102_0304);
    assert_eq!(tweak, [4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(get_tweak_default(u128::MAX), [0xff; 16]);
}

#[test]
fn a_value_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + Unpin + 'static>() {}
    shared::<Sm4Xts>();
    shared::<Sm4XtsGb>();
}

#[cfg(feature = "zeroize")]
#[test]
fn a_value_wipes_itself() {
    use sm4_xts::cipher::zeroize::ZeroizeOnDrop;

    fn wiped<T: ZeroizeOnDrop>() {}
    wiped::<Sm4Xts>();
    wiped::<Sm4XtsGb>();
    wiped::<Sm4>();
}
