//! The kernel over a model of its instructions, for there are few machines that have them.

use super::{Instructions, compress_with};
use crate::{backends::soft, consts::IV};
use hex_literal::hex;

/// The instructions as Intel's Architecture Instruction Set Extensions Programming Reference describes them, each
/// line of its pseudocode a line here. The names are those of the pseudocode.
#[derive(Clone, Copy)]
struct Model;

fn p0(x: u32) -> u32 {
    x ^ x.rotate_left(9) ^ x.rotate_left(17)
}

fn p1(x: u32) -> u32 {
    x ^ x.rotate_left(15) ^ x.rotate_left(23)
}

fn ff(x: u32, y: u32, z: u32, round: u32) -> u32 {
    if round < 16 {
        x ^ y ^ z
    } else {
        (x & y) | (x & z) | (y & z)
    }
}

fn gg(x: u32, y: u32, z: u32, round: u32) -> u32 {
    if round < 16 {
        x ^ y ^ z
    } else {
        (x & y) | (!x & z)
    }
}

impl Instructions for Model {
    type Vector = [u32; 4];

    fn words(self, words: [u32; 4]) -> [u32; 4] {
        words
    }

    fn load(self, bytes: &[u8; 16]) -> [u32; 4] {
        let (words, _) = bytes.as_chunks();
        core::array::from_fn(|i| u32::from_be_bytes(words[i]))
    }

    fn to_words(self, x: [u32; 4]) -> [u32; 4] {
        x
    }

    fn xor(self, x: [u32; 4], y: [u32; 4]) -> [u32; 4] {
        core::array::from_fn(|i| x[i] ^ y[i])
    }

    fn low_pairs(self, x: [u32; 4], y: [u32; 4]) -> [u32; 4] {
        [x[0], x[1], y[0], y[1]]
    }

    fn high_pairs(self, x: [u32; 4], y: [u32; 4]) -> [u32; 4] {
        [x[2], x[3], y[2], y[3]]
    }

    fn after_2(self, x: [u32; 4], y: [u32; 4]) -> [u32; 4] {
        [x[2], x[3], y[0], y[1]]
    }

    fn after_3(self, x: [u32; 4], y: [u32; 4]) -> [u32; 4] {
        [x[3], y[0], y[1], y[2]]
    }

    fn drop_1(self, x: [u32; 4]) -> [u32; 4] {
        [x[1], x[2], x[3], 0]
    }

    fn message_1(self, srcdest: [u32; 4], src1: [u32; 4], src2: [u32; 4]) -> [u32; 4] {
        let mut w = [0; 16];
        w[0..4].copy_from_slice(&src2);
        w[7..11].copy_from_slice(&srcdest);
        w[13..16].copy_from_slice(&src1[..3]);
        let tmp0 = w[7] ^ w[0] ^ u32::rotate_left(w[13], 15);
        let tmp1 = w[8] ^ w[1] ^ u32::rotate_left(w[14], 15);
        let tmp2 = w[9] ^ w[2] ^ u32::rotate_left(w[15], 15);
        let tmp3 = w[10] ^ w[3];
        [p1(tmp0), p1(tmp1), p1(tmp2), p1(tmp3)]
    }

    fn message_2(self, srcdest: [u32; 4], src1: [u32; 4], src2: [u32; 4]) -> [u32; 4] {
        let wtmp = srcdest;
        let mut w = [0; 20];
        w[3..7].copy_from_slice(&src1);
        w[10..14].copy_from_slice(&src2);
        w[16] = u32::rotate_left(w[3], 7) ^ w[10] ^ wtmp[0];
        w[17] = u32::rotate_left(w[4], 7) ^ w[11] ^ wtmp[1];
        w[18] = u32::rotate_left(w[5], 7) ^ w[12] ^ wtmp[2];
        w[19] = u32::rotate_left(w[6], 7) ^ w[13] ^ wtmp[3];
        w[19] ^= w[16].rotate_left(6) ^ w[16].rotate_left(15) ^ w[16].rotate_left(30);
        [w[16], w[17], w[18], w[19]]
    }

    fn rounds<const IMM8: i32>(
        self,
        srcdest: [u32; 4],
        src1: [u32; 4],
        src2: [u32; 4],
    ) -> [u32; 4] {
        let [mut a, mut b, mut c, mut d] = [src1[3], src1[2], srcdest[3], srcdest[2]];
        let [mut e, mut f, mut g, mut h] = [src1[1], src1[0], srcdest[1], srcdest[0]];
        let (w, w4) = ([src2[0], src2[1]], [src2[2], src2[3]]);
        c = c.rotate_left(9);
        d = d.rotate_left(9);
        g = g.rotate_left(19);
        h = h.rotate_left(19);
        let round = IMM8 as u32 & 0x3e;
        let constant: u32 = if round < 16 { 0x79cc_4519 } else { 0x7a87_9d8a };
        let mut constant = constant.rotate_left(round % 32);
        for i in 0..2 {
            let sum = a.rotate_left(12).wrapping_add(e).wrapping_add(constant);
            let s1 = sum.rotate_left(7);
            let s2 = s1 ^ a.rotate_left(12);
            let t1 = ff(a, b, c, round)
                .wrapping_add(d)
                .wrapping_add(s2)
                .wrapping_add(w[i] ^ w4[i]);
            let t2 = gg(e, f, g, round)
                .wrapping_add(h)
                .wrapping_add(s1)
                .wrapping_add(w[i]);
            (d, c, b, a) = (c, b.rotate_left(9), a, t1);
            (h, g, f, e) = (g, f.rotate_left(19), e, p0(t2));
            constant = constant.rotate_left(1);
        }
        [f, e, b, a]
    }
}

/// The example of GB/T 32905-2016, A.1: one block.
#[test]
fn abc() {
    let mut block = [0; 64];
    block[..4].copy_from_slice(b"abc\x80");
    block[63] = 24;
    let mut state = IV;
    compress_with(Model, &mut state, &[block]);
    let digest = hex!("66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0");
    let (words, _) = digest.as_chunks();
    assert_eq!(
        state,
        core::array::from_fn(|i| u32::from_be_bytes(words[i]))
    );
}

/// The example of A.2: two blocks.
#[test]
fn sixteen_times_abcd() {
    let mut blocks = [[0; 64]; 2];
    blocks[0].as_chunks_mut().0.fill(*b"abcd");
    blocks[1][0] = 0x80;
    blocks[1][62] = 2;
    let mut state = IV;
    compress_with(Model, &mut state, &blocks);
    let digest = hex!("debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732");
    let (words, _) = digest.as_chunks();
    assert_eq!(
        state,
        core::array::from_fn(|i| u32::from_be_bytes(words[i]))
    );
}

#[test]
fn any_number_of_blocks_from_any_state_equals_portable_code() {
    let blocks: [[u8; 64]; 20] =
        core::array::from_fn(|i| core::array::from_fn(|j| (i * 131 + j * 7 + (i * j) / 3) as u8));
    for count in 0..=blocks.len() {
        let mut expected = IV.map(|word| word.rotate_left(count as u32) ^ count as u32);
        let mut state = expected;
        soft::compress(&mut expected, &blocks[..count]);
        compress_with(Model, &mut state, &blocks[..count]);
        assert_eq!(state, expected, "{count}");
    }
}
