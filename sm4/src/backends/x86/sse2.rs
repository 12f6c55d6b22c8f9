//! SSE2 alone, for CPUs without AES-NI: 32 blocks bitsliced in 128-bit vectors.
//!
//! The state is 32 planes: plane `(w, i)` holds bit `i` of each byte of word `w`, byte `j` (0 the most significant) of
//! block `b` at bit `b` of the vector's word `j`. A rotation by whole bytes is then a shuffle of words, and one by two
//! bits renames planes. Up to 16 blocks are left to the portable code, whose pass is shorter.

#![allow(unsafe_code)]

use crate::backends::{
    Kernel,
    soft::{Portable, Soft},
};
use crate::sbox::circuit;
use crate::schedule::RoundKeys;
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockSizeUser, InOut, InOutBuf, ParBlocks, ParBlocksSizeUser,
    array::Array,
    consts::{U16, U32, U512},
    typenum::Unsigned,
};
use core::{
    arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_setr_epi32,
        _mm_shuffle_epi32, _mm_slli_epi16, _mm_srli_epi16, _mm_storeu_si128, _mm_unpackhi_epi8,
        _mm_unpacklo_epi8, _mm_xor_si128,
    },
    array,
    cell::OnceCell,
    ops::{BitAnd, BitXor, BitXorAssign},
};
use shangmi_cpu::Sse2;

/// Blocks in one pass.
type Lanes = U32;
const LANES: usize = Lanes::USIZE;

/// Up to so many blocks are faster in the portable code.
const FEW: usize = 16;

/// One bit of each byte of the four-byte words of all blocks.
#[derive(Clone, Copy)]
struct Plane(__m128i);

/// The eight planes of one word.
type Word = [Plane; 8];

type State = [Word; 4];

/// Functions that are one intrinsic each.
macro_rules! intrinsics {
    ($($(#[$doc:meta])* fn $name:ident $([$n:ident])? ($($arg:tt $(: $type:ty)?),+) = $body:expr;)+) => {$(
        $(#[$doc])*
        #[inline(always)]
        fn $name $(<const $n: i32>)? ($($arg $(: $type)?),+) -> Self {
            // SAFETY: only the kernel behind the token `Sse2` makes planes.
            Self(unsafe { $body })
        }
    )+};
}

impl Plane {
    intrinsics! {
        fn and(a: Self, b: Self) = _mm_and_si128(a.0, b.0);
        fn xor(a: Self, b: Self) = _mm_xor_si128(a.0, b.0);

        /// Words of 16 bits shifted.
        fn left[N](self) = _mm_slli_epi16::<N>(self.0);
        fn right[N](self) = _mm_srli_epi16::<N>(self.0);

        /// The word that `N` names in its digits to the base four, the last one for the first word.
        fn shuffle[N](self) = _mm_shuffle_epi32::<N>(self.0);

        /// The bytes of the first and the second halves in turn.
        fn interleave_low(a: Self, b: Self) = _mm_unpacklo_epi8(a.0, b.0);
        fn interleave_high(a: Self, b: Self) = _mm_unpackhi_epi8(a.0, b.0);

        /// All ones in the words that are equal.
        fn equal(a: Self, b: Self) = _mm_cmpeq_epi32(a.0, b.0);

        /// Four words.
        fn words(a: u32, b: u32, c: u32, d: u32) = _mm_setr_epi32(
            a.cast_signed(),
            b.cast_signed(),
            c.cast_signed(),
            d.cast_signed(),
        );
    }

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self::words(word, word, word, word)
    }

    /// # Safety
    /// `from` is valid for reads of 16 bytes.
    #[inline(always)]
    unsafe fn load(from: *const [u8; 16]) -> Self {
        // SAFETY: as the caller says; no alignment is needed. The token `Sse2` proves the feature.
        Self(unsafe { _mm_loadu_si128(from.cast()) })
    }

    /// # Safety
    /// `to` is valid for writes of 16 bytes.
    #[inline(always)]
    unsafe fn store(self, to: *mut [u8; 16]) {
        // SAFETY: as the caller says; no alignment is needed. The token `Sse2` proves the feature.
        unsafe { _mm_storeu_si128(to.cast(), self.0) };
    }
}

impl BitAnd for Plane {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self::and(self, other)
    }
}

