//! SM4 (GB/T 32907-2016), with an S-box computed from its algebra instead of a printed table.

use super::cipher16::{Block, Cipher16};

/// The product in GF(2^8) modulo x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1.
fn mul(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        a = (a << 1) ^ (0xf5 * (a >> 7));
        b >>= 1;
    }
    product
}

/// The affine map of the S-box: a circulant matrix and a constant.
fn affine(x: u8) -> u8 {
    let mut out = 0;
    for i in 0..8 {
        let row = 0xa7u8.rotate_left(i);
        out |= (((x & row).count_ones() & 1) as u8) << i;
    }
    out ^ 0xd3
}

/// The S-box: affine map, inverse, affine map.
pub fn sbox(x: u8) -> u8 {
    let y = affine(x);
    // y^254 is the inverse of y, and 0 for 0.
    let inverse = (0..253).fold(y, |power, _| mul(power, y));
    affine(inverse)
}

fn tau(sbox: &[u8; 256], x: u32) -> u32 {
    u32::from_be_bytes(x.to_be_bytes().map(|b| sbox[usize::from(b)]))
}

/// A key, expanded.
#[derive(Debug)]
pub struct Model {
    sbox: [u8; 256],
    round_keys: [u32; 32],
}

impl Model {
    /// Expands a key.
    pub fn new(key: &[u8; 16]) -> Self {
        let sbox: [u8; 256] = core::array::from_fn(|x| sbox(x as u8));
        let fk = [0xa3b1bac6u32, 0x56aa3350, 0x677d9197, 0xb27022dc];
        let mut k: [u32; 36] = [0; 36];
        for i in 0..4 {
            k[i] = fk[i] ^ u32::from_be_bytes(key[4 * i..4 * i + 4].try_into().expect("4 bytes"));
        }
        for i in 0..32 {
            let ck = u32::from_be_bytes(core::array::from_fn(|j| ((4 * i + j) * 7) as u8));
            let b = tau(&sbox, k[i + 1] ^ k[i + 2] ^ k[i + 3] ^ ck);
            k[i + 4] = k[i] ^ b ^ b.rotate_left(13) ^ b.rotate_left(23);
        }
        Self {
            sbox,
            round_keys: k[4..].try_into().expect("32 words"),
        }
    }

    /// The round keys, in the order of encryption.
    pub fn round_keys(&self) -> [u32; 32] {
        self.round_keys
    }

    fn crypt(&self, block: Block, round_keys: impl Iterator<Item = u32>) -> Block {
        let mut x: Vec<u32> = (block.chunks(4))
            .map(|b| u32::from_be_bytes(b.try_into().expect("4 bytes")))
            .collect();
        for (i, rk) in round_keys.enumerate() {
            let b = tau(&self.sbox, x[i + 1] ^ x[i + 2] ^ x[i + 3] ^ rk);
            let l =
                b ^ b.rotate_left(2) ^ b.rotate_left(10) ^ b.rotate_left(18) ^ b.rotate_left(24);
            x.push(x[i] ^ l);
        }
        let mut out = [0; 16];
        for i in 0..4 {
            out[4 * i..4 * i + 4].copy_from_slice(&x[35 - i].to_be_bytes());
        }
        out
    }
}

impl Cipher16 for Model {
    fn e(&self, block: Block) -> Block {
        self.crypt(block, self.round_keys.into_iter())
    }

    fn d(&self, block: Block) -> Block {
        self.crypt(block, self.round_keys.into_iter().rev())
    }
}
