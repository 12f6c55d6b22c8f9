//! Portable, constant-time: 16 blocks bitsliced in `u64` words.
//!
//! The state is 32 planes of 64 bits: plane `(w, i)` holds bit `i` of each byte of word `w`, byte `j`
//! (0 the most significant) of block `b` at bit `16·j + b`. A rotation of the words by whole bytes is
//! then a rotation of the planes by 16 bits a byte, and one by two bits renames planes.
//! Fewer than 16 blocks cost the same pass.

use super::Kernel;
use crate::sbox::circuit;
use crate::schedule::{self, RoundKeys};
use crate::wiped::Wiped;
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockSizeUser, InOut, InOutBuf, ParBlocks, ParBlocksSizeUser,
    array::Array,
    consts::{U16, U256},
    typenum::Unsigned,
};
use core::{array, slice};

/// Blocks in one pass.
type Lanes = U16;
const LANES: usize = Lanes::USIZE;

/// One bit of each byte of the four-byte words of all blocks.
type Plane = u64;

/// The eight planes of one word.
type Word = [Plane; 8];

/// One bit in each of the four bytes.
const EACH_BYTE: Plane = 0x0001_0001_0001_0001;

/// All blocks of one byte.
const ALL_BLOCKS: Plane = 0xffff;

/// The proof that the machine can run this kernel: every machine can.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Kernel for Portable {
    fn expand(self, key: &[u8; 16]) -> RoundKeys {
        schedule::fold(schedule::expand(key))
    }

    #[inline]
    fn encrypt_with(self, keys: &RoundKeys, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        f.call(&Soft::encryptor(keys));
    }

    #[inline]
    fn decrypt_with(self, keys: &RoundKeys, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        f.call(&Soft::decryptor(keys));
    }

    fn ctr32(
        self,
        keys: &RoundKeys,
        prefix: [u32; 3],
        mut counter: u32,
        data: InOutBuf<'_, '_, u8>,
    ) -> Array<u8, U16> {
        let cipher = Soft::encryptor(keys);
        let (batches, mut tail) = data.into_chunks::<U256>();
        for mut batch in batches {
            let keystream = untranspose(&cipher.rounds(counters(prefix, counter)));
            let text = xor(&batch.get_in().0, keystream);
            *batch.get_out() = Array(text);
            counter = counter.wrapping_add(LANES as u32);
        }
        let n = tail.len();
        let mut rest = Block::<Soft>::default();
        if n != 0 {
            let words = untranspose(&cipher.rounds(counters(prefix, counter)));
            let mut keystream = Wiped::<Lanes>::default();
            let keystream = keystream.0.as_flattened_mut();
            for (bytes, word) in keystream.as_chunks_mut().0.iter_mut().zip(words) {
                *bytes = word.to_le_bytes();
            }
            tail.xor_in2out(&keystream[..n]);
            if n % 16 != 0 {
                rest[n % 16..].copy_from_slice(&keystream[n..n.next_multiple_of(16)]);
            }
        }
        rest
    }
}

/// Round keys (prepared by [`crate::schedule::fold`]) as planes, for the time of one call: in a key they
/// would take 2 KiB for the eighth that they save a pass.
pub(crate) struct Soft([Word; 32]);

impl Soft {
    pub(crate) fn encryptor(keys: &RoundKeys) -> Self {
        Self(array::from_fn(|i| broadcast(keys[i])))
    }

    pub(crate) fn decryptor(keys: &RoundKeys) -> Self {
        Self(array::from_fn(|i| broadcast(keys[31 - i])))
    }

    /// All 16 blocks of a batch.
    fn batch(&self, mut blocks: InOut<'_, '_, ParBlocks<Self>>) {
        let state = transpose(Array::cast_slice_to_core(blocks.get_in()));
        let state = self.rounds(state);
        store_all(&state, Array::cast_slice_to_core_mut(blocks.get_out()));
    }

    /// A tail of fewer blocks.
    fn tail(&self, mut blocks: InOutBuf<'_, '_, Block<Self>>) {
        assert!(blocks.len() < LANES, "a tail has fewer blocks than a batch");
        if !blocks.is_empty() {
            let state = load(Array::cast_slice_to_core(blocks.get_in()));
            let state = self.rounds(state);
            store(&state, Array::cast_slice_to_core_mut(blocks.get_out()));
        }
    }

