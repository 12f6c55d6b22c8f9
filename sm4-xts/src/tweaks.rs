//! The tweaks of all blocks of one or more sectors, in order.

use crate::{Block, Standard};
use core::{marker::PhantomData, slice::Iter};

/// Makes the tweaks of consecutive sectors.
pub(crate) struct Tweaks<'a, S: Standard> {
    /// The encrypted tweaks of the sectors that follow.
    starts: Iter<'a, Block>,
    /// Blocks of a full sector.
    per_sector: usize,
    /// Blocks of the current sector that are still to come.
    left: usize,
    /// Blocks of all sectors that are still to come.
    total: usize,
    /// Whether the last of these gives its tweak to the stolen block and takes that one's.
    swap: bool,
    next: u128,
    standard: PhantomData<S>,
}

impl<'a, S: Standard> Tweaks<'a, S> {
    /// `starts` holds one encrypted tweak for each sector that `total` blocks reach. Each sector
    /// has `per_sector` blocks, the last may have fewer.
    #[inline(always)]
    pub(crate) fn new(starts: &'a [Block], per_sector: usize, total: usize, swap: bool) -> Self {
        Self {
            starts: starts.iter(),
            per_sector,
            left: 0,
            total,
            swap,
            next: 0,
            standard: PhantomData,
        }
    }

    /// Writes the next tweaks, no more than are still to come.
    #[inline(always)]
    pub(crate) fn fill(&mut self, tweaks: &mut [Block]) {
        let mut rest = &mut *tweaks;
        while !rest.is_empty() {
            if self.left == 0 {
                let start = self.starts.next().expect("one start for each sector");
                self.next = S::load(start);
                self.left = self.per_sector;
            }
            let run = self.left.min(rest.len());
            let (now, later) = rest.split_at_mut(run);
            for tweak in now {
                *tweak = S::store(self.next);
                self.next = S::double(self.next);
            }
            self.left -= run;
            rest = later;
        }
        self.total -= tweaks.len();
        if self.swap
            && self.total == 0
            && let Some(last) = tweaks.last_mut()
        {
            let own = S::load(last);
            *last = S::store(self.next);
            self.next = own;
        }
    }

    /// The tweak of the stolen block, once all others are made.
    #[inline(always)]
    pub(crate) fn stolen(&self) -> Block {
        S::store(self.next)
    }
}

#[cfg(feature = "zeroize")]
impl<S: Standard> Drop for Tweaks<'_, S> {
    fn drop(&mut self) {
        use cipher::zeroize::Zeroize;
        self.next.zeroize();
    }
}