impl BitXor for Plane {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self::xor(self, other)
    }
}

impl BitXorAssign for Plane {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

impl Kernel for Sse2 {
    fn expand(self, key: &[u8; 16]) -> RoundKeys {
        Portable.expand(key)
    }

    #[inline]
    fn encrypt_with(self, keys: &RoundKeys, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        f.call(&Cipher::new(keys, false));
    }

    #[inline]
    fn decrypt_with(self, keys: &RoundKeys, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        f.call(&Cipher::new(keys, true));
    }

    fn ctr32(
        self,
        keys: &RoundKeys,
        prefix: [u32; 3],
        mut counter: u32,
        data: InOutBuf<'_, '_, u8>,
    ) -> Array<u8, U16> {
        let (batches, mut tail) = data.into_chunks::<U512>();
        let n = tail.len();
        if batches.is_empty() && n <= 16 * FEW {
            return Portable.ctr32(keys, prefix, counter, tail);
        }
        let cipher = Cipher::new(keys, false);
        for mut batch in batches {
            let keystream = cipher.rounds(counters(prefix, counter));
            let (from, to) = batch.reborrow().into_raw();
            // SAFETY: the chunk is 32 blocks.
            unsafe { xor(keystream, from.cast(), to.cast()) };
            counter = counter.wrapping_add(LANES as u32);
        }
        if n <= 16 * FEW {
            return Portable.ctr32(keys, prefix, counter, tail);
        }
        let mut text = Text([0; 16 * LANES]);
        text.0[..n].copy_from_slice(tail.get_in());
        let keystream = cipher.rounds(counters(prefix, counter));
        let to = text.0.as_mut_ptr();
        // SAFETY: the array is 32 blocks.
        unsafe { xor(keystream, to.cast(), to.cast()) };
        tail.get_out().copy_from_slice(&text.0[..n]);
        let mut rest = Array::default();
        if n % 16 != 0 {
            rest[n % 16..].copy_from_slice(&text.0[n..n.next_multiple_of(16)]);
        }
        rest
    }
}

/// Text that was copied.
struct Text([u8; 16 * LANES]);

impl Drop for Text {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        cipher::zeroize::Zeroize::zeroize(&mut self.0[..]);
    }
}

/// A key for the time of one call, as what its blocks need.
struct Cipher<'a> {
    keys: &'a RoundKeys,
    decrypt: bool,
    few: OnceCell<Soft>,
    many: OnceCell<Keys>,
}

impl<'a> Cipher<'a> {
    #[inline(always)]
    fn new(keys: &'a RoundKeys, decrypt: bool) -> Self {
        Self {
            keys,
            decrypt,
            few: OnceCell::new(),
            many: OnceCell::new(),
        }
    }

    fn few(&self) -> &Soft {
        self.few.get_or_init(|| {
            if self.decrypt {
                Soft::decryptor(self.keys)
            } else {
                Soft::encryptor(self.keys)
            }
        })
    }

    fn rounds(&self, state: State) -> State {
        let keys = self.many.get_or_init(|| Keys::new(self.keys, self.decrypt));
        rounds(keys, state)
    }

    /// At least one block, and at most a batch.
    fn many(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        let n = blocks.len();
        assert!(n != 0 && n <= LANES, "a number of blocks for one pass");
        let (from, to) = blocks.into_raw();
        let (from, to) = (from.cast::<[u8; 16]>(), to.cast::<[u8; 16]>());
        let place = |b: usize| b.min(n - 1);
        // SAFETY: there are `n` blocks. The last one takes the place of those that are missing.
        let state = load(|b| unsafe { Plane::load(from.add(place(b))) });
        let state = self.rounds(state);
        // SAFETY: there are `n` blocks. In the place of those that are missing, the last one comes again.
        store(state, |b, x| unsafe { x.store(to.add(place(b))) });
    }

