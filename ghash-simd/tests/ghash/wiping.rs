//! What a dropped value leaves in memory.
#![cfg(feature = "zeroize")]

use crate::model::{noise_blocks, noise_key, to_blocks};
use core::mem::MaybeUninit;
use ghash_simd::{
    Backend, GHash, GHashKey,
    universal_hash::{KeyInit, Reset, UniversalHash},
};
use zeroize::ZeroizeOnDrop;

/// The bytes of a value before and after it is dropped in place.
fn before_and_after<T>(value: T) -> (Vec<u8>, Vec<u8>) {
    fn bytes<T>(slot: &MaybeUninit<T>) -> Vec<u8> {
        let first: *const u8 = core::hint::black_box(slot).as_ptr().cast();
        let byte = |i| {
            // SAFETY: `first + i` lies inside the slot, which is borrowed. All of the slot has been
            // zeroed, so every byte of it has been written to, the value's padding included, and
            // the volatile read behind `black_box` makes the compiler take memory as it finds it.
            unsafe { first.add(i).read_volatile() }
        };
        (0..size_of::<T>()).map(byte).collect()
    }

    let mut slot = MaybeUninit::<T>::zeroed();
    slot.write(value);
    let before = bytes(&slot);
    // SAFETY: the slot holds the value that was written to it, which is not used again.
    unsafe { slot.assume_init_drop() };
    (before, bytes(&slot))
}

fn used(seed: u64, backend: Backend) -> GHash {
    let mut ghash = GHash::with_backend(&noise_key(seed).into(), backend);
    ghash.update(&to_blocks(&noise_blocks(seed + 1, 5)));
    ghash
}

/// Checks that every byte in which the two values differ is zero after the drop, and that at least
/// `secrets` do. Both are under keys of the backend, or borrow one.
fn check<T>(backend: Backend, one: T, two: T, secrets: usize) {
    let (one, one_after) = before_and_after(one);
    let (two, two_after) = before_and_after(two);
    let mut differing = 0;
    for i in 0..one.len() {
        if one[i] != two[i] {
            differing += 1;
            let name = backend.name();
            assert_eq!([one_after[i], two_after[i]], [0, 0], "{name} {i}");
        }
    }
    assert!(differing >= secrets, "{} {differing}", backend.name());
}

/// The size of a backend's table, nearly all of which differs between two keys.
fn table(backend: Backend) -> usize {
    match backend.name() {
        "vpclmul512" => 640,
        "vpclmul256" => 400,
        "pclmul" => 208,
        _ => 64,
    }
}

/// After a drop every byte that depended on key or input is zero.
#[test]
fn memory_is_wiped_on_drop() {
    for backend in Backend::all_available() {
        let most = table(backend) * 9 / 10;
        check(backend, used(40, backend), used(50, backend), most + 14);
        let (one, two) = (used(40, backend), used(50, backend));
        check(backend, one.clone(), two.clone(), most + 14);
        let key = |seed| GHashKey::with_backend(&noise_key(seed).into(), backend);
        check(backend, key(40), key(50), most);
    }
}

/// A message that borrows its key wipes its running value, and leaves the key alone.
#[test]
fn running_value_is_wiped_on_drop() {
    for backend in Backend::all_available() {
        let key = GHashKey::with_backend(&noise_key(60).into(), backend);
        let message = |seed| {
            let mut ghash = GHash::with_key(&key);
            ghash.update(&to_blocks(&noise_blocks(seed, 5)));
            ghash
        };
        check(backend, message(61), message(62), 14);
        let again = GHashKey::with_backend(&noise_key(60).into(), backend);
        assert_eq!(
            key.hash_aead(b"a", &[1; 300]),
            again.hash_aead(b"a", &[1; 300])
        );
    }
}

#[test]
fn memory_is_wiped_after_reset() {
    for backend in Backend::all_available() {
        let (mut one, mut two) = (used(70, backend), used(80, backend));
        one.reset();
        two.reset();
        check(backend, one, two, table(backend) * 9 / 10);
    }
}

#[test]
fn types_promise_to_wipe() {
    fn promise<T: ZeroizeOnDrop>(_: &T) {}
    promise(&GHash::new(&Default::default()));
    promise(&<GHash as KeyInit>::new(&Default::default()));
    let key = GHashKey::new(&Default::default());
    promise(&key);
    promise(&GHash::with_key(&key));
}
