//! GCM written down a second time, bit by bit and block by block (SP 800-38D, sections 6 and 7).

use sm4::{
    Sm4,
    cipher::{BlockCipherEncrypt, KeyInit},
};

pub(crate) struct Model {
    cipher: Sm4,
    h: u128,
}

/// The product in GCM's field; the first bit of a block is its most significant one.
fn product(x: u128, y: u128) -> u128 {
    let (mut z, mut v) = (0, y);
    for i in (0..128).rev() {
        if (x >> i) & 1 == 1 {
            z ^= v;
        }
        v = if v & 1 == 1 {
            (v >> 1) ^ (0xe1 << 120)
        } else {
            v >> 1
        };
    }
    z
}

/// The inverse: the power to 2^128 - 2.
fn inverse(x: u128) -> u128 {
    let (mut power, mut result) = (x, 1 << 127);
    for _ in 1..128 {
        power = product(power, power);
        result = product(result, power);
    }
    result
}

impl Model {
    pub(crate) fn new(key: &[u8; 16]) -> Self {
        let cipher = Sm4::new(key.into());
        let h = encrypt(&cipher, 0);
        Self { cipher, h }
    }

    fn ghash(&self, parts: &[&[u8]]) -> u128 {
        let mut y = 0;
        for part in parts {
            for chunk in part.chunks(16) {
                let mut block = [0; 16];
                block[..chunk.len()].copy_from_slice(chunk);
                y = product(y ^ u128::from_be_bytes(block), self.h);
            }
        }
        y
    }

    fn j0(&self, nonce: &[u8]) -> u128 {
        if nonce.len() == 12 {
            let mut block = [0; 16];
            block[..12].copy_from_slice(nonce);
            return u128::from_be_bytes(block) | 1;
        }
        self.ghash(&[nonce, &(8 * nonce.len() as u128).to_be_bytes()])
    }

    /// The 16-byte nonce whose J0 is this block.
    pub(crate) fn nonce_of(&self, j0: u128) -> [u8; 16] {
        let inverse = inverse(self.h);
        product(product(j0, inverse) ^ 128, inverse).to_be_bytes()
    }

    /// The ciphertext and the 16-byte tag.
    pub(crate) fn seal(&self, nonce: &[u8], aad: &[u8], message: &[u8]) -> (Vec<u8>, [u8; 16]) {
        let j0 = self.j0(nonce);
        let block = |i: u32| {
            encrypt(
                &self.cipher,
                j0 >> 32 << 32 | u128::from((j0 as u32).wrapping_add(i)),
            )
        };
        let mut out = Vec::new();
        for (chunk, i) in message.chunks(16).zip(1..) {
            let keystream = block(i).to_be_bytes();
            out.extend(chunk.iter().zip(keystream).map(|(d, k)| d ^ k));
        }
        let bits = ((8 * aad.len() as u128) << 64) | (8 * out.len() as u128);
        let tag = self.ghash(&[aad, &out, &bits.to_be_bytes()]) ^ block(0);
        (out, tag.to_be_bytes())
    }
}

fn encrypt(cipher: &Sm4, block: u128) -> u128 {
    let mut block = block.to_be_bytes().into();
    cipher.encrypt_block(&mut block);
    u128::from_be_bytes(block.0)
}
