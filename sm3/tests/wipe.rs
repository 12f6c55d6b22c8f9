//! Memory after drop.

#![cfg(feature = "zeroize")]

use core::mem::MaybeUninit;
use sm3::{
    Backend, Digest, Sm3, Sm3Core,
    digest::block_api::UpdateCore,
    multi::{ManyHmac, ManySm3},
};

/// The bytes of a value's place before and after it is dropped.
fn drop_in_sight<T>(value: T) -> (Vec<u8>, Vec<u8>) {
    fn look<T>(place: &MaybeUninit<T>) -> Vec<u8> {
        let bytes = place.as_ptr().cast::<u8>();
        (0..size_of::<T>())
            // SAFETY: the byte lies in `place`, which was zeroed when it was made; a volatile read keeps the
            // compiler from reasoning about what a dropped value looks like.
            .map(|i| unsafe { bytes.add(i).read_volatile() })
            .collect()
    }
    let mut place = Box::new(MaybeUninit::zeroed());
    place.write(value);
    let before = look(&place);
    // SAFETY: the value was written above, and `MaybeUninit` does not drop it again.
    unsafe { place.assume_init_drop() };
    let after = look(&place);
    (before, after)
}

/// What may be left: the bytes that name the backends, and padding, which holds whatever was on the stack: addresses, or
/// up to seven bytes in a row of anything else.
fn assert_wiped(before: &[u8], after: &[u8]) {
    let left = after.iter().filter(|byte| **byte != 0).count();
    assert!(left <= 16, "{after:02x?}");
    for value in before.windows(8).filter(|bytes| !bytes.contains(&0)) {
        assert!(
            !after.windows(8).any(|bytes| bytes == value),
            "{after:02x?}"
        );
    }
}

#[test]
fn hasher_is_wiped() {
    for backend in Backend::all_available() {
        // 63 bytes in the buffer, which holds its position in the last one.
        let secret = [0x5a; 64 + 63];
        let (before, after) = drop_in_sight(Sm3::with_backend(backend).chain_update(secret));
        assert!(before.windows(63).any(|bytes| bytes == [0x5a; 63]));
        assert_wiped(&before, &after);
    }
}

#[test]
fn core_is_wiped() {
    for backend in Backend::all_available() {
        let mut core = Sm3Core::with_backend(backend);
        core.update_blocks(&[[0x5a; 64].into()]);
        let (before, after) = drop_in_sight(core);
        assert!(before.iter().filter(|byte| **byte != 0).count() > 24);
        assert_wiped(&before, &after);
    }
}

/// The states behind the two blocks of the key, or behind the prefix.
#[test]
fn keys_and_prefixes_of_many_messages_are_wiped() {
    let check = |(before, after): (Vec<u8>, Vec<u8>)| {
        assert!(before.iter().filter(|byte| **byte != 0).count() > 24);
        assert_wiped(&before, &after);
    };
    let prefix = Sm3::new_with_prefix([0x5a; 64 + 63]);
    check(drop_in_sight(ManyHmac::new(b"key")));
    check(drop_in_sight(ManySm3::new().behind(&prefix)));
}

#[test]
fn types_promise_to_be_wiped() {
    fn promises<T: digest::zeroize::ZeroizeOnDrop>() {}
    promises::<Sm3>();
    promises::<Sm3Core>();
    promises::<ManyHmac>();
    promises::<ManySm3>();
}
