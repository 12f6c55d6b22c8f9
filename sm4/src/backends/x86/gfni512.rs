//! AVX-512 and GFNI: SM4's S-box by the inversion in AES's field, which is one instruction.
//!
//! - Round: the state stays in AES's field, so that a round has no map of its own but those behind the inversion.
//!   [`wide`] has bytes apart in vectors of 64 blocks, [`narrow`] words in vectors of 4 to 16 blocks, or of one.
//! - Load and transpose: in the shapes. [`ctr`] makes counters in their form instead.
//! - Blocks in flight: 128 where there are more than 64, else 64, 48, 32, 16 or 8 at once, or one.
//! - Tail: the smallest of these, once; what is not there is neither loaded nor stored. More than 64 blocks of a tail take the
//!   pass of 128, and up to 64 that of 64, at about 1010 and 700 cycles; 48, 32, 16 and 8 take 555, 420, 330 and 315.

#![allow(unsafe_code)]

mod ccm;
mod ccm_ahead;
mod ccm_lanes;
mod ccm_wide;
mod ctr;
mod feedback;
mod io;
mod keys;
mod lanes;
mod masked;
mod narrow;
mod vector;
mod wide;
mod xex;

use crate::backends::Kernel;
use crate::ccm::{Lane, Message};
use crate::ctr::Expected;
use crate::feedback::Chaining;
use crate::schedule::RoundKeys;
use crate::xex::{Masks, Order};
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockSizeUser, InOut, InOutBuf, ParBlocks, ParBlocksSizeUser,
    array::Array,
    consts::{U16, U32},
    typenum::Unsigned,
};
use io::{Area, Mode};
use keys::Keys;
use shangmi_cpu::Avx512Gfni;
use vector::{Ymm, Zmm};

/// Blocks that a closure gets at once. What most closures leave behind the last of so many takes a pass a block.
type Lanes = U32;

impl Kernel for Avx512Gfni {
    fn expand(self, key: &[u8; 16]) -> RoundKeys {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
        fn call(token: Avx512Gfni, key: &[u8; 16]) -> RoundKeys {
            keys::expand(token, key)
        }
        // SAFETY: the token proves the features.
        unsafe { call(self, key) }
    }

    #[inline]
    fn encrypt_with(self, keys: &RoundKeys, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
        fn call(backend: &Gfni512<'_>, f: impl BlockCipherEncClosure<BlockSize = U16>) {
            f.call(backend);
        }
        // SAFETY: the token proves the features.
        unsafe { call(&Gfni512(Keys::encryption(self, keys)), f) }
    }

    #[inline]
    fn decrypt_with(self, keys: &RoundKeys, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
        fn call(backend: &Gfni512<'_>, f: impl BlockCipherDecClosure<BlockSize = U16>) {
            f.call(backend);
        }
        // SAFETY: the token proves the features.
        unsafe { call(&Gfni512(Keys::decryption(self, keys)), f) }
    }

    fn ecb_encrypt(self, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
        Gfni512(Keys::encryption(self, keys)).blocks(blocks);
    }

    fn ecb_decrypt(self, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
        Gfni512(Keys::decryption(self, keys)).blocks(blocks);
    }

    fn ctr32(
        self,
        keys: &RoundKeys,
        prefix: [u32; 3],
        counter: u32,
        data: InOutBuf<'_, '_, u8>,
    ) -> Array<u8, U16> {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
        fn call(
            keys: Keys<'_>,
            prefix: [u32; 3],
            counter: u32,
            data: InOutBuf<'_, '_, u8>,
        ) -> Array<u8, U16> {
            ctr::apply(keys, prefix, counter, data)
        }
        // SAFETY: the token proves the features.
        unsafe { call(Keys::encryption(self, keys), prefix, counter, data) }
    }

    fn chain<M: Chaining>(
        self,
        keys: &RoundKeys,
        iv: &mut Array<u8, U16>,
        blocks: InOutBuf<'_, '_, Array<u8, U16>>,
    ) {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
        fn call<M: Chaining>(
            keys: Keys<'_>,
            iv: &mut Array<u8, U16>,
            blocks: InOutBuf<'_, '_, Array<u8, U16>>,
        ) {
            feedback::chain::<M>(keys, iv, blocks);
        }
        // SAFETY: the token proves the features.
        unsafe { call::<M>(Keys::encryption(self, keys), iv, blocks) }
    }

