//! Round keys in the form of each shape, and the key schedule.

use super::super::field::U;
use super::super::schedule::{CK, CONSTANT, FK, TERMS};
use super::vector::{Vector, Xmm, Ymm, Zmm};
use crate::schedule::RoundKeys;
use core::marker::PhantomData;
use shangmi_cpu::Avx512Gfni;

/// The round keys in the order in which one direction takes them.
#[derive(Clone, Copy)]
pub(super) struct Keys<'a> {
    pub(super) token: Avx512Gfni,
    first: *const u32,
    step: isize,
    keys: PhantomData<&'a RoundKeys>,
}

impl<'a> Keys<'a> {
    #[inline(always)]
    pub(super) fn encryption(token: Avx512Gfni, keys: &'a RoundKeys) -> Self {
        Self {
            token,
            first: keys.as_ptr(),
            step: 1,
            keys: PhantomData,
        }
    }

    #[inline(always)]
    pub(super) fn decryption(token: Avx512Gfni, keys: &'a RoundKeys) -> Self {
        Self {
            token,
            first: keys.as_ptr().wrapping_add(31),
            step: -1,
            keys: PhantomData,
        }
    }

    /// The key of round `i`, modulo 32, in each word.
    #[inline(always)]
    pub(super) fn broadcast<T: Vector>(self, i: usize) -> T {
        let offset = (i % 32) as isize * self.step;
        // SAFETY: `first` and `step` lead through all 32 keys of an array in one direction.
        unsafe { T::broadcast(self.token, self.first.offset(offset)) }
    }

    /// The key of round `i`, as it lies in memory.
    #[inline(always)]
    pub(super) fn word(self, i: usize) -> u32 {
        assert!(i < 32);
        // SAFETY: `first` and `step` lead through all 32 keys of an array in one direction.
        unsafe { *self.first.offset(i as isize * self.step) }
    }

    /// Each byte of each key four times: `[i / 4][i % 4][j]` holds byte `j` of the key of round `i`.
    #[inline(always)]
    pub(super) fn spread(self) -> [Zmm; 8] {
        let backwards = self.step < 0;
        let mut keys = [Zmm::zero(self.token); 8];
        for (i, key) in keys.iter_mut().enumerate() {
            let pointer = if backwards {
                self.first.wrapping_sub(4 * i + 3)
            } else {
                self.first.wrapping_add(4 * i)
            };
            // SAFETY: these are four of the 32 keys, from the one that lies first.
            *key = unsafe { Zmm::spread(self.token, pointer.cast(), backwards) };
        }
        keys
    }
}

/// Expands a key. A round key is `U·rk + u` in each byte, the sum that the inversion in a round takes, and lies in memory
/// like a word of a block.
///
/// The sum of three such words has `u` once, so the schedule computes them from each other.
#[inline(always)]
pub(super) fn expand(token: Avx512Gfni, key: &[u8; 16]) -> RoundKeys {
    let key = Xmm::block(token, *key).map(U).xor(Xmm::block(token, FK));
    // In vectors of two blocks, whose instructions have a shorter latency.
    let mut k = [
        key.wide(),
        key.word::<1>().wide(),
        key.word::<2>().wide(),
        key.word::<3>().wide(),
    ];
    let ck = |i: usize| {
        // SAFETY: this is the address of a word.
        unsafe { Ymm::broadcast(token, &raw const CK[i % 32]) }
    };
    let opposite = Ymm::turn(token, 2);
    let mut t = k[1].xor3(k[2], ck(0)).xor(k[3]);
    let mut round_keys = [0; 32];
    for i in (0..32).step_by(4) {
        for r in 0..4 {
            let (k0, k2, k3) = (k[r], k[(r + 2) % 4], k[(r + 3) % 4]);
            let own = k0.xor(t.map_inverse::<CONSTANT>(TERMS[0]));
            let turned = t.map_inverse::<0>(TERMS[1]).turn_1().xor3(
                t.map_inverse::<0>(TERMS[2]).turn_by(opposite),
                t.map_inverse::<0>(TERMS[3]).turn_3(),
            );
            t = k2.xor3(k3, ck(i + r + 1)).xor3(own, turned);
            k[r] = own.xor(turned);
            round_keys[i + r] = k[r].low().first_word();
        }
    }
    round_keys
}
