//! AVX2 and the SM4 instructions, which do four rounds of one block or two, or four steps of the key schedule.
//!
//! The kernel is generic over the two instructions, so that its tests run it over a model of them on machines that have none.

#![allow(unsafe_code)]

mod ctr;
mod instructions;
mod kernel;
#[cfg(test)]
mod tests;

use crate::backends::Kernel;
use crate::schedule::RoundKeys;
use cipher::{BlockCipherDecClosure, BlockCipherEncClosure, InOutBuf, array::Array, consts::U16};
use kernel::{Direction, Reversed};
use shangmi_cpu::Sm4Ni;

impl Kernel for Sm4Ni {
    fn expand(self, key: &[u8; 16]) -> RoundKeys {
        #[target_feature(enable = "avx2,sm4")]
        fn call(token: Sm4Ni, key: &[u8; 16]) -> RoundKeys {
            kernel::expand(token, key)
        }
        // SAFETY: the token proves the features.
        unsafe { call(self, key) }
    }

    #[inline]
    fn encrypt_with(self, keys: &RoundKeys, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        #[target_feature(enable = "avx2,sm4")]
        fn call(token: Sm4Ni, keys: &RoundKeys, f: impl BlockCipherEncClosure<BlockSize = U16>) {
            f.call(&Direction::new(token, keys));
        }
        // SAFETY: the token proves the features.
        unsafe { call(self, keys, f) }
    }

    #[inline]
    fn decrypt_with(self, keys: &RoundKeys, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        #[target_feature(enable = "avx2,sm4")]
        fn call(token: Sm4Ni, keys: &RoundKeys, f: impl BlockCipherDecClosure<BlockSize = U16>) {
            f.call(&Direction::new(token, &Reversed::new(keys).0));
        }
        // SAFETY: the token proves the features.
        unsafe { call(self, keys, f) }
    }

    fn ctr32(
        self,
        keys: &RoundKeys,
        prefix: [u32; 3],
        counter: u32,
        data: InOutBuf<'_, '_, u8>,
    ) -> Array<u8, U16> {
        #[target_feature(enable = "avx2,sm4")]
        fn call(
            token: Sm4Ni,
            keys: &RoundKeys,
            prefix: [u32; 3],
            counter: u32,
            data: InOutBuf<'_, '_, u8>,
        ) -> Array<u8, U16> {
            ctr::apply(token, keys, prefix, counter, data)
        }
        // SAFETY: the token proves the features.
        unsafe { call(self, keys, prefix, counter, data) }
    }
}
