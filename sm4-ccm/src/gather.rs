//! Counter mode for several messages: what is too short to fill passes of the cipher shares them.

use crate::{
    Block,
    blocks::Blocks,
    counter::crypt,
    many::{GROUP, PASS},
    wipe::wipe,
    xor::xor,
};
use aead::{array::Array, inout::InOutBuf};
use cipher::BlockCipherEncrypt;
use core::{array, mem};
use sm4::Sm4;

/// Encrypts or decrypts messages, no more than [`GROUP`].
pub(crate) fn crypt_many<'a>(
    cipher: &Sm4,
    messages: impl Iterator<Item = (Blocks, InOutBuf<'a, 'a, u8>)>,
) {
    let mut gathered = Gathered {
        keystream: [Block::default(); PASS],
        used: 0,
        pieces: array::from_fn(|_| [].as_mut_slice().into()),
        count: 0,
    };
    for (blocks, data) in messages {
        let whole = data.len() - data.len() % (16 * PASS);
        let (before, mut rest) = data.split_at(whole);
        crypt(cipher, &blocks, 1, before);
        let mut number = 1 + whole as u64 / 16;
        while !rest.is_empty() {
            let room = 16 * (PASS - gathered.used);
            let at = rest.len().min(room);
            let (piece, behind) = rest.split_at(at);
            number = gathered.push(&blocks, number, piece);
            rest = behind;
            if gathered.used == PASS {
                gathered.flush(cipher);
            }
        }
    }
    gathered.flush(cipher);
}

/// Pieces of messages, and the counters of their blocks, which become keystream. Wiped on drop.
struct Gathered<'a> {
    keystream: [Block; PASS],
    used: usize,
    pieces: [InOutBuf<'a, 'a, u8>; GROUP],
    count: usize,
}

impl<'a> Gathered<'a> {
    /// Takes a piece that begins with block `number`, and returns the number behind it.
    fn push(&mut self, blocks: &Blocks, mut number: u64, piece: InOutBuf<'a, 'a, u8>) -> u64 {
        let size = piece.len().div_ceil(16);
        for block in &mut self.keystream[self.used..][..size] {
            *block = blocks.counter(number);
            number += 1;
        }
        self.used += size;
        self.pieces[self.count] = piece;
        self.count += 1;
        number
    }

    /// XORs the pieces with their keystream.
    fn flush(&mut self, cipher: &Sm4) {
        cipher.encrypt_blocks(&mut self.keystream[..self.used]);
        let mut keystream = Array::slice_as_flattened(&self.keystream[..self.used]);
        for piece in &mut self.pieces[..self.count] {
            let piece = mem::replace(piece, [].as_mut_slice().into());
            let (now, later) = keystream.split_at(piece.len().next_multiple_of(16));
            xor(piece, now);
            keystream = later;
        }
        self.used = 0;
        self.count = 0;
    }
}

impl Drop for Gathered<'_> {
    fn drop(&mut self) {
        wipe(Array::slice_as_flattened_mut(&mut self.keystream));
    }
}
