//! XTS written down a second time, block by block and byte by byte (IEEE 1619, section 5; for
//! GB/T 17964 with the bits of each tweak byte in the other order).

use sm4::{
    Sm4,
    cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit},
};

pub(crate) struct Model {
    data: Sm4,
    tweak: Sm4,
    gb: bool,
}

type Block = [u8; 16];

fn xor(a: Block, b: Block) -> Block {
    core::array::from_fn(|i| a[i] ^ b[i])
}

fn times_alpha(mut tweak: Block) -> Block {
    let mut carry = 0;
    for byte in &mut tweak {
        let out = *byte / 128;
        *byte = (*byte % 128) * 2 + carry;
        carry = out;
    }
    if carry == 1 {
        tweak[0] ^= 0x87;
    }
    tweak
}

impl Model {
    pub(crate) fn new(key: &[u8; 32], gb: bool) -> Self {
        Self {
            data: Sm4::new_from_slice(&key[..16]).unwrap(),
            tweak: Sm4::new_from_slice(&key[16..]).unwrap(),
            gb,
        }
    }

    fn mirror(&self, tweak: Block) -> Block {
        if self.gb {
            tweak.map(u8::reverse_bits)
        } else {
            tweak
        }
    }

    /// The tweak of block `j`, for each block and one more.
    fn tweaks(&self, tweak: Block, blocks: usize) -> Vec<Block> {
        let mut block = tweak.into();
        self.tweak.encrypt_block(&mut block);
        let mut current = self.mirror(block.0);
        let mut tweaks = Vec::new();
        for _ in 0..=blocks {
            tweaks.push(self.mirror(current));
            current = times_alpha(current);
        }
        tweaks
    }

    fn encrypt_block(&self, block: &[u8], tweak: Block) -> Block {
        let mut block = xor(block.try_into().unwrap(), tweak).into();
        self.data.encrypt_block(&mut block);
        xor(block.0, tweak)
    }

    fn decrypt_block(&self, block: &[u8], tweak: Block) -> Block {
        let mut block = xor(block.try_into().unwrap(), tweak).into();
        self.data.decrypt_block(&mut block);
        xor(block.0, tweak)
    }

    pub(crate) fn encrypt(&self, plain: &[u8], tweak: Block) -> Vec<u8> {
        let (m, b) = (plain.len() / 16, plain.len() % 16);
        let t = self.tweaks(tweak, m);
        let mut out = Vec::new();
        for j in 0..m {
            out.extend(self.encrypt_block(&plain[16 * j..16 * j + 16], t[j]));
        }
        if b > 0 {
            let cc = out.split_off(16 * (m - 1));
            let pp = [&plain[16 * m..], &cc[b..]].concat();
            out.extend(self.encrypt_block(&pp, t[m]));
            out.extend(&cc[..b]);
        }
        out
    }

    pub(crate) fn decrypt(&self, cipher: &[u8], tweak: Block) -> Vec<u8> {
        let (m, b) = (cipher.len() / 16, cipher.len() % 16);
        let t = self.tweaks(tweak, m);
        let whole = if b > 0 { m - 1 } else { m };
        let mut out = Vec::new();
        for j in 0..whole {
            out.extend(self.decrypt_block(&cipher[16 * j..16 * j + 16], t[j]));
        }
        if b > 0 {
            let pp = self.decrypt_block(&cipher[16 * (m - 1)..16 * m], t[m]);
            let cc = [&cipher[16 * m..], &pp[b..]].concat();
            out.extend(self.decrypt_block(&cc, t[m - 1]));
            out.extend(&pp[..b]);
        }
        out
    }
}
