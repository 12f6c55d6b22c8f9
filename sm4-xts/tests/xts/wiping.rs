//! What a dropped value leaves in memory.
#![cfg(feature = "zeroize")]

use core::mem::MaybeUninit;
use sm4_xts::{
    Sm4Xts,
    sm4::{Backend, Sm4},
};

/// The bytes of a value before and after it is dropped in place.
fn before_and_after<T>(value: T) -> (Vec<u8>, Vec<u8>) {
    fn bytes<T>(slot: &MaybeUninit<T>) -> Vec<u8> {
        let first: *const u8 = core::hint::black_box(slot).as_ptr().cast();
        // SAFETY: the bytes lie inside the slot, all of which was zeroed when it was made; the volatile read makes
        // the compiler take memory as it finds it.
        let byte = |i| unsafe { first.add(i).read_volatile() };
        (0..size_of::<T>()).map(byte).collect()
    }

    let mut slot = Box::new(MaybeUninit::<T>::zeroed());
    slot.write(value);
    let before = bytes(&slot);
    // SAFETY: the slot holds the value that was written to it, which is not used again.
    unsafe { slot.assume_init_drop() };
    (before, bytes(&slot))
}

/// Checks that what depends on the key, at least `secrets` bytes, is zero after the drop.
fn check<T>(name: &str, make: impl Fn(u8) -> T, secrets: usize) {
    let (one, one_after) = before_and_after(make(0x35));
    // Bytes that are no part of the value, such as room that it does not use, may be anything.
    let (same, _) = before_and_after(make(0x35));
    let (other, _) = before_and_after(make(0xc6));
    let mut seen = 0;
    for i in 0..one.len() {
        if one[i] == same[i] && one[i] != other[i] {
            seen += 1;
            assert_eq!(one_after[i], 0, "{name}: byte {i} is left");
        }
    }
    assert!(
        seen >= secrets,
        "{name}: only {seen} bytes depend on the key"
    );
}

#[test]
fn the_check_sees_what_is_left() {
    let left = std::panic::catch_unwind(|| check("none", |key| [key; 64], 1));
    assert!(left.is_err());
}

#[test]
fn round_keys_are_wiped() {
    for backend in Backend::all_available() {
        let make = |key| {
            let cipher = |key| Sm4::with_backend(&[key; 16].into(), backend);
            Sm4Xts::from_ciphers(cipher(key), cipher(key ^ 1))
        };
        check(backend.name(), make, 240);
        check(backend.name(), |key| make(key).clone(), 240);
    }
}
