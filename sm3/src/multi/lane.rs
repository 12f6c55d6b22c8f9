//! Messages in lanes: what each lane takes next, and when it is done.

use crate::{
    Backend, Sm3,
    backends::lanes::{AFTER_DIGEST, Kernel, Runs, States},
};

/// The blocks of a lane that are not whole blocks of a message.
type Own = [[u8; 64]; 2];

/// From where a lane takes its blocks.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Part {
    /// The block that begins with the end of the prefix.
    Head,
    /// Whole blocks of the message.
    Body,
    /// The end of the message, and the padding.
    Tail,
    /// The digest, behind the outer prefix.
    Outer,
}

/// A message on its way.
struct Lane<M> {
    number: usize,
    message: M,
    /// Bytes of the message that are done or in the lane's own blocks.
    taken: usize,
    part: Part,
    /// Blocks that the part has left.
    left: usize,
    /// The next one of the lane's own blocks.
    next: usize,
}

impl<M: AsRef<[u8]>> Lane<M> {
    fn begin(number: usize, message: M, prefix: &Sm3, own: &mut Own) -> Self {
        let mut lane = Self {
            number,
            message,
            taken: 0,
            part: Part::Head,
            left: 0,
            next: 0,
        };
        let begun = prefix.buffer.get_data();
        own[0][..begun.len()].copy_from_slice(begun);
        let room = 64 - begun.len();
        match lane.message.as_ref().split_at_checked(room) {
            Some((first, _)) if !begun.is_empty() => {
                own[0][begun.len()..].copy_from_slice(first);
                lane.taken = room;
                lane.left = 1;
            }
            Some(_) => lane.enter_body(prefix, own),
            None => lane.enter_tail(begun.len(), prefix, own),
        }
        lane
    }

    fn enter_body(&mut self, prefix: &Sm3, own: &mut Own) {
        self.part = Part::Body;
        self.left = (self.message.as_ref().len() - self.taken) / 64;
        if self.left == 0 {
            self.enter_tail(0, prefix, own);
        }
    }

    /// Puts what is left of the message behind the first `begun` bytes of the lane's own blocks, and pads.
    fn enter_tail(&mut self, begun: usize, prefix: &Sm3, own: &mut Own) {
        let message = self.message.as_ref();
        let rest = &message[self.taken..];
        let end = begun + rest.len();
        let bits = prefix
            .bytes()
            .wrapping_add(message.len() as u64)
            .wrapping_mul(8);

        let bytes = own.as_flattened_mut();
        bytes[begun..end].copy_from_slice(rest);
        bytes[end] = 0x80;
        let blocks = (end + 9).div_ceil(64);
        bytes[end + 1..64 * blocks - 8].fill(0);
        bytes[64 * blocks - 8..64 * blocks].copy_from_slice(&bits.to_be_bytes());

        self.taken = message.len();
        self.part = Part::Tail;
        self.left = blocks;
        self.next = 0;
    }

    fn enter_outer(&mut self, digest: &[u32; 8], own: &mut Own) {
        own[0] = block_of_digest(digest);
        self.part = Part::Outer;
        self.left = 1;
        self.next = 0;
    }

    /// The next `count` blocks, which the part must have left.
    fn run<'a>(&'a self, count: usize, own: &'a Own) -> &'a [[u8; 64]] {
        if self.part == Part::Body {
            let (blocks, _) = self.message.as_ref()[self.taken..].as_chunks();
            &blocks[..count]
        } else {
            &own[self.next..][..count]
        }
    }

    /// Notes that `count` blocks have been compressed, and goes on to the next part if there are none left.
    fn advance(&mut self, count: usize, prefix: &Sm3, own: &mut Own) -> Progress {
        self.left -= count;
        if self.part == Part::Body {
            self.taken += 64 * count;
        } else {
            self.next += count;
        }
        if self.left == 0 {
            match self.part {
                Part::Head => self.enter_body(prefix, own),
                Part::Body => self.enter_tail(0, prefix, own),
                Part::Tail => return Progress::Hashed,
                Part::Outer => return Progress::HashedTwice,
            }
        }
        Progress::OnItsWay
    }
}

enum Progress {
    OnItsWay,
    Hashed,
    HashedTwice,
}

/// The block that ends a message of one block and the digest of these words.
pub(super) fn block_of_digest(digest: &[u32; 8]) -> [u8; 64] {
    let mut block = [0; 64];
    let words = digest.iter().chain(&AFTER_DIGEST);
    for (bytes, word) in block.chunks_exact_mut(4).zip(words) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    block
}

/// The bytes of a digest.
pub(super) fn bytes_of_digest(digest: &[u32; 8]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.chunks_exact_mut(4).zip(digest) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    bytes
}

