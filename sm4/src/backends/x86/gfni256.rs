//! AVX2 and GFNI, without AVX-512: 16 registers of 256 bits, in VEX encoding.
//!
//! The state is kept in AES's field, where one instruction is the S-box and a term of the linear map at once; see
//! [`field`][super::field]. Up to 32 blocks are word-sliced; more are byte-sliced, up to 128 in one pass.

#![allow(unsafe_code)]

mod area;
mod bytes;
mod ctr;
mod feedback;
mod vector;
mod words;

use super::gfni_schedule;
use crate::backends::Kernel;
use crate::feedback::by_closure::{CbcDecrypt, CfbDecrypt};
use crate::schedule::RoundKeys;
use area::Area;
use bytes::{BATCH, BATCHES, Io, Room, State, Table};
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockSizeUser, InOut, InOutBuf, ParBlocks, ParBlocksSizeUser,
    array::{Array, ArraySize},
    consts::{U16, U32, U128},
};
use core::marker::PhantomData;
use shangmi_cpu::Avx2Gfni;
use vector::{Xmm, Ymm};

/// Blocks that a closure gets at once, and one of this crate's own.
type Lanes = U32;
type WideLanes = U128;

/// Up to so many blocks are word-sliced.
const FEW: usize = 32;

impl Kernel for Avx2Gfni {
    fn expand(self, key: &[u8; 16]) -> RoundKeys {
        // SAFETY: the token proves the features.
        unsafe { gfni_schedule::expand(key) }
    }

    #[inline]
    fn encrypt_with(self, keys: &RoundKeys, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        #[target_feature(enable = "avx2,gfni")]
        fn call(backend: &Gfni256<'_, Lanes>, f: impl BlockCipherEncClosure<BlockSize = U16>) {
            f.call(backend);
        }
        // SAFETY: the token proves the features.
        unsafe { call(&Gfni256::new(self, keys), f) }
    }

    #[inline]
    fn decrypt_with(self, keys: &RoundKeys, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        #[target_feature(enable = "avx2,gfni")]
        fn call(token: Avx2Gfni, keys: &RoundKeys, f: impl BlockCipherDecClosure<BlockSize = U16>) {
            let keys = Reversed::new(token, keys);
            f.call(&Gfni256::<Lanes>::new(token, &keys.0));
        }
        // SAFETY: the token proves the features.
        unsafe { call(self, keys, f) }
    }

    #[inline]
    fn encrypt_wide_with(self, keys: &RoundKeys, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        #[target_feature(enable = "avx2,gfni")]
        fn call(backend: &Gfni256<'_, WideLanes>, f: impl BlockCipherEncClosure<BlockSize = U16>) {
            f.call(backend);
        }
        // SAFETY: the token proves the features.
        unsafe { call(&Gfni256::new(self, keys), f) }
    }

    #[inline]
    fn decrypt_wide_with(self, keys: &RoundKeys, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        #[target_feature(enable = "avx2,gfni")]
        fn call(token: Avx2Gfni, keys: &RoundKeys, f: impl BlockCipherDecClosure<BlockSize = U16>) {
            let keys = Reversed::new(token, keys);
            f.call(&Gfni256::<WideLanes>::new(token, &keys.0));
        }
        // SAFETY: the token proves the features.
        unsafe { call(self, keys, f) }
    }

    fn ecb_encrypt(self, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
        Gfni256::<WideLanes>::new(self, keys).blocks(blocks);
    }

    fn ecb_decrypt(self, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
        let keys = Reversed::new(self, keys);
        Gfni256::<WideLanes>::new(self, &keys.0).blocks(blocks);
    }