    fn chain_lanes<M: Chaining>(
        self,
        keys: &RoundKeys,
        ivs: &mut [Array<u8, U16>],
        lanes: &mut [InOutBuf<'_, '_, Array<u8, U16>>],
    ) {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
        fn call<M: Chaining>(
            keys: Keys<'_>,
            ivs: &mut [Array<u8, U16>],
            lanes: &mut [InOutBuf<'_, '_, Array<u8, U16>>],
        ) {
            lanes::chain::<M>(keys, ivs, lanes);
        }
        // SAFETY: the token proves the features.
        unsafe { call::<M>(Keys::encryption(self, keys), ivs, lanes) }
    }

    fn cbc_decrypt(
        self,
        keys: &RoundKeys,
        iv: &mut Array<u8, U16>,
        blocks: InOutBuf<'_, '_, Array<u8, U16>>,
    ) {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
        fn call(keys: Keys<'_>, iv: &mut Array<u8, U16>, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
            feedback::cbc_decrypt(keys, iv, blocks);
        }
        // SAFETY: the token proves the features.
        unsafe { call(Keys::decryption(self, keys), iv, blocks) }
    }

    fn cfb_decrypt(
        self,
        keys: &RoundKeys,
        iv: &mut Array<u8, U16>,
        data: InOutBuf<'_, '_, u8>,
        next: Option<&mut Array<u8, U16>>,
    ) {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
        fn call(
            keys: Keys<'_>,
            iv: &mut Array<u8, U16>,
            data: InOutBuf<'_, '_, u8>,
            next: Option<&mut Array<u8, U16>>,
        ) {
            feedback::cfb_decrypt(keys, iv, data, next);
        }
        // SAFETY: the token proves the features.
        unsafe { call(Keys::encryption(self, keys), iv, data, next) }
    }

    fn ctr32_if(
        self,
        keys: &RoundKeys,
        prefix: [u32; 3],
        mask: u32,
        counter: u32,
        data: InOutBuf<'_, '_, u8>,
        expected: &Expected,
    ) -> Option<Array<u8, U16>> {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
        fn call(
            keys: Keys<'_>,
            prefix: [u32; 3],
            mask: u32,
            counter: u32,
            data: InOutBuf<'_, '_, u8>,
            expected: &Expected,
        ) -> Option<Array<u8, U16>> {
            masked::apply(keys, prefix, mask, counter, data, expected)
        }
        let before = data.len() - masked::end(data.len());
        let (mut data, end) = data.split_at(before);
        // What comes first is best written first, where it may be: somebody is about to read all of it.
        if expected.is_any() && before != 0 {
            self.ctr32(keys, prefix, counter, data.reborrow());
        }
        let first = counter.wrapping_add((before / 16) as u32);
        let round_keys = Keys::encryption(self, keys);
        // SAFETY: the token proves the features.
        let block = unsafe { call(round_keys, prefix, mask, first, end, expected)? };
        if !expected.is_any() && before != 0 {
            self.ctr32(keys, prefix, counter, data);
        }
        Some(block)
    }

    fn ccm<const OPEN: bool>(
        self,
        keys: &RoundKeys,
        message: Message<'_>,
        text: InOutBuf<'_, '_, u8>,
    ) -> Array<u8, U16> {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
        fn call<const OPEN: bool>(
            keys: Keys<'_>,
            message: Message<'_>,
            text: InOutBuf<'_, '_, u8>,
        ) -> Array<u8, U16> {
            ccm::apply::<OPEN>(keys, message, text)
        }
        // SAFETY: the token proves the features.
        unsafe { call::<OPEN>(Keys::encryption(self, keys), message, text) }
    }

    fn ccm_lanes<const OPEN: bool>(
        self,
        keys: &RoundKeys,
        lanes: &mut [Lane],
        texts: &mut [InOutBuf<'_, '_, Array<u8, U16>>],
    ) {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
        fn call<const OPEN: bool>(
            keys: Keys<'_>,
            lanes: &mut [Lane],
            texts: &mut [InOutBuf<'_, '_, Array<u8, U16>>],
        ) {
            ccm_lanes::apply::<OPEN>(keys, lanes, texts);
        }
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
        fn call_wide<const OPEN: bool>(
            keys: Keys<'_>,
            lanes: &mut [Lane],
            texts: &mut [InOutBuf<'_, '_, Array<u8, U16>>],
        ) {
            ccm_wide::apply::<OPEN>(keys, lanes, texts);
        }
        if lanes.len() >= ccm_wide::LEAST {
            // SAFETY: the token proves the features.
            return unsafe { call_wide::<OPEN>(Keys::encryption(self, keys), lanes, texts) };
        }
        let at_once = ccm_lanes::MOST;
        for (lanes, texts) in lanes.chunks_mut(at_once).zip(texts.chunks_mut(at_once)) {
            // SAFETY: the token proves the features.
            unsafe { call::<OPEN>(Keys::encryption(self, keys), lanes, texts) }
        }
    }