    fn block(&self, mut block: InOut<'_, '_, Block<Self>>) {
        let state = load(&[block.get_in().0]);
        let state = self.rounds(state);
        store(&state, slice::from_mut(&mut block.get_out().0));
    }

    /// The 32 rounds and the reversal of the words.
    #[inline(never)]
    fn rounds(&self, state: [Word; 4]) -> [Word; 4] {
        let [mut a, mut b, mut c, mut d] = state;
        for keys in self.0.as_chunks::<4>().0 {
            round(&mut a, &b, &c, &d, &keys[0]);
            round(&mut b, &c, &d, &a, &keys[1]);
            round(&mut c, &d, &a, &b, &keys[2]);
            round(&mut d, &a, &b, &c, &keys[3]);
        }
        [d, c, b, a]
    }
}

impl Drop for Soft {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        cipher::zeroize::Zeroize::zeroize(self.0.as_flattened_mut());
    }
}

impl BlockSizeUser for Soft {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for Soft {
    type ParBlocksSize = Lanes;
}

impl BlockCipherEncBackend for Soft {
    fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.block(block);
    }

    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.batch(blocks);
    }

    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        self.tail(blocks);
    }
}

impl BlockCipherDecBackend for Soft {
    fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.block(block);
    }

    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.batch(blocks);
    }

    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        self.tail(blocks);
    }
}

/// XORs 16 blocks with the same in words.
fn xor(text: &[u8; 16 * LANES], keystream: [u64; 32]) -> [u8; 16 * LANES] {
    let mut out = [0; 16 * LANES];
    let words = text.as_chunks::<8>().0.iter().zip(keystream);
    for (out, (text, word)) in out.as_chunks_mut::<8>().0.iter_mut().zip(words) {
        *out = (u64::from_le_bytes(*text) ^ word).to_le_bytes();
    }
    out
}

/// One round: `x0 ^= L(S(x1 ^ x2 ^ x3 ^ key))`, but for the S-box's constants.
#[inline(always)]
fn round(x0: &mut Word, x1: &Word, x2: &Word, x3: &Word, key: &Word) {
    let mut t = [0; 8];
    for i in 0..8 {
        t[i] = x1[i] ^ x2[i] ^ x3[i] ^ key[i];
    }
    let s = circuit(t);

    // L(s) = s ^ s<<<2 ^ s<<<10 ^ s<<<18 ^ s<<<24: each plane goes to the planes `i` (by itself and
    // turned by three bytes) and `i + 2` (turned by none, one and two bytes).
    for i in 0..8 {
        let one = s[i] ^ s[i].rotate_right(16);
        let sum = one ^ s[i].rotate_right(32);
        x0[i] ^= one.rotate_right(48);
        x0[(i + 2) % 8] ^= if i < 6 { sum } else { sum.rotate_right(16) };
    }
}

/// The planes of a word that is the same in all blocks.
#[inline(always)]
fn broadcast(word: u32) -> Word {
    let x = spread(word.to_be_bytes());
    array::from_fn(|i| (x >> i & EACH_BYTE) * ALL_BLOCKS)
}

/// Moves the four bytes of a word 16 bits apart, the first one lowest.
#[inline(always)]
fn spread(bytes: [u8; 4]) -> u64 {
    let x = u64::from(u32::from_le_bytes(bytes));
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    (x | x << 8) & 0x00ff_00ff_00ff_00ff
}

/// The inverse of [`spread`].
#[inline(always)]
fn gather(x: u64) -> [u8; 4] {
    let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    let x = x | x >> 16;
    (x as u32).to_le_bytes()
}

/// The planes of 16 counter blocks.
fn counters(prefix: [u32; 3], counter: u32) -> [Word; 4] {
    // Bit `i` of 0, 1, .., 15, one bit a block.
    const DIGITS: [u16; 4] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];

    // All but the last four bits take one value up to some block and the next one from there.
    let low = counter % LANES as u32;
    let before = EACH_BYTE * u64::from(u16::MAX >> low);
    let high = broadcast(counter - low);
    let next = broadcast((counter - low).wrapping_add(LANES as u32));
    let mut last: Word = array::from_fn(|i| high[i] & before | next[i] & !before);
    for (plane, digits) in last.iter_mut().zip(DIGITS) {
        *plane |= u64::from(digits.rotate_right(low)) << 48;
    }
    let [a, b, c] = prefix.map(broadcast);
    [a, b, c, last]
}

