//! Memory after drop.

#![cfg(feature = "zeroize")]

use core::mem::MaybeUninit;
use sm3::{
    Backend, Digest, Sm3, Sm3Core,
    digest::{block_api::UpdateCore, common::hazmat::SerializableState},
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

/// Checks that the secrets are in the value, and that no eight bytes of them are left: what the compiler may copy into
/// padding is at most seven bytes in a row.
fn check<T>(value: T, secrets: &[&[u8]]) {
    let (before, after) = drop_in_sight(value);
    for secret in secrets {
        assert!(before.windows(secret.len()).any(|bytes| bytes == *secret));
        for part in secret.windows(8) {
            assert!(
                !after.windows(8).any(|bytes| bytes == part),
                "{part:02x?} is left: {after:02x?}"
            );
        }
    }
}

/// The state as it lies in memory, behind a message of whole blocks.
fn state_after(message: &[u8]) -> [u8; 32] {
    let mut core = Sm3Core::default();
    let (blocks, rest) = message.as_chunks::<64>();
    assert!(rest.is_empty() && !blocks.is_empty());
    for block in blocks {
        core.update_blocks(&[(*block).into()]);
    }
    let serialized = core.serialize();
    let mut state = [0; 32];
    for (bytes, word) in state.chunks_exact_mut(4).zip(serialized.chunks_exact(4)) {
        let word = u32::from_le_bytes(word.try_into().unwrap());
        bytes.copy_from_slice(&word.to_ne_bytes());
    }
    state
}

#[test]
fn the_check_sees_what_is_left() {
    let left = std::panic::catch_unwind(|| check([0x5a_u8; 40], &[&[0x5a; 32]]));
    assert!(left.is_err());
}

#[test]
fn hasher_is_wiped() {
    for backend in Backend::all_available() {
        // 63 bytes in the buffer, which holds its position in the last one.
        let hasher = Sm3::with_backend(backend).chain_update([0x5a; 64 + 63]);
        check(hasher, &[&[0x5a; 63], &state_after(&[0x5a; 64])]);
    }
}

#[test]
fn core_is_wiped() {
    for backend in Backend::all_available() {
        let mut core = Sm3Core::with_backend(backend);
        core.update_blocks(&[[0x5a; 64].into()]);
        check(core, &[&state_after(&[0x5a; 64])]);
    }
}

/// The states behind the two blocks of the key.
#[test]
fn key_of_many_messages_is_wiped() {
    let inner = state_after(&[0x5a ^ 0x36; 64]);
    let outer = state_after(&[0x5a ^ 0x5c; 64]);
    check(ManyHmac::new(&[0x5a; 64]), &[&inner, &outer]);
}

#[test]
fn prefix_of_many_messages_is_wiped() {
    let prefix = Sm3::new_with_prefix([0x5a; 64 + 63]);
    let hasher = ManySm3::new().behind(&prefix);
    check(hasher, &[&[0x5a; 63], &state_after(&[0x5a; 64])]);
}

#[test]
fn types_promise_to_be_wiped() {
    fn promises<T: digest::zeroize::ZeroizeOnDrop>() {}
    promises::<Sm3>();
    promises::<Sm3Core>();
    promises::<ManyHmac>();
    promises::<ManySm3>();
}