    fn xex_encrypt<O: Order>(
        self,
        keys: &RoundKeys,
        masks: &mut Masks<'_, O>,
        blocks: InOutBuf<'_, '_, Array<u8, U16>>,
    ) {
        // SAFETY: the token proves the features.
        unsafe { xex(Keys::encryption(self, keys), masks, blocks) }
    }

    fn xex_decrypt<O: Order>(
        self,
        keys: &RoundKeys,
        masks: &mut Masks<'_, O>,
        blocks: InOutBuf<'_, '_, Array<u8, U16>>,
    ) {
        // SAFETY: the token proves the features.
        unsafe { xex(Keys::decryption(self, keys), masks, blocks) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
fn xex<O: Order>(
    keys: Keys<'_>,
    masks: &mut Masks<'_, O>,
    blocks: InOutBuf<'_, '_, Array<u8, U16>>,
) {
    xex::apply(keys, masks, blocks);
}

/// The kernel in one direction.
struct Gfni512<'a>(Keys<'a>);

impl Gfni512<'_> {
    /// A batch: one pass.
    #[inline(always)]
    fn batch(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
        #[inline(never)]
        fn call(keys: Keys<'_>, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
            let mut area = Area::of_blocks(keys.token, blocks);
            narrow::pass::<Zmm, 2>(keys, &mut area.whole::<{ 16 * Lanes::USIZE }>());
        }
        // SAFETY: the token in the keys proves the features.
        unsafe { call(self.0, blocks.into_buf()) }
    }

    /// Any number of blocks.
    #[inline(always)]
    fn blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni")]
        #[inline(never)]
        fn call(keys: Keys<'_>, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
            apply(keys, Area::of_blocks(keys.token, blocks));
        }
        // SAFETY: the token in the keys proves the features.
        unsafe { call(self.0, blocks) }
    }

    #[inline(always)]
    fn block(&self, block: InOut<'_, '_, Block<Self>>) {
        let mut area = Area::of_bytes(self.0.token, block.into_buf());
        narrow::single(self.0, &mut area.whole::<16>());
    }
}

/// Takes a mode's blocks through the passes.
#[inline(always)]
fn apply<'a>(keys: Keys<'_>, mut mode: impl Mode<'a>) {
    if mode.len() > 16 * 48 {
        let table = wide::Table::new(keys);
        while mode.len() > 16 * 64 {
            wide::pass_128(&table, &mut mode.part(2048));
        }
        if mode.len() > 16 * 48 {
            wide::pass_64(&table, &mut mode.part(1024));
        }
    }
    match mode.len().div_ceil(16) {
        0 => {}
        1 => narrow::single(keys, &mut mode.part(16)),
        2..=8 => narrow::pass::<Ymm, 1>(keys, &mut mode.part(128)),
        9..=16 => narrow::pass::<Zmm, 1>(keys, &mut mode.part(256)),
        17..=32 => narrow::pass::<Zmm, 2>(keys, &mut mode.part(512)),
        _ => narrow::pass::<Zmm, 3>(keys, &mut mode.part(768)),
    }
}

impl BlockSizeUser for Gfni512<'_> {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for Gfni512<'_> {
    type ParBlocksSize = Lanes;
}

impl BlockCipherEncBackend for Gfni512<'_> {
    #[inline(always)]
    fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.block(block);
    }

    #[inline(always)]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.batch(blocks);
    }

    #[inline(always)]
    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        assert!(
            blocks.len() < Lanes::USIZE,
            "a tail has fewer blocks than a batch"
        );
        self.blocks(blocks);
    }
}

impl BlockCipherDecBackend for Gfni512<'_> {
    #[inline(always)]
    fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.block(block);
    }

    #[inline(always)]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.batch(blocks);
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        assert!(
            blocks.len() < Lanes::USIZE,
            "a tail has fewer blocks than a batch"
        );
        self.blocks(blocks);
    }
}