/// Up to so many blocks, it is faster to pick the bits of each than to transpose them all.
const FEW: usize = 2;

/// Transposes up to 16 blocks into planes; the blocks that are missing are zero.
fn load(blocks: &[[u8; 16]]) -> [Word; 4] {
    if blocks.len() <= FEW {
        load_few(blocks)
    } else {
        transpose(blocks)
    }
}

fn load_few(blocks: &[[u8; 16]]) -> [Word; 4] {
    let mut state = [[0; 8]; 4];
    for (b, block) in blocks.iter().enumerate() {
        for (word, bytes) in state.iter_mut().zip(block.as_chunks::<4>().0) {
            let x = spread(*bytes);
            for (i, plane) in word.iter_mut().enumerate() {
                *plane |= (x >> i & EACH_BYTE) << b;
            }
        }
    }
    state
}

fn transpose(blocks: &[[u8; 16]]) -> [Word; 4] {
    let mut x = [0; 32];
    for (x, block) in x.chunks_exact_mut(2).zip(blocks) {
        for (x, half) in x.iter_mut().zip(block.as_chunks::<8>().0) {
            *x = u64::from_le_bytes(*half);
        }
    }
    for (n, mask, distance) in STAGES {
        exchange(&mut x, n, mask, distance);
    }
    array::from_fn(|w| array::from_fn(|i| x[plane(w, i)]))
}

/// The inverse of [`load`].
fn store(state: &[Word; 4], blocks: &mut [[u8; 16]]) {
    if blocks.len() <= FEW {
        store_few(state, blocks);
    } else {
        store_all(state, blocks);
    }
}

/// The inverse of [`transpose`].
fn store_all(state: &[Word; 4], blocks: &mut [[u8; 16]]) {
    let x = untranspose(state);
    for (x, block) in x.chunks_exact(2).zip(blocks) {
        for (x, half) in x.iter().zip(block.as_chunks_mut::<8>().0) {
            *half = x.to_le_bytes();
        }
    }
}

fn store_few(state: &[Word; 4], blocks: &mut [[u8; 16]]) {
    for (b, block) in blocks.iter_mut().enumerate() {
        for (word, bytes) in state.iter().zip(block.as_chunks_mut::<4>().0) {
            let planes = word.iter().enumerate();
            *bytes = gather(planes.fold(0, |x, (i, plane)| x | (plane >> b & EACH_BYTE) << i));
        }
    }
}

/// The 16 blocks of the planes, two little-endian words a block.
fn untranspose(state: &[Word; 4]) -> [u64; 32] {
    let mut x = [0; 32];
    for (w, word) in state.iter().enumerate() {
        for (i, value) in word.iter().enumerate() {
            x[plane(w, i)] = *value;
        }
    }
    for (n, mask, distance) in STAGES.into_iter().rev() {
        exchange(&mut x, n, mask, distance);
    }
    x
}

/// Where [`STAGES`] leave plane `i` of word `w`.
#[inline(always)]
const fn plane(w: usize, i: usize) -> usize {
    w / 2 + 2 * i + 16 * (w % 2)
}

/// The transposition of 32 words of 64 bits, as exchanges of one bit of the position in a word
/// against one bit of the number of the word: shift, mask, distance. At first the number is
/// (block: 4 bits, half: 1) and the position (word: 1, byte: 2, bit: 3); at last they are
/// (word: 1, bit: 3, half: 1) and (byte: 2, block: 4).
const STAGES: [(u32, u64, usize); 6] = [
    (1, 0x5555_5555_5555_5555, 2),
    (2, 0x3333_3333_3333_3333, 4),
    (4, 0x0f0f_0f0f_0f0f_0f0f, 8),
    (8, 0x00ff_00ff_00ff_00ff, 16),
    (16, 0x0000_ffff_0000_ffff, 16),
    (32, 0x0000_0000_ffff_ffff, 16),
];

/// Exchanges the bits outside of `mask` in each first word of a pair with those inside of it in the
/// second, `n` bits lower.
#[inline(always)]
fn exchange(x: &mut [u64; 32], n: u32, mask: u64, distance: usize) {
    for pair in x.chunks_exact_mut(2 * distance) {
        let (first, second) = pair.split_at_mut(distance);
        for (a, b) in first.iter_mut().zip(second) {
            let t = (*a >> n ^ *b) & mask;
            *b ^= t;
            *a ^= t << n;
        }
    }
}
