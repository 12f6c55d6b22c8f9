//! Where a pass takes its blocks from, and where it puts them.

use super::vector::{Vector, Xmm};
use cipher::{InOutBuf, array::Array, consts::U16};
use core::marker::PhantomData;
use shangmi_cpu::Avx512Gfni;

/// The input and the output of a pass, in vectors of any one length: vector `i` starts at byte `i·BYTES`.
///
/// A pass loads all of its vectors before it stores any, and stores them from the last to the first, so that
/// an output may look at the input of its own place and of the block before.
pub(super) trait Io {
    fn load<V: Vector>(&self, i: usize) -> V;
    fn store<V: Vector>(&mut self, i: usize, vector: V);
}

/// What is left of a mode's buffers.
pub(super) trait Mode<'a> {
    /// Bytes left.
    fn len(&self) -> usize;

    /// The next bytes, `n` at most.
    fn part(&mut self, n: usize) -> impl Io;
}

/// Input and output of the same length, of which at least the first `WHOLE` bytes are there.
pub(super) struct Area<'a, const WHOLE: usize> {
    token: Avx512Gfni,
    input: *const u8,
    output: *mut u8,
    len: usize,
    buffers: PhantomData<&'a mut [u8]>,
}

impl<'a> Area<'a, 0> {
    #[inline(always)]
    pub(super) fn of_bytes(token: Avx512Gfni, data: InOutBuf<'a, 'a, u8>) -> Self {
        let len = data.len();
        let (input, output) = data.into_raw();
        Self {
            token,
            input,
            output,
            len,
            buffers: PhantomData,
        }
    }

    #[inline(always)]
    pub(super) fn of_blocks(token: Avx512Gfni, data: InOutBuf<'a, 'a, Array<u8, U16>>) -> Self {
        let len = 16 * data.len();
        let (input, output) = data.into_raw();
        Self {
            token,
            input: input.cast(),
            output: output.cast(),
            len,
            buffers: PhantomData,
        }
    }

    /// Splits `n` bytes off the front, or all if there are fewer.
    #[inline(always)]
    pub(super) fn part(&mut self, n: usize) -> Self {
        let n = n.min(self.len);
        let front = Self { len: n, ..*self };
        // SAFETY: both buffers have `len` bytes, and `n` is no more.
        unsafe {
            self.input = self.input.add(n);
            self.output = self.output.add(n);
        }
        self.len -= n;
        front
    }

    /// Splits `N` bytes off the front.
    #[inline(always)]
    pub(super) fn whole<const N: usize>(&mut self) -> Area<'a, N> {
        assert!(self.len >= N);
        let Self {
            token,
            input,
            output,
            len,
            buffers,
        } = self.part(N);
        Area {
            token,
            input,
            output,
            len,
            buffers,
        }
    }
}

impl<const WHOLE: usize> Area<'_, WHOLE> {
    /// The length in bytes.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Vector `i` of the input.
    #[inline(always)]
    pub(super) fn load<V: Vector>(&self, i: usize) -> V {
        let start = i * V::BYTES;
        let pointer = self.input.wrapping_add(start);
        if start + V::BYTES <= WHOLE || start + V::BYTES <= self.len {
            // SAFETY: the input has `WHOLE` bytes at least and `len` in all, so those up to the vector's end are there.
            unsafe { V::load(self.token, pointer) }
        } else if start < self.len {
            // SAFETY: the input has `len` bytes, and this loads no others.
            unsafe { V::load_part(self.token, pointer, self.len - start) }
        } else {
            V::zero(self.token)
        }
    }

    /// What is 16 bytes before vector `i` of the input, with `before` as the block before the first.
    #[inline(always)]
    pub(super) fn load_before<V: Vector>(&self, i: usize, before: Xmm) -> V {
        let start = i * V::BYTES;
        let pointer = self.input.wrapping_add(start).wrapping_sub(16);
        let n = (self.len + 16).saturating_sub(start);
        if i == 0 {
            // SAFETY: the input has the `len` bytes behind the first 16 from `pointer`, which this does not load.
            unsafe { V::load_behind(before, pointer, n) }
        } else if V::BYTES <= n {
            // SAFETY: `i` is not 0, so that the vector begins in the input, which has `n` bytes from there on.
            unsafe { V::load(self.token, pointer) }
        } else if n != 0 {
            // SAFETY: the input has `n` bytes from there on.
            unsafe { V::load_part(self.token, pointer, n) }
        } else {
            V::zero(self.token)
        }
    }

    /// The block of the input that ends at byte `end`.
    ///
    /// # Panics
    /// If there is none.
    #[inline(always)]
    pub(super) fn block_before(&self, end: usize) -> Xmm {
        assert!((16..=self.len).contains(&end));
        // SAFETY: the input has `len` bytes.
        unsafe { Xmm::load(self.token, self.input.add(end - 16)) }
    }

    /// Stores vector `i` of the output.
    #[inline(always)]
    pub(super) fn store<V: Vector>(&mut self, i: usize, vector: V) {
        let start = i * V::BYTES;
        let pointer = self.output.wrapping_add(start);
        if start + V::BYTES <= WHOLE || start + V::BYTES <= self.len {
            // SAFETY: the output has `WHOLE` bytes at least and `len` in all, so those up to the vector's end are there.
            unsafe { vector.store(pointer) }
        } else if start < self.len {
            // SAFETY: the output has `len` bytes, and this stores no others.
            unsafe { vector.store_part(pointer, self.len - start) }
        }
    }
}

/// Each block by itself.
impl<const WHOLE: usize> Io for Area<'_, WHOLE> {
    #[inline(always)]
    fn load<V: Vector>(&self, i: usize) -> V {
        self.load(i)
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, i: usize, vector: V) {
        self.store(i, vector);
    }
}

impl<'a> Mode<'a> for Area<'a, 0> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn part(&mut self, n: usize) -> impl Io {
        self.part(n)
    }
}
