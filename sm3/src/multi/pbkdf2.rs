//! PBKDF2 of many passwords, and of many blocks of output.

use super::{Backend, backend::with_kernel, hmac::Keyed, lane::bytes_of_digest};
use crate::backends::lanes::{Kernel, States};
use core::num::NonZero;
use digest::{Digest, common::InvalidLength};

/// Derives many keys with PBKDF2-HMAC-SM3 (RFC 8018, 5.2), all with one number of iterations.
///
/// A lane computes one block of 32 bytes: there is something to gain from many passwords, and from one password if more
/// than 32 bytes are wanted of it.
#[derive(Clone, Copy, Debug)]
pub struct ManyPbkdf2 {
    iterations: NonZero<u32>,
    backend: Backend,
}

impl ManyPbkdf2 {
    /// With `iterations` (RFC 8018's c), and the fastest backend.
    #[inline]
    #[must_use]
    pub fn new(iterations: NonZero<u32>) -> Self {
        Self::with_backend(iterations, Backend::detect())
    }

    /// With `iterations` and `backend`.
    #[inline]
    #[must_use]
    pub const fn with_backend(iterations: NonZero<u32>, backend: Backend) -> Self {
        Self {
            iterations,
            backend,
        }
    }

    /// Fills the output of every triple of a password, a salt and an output, each of any length.
    ///
    /// # Errors
    /// [`InvalidLength`] for an output of more than (2<sup>32</sup> - 1) · 32 bytes, which RFC 8018 forbids. It is left
    /// as it was, as are those behind it; those before it are filled.
    pub fn derive_each<'a, P, S, I>(&self, inputs: I) -> Result<(), InvalidLength>
    where
        P: AsRef<[u8]>,
        S: AsRef<[u8]>,
        I: IntoIterator<Item = (P, S, &'a mut [u8])>,
    {
        let (times, inputs) = (self.iterations.get() - 1, inputs.into_iter());
        let result = with_kernel!(self.backend, kernel => derive(kernel, times, inputs));
        #[cfg(feature = "zeroize")]
        super::backend::wipe_stack();
        result
    }
}

/// Blocks of output in lanes.
struct Chains<'a, const L: usize> {
    inner: States<L>,
    outer: States<L>,
    /// The last HMAC.
    u: States<L>,
    /// Where the blocks go. The first `busy` lanes have one.
    outputs: [&'a mut [u8]; L],
    busy: usize,
    /// Iterations after the first.
    times: u32,
}

impl<'a, const L: usize> Chains<'a, L> {
    /// Gives the next lane the block that begins with `u`.
    fn begin(&mut self, keyed: &Keyed, u: &[u32; 8], output: &'a mut [u8]) {
        self.inner.set(self.busy, &keyed.inner.core.state);
        self.outer.set(self.busy, &keyed.outer.core.state);
        self.u.set(self.busy, u);
        self.outputs[self.busy] = output;
        self.busy += 1;
    }

    /// Computes the blocks and writes them.
    fn finish(&mut self, kernel: impl Kernel<L>) {
        let mut sum = self.u.clone();
        kernel.chain(&self.inner, &self.outer, &mut self.u, &mut sum, self.times);
        for i in 0..self.busy {
            self.write(i, &sum.get(i));
        }
        self.busy = 0;
    }

    /// As [`Self::finish`], one block after the other.
    fn finish_each(&mut self) {
        for i in 0..self.busy {
            let alone = |states: &States<L>| States::<1>::of(&states.get(i));
            let (mut u, mut sum) = (alone(&self.u), alone(&self.u));
            let (inner, outer) = (alone(&self.inner), alone(&self.outer));
            crate::Backend::detect().chain(&inner, &outer, &mut u, &mut sum, self.times);
            self.write(i, &sum.get(0));
        }
        self.busy = 0;
    }

    fn write(&mut self, i: usize, block: &[u32; 8]) {
        let bytes = bytes_of_digest(block);
        let output = &mut *self.outputs[i];
        output.copy_from_slice(&bytes[..output.len()]);
    }
}

/// Whether so many bytes of output are allowed: the number of a block has 32 bits.
fn check_len(len: usize) -> Result<(), InvalidLength> {
    match u32::try_from(len.div_ceil(32)) {
        Ok(_) => Ok(()),
        Err(_) => Err(InvalidLength),
    }
}

#[inline(never)]
fn derive<'a, const L: usize, K: Kernel<L>>(
    kernel: K,
    times: u32,
    inputs: impl Iterator<Item = (impl AsRef<[u8]>, impl AsRef<[u8]>, &'a mut [u8])>,
) -> Result<(), InvalidLength> {
    let mut chains = Chains::<L> {
        inner: States::ZERO,
        outer: States::ZERO,
        u: States::ZERO,
        outputs: core::array::from_fn(|_| Default::default()),
        busy: 0,
        times,
    };
    let mut result = Ok(());
    for (password, salt, output) in inputs {
        result = check_len(output.len());
        if result.is_err() {
            break;
        }
        let keyed = Keyed::new(password.as_ref());
        let salted = keyed.inner.clone().chain_update(salt.as_ref());
        for (number, output) in (1..=u32::MAX).zip(output.chunks_mut(32)) {
            let digest = salted.clone().chain_update(number.to_be_bytes()).finalize();
            let u = keyed.outer.clone().chain_update(digest).finalize();
            let (words, _) = u.as_slice().as_chunks();
            let words = core::array::from_fn(|i| u32::from_be_bytes(words[i]));
            chains.begin(&keyed, &words, output);
            if chains.busy == L {
                chains.finish(kernel);
            }
        }
    }
    if chains.busy <= K::FEW {
        chains.finish_each();
    } else {
        chains.finish(kernel);
    }
    result
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::check_len;

    /// RFC 8018, 5.2, step 1.
    #[test]
    fn output_length_at_its_limit() {
        let limit = ((1 << 32) - 1) * 32;
        for len in [0, 1, 32, limit - 1, limit] {
            assert!(check_len(len).is_ok(), "{len}");
        }
        for len in [limit + 1, limit + 32, usize::MAX] {
            assert!(check_len(len).is_err(), "{len}");
        }
    }
}
