//! What a value leaves in memory when it is dropped.

use core::mem::{MaybeUninit, size_of};
use core::ptr;

/// The bytes of a value before and after it is dropped.
#[derive(Debug)]
pub struct Traces {
    /// Before.
    pub before: Vec<u8>,
    /// Those of a clone: where the two differ, there is padding, which holds whatever was on the stack.
    pub twin: Vec<u8>,
    /// After.
    pub after: Vec<u8>,
}

fn look<T>(place: &MaybeUninit<T>) -> Vec<u8> {
    let start = place.as_ptr().cast::<u8>();
    (0..size_of::<T>())
        // SAFETY: the bytes lie inside `place`, which was zeroed when it was made, so that each was written at
        // least once; a volatile read keeps the compiler from deciding what a dropped value looks like.
        .map(|i| unsafe { ptr::read_volatile(start.add(i)) })
        .collect()
}

/// Drops a value and tells what was in its place before and what is there afterwards.
pub fn traces<T: Clone>(value: T) -> Traces {
    let (twin, _) = drop_in_place(value.clone());
    let (before, after) = drop_in_place(value);
    Traces {
        before,
        twin,
        after,
    }
}

fn drop_in_place<T>(value: T) -> (Vec<u8>, Vec<u8>) {
    let mut place = Box::new(MaybeUninit::<T>::zeroed());
    place.write(value);
    let before = look(&place);
    // SAFETY: the value was written two lines above and is neither read nor dropped again.
    unsafe { place.assume_init_drop() };
    let after = look(&place);
    (before, after)
}

impl Traces {
    /// Checks that what was secret is gone.
    ///
    /// At most `plain` bytes may be other than zero afterwards (positions, names of backends) and padding, and
    /// no eight bytes in a row of the value survive, where those eight are more than a repeated byte or two.
    ///
    /// # Panics
    /// When something is left, or when the value held next to nothing before, so that there was nothing to check.
    pub fn assert_wiped(&self, name: &str, plain: usize) {
        let busy = |bytes: &[u8]| bytes.iter().filter(|&&b| b != 0).count();
        assert!(busy(&self.before) >= 12, "{name}: nothing to wipe");
        let left = busy(&self.after);
        assert!(
            left <= plain + PADDING,
            "{name}: {left} bytes are not zero after the drop: {:02x?}",
            self.after
        );
        let value = self.before.windows(8).zip(self.twin.windows(8));
        for (secret, _) in value.filter(|(w, twin)| w == twin && varied(w)) {
            let survives = self.after.windows(8).any(|w| w == secret);
            assert!(!survives, "{name}: {secret:02x?} survives the drop");
        }
    }
}

/// How many bytes of a value may be padding, which a drop leaves alone.
const PADDING: usize = 16;

/// Whether there are at least four different bytes, none of them zero. An address, which padding often holds, has zeros.
fn varied(bytes: &[u8]) -> bool {
    let mut sorted = bytes.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len() >= 4 && sorted[0] != 0
}
