//! Many independent messages at once: as many as the kernels of several lanes take, and as one ends, the next one.

use cipher::{Block, BlockCipherEncrypt, InOutBuf};
use core::{array, mem};
use sm4::{Sm4, feedback::LANES};

#[cfg(feature = "zeroize")]
use cipher::{Array, zeroize::Zeroize};

/// A kernel of several lanes: see [`sm4::feedback::cbc_encrypt_lanes`].
type Kernel = fn(&Sm4, &mut [Block<Sm4>], &mut [InOutBuf<'_, '_, Block<Sm4>>]);

/// Runs `kernel` over messages of a chaining value and bytes. What is left of a message behind its last whole block is
/// XORed with the encryption of the chaining value.
pub(crate) fn run<'iv, 'inp, 'out>(
    cipher: &Sm4,
    kernel: Kernel,
    messages: impl Iterator<Item = (&'iv mut Block<Sm4>, InOutBuf<'inp, 'out, u8>)>,
) {
    let mut messages = messages.fuse();
    let mut lanes = Lanes::new();
    let mut tails = Tails::new();
    loop {
        while lanes.count < LANES
            && let Some((iv, data)) = messages.next()
        {
            let (blocks, tail) = data.into_chunks();
            if blocks.is_empty() {
                tails.push(cipher, iv, tail);
            } else {
                lanes.push(iv, blocks, tail);
            }
        }
        if lanes.count == 0 {
            break;
        }
        lanes.advance(cipher, kernel);
        lanes.retire(|iv, tail| tails.push(cipher, iv, tail));
    }
    tails.flush(cipher);
}

/// The messages in work.
struct Lanes<'iv, 'inp, 'out> {
    count: usize,
    ivs: [Block<Sm4>; LANES],
    /// What is left of each message: whole blocks, at least one, and the bytes behind them.
    blocks: [InOutBuf<'inp, 'out, Block<Sm4>>; LANES],
    tails: [InOutBuf<'inp, 'out, u8>; LANES],
    /// Where the chaining value goes in the end.
    homes: [Option<&'iv mut Block<Sm4>>; LANES],
}

impl<'iv, 'inp, 'out> Lanes<'iv, 'inp, 'out> {
    fn new() -> Self {
        Self {
            count: 0,
            ivs: [Block::<Sm4>::default(); LANES],
            blocks: array::from_fn(|_| empty()),
            tails: array::from_fn(|_| empty()),
            homes: array::from_fn(|_| None),
        }
    }

    fn push(
        &mut self,
        iv: &'iv mut Block<Sm4>,
        blocks: InOutBuf<'inp, 'out, Block<Sm4>>,
        tail: InOutBuf<'inp, 'out, u8>,
    ) {
        let i = self.count;
        self.ivs[i] = *iv;
        self.blocks[i] = blocks;
        self.tails[i] = tail;
        self.homes[i] = Some(iv);
        self.count += 1;
    }

    /// Encrypts as many blocks of each message as the shortest one has.
    fn advance(&mut self, cipher: &Sm4, kernel: Kernel) {
        let blocks = &mut self.blocks[..self.count];
        let steps = blocks.iter().map(InOutBuf::len).min().unwrap_or(0);
        let mut heads: [InOutBuf<'_, '_, _>; LANES] = array::from_fn(|_| empty());
        for (head, blocks) in heads.iter_mut().zip(&mut *blocks) {
            (*head, *blocks) = mem::replace(blocks, empty()).split_at(steps);
        }
        kernel(
            cipher,
            &mut self.ivs[..self.count],
            &mut heads[..self.count],
        );
    }

    /// Takes the messages that have ended out.
    fn retire(&mut self, mut end: impl FnMut(&mut Block<Sm4>, InOutBuf<'inp, 'out, u8>)) {
        for i in (0..self.count).rev() {
            if self.blocks[i].is_empty() {
                let tail = mem::replace(&mut self.tails[i], empty());
                if let Some(home) = self.homes[i].take() {
                    *home = self.ivs[i];
                    end(home, tail);
                }
                self.count -= 1;
                if i != self.count {
                    self.ivs[i] = self.ivs[self.count];
                    self.blocks.swap(i, self.count);
                    self.tails.swap(i, self.count);
                    self.homes.swap(i, self.count);
                }
            }
        }
    }
}

/// Last blocks of fewer bytes, which wait for their keystream to be made in one pass.
struct Tails<'inp, 'out> {
    count: usize,
    keystream: [Block<Sm4>; LANES],
    data: [InOutBuf<'inp, 'out, u8>; LANES],
}

impl<'inp, 'out> Tails<'inp, 'out> {
    fn new() -> Self {
        Self {
            count: 0,
            keystream: [Block::<Sm4>::default(); LANES],
            data: array::from_fn(|_| empty()),
        }
    }

    fn push(&mut self, cipher: &Sm4, iv: &Block<Sm4>, tail: InOutBuf<'inp, 'out, u8>) {
        if tail.is_empty() {
            return;
        }
        self.keystream[self.count] = *iv;
        self.data[self.count] = tail;
        self.count += 1;
        if self.count == LANES {
            self.flush(cipher);
        }
    }

    fn flush(&mut self, cipher: &Sm4) {
        let keystream = &mut self.keystream[..self.count];
        cipher.encrypt_blocks(keystream);
        for (data, keystream) in self.data.iter_mut().zip(&*keystream) {
            let n = data.len();
            data.xor_in2out(&keystream[..n]);
        }
        self.count = 0;
    }
}

impl Drop for Lanes<'_, '_, '_> {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        Array::slice_as_flattened_mut(&mut self.ivs).zeroize();
    }
}

impl Drop for Tails<'_, '_> {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        Array::slice_as_flattened_mut(&mut self.keystream).zeroize();
    }
}

/// No data.
fn empty<T: 'static>() -> InOutBuf<'static, 'static, T> {
    <&mut [T]>::default().into()
}
