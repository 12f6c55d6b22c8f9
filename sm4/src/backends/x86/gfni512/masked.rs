//! The end of counter mode beside one more block, the mask of a tag.

use super::super::field::{C, M3, Matrix, R, U, V};
use super::io::Area;
use super::keys::Keys;
use super::narrow;
use super::vector::{Vector, Xmm, Ymm, Zmm, opaque};
use super::wide::{self, Prefix, State, Table, four};
use crate::ctr::Expected;
use cipher::{InOutBuf, array::Array, consts::U16};
use shangmi_cpu::Avx512Gfni;

type Block = Array<u8, U16>;

/// Bytes of a pass of the wide shape with two states.
const PASS: usize = 2048;

/// Most bytes that leave the narrow shape room for a block.
const NARROW: usize = 16 * 47;

/// How many of the last bytes of `len` take the block along. Those before fill passes of the wide shape.
pub(super) const fn end(len: usize) -> usize {
    match len % PASS {
        0 if len != 0 => PASS,
        left if left > 1024 && left - 1024 <= NARROW => left - 1024,
        left => left,
    }
}

/// Encrypts the block of counter `mask`. If it is as expected, XORs `data`, as much as [`end`] says, and returns the block.
#[inline(always)]
pub(super) fn apply(
    keys: Keys<'_>,
    prefix: [u32; 3],
    mask: u32,
    counter: u32,
    data: InOutBuf<'_, '_, u8>,
    expected: &Expected,
) -> Option<Block> {
    let mut area = Area::of_bytes(keys.token, data);
    match area.len() {
        PASS => wide_128(keys, prefix, mask, counter, area.whole::<PASS>(), expected),
        1025.. => wide_128(keys, prefix, mask, counter, area, expected),
        len if len > NARROW => wide_64(keys, prefix, mask, counter, area, expected),
        497.. => narrow_pass::<Zmm, 3>(keys, prefix, mask, counter, area, expected),
        241.. => narrow_pass::<Zmm, 2>(keys, prefix, mask, counter, area, expected),
        113.. => narrow_pass::<Zmm, 1>(keys, prefix, mask, counter, area, expected),
        _ => narrow_pass::<Ymm, 1>(keys, prefix, mask, counter, area, expected),
    }
}

/// XORs vectors from number `first` on with keystream.
#[inline(always)]
fn xor<T: Vector, const V: usize, const WHOLE: usize>(
    area: &mut Area<'_, WHOLE>,
    first: usize,
    keystream: [T; V],
) {
    for (i, vector) in keystream.into_iter().enumerate() {
        area.store(first + i, vector.xor(area.load(first + i)));
    }
}

/// The wide shape with two states.
#[inline(always)]
fn wide_128<const WHOLE: usize>(
    keys: Keys<'_>,
    prefix: [u32; 3],
    mask: u32,
    counter: u32,
    mut area: Area<'_, WHOLE>,
    expected: &Expected,
) -> Option<Block> {
    let (table, words) = (Table::new(keys), Prefix::new(keys.token, prefix));
    let mut block = Beside::new(keys, prefix, mask);
    let states = (words.state(counter), words.state(counter.wrapping_add(64)));
    let (a, b) = rounds_128(&table, states, &mut block);
    let block = expected.check(block.finish())?;
    xor(&mut area, 0, wide::unload(a));
    xor(&mut area, 16, wide::unload(b));
    Some(block)
}

/// The wide shape with one state.
#[inline(always)]
fn wide_64(
    keys: Keys<'_>,
    prefix: [u32; 3],
    mask: u32,
    counter: u32,
    mut area: Area<'_, 0>,
    expected: &Expected,
) -> Option<Block> {
    let (table, words) = (Table::new(keys), Prefix::new(keys.token, prefix));
    let mut block = Beside::new(keys, prefix, mask);
    let state = rounds_64(&table, words.state(counter), &mut block);
    let block = expected.check(block.finish())?;
    xor(&mut area, 0, wide::unload(state));
    Some(block)
}

/// The narrow shape: the block takes the place behind the data.
#[inline(always)]
fn narrow_pass<T: Vector, const N: usize>(
    keys: Keys<'_>,
    prefix: [u32; 3],
    mask: u32,
    counter: u32,
    mut area: Area<'_, 0>,
    expected: &Expected,
) -> Option<Block> {
    let token = keys.token;
    let lanes = T::BYTES / 16;
    let behind = area.len().div_ceil(16);
    let word = |word: u32| narrow::map(T::words(token, word.to_be()));
    let [a, b, c] = prefix;
    let mut states = [[word(a), word(b), word(c), T::zero(token)]; N];
    for (n, state) in states.iter_mut().enumerate() {
        let start = counter.wrapping_add((4 * lanes * n) as u32);
        let mut counters = T::counters(token, start);
        if behind / (4 * lanes) == n {
            let i = behind % (4 * lanes);
            let change = start.wrapping_add(i as u32) ^ mask;
            let place = 4 * (i % lanes) + i / lanes;
            counters = counters.xor(one_word(token, change.to_be(), place));
        }
        state[3] = narrow::map(counters);
    }
    narrow::rounds::<T, N>(keys, &mut states);
    // In the smallest shape, which takes the shortest messages, the data need not wait for the block.
    let at_once = T::BYTES == Ymm::BYTES && expected.is_any();
    let mut block = Array::default();
    for (n, state) in states.iter_mut().enumerate() {
        *state = narrow::unload(*state);
        for (i, vector) in state.iter().enumerate() {
            if behind / lanes == 4 * n + i {
                block = Array(vector.lane(behind).into());
            }
        }
        if at_once {
            xor(&mut area, 4 * n, *state);
        }
    }
    if at_once {
        return Some(block);
    }
    let block = expected.check(block)?;
    for (n, keystream) in states.into_iter().enumerate() {
        xor(&mut area, 4 * n, keystream);
    }
    Some(block)
}

