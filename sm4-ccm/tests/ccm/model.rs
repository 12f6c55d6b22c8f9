//! CCM written down a second time, as RFC 3610 words it: the whole input of the CBC-MAC is built
//! first, and every block is encrypted on its own.

use sm4::{
    Sm4,
    cipher::{BlockCipherEncrypt, KeyInit},
};

pub(crate) struct Model(Sm4);

impl Model {
    pub(crate) fn new(key: &[u8; 16]) -> Self {
        Self(Sm4::new(key.into()))
    }

    fn encrypt(&self, block: &[u8]) -> [u8; 16] {
        let mut block = <[u8; 16]>::try_from(block).unwrap().into();
        self.0.encrypt_block(&mut block);
        block.0
    }

    fn keystream(&self, nonce: &[u8], i: usize) -> [u8; 16] {
        let l = 15 - nonce.len();
        let mut block = vec![l as u8 - 1];
        block.extend(nonce);
        block.extend(&(i as u128).to_be_bytes()[16 - l..]);
        self.encrypt(&block)
    }

    /// The ciphertext and the tag.
    pub(crate) fn seal(
        &self,
        nonce: &[u8],
        tag: usize,
        aad: &[u8],
        message: &[u8],
    ) -> (Vec<u8>, Vec<u8>) {
        let l = 15 - nonce.len();
        let adata = if aad.is_empty() { 0 } else { 64 };
        let mut input = vec![(adata + 8 * ((tag - 2) / 2) + (l - 1)) as u8];
        input.extend(nonce);
        input.extend(&(message.len() as u128).to_be_bytes()[16 - l..]);
        match aad.len() as u64 {
            0 => {}
            n if n < (1 << 16) - (1 << 8) => input.extend(&n.to_be_bytes()[6..]),
            n => {
                input.extend([0xff, 0xfe]);
                input.extend(&n.to_be_bytes()[4..]);
            }
        }
        input.extend(aad);
        input.resize(input.len().next_multiple_of(16), 0);
        input.extend(message);
        input.resize(input.len().next_multiple_of(16), 0);

        let mut x = [0; 16];
        for block in input.chunks(16) {
            let sum: Vec<u8> = x.iter().zip(block).map(|(x, b)| x ^ b).collect();
            x = self.encrypt(&sum);
        }
        let s0 = self.keystream(nonce, 0);
        let mac = x.iter().zip(s0).map(|(x, s)| x ^ s).take(tag).collect();

        let mut cipher = Vec::new();
        for (chunk, i) in message.chunks(16).zip(1..) {
            let keystream = self.keystream(nonce, i);
            cipher.extend(chunk.iter().zip(keystream).map(|(d, k)| d ^ k));
        }
        (cipher, mac)
    }
}