    fn ctr32(
        self,
        keys: &RoundKeys,
        prefix: [u32; 3],
        counter: u32,
        data: InOutBuf<'_, '_, u8>,
    ) -> Array<u8, U16> {
        #[target_feature(enable = "avx2,gfni")]
        fn call(
            token: Avx2Gfni,
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

    fn cbc_decrypt(
        self,
        keys: &RoundKeys,
        iv: &mut Array<u8, U16>,
        blocks: InOutBuf<'_, '_, Array<u8, U16>>,
    ) {
        let long = feedback::long(blocks.len());
        let (blocks, rest) = blocks.split_at(long);
        if long != 0 {
            // SAFETY: the token proves the features.
            unsafe { feedback::cbc_decrypt(self, keys, iv, blocks) }
        }
        if !rest.is_empty() {
            self.decrypt_wide_with(keys, CbcDecrypt { iv, blocks: rest });
        }
    }

    fn cfb_decrypt(
        self,
        keys: &RoundKeys,
        iv: &mut Array<u8, U16>,
        data: InOutBuf<'_, '_, u8>,
        next: Option<&mut Array<u8, U16>>,
    ) {
        let long = feedback::long(data.len() / 16);
        let (blocks, data) = data.split_at(16 * long);
        if long != 0 {
            // SAFETY: the token proves the features.
            unsafe { feedback::cfb_decrypt(self, keys, iv, blocks.into_chunks().0) }
        }
        if !data.is_empty() || next.is_some() {
            self.encrypt_wide_with(keys, CfbDecrypt { iv, data, next });
        }
    }
}

/// The round keys in the order of decryption.
struct Reversed(RoundKeys);

impl Reversed {
    #[inline(always)]
    fn new(_: Avx2Gfni, keys: &RoundKeys) -> Self {
        let mut keys = *keys;
        keys.reverse();
        Self(keys)
    }
}

impl Drop for Reversed {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        cipher::zeroize::Zeroize::zeroize(&mut self.0);
    }
}

/// The kernel in one direction, with batches of `L` blocks.
struct Gfni256<'a, L> {
    token: Avx2Gfni,
    keys: &'a RoundKeys,
    lanes: PhantomData<L>,
}

impl<'a, L> Gfni256<'a, L> {
    #[inline(always)]
    fn new(token: Avx2Gfni, keys: &'a RoundKeys) -> Self {
        Self {
            token,
            keys,
            lanes: PhantomData,
        }
    }

    #[inline(always)]
    fn block(&self, block: InOut<'_, '_, Block<Self>>) {
        let area = Area::single(self.token, block);
        words::single(self.token, self.keys, &area);
    }

    #[inline(always)]
    fn blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        let mut area = Area::new(self.token, blocks);
        if area.blocks() > FEW {
            // SAFETY: the token proves the features.
            unsafe { many(self.token, self.keys, &mut area) }
        }
        // SAFETY: the token proves the features.
        unsafe { few(self.token, self.keys, area) }
    }
}

/// Leaves no more blocks than [`FEW`].
#[inline(never)]
#[target_feature(enable = "avx2,gfni")]
fn many(token: Avx2Gfni, keys: &RoundKeys, area: &mut Area<'_>) {
    let table = Table::new(token, keys);
    let mut room = Room::new();
    while area.blocks() > FEW {
        let part = area.part(BATCH * BATCHES);
        bytes::pass(&table, &mut room, part.blocks().div_ceil(BATCH), &part);
    }
}

impl Io for Area<'_> {
    #[inline(always)]
    fn enter(&self, batch: usize) -> State {
        bytes::enter(&self.batch(batch))
    }

    #[inline(always)]
    fn leave(&self, batch: usize, pair: usize, blocks: Ymm) {
        self.batch(batch).store(pair, blocks);
    }
}

/// Up to [`FEW`] blocks.
#[inline(never)]
#[target_feature(enable = "avx2,gfni")]
fn few(token: Avx2Gfni, keys: &RoundKeys, area: Area<'_>) {
    match area.blocks() {
        0 => {}
        1 => words::single(token, keys, &area),
        2..=4 => words::pass::<Xmm, 1>(token, keys, &area),
        5..=8 => words::pass::<Ymm, 1>(token, keys, &area),
        9..=16 => words::pass::<Ymm, 2>(token, keys, &area),
        17..=24 => words::pass::<Ymm, 3>(token, keys, &area),
        _ => words::pass::<Ymm, 4>(token, keys, &area),
    }
}

impl<L> BlockSizeUser for Gfni256<'_, L> {
    type BlockSize = U16;
}

impl<L: ArraySize> ParBlocksSizeUser for Gfni256<'_, L> {
    type ParBlocksSize = L;
}

impl<L: ArraySize> BlockCipherEncBackend for Gfni256<'_, L> {
    #[inline(always)]
    fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.block(block);
    }

    #[inline(always)]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.blocks(blocks.into_buf());
    }

    #[inline(always)]
    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        assert!(
            blocks.len() < L::USIZE,
            "a tail has fewer blocks than a batch"
        );
        self.blocks(blocks);
    }
}

impl<L: ArraySize> BlockCipherDecBackend for Gfni256<'_, L> {
    #[inline(always)]
    fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.block(block);
    }

    #[inline(always)]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.blocks(blocks.into_buf());
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        assert!(
            blocks.len() < L::USIZE,
            "a tail has fewer blocks than a batch"
        );
        self.blocks(blocks);
    }
}
