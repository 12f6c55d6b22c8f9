//! Counter mode: counters are made as words or bytes of the state, without a transposition.

use super::io::Area;
use super::keys::Keys;
use super::vector::{Vector, Ymm, Zmm};
use super::{narrow, wide};
use cipher::{InOutBuf, array::Array, consts::U16};

#[inline(always)]
pub(super) fn apply(
    keys: Keys<'_>,
    prefix: [u32; 3],
    counter: u32,
    data: InOutBuf<'_, '_, u8>,
) -> Array<u8, U16> {
    let mut text = Text {
        area: Area::of_bytes(keys.token, data),
        prefix,
        counter,
        rest: Array([0; 16]),
    };
    if text.area.len() > 16 * 48 {
        let table = wide::Table::new(keys);
        let prefix = wide::Prefix::new(keys.token, prefix);
        while text.area.len() >= 2048 {
            let area = text.area.whole::<2048>();
            text.wide_128(&table, &prefix, area);
        }
        if text.area.len() > 16 * 64 {
            let area = text.area.part(2048);
            text.wide_128(&table, &prefix, area);
        }
        if text.area.len() > 16 * 48 {
            text.wide_64(&table, &prefix);
        }
    }
    match text.area.len().div_ceil(16) {
        0 => {}
        1..=8 => text.narrow::<Ymm, 1>(keys),
        9..=16 => text.narrow::<Zmm, 1>(keys),
        17..=32 => text.narrow::<Zmm, 2>(keys),
        _ => text.narrow::<Zmm, 3>(keys),
    }
    text.rest
}

struct Text<'a> {
    area: Area<'a, 0>,
    prefix: [u32; 3],
    counter: u32,
    rest: Array<u8, U16>,
}

impl Text<'_> {
    /// Takes up to `N` times four vectors.
    #[inline(always)]
    fn narrow<T: Vector, const N: usize>(&mut self, keys: Keys<'_>) {
        let token = keys.token;
        let step = (T::BYTES / 4) as u32;
        let [a, b, c] = self.prefix;
        let word = |word: u32| narrow::map(T::words(token, word.to_be()));
        let mut states = [[word(a), word(b), word(c), T::zero(token)]; N];
        for (n, state) in states.iter_mut().enumerate() {
            let counter = self.counter.wrapping_add(n as u32 * step);
            state[3] = narrow::map(T::counters(token, counter));
        }
        narrow::rounds::<T, N>(keys, &mut states);
        self.counter = self.counter.wrapping_add(N as u32 * step);
        let mut area = self.area.part(4 * N * T::BYTES);
        for (n, state) in states.into_iter().enumerate() {
            self.finish(&mut area, 4 * n, narrow::unload(state));
        }
    }

    /// Takes up to 64 blocks.
    #[inline(always)]
    fn wide_64(&mut self, table: &wide::Table, prefix: &wide::Prefix) {
        let state = wide::rounds_64(table, prefix.state(self.counter));
        self.counter = self.counter.wrapping_add(64);
        let mut area = self.area.part(1024);
        self.finish(&mut area, 0, wide::unload(state));
    }

    /// Takes up to 128 blocks.
    #[inline(always)]
    fn wide_128<const WHOLE: usize>(
        &mut self,
        table: &wide::Table,
        prefix: &wide::Prefix,
        mut area: Area<'_, WHOLE>,
    ) {
        let a = prefix.state(self.counter);
        let b = prefix.state(self.counter.wrapping_add(64));
        self.counter = self.counter.wrapping_add(128);
        let (a, b) = wide::rounds_128(table, (a, b));
        self.finish(&mut area, 0, wide::unload(a));
        self.finish(&mut area, 16, wide::unload(b));
    }

    #[inline(always)]
    fn finish<T: Vector, const V: usize, const WHOLE: usize>(
        &mut self,
        area: &mut Area<'_, WHOLE>,
        first: usize,
        keystream: [T; V],
    ) {
        let len = area.len();
        for (i, vector) in keystream.into_iter().enumerate() {
            let i = first + i;
            area.store(i, vector.xor(area.load(i)));
            if WHOLE == 0 && !len.is_multiple_of(16) && len / T::BYTES == i {
                self.rest = Array(vector.lane(len / 16).from(len % 16));
            }
        }
    }
}
