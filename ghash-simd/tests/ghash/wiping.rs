//! What a dropped value leaves in memory.
#![cfg(feature = "zeroize")]

use crate::model::{noise_blocks, noise_key, to_blocks};
use core::mem::MaybeUninit;
use ghash_simd::{
    Backend, GHash,
    universal_hash::{KeyInit, Reset, UniversalHash},
};
use zeroize::ZeroizeOnDrop;

const SIZE: usize = size_of::<GHash>();

/// The bytes of a value before and after it is dropped in place.
fn before_and_after(ghash: GHash) -> ([u8; SIZE], [u8; SIZE]) {
    fn bytes(slot: &MaybeUninit<GHash>) -> [u8; SIZE] {
        let first: *const u8 = core::hint::black_box(slot).as_ptr().cast();
        core::array::from_fn(|i| {
            // SAFETY: `first + i` lies inside the slot, which is borrowed. All of the slot has been
            // zeroed, so every byte of it has been written to, the value's padding included, and
            // the volatile read behind `black_box` makes the compiler take memory as it finds it.
            unsafe { first.add(i).read_volatile() }
        })
    }

    let mut slot = MaybeUninit::<GHash>::zeroed();
    slot.write(ghash);
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

/// After a drop every byte that depended on key or input is zero.
#[test]
fn memory_is_wiped_on_drop() {
    for backend in Backend::all_available() {
        let (one, one_after) = before_and_after(used(40, backend));
        let (two, two_after) = before_and_after(used(50, backend));
        // The state is in the bytes compared: five values of 16 bytes differ between the two.
        let differing = one.iter().zip(&two).filter(|(a, b)| a != b).count();
        assert!(differing > 70, "{} {differing}", backend.name());
        for (i, (a, b)) in one.iter().zip(&two).enumerate() {
            if a != b {
                assert_eq!(
                    [one_after[i], two_after[i]],
                    [0, 0],
                    "{} {i}",
                    backend.name()
                );
            }
        }
    }
}

#[test]
fn memory_is_wiped_after_reset_and_of_clones() {
    for backend in Backend::all_available() {
        let mut ghash = used(60, backend);
        let (before, after) = before_and_after(ghash.clone());
        let wiped = before.iter().zip(&after).filter(|(a, b)| a != b).count();
        assert!(wiped > 70, "{} {wiped}", backend.name());
        ghash.reset();
        let (before, after) = before_and_after(ghash);
        // Four powers of the key are left after a reset.
        let wiped = before.iter().zip(&after).filter(|(a, b)| a != b).count();
        assert!((56..=64).contains(&wiped), "{} {wiped}", backend.name());
    }
}

#[test]
fn type_promises_to_wipe() {
    fn promise<T: ZeroizeOnDrop>(_: &T) {}
    promise(&GHash::new(&Default::default()));
    promise(&<GHash as KeyInit>::new(&Default::default()));
}
