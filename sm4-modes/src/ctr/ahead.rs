//! Keystream made ahead of the position.

/// Bytes of keystream that a stream holds at most.
pub(super) const SIZE: usize = 1024;

/// The first amount that is made ahead, in bytes: the blocks of one pass, which cost about as much as one.
pub(super) const FIRST: usize = 256;

/// Keystream of whole blocks, the first of it used up.
///
/// `pos` moves within `start..=end`; where it is at the end, there is none left, and the position is between two blocks.
#[derive(Clone)]
pub(super) struct Ahead {
    keystream: Keystream,
    start: usize,
    pos: usize,
    end: usize,
    /// Bytes from the first that ever held keystream.
    dirty: usize,
    /// How much to make the next time that there is none left, 0 where the data is to be processed directly.
    amount: usize,
}

/// The place for it. A stream that makes none ahead does not pay for writing all of it.
#[derive(Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "the room is paid for, the time to fill it is not"
)]
enum Keystream {
    Block([u8; 16]),
    Blocks(Blocks),
}

#[derive(Clone)]
#[repr(align(64))]
struct Blocks([u8; SIZE]);

impl Keystream {
    #[inline]
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Block(block) => block,
            Self::Blocks(blocks) => &blocks.0,
        }
    }

    #[inline]
    fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Block(block) => block,
            Self::Blocks(blocks) => &mut blocks.0,
        }
    }
}

impl Ahead {
    #[inline]
    pub(super) fn new() -> Self {
        Self {
            keystream: Keystream::Block([0; 16]),
            start: 0,
            pos: 0,
            end: 0,
            dirty: 0,
            amount: 0,
        }
    }

    /// Bytes that are left.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.end - self.pos
    }

    /// Bytes that are left of the block that the position is in: 0 to 15.
    #[inline]
    pub(super) fn left_of_block(&self) -> usize {
        self.pos.wrapping_neg() % 16
    }

    /// Blocks from the first one of those held to behind the block that the position is in.
    #[inline]
    pub(super) fn blocks_begun(&self) -> usize {
        self.pos.div_ceil(16)
    }

    /// The next `n` bytes, of which there must be as many.
    #[inline]
    pub(super) fn take(&mut self, n: usize) -> &[u8] {
        let start = self.pos;
        self.pos += n;
        &self.keystream.bytes()[start..self.pos]
    }

    /// Moves to the byte `pos`, counted from the first block of those held, if it is there or the first one behind.
    pub(super) fn seek(&mut self, pos: usize) -> bool {
        let inside = (self.start..=self.end).contains(&pos);
        if inside {
            self.pos = pos;
        }
        inside
    }

    /// Decides how `n` bytes of data are processed when there is none left: the amount of keystream, more than `n`, to
    /// make ahead, or `None` where the data is to be processed directly.
    ///
    /// One short message costs no more than its own blocks. It takes further ones for some keystream to be made ahead,
    /// and then twice as much each time.
    #[inline]
    pub(super) fn plan(&mut self, n: usize) -> Option<usize> {
        let amount = self.amount;
        if n < SIZE {
            self.amount = (2 * amount).clamp(FIRST, SIZE);
        }
        (n < amount).then_some(amount)
    }

    /// Holds nothing, and forgets that there were short messages.
    pub(super) fn clear(&mut self) {
        self.start = 0;
        self.pos = 0;
        self.end = 0;
        self.amount = 0;
    }

    /// Place for `n` bytes of keystream, whole blocks, filled with zeros, to be XORed with them.
    pub(super) fn fill(&mut self, n: usize) -> &mut [u8] {
        if let Keystream::Block(_) = self.keystream {
            // The block lies beside the larger place and not in it, where the drop would not reach it.
            self.wipe();
            self.keystream = Keystream::Blocks(Blocks([0; SIZE]));
        }
        self.start = 0;
        self.pos = 0;
        self.end = n;
        self.dirty = self.dirty.max(n);
        let place = &mut self.keystream.bytes_mut()[..n];
        place.fill(0);
        place
    }

    /// Holds a block, the first `used` bytes of which are used up and not there, or nothing if there is none used.
    #[inline]
    pub(super) fn hold(&mut self, block: &[u8; 16], used: usize) {
        self.start = used;
        self.pos = used;
        self.end = if used == 0 { 0 } else { 16 };
        if used != 0 {
            self.keystream.bytes_mut()[..16].copy_from_slice(block);
            self.dirty = self.dirty.max(16);
        }
    }

    /// Wipes what ever held keystream. Does nothing without the feature `zeroize`.
    #[inline]
    fn wipe(&mut self) {
        #[cfg(feature = "zeroize")]
        if self.dirty != 0 {
            cipher::zeroize::Zeroize::zeroize(&mut self.keystream.bytes_mut()[..self.dirty]);
        }
    }
}

impl Drop for Ahead {
    #[inline]
    fn drop(&mut self) {
        self.wipe();
    }
}
