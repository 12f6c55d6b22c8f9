//! The masks of consecutive blocks.

use super::order::{Order, carried, far, near};
use cipher::array::Array;
use core::{fmt, marker::PhantomData, mem};

type Block = cipher::Block<crate::Sm4>;

/// What becomes of the last mask of a run and of the one that would come behind it. Ciphertext stealing needs
/// both: encrypting in this order, decrypting in the other.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Last {
    /// The last block gets the last mask; the one behind it is not kept.
    Own,
    /// The last block gets the last mask; the one behind it takes the place of the run's first mask in the slice.
    Kept,
    /// The last block gets the one behind it; the last mask takes the place of the run's first mask in the slice.
    Swapped,
}

/// Runs of masks. In a run, each mask is the product of the one before and x.
///
/// With the feature `zeroize`, what is kept here of the masks is wiped on drop; the slice belongs to the caller.
pub struct Masks<'a, O: Order> {
    /// The first masks of the current run and of those that follow.
    starts: &'a mut [Block],
    /// Masks of a run.
    per_run: usize,
    last: Last,
    /// Masks of the current run that are still to come, 0 where it has not begun.
    left: usize,
    lanes: Lanes<O>,
}

impl<'a, O: Order> Masks<'a, O> {
    /// Runs of `per_run` masks each, the first of which are `starts`.
    ///
    /// # Panics
    /// If `per_run` is 0.
    #[inline]
    pub fn new(starts: &'a mut [Block], per_run: usize, last: Last) -> Self {
        assert_ne!(per_run, 0, "a run has masks");
        Self {
            starts,
            per_run,
            last,
            left: 0,
            lanes: Lanes::zero(),
        }
    }

    /// Writes the next masks.
    #[inline(always)]
    pub(crate) fn fill(&mut self, masks: &mut [Block]) {
        if self.per_run == 1 && self.last == Last::Own {
            let starts = self.take_starts(masks.len());
            masks.copy_from_slice(starts);
            return;
        }
        let mut rest = masks;
        while !rest.is_empty() {
            if self.left == 0 {
                self.begin();
            }
            let (now, later) = rest.split_at_mut(self.left.min(rest.len()));
            self.lanes = self.lanes.fill(now);
            self.left -= now.len();
            if self.left == 0
                && let Some(last) = now.last_mut()
            {
                self.end(last);
            }
            rest = later;
        }
    }

    /// How many of the next masks make a run in which nothing is out of order.
    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn run(&self) -> usize {
        let left = if self.left == 0 {
            self.per_run
        } else {
            self.left
        };
        left - usize::from(self.last == Last::Swapped)
    }

    /// The first masks of the next runs, if they are runs of `n` masks in which nothing is out of order.
    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn runs_of(&self, n: usize) -> &[Block] {
        if self.left == 0 && self.per_run == n && self.last == Last::Own {
            self.starts
        } else {
            &[]
        }
    }

    /// Goes on behind so many of [`Self::runs_of`].
    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn skip_runs(&mut self, runs: usize) {
        self.take_starts(runs);
    }

    /// The first mask of [`Self::run`]: where it lies already, or in `room`. It was a kernel's output a moment ago, which can be
    /// read back faster as it is than from a copy.
    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn next<'m>(&'m self, room: &'m mut Block) -> &'m Block {
        if self.left == 0 {
            self.start()
        } else {
            *room = self.lanes.first();
            room
        }
    }

    /// Goes on behind the next `n` masks, which another has made, no more than [`Self::run`] says. `next` makes the one
    /// behind them.
    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn skip(&mut self, n: usize, next: impl FnOnce() -> Block) {
        if self.left == 0 {
            self.left = self.per_run;
        }
        self.left -= n;
        if self.left != 0 || self.last != Last::Own {
            self.lanes = Lanes::new(&next());
        }
        if self.left == 0 {
            // Not `Swapped`, of which the last mask is never in such a run.
            self.end(&mut Block::default());
        }
    }

    #[inline(always)]
    fn take_starts(&mut self, n: usize) -> &'a mut [Block] {
        let starts = mem::take(&mut self.starts);
        assert!(n <= starts.len(), "more blocks than masks");
        let (now, later) = starts.split_at_mut(n);
        self.starts = later;
        now
    }

    #[inline(always)]
    fn begin(&mut self) {
        self.lanes = Lanes::new(self.start());
        self.left = self.per_run;
    }

    /// The first mask of the run that begins next.
    #[inline(always)]
    fn start(&self) -> &Block {
        self.starts.first().expect("more blocks than masks")
    }

    #[inline(always)]
    fn end(&mut self, last: &mut Block) {
        let [start] = self.take_starts(1) else {
            unreachable!("one was asked for");
        };
        match self.last {
            Last::Own => {}
            Last::Kept => *start = self.lanes.first(),
            Last::Swapped => *start = mem::replace(last, self.lanes.first()),
        }
    }
}