/// Shuffles: the first word at the place of word 15, zeros everywhere else.
static ONE_WORD: [u8; 4 * 31] = {
    let mut indices = [0x80; 4 * 31];
    let mut i = 0;
    while i < 4 {
        indices[4 * 15 + i] = i as u8;
        i += 1;
    }
    indices
};

/// `word`, as it lies in memory, in word `i`, and zeros in the others.
#[inline(always)]
fn one_word<T: Vector>(token: Avx512Gfni, word: u32, i: usize) -> T {
    assert!(i < 16);
    // SAFETY: 16 words are there from word `15 - i` on, as many as the longest vector has.
    let shuffle = unsafe { T::load(token, ONE_WORD.as_ptr().add(4 * (15 - i))) };
    T::words(token, word).turn_by(shuffle)
}

#[inline(always)]
fn rounds_64(table: &Table, mut a: State, block: &mut Beside<'_>) -> State {
    for i in (0..32).step_by(4) {
        four!(r => {
            wide::round(table, i + r, &mut a, r);
            block.round(i + r, r);
        });
    }
    a.reverse();
    a
}

#[inline(always)]
fn rounds_128(
    table: &Table,
    (mut a, mut b): (State, State),
    block: &mut Beside<'_>,
) -> (State, State) {
    for i in (0..32).step_by(4) {
        four!(r => {
            wide::round(table, i + r, &mut a, r);
            block.round(i + r, r);
            wide::round(table, i + r, &mut b, r);
        });
    }
    a.reverse();
    b.reverse();
    (a, b)
}

const P: Matrix = U.times(R).times(V);
const Q: Matrix = U.times(M3).times(V);
const BACK: Matrix = U.inverse();

/// What the constant of the S-box makes behind `L`, in each byte.
const CONSTANT: i32 = U.times(R).apply(C) as i32;

/// A block on its way beside another shape, one round at a time.
///
/// The ports of the vector instructions are busy there, but the others are not: the words are in general registers, bytes
/// turn on their way through memory, and only the S-box is a vector instruction.
struct Beside<'a> {
    keys: Keys<'a>,
    state: [u32; 4],
    room: Room,
}

/// What goes through memory. Wiped on drop.
#[repr(C, align(64))]
struct Room {
    sum: u32,
    /// `p` twice and `q` twice, as [`narrow`] names them.
    products: [u8; 16],
}

impl<'a> Beside<'a> {
    #[inline(always)]
    fn new(keys: Keys<'a>, [a, b, c]: [u32; 3], d: u32) -> Self {
        let mut block = [0; 16];
        for (bytes, word) in block.as_chunks_mut::<4>().0.iter_mut().zip([a, b, c, d]) {
            *bytes = word.to_be_bytes();
        }
        let block: [u8; 16] = Xmm::block(keys.token, block).map(U).into();
        let words = block.as_chunks().0;
        let state = four!(i => u32::from_ne_bytes(words[i]));
        Self {
            keys,
            state,
            room: Room {
                sum: state[1] ^ state[2] ^ state[3] ^ keys.word(0),
                products: [0; 16],
            },
        }
    }

    /// Round `i`, for which word `r` is the first one.
    #[inline(always)]
    fn round(&mut self, i: usize, r: usize) {
        let state = &mut self.state;
        let (y0, y2, y3) = (state[r], state[(r + 2) % 4], state[(r + 3) % 4]);
        // SAFETY: this is the address of a word.
        let t = unsafe { Xmm::broadcast(self.keys.token, opaque(&self.room.sum)) };
        let others = settled(y0 ^ y2 ^ y3 ^ self.keys.word((i + 1) % 32));
        self.room.products = t.map_inverse_halves::<CONSTANT>(P, Q).into();
        let products = opaque(&self.room.products);
        let word = |i: usize| {
            let word = [
                products[i],
                products[i + 1],
                products[i + 2],
                products[i + 3],
            ];
            u32::from_ne_bytes(word)
        };
        let (a, b, c) = (
            settled(word(0) ^ word(1)),
            settled(word(2) ^ word(8)),
            word(11),
        );
        self.room.sum = settled(a ^ b) ^ settled(c ^ others);
        state[r] = settled(a ^ b) ^ y0 ^ c;
    }

    /// The block behind all rounds.
    #[inline(always)]
    fn finish(self) -> Block {
        let [d, c, b, a] = self.state;
        let mut block = [0; 16];
        for (bytes, word) in block.as_chunks_mut::<4>().0.iter_mut().zip([a, b, c, d]) {
            *bytes = word.to_ne_bytes();
        }
        Array(Xmm::block(self.keys.token, block).map(BACK).into())
    }
}

/// The same word, though the optimizer cannot know what it is the sum of.
#[inline(always)]
fn settled(mut word: u32) -> u32 {
    // SAFETY: this does nothing with the register.
    unsafe {
        core::arch::asm!(
            "/* {:e} */",
            inout(reg) word,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    word
}

impl Drop for Room {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        {
            use cipher::zeroize::Zeroize;
            self.sum.zeroize();
            self.products.zeroize();
        }
    }
}