    fn tail(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        assert!(blocks.len() < LANES, "a tail has fewer blocks than a batch");
        if blocks.len() > FEW {
            return self.many(blocks);
        }
        let (batch, tail) = blocks.into_chunks::<U16>();
        for blocks in batch {
            BlockCipherEncBackend::encrypt_par_blocks(self.few(), blocks);
        }
        if !tail.is_empty() {
            BlockCipherEncBackend::encrypt_tail_blocks(self.few(), tail);
        }
    }
}

impl BlockSizeUser for Cipher<'_> {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for Cipher<'_> {
    type ParBlocksSize = Lanes;
}

impl BlockCipherEncBackend for Cipher<'_> {
    fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        BlockCipherEncBackend::encrypt_block(self.few(), block);
    }

    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.many(blocks.into_buf());
    }

    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        self.tail(blocks);
    }
}

/// Round keys from the end are all that decryption differs by.
impl BlockCipherDecBackend for Cipher<'_> {
    fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        BlockCipherEncBackend::encrypt_block(self.few(), block);
    }

    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.many(blocks.into_buf());
    }

    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        self.tail(blocks);
    }
}

/// Round keys (prepared by [`crate::schedule::fold`]) as planes, in the order of their use.
struct Keys([Word; 32]);

impl Keys {
    fn new(keys: &RoundKeys, decrypt: bool) -> Self {
        Self(array::from_fn(|i| {
            broadcast(keys[if decrypt { 31 - i } else { i }])
        }))
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        for plane in self.0.as_flattened_mut() {
            cipher::zeroize::Zeroize::zeroize(&mut plane.0);
        }
    }
}

/// The 32 rounds and the reversal of the words.
#[inline(never)]
fn rounds(keys: &Keys, state: State) -> State {
    let [mut a, mut b, mut c, mut d] = state;
    for keys in keys.0.as_chunks::<4>().0 {
        round(&mut a, &b, &c, &d, &keys[0]);
        round(&mut b, &c, &d, &a, &keys[1]);
        round(&mut c, &d, &a, &b, &keys[2]);
        round(&mut d, &a, &b, &c, &keys[3]);
    }
    [d, c, b, a]
}

/// One round: `x0 ^= L(S(x1 ^ x2 ^ x3 ^ key))`, but for the S-box's constants.
#[inline(always)]
fn round(x0: &mut Word, x1: &Word, x2: &Word, x3: &Word, key: &Word) {
    let mut t = *key;
    for i in 0..8 {
        t[i] ^= x1[i] ^ x2[i] ^ x3[i];
    }
    let s = circuit(t);

    // L(s) = s ^ s<<<2 ^ s<<<10 ^ s<<<18 ^ s<<<24: each plane goes to the planes `i` (by itself and
    // turned by three bytes) and `i + 2` (turned by none, one and two bytes).
    for i in 0..8 {
        let one = s[i] ^ s[i].shuffle::<ONE>();
        let sum = one ^ s[i].shuffle::<TWO>();
        x0[i] ^= one.shuffle::<THREE>();
        x0[(i + 2) % 8] ^= if i < 6 { sum } else { sum.shuffle::<ONE>() };
    }
}

/// From the bytes so much further on in the words.
const ONE: i32 = 0b00_11_10_01;
const TWO: i32 = 0b01_00_11_10;
const THREE: i32 = 0b10_01_00_11;

/// The planes of a word that is the same in all blocks.
fn broadcast(word: u32) -> Word {
    let word = Plane::splat(word);
    array::from_fn(|i| {
        let bit = Plane::words(1 << (24 + i), 1 << (16 + i), 1 << (8 + i), 1 << i);
        Plane::equal(word & bit, bit)
    })
}