/// Lanes with their messages, states and own blocks.
struct Lanes<'a, M, const L: usize> {
    prefix: &'a Sm3,
    /// With a state of one block, if there is one.
    outer: Option<&'a Sm3>,
    lanes: [Option<Lane<M>>; L],
    states: States<L>,
    own: [Own; L],
}

impl<M: AsRef<[u8]>, const L: usize> Lanes<'_, M, L> {
    /// Gives messages to lanes without one. Returns how many lanes have one, and the smallest number of blocks that
    /// one of these has left in its part.
    fn fill(&mut self, messages: &mut impl Iterator<Item = (usize, M)>) -> (usize, usize) {
        let (mut busy, mut least) = (0, usize::MAX);
        for (i, lane) in self.lanes.iter_mut().enumerate() {
            if lane.is_none()
                && let Some((number, message)) = messages.next()
            {
                self.states.set(i, &self.prefix.core.state);
                *lane = Some(Lane::begin(number, message, self.prefix, &mut self.own[i]));
            }
            if let Some(lane) = lane {
                busy += 1;
                least = least.min(lane.left);
            }
        }
        (busy, least)
    }

    /// Compresses `count` blocks in every lane.
    fn step(&mut self, kernel: impl Kernel<L>, count: usize, emit: impl FnMut(usize, &[u8; 32])) {
        let mut runs: Runs<'_, L> = [&[]; L];
        let mut any: &[[u8; 64]] = &[];
        for ((run, lane), own) in runs.iter_mut().zip(&self.lanes).zip(&self.own) {
            if let Some(lane) = lane {
                any = lane.run(count, own);
                *run = any;
            }
        }
        // A lane without a message has to take part: what it computes is not looked at.
        for run in &mut runs {
            if run.is_empty() {
                *run = any;
            }
        }
        kernel.compress(&mut self.states, &runs);
        self.advance(count, emit);
    }

    /// Lets every lane go on after `count` blocks, and empties those that are done.
    fn advance(&mut self, count: usize, mut emit: impl FnMut(usize, &[u8; 32])) {
        for i in 0..L {
            if let Some(lane) = &mut self.lanes[i] {
                let progress = lane.advance(count, self.prefix, &mut self.own[i]);
                self.follow(i, progress, &mut emit);
            }
        }
    }

    fn follow(&mut self, i: usize, progress: Progress, emit: &mut impl FnMut(usize, &[u8; 32])) {
        let Some(lane) = &mut self.lanes[i] else {
            return;
        };
        match (progress, self.outer) {
            (Progress::OnItsWay, _) => {}
            (Progress::Hashed, Some(outer)) => {
                lane.enter_outer(&self.states.get(i), &mut self.own[i]);
                self.states.set(i, &outer.core.state);
            }
            _ => {
                emit(lane.number, &bytes_of_digest(&self.states.get(i)));
                self.lanes[i] = None;
            }
        }
    }

    /// Comes to the end of every message, one after the other.
    fn finish_each(&mut self, mut emit: impl FnMut(usize, &[u8; 32])) {
        let backend = Backend::detect();
        for i in 0..L {
            while let Some(lane) = &mut self.lanes[i] {
                let count = lane.left;
                let mut state = self.states.get(i);
                backend.compress(&mut state, lane.run(count, &self.own[i]));
                self.states.set(i, &state);
                let progress = lane.advance(count, self.prefix, &mut self.own[i]);
                self.follow(i, progress, &mut emit);
            }
        }
    }
}

/// Also where the caller's code has unwound.
#[cfg(feature = "zeroize")]
impl<M, const L: usize> Drop for Lanes<'_, M, L> {
    fn drop(&mut self) {
        self.own = [[[0; 64]; 2]; L];
        digest::zeroize::optimization_barrier(&self.own);
    }
}

/// Hashes every message behind `prefix`, then if there is `outer` its digest behind that, and calls `emit` with the
/// number of the message and the last digest.
#[inline(never)]
pub(super) fn run<M, const L: usize, K>(
    kernel: K,
    prefix: &Sm3,
    outer: Option<&Sm3>,
    messages: impl Iterator<Item = M>,
    mut emit: impl FnMut(usize, &[u8; 32]),
) where
    M: AsRef<[u8]>,
    K: Kernel<L>,
{
    let mut messages = messages.enumerate().fuse();
    let mut lanes = Lanes {
        prefix,
        outer,
        lanes: [const { None }; L],
        states: States::<L>::ZERO,
        own: [[[0; 64]; 2]; L],
    };
    loop {
        let (busy, count) = lanes.fill(&mut messages);
        if busy == 0 {
            break;
        }
        if busy <= K::FEW {
            lanes.finish_each(&mut emit);
        } else {
            lanes.step(kernel, count, &mut emit);
        }
    }
    // Where the kernels, which have returned, had their frames: the schedule and the states of the lanes. The largest has some
    // 3 KiB.
    #[cfg(feature = "zeroize")]
    digest::zeroize::zeroize_stack::<8192>();
}
