//! Memory after drop.

#![cfg(feature = "zeroize")]

use core::mem::MaybeUninit;
use sm3::{Digest, Sm3, Sm3Core, digest::block_api::UpdateCore};

/// The bytes of a value's place before and after it is dropped.
fn drop_in_sight<T, const N: usize>(value: T) -> ([u8; N], [u8; N]) {
    assert_eq!(size_of::<T>(), N);
    let mut place = MaybeUninit::new(value);
    let bytes = place.as_mut_ptr().cast::<[u8; N]>();
    // SAFETY: `bytes` points to the N bytes of `place`, which lives to the end of this function.
    // The callers pass types without padding, all bytes of which they have set. The value is
    // dropped once, and `MaybeUninit` does not drop it again; dropping writes bytes, and leaves
    // none uninitialized.
    unsafe {
        let before = bytes.read_volatile();
        place.as_mut_ptr().drop_in_place();
        (before, bytes.read_volatile())
    }
}

#[test]
fn hasher_is_wiped() {
    // 63 bytes in the buffer, which holds its position in the last one.
    let secret = [0x5a; 64 + 63];
    let (before, after) = drop_in_sight::<Sm3, 104>(Sm3::new().chain_update(secret));
    assert!(before.windows(63).any(|bytes| bytes == [0x5a; 63]));
    assert_eq!(after, [0; 104]);
}

#[test]
fn core_is_wiped() {
    let mut core = Sm3Core::default();
    core.update_blocks(&[[0x5a; 64].into()]);
    let (before, after) = drop_in_sight::<Sm3Core, 40>(core);
    assert!(before[..32].iter().any(|byte| *byte != 0));
    assert_eq!(after, [0; 40]);
}

#[test]
fn types_promise_to_be_wiped() {
    fn promises<T: digest::zeroize::ZeroizeOnDrop>() {}
    promises::<Sm3>();
    promises::<Sm3Core>();
}