/// The planes of 32 counter blocks.
fn counters(prefix: [u32; 3], counter: u32) -> State {
    // Bit `i` of 0, 1, .., 31, one bit a block.
    const DIGITS: [u32; 5] = [
        0xaaaa_aaaa,
        0xcccc_cccc,
        0xf0f0_f0f0,
        0xff00_ff00,
        0xffff_0000,
    ];

    // All but the last five bits take one value up to some block and the next one from there.
    let low = counter % LANES as u32;
    let before = Plane::splat(u32::MAX >> low);
    let high = broadcast(counter - low);
    let next = broadcast((counter - low).wrapping_add(LANES as u32));
    let mut last = array::from_fn(|i| next[i] ^ ((high[i] ^ next[i]) & before));
    for (plane, digits) in last.iter_mut().zip(DIGITS) {
        *plane ^= Plane::words(0, 0, 0, digits.rotate_right(low));
    }
    let [a, b, c] = prefix.map(broadcast);
    [a, b, c, last]
}

/// Transposes 32 blocks into planes.
#[inline(always)]
fn load(block: impl Fn(usize) -> Plane) -> State {
    let mut x = array::from_fn(block);
    exchange_all(&mut x);
    interleave::<16>(&mut x);
    interleave::<8>(&mut x);
    array::from_fn(|w| array::from_fn(|i| x[8 * w + i]))
}

/// The inverse of [`load`].
#[inline(always)]
fn store(state: State, mut block: impl FnMut(usize, Plane)) {
    let mut x: [_; LANES] = array::from_fn(|n| state[n / 8][n % 8]);
    // Interleaving turns five digits of a byte's place, and each of two registers' with the same four.
    interleave::<16>(&mut x);
    interleave::<8>(&mut x);
    interleave::<16>(&mut x);
    interleave::<8>(&mut x);
    exchange_all(&mut x);
    for (b, x) in x.into_iter().enumerate() {
        block(b, x);
    }
}

/// XORs 32 blocks with the same in planes.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of 512 bytes.
unsafe fn xor(keystream: State, from: *const [u8; 16], to: *mut [u8; 16]) {
    // SAFETY: `b` is less than 32. No block is read after it has been written.
    store(keystream, |b, x| unsafe {
        (Plane::load(from.add(b)) ^ x).store(to.add(b));
    });
}

/// Interleaves the bytes of pairs of vectors: the digit of the vector's number that is worth `D` becomes the last one of
/// the place in the vector, whose first one takes its place.
#[inline(always)]
fn interleave<const D: usize>(x: &mut [Plane; LANES]) {
    for pair in x.chunks_exact_mut(2 * D) {
        let (first, second) = pair.split_at_mut(D);
        for (a, b) in first.iter_mut().zip(second) {
            (*a, *b) = (
                Plane::interleave_low(*a, *b),
                Plane::interleave_high(*a, *b),
            );
        }
    }
}

/// Transposes bits: the three digits of a bit's place in its byte against the last three of the vector's number.
#[inline(always)]
fn exchange_all(x: &mut [Plane; LANES]) {
    exchange::<1, 1>(x, 0x55);
    exchange::<2, 2>(x, 0x33);
    exchange::<4, 4>(x, 0x0f);
}

/// Exchanges the bits outside of `mask` in each first vector of a pair with those inside of it in the second, `N` bits
/// lower.
#[inline(always)]
fn exchange<const N: i32, const D: usize>(x: &mut [Plane; LANES], mask: u8) {
    let mask = Plane::splat(u32::from_ne_bytes([mask; 4]));
    for pair in x.chunks_exact_mut(2 * D) {
        let (first, second) = pair.split_at_mut(D);
        for (a, b) in first.iter_mut().zip(second) {
            let t = (a.right::<N>() ^ *b) & mask;
            *b ^= t;
            *a ^= t.left::<N>();
        }
    }
}
