//! Memory of the low-level interface's values after drop.

#![cfg(feature = "zeroize")]

use core::mem::MaybeUninit;
use sm4::{ccm::Lane, ctr::Expected};

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
    (before, look(&place))
}

fn holds(memory: &[u8], secret: [u8; 16]) -> bool {
    memory.windows(16).any(|bytes| bytes == secret)
}

#[test]
fn lane_of_ccm_is_wiped() {
    let [chain, keystream, counter] = [[0x5a; 16], [0xc3; 16], [0x96; 16]];
    let (before, after) = drop_in_sight(Lane {
        chain: chain.into(),
        keystream: keystream.into(),
        counter: counter.into(),
    });
    for secret in [chain, keystream, counter] {
        assert!(holds(&before, secret));
    }
    assert_eq!(after, [0; 48]);
}

/// The expected block, but not how much of it counts.
#[test]
fn expected_mask_is_wiped() {
    let block = [0x5a; 16];
    let (before, after) = drop_in_sight(Expected::new(&block.into(), 12));
    assert!(holds(&before, block));
    assert!(!after.contains(&0x5a));
}