impl<O: Order> fmt::Debug for Masks<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Masks").finish_non_exhaustive()
    }
}

impl<O: Order> Drop for Masks<'_, O> {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        {
            use cipher::zeroize::Zeroize;
            self.lanes.near.zeroize();
            self.lanes.far.zeroize();
        }
    }
}

/// Masks that are made together.
const LANES: usize = 8;

/// The next masks of a run as near and far words, apart: so they fit the lanes of whatever vectors the kernel
/// into which this is inlined has enabled. Not wiped by itself, so that it can stay in registers.
struct Lanes<O> {
    near: [u64; LANES],
    far: [u64; LANES],
    order: PhantomData<O>,
}

impl<O> Clone for Lanes<O> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Lanes<O> {}

#[allow(
    clippy::needless_range_loop,
    reason = "loops over several arrays at once, which become vectors"
)]
impl<O: Order> Lanes<O> {
    #[inline(always)]
    fn zero() -> Self {
        Self {
            near: [0; LANES],
            far: [0; LANES],
            order: PhantomData,
        }
    }

    /// The masks from `first` on.
    #[inline(always)]
    fn new(first: &Block) -> Self {
        let (words, _) = first.as_chunks::<8>();
        let (n, f) = (O::read(words[0]), O::read(words[1]));
        let (mut from_near, mut from_far) = ([0; LANES], [0; LANES]);
        for i in 0..LANES {
            from_near[i] = carried::<O>(n, i as u32);
        }
        for i in 0..LANES {
            from_far[i] = carried::<O>(f, i as u32);
        }
        let mut lanes = Self::zero();
        for i in 0..LANES {
            lanes.near[i] = near::<O>(n, from_far[i], i as u32);
        }
        for i in 0..LANES {
            lanes.far[i] = far::<O>(f, from_near[i], i as u32);
        }
        lanes
    }

    /// The masks `k` further on, at most 57.
    #[inline(always)]
    fn advanced(mut self, k: u32) -> Self {
        let (mut from_near, mut from_far) = ([0; LANES], [0; LANES]);
        for i in 0..LANES {
            from_near[i] = carried::<O>(self.near[i], k);
        }
        for i in 0..LANES {
            from_far[i] = carried::<O>(self.far[i], k);
        }
        for i in 0..LANES {
            self.near[i] = near::<O>(self.near[i], from_far[i], k);
        }
        for i in 0..LANES {
            self.far[i] = far::<O>(self.far[i], from_near[i], k);
        }
        self
    }

    /// Writes the next masks, any number, and returns those that follow.
    #[inline(always)]
    fn fill(mut self, masks: &mut [Block]) -> Self {
        let (groups, few) = masks.as_chunks_mut::<LANES>();
        for group in groups {
            self.store(group);
            self = self.advanced(LANES as u32);
        }
        if !few.is_empty() {
            let mut group = [Block::default(); LANES];
            self.store(&mut group);
            few.copy_from_slice(&group[..few.len()]);
            #[cfg(feature = "zeroize")]
            cipher::zeroize::Zeroize::zeroize(Array::slice_as_flattened_mut(&mut group));
            self = self.advanced(few.len() as u32);
        }
        self
    }

    #[inline(always)]
    fn store(&self, masks: &mut [Block; LANES]) {
        let mut words = [[0; 2]; LANES];
        for i in 0..LANES {
            words[i] = [
                u64::from_ne_bytes(O::write(self.near[i])),
                u64::from_ne_bytes(O::write(self.far[i])),
            ];
        }
        let bytes = Array::slice_as_flattened_mut(masks);
        for (bytes, word) in bytes
            .as_chunks_mut::<8>()
            .0
            .iter_mut()
            .zip(words.as_flattened())
        {
            *bytes = word.to_ne_bytes();
        }
    }

    #[inline(always)]
    fn first(&self) -> Block {
        let mut block = Block::default();
        let (bytes, _) = block.as_chunks_mut::<8>();
        bytes[0] = O::write(self.near[0]);
        bytes[1] = O::write(self.far[0]);
        block
    }
}
