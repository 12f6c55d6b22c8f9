//! AES-GCM made of `aes` and this crate, as the README shows it, against `aes-gcm`.

use crate::model::noise;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use aes_gcm::{AeadInOut, AesGcm};
use ghash_simd::{Backend, GHash, GHashKey, universal_hash::UniversalHash};

/// AES-128-GCM with nonces of 12 bytes.
struct Gcm {
    cipher: aes::Aes128,
    key: GHashKey,
}

impl Gcm {
    fn new(key: [u8; 16], backend: Backend) -> Self {
        let cipher = aes::Aes128::new(&key.into());
        let mut h = Default::default();
        cipher.encrypt_block(&mut h);
        let key = GHashKey::with_backend(&h, backend);
        Self { cipher, key }
    }

    /// Counter block `n` under the cipher.
    fn keystream(&self, nonce: [u8; 12], n: u32) -> [u8; 16] {
        let mut block = [0; 16];
        block[..12].copy_from_slice(&nonce);
        block[12..].copy_from_slice(&n.to_be_bytes());
        let mut block = block.into();
        self.cipher.encrypt_block(&mut block);
        block.into()
    }

    fn encrypt(&self, nonce: [u8; 12], data: &mut [u8]) {
        for (chunk, n) in data.chunks_mut(16).zip(2..) {
            for (byte, mask) in chunk.iter_mut().zip(self.keystream(nonce, n)) {
                *byte ^= mask;
            }
        }
    }

    fn tag(&self, nonce: [u8; 12], hash: ghash_simd::Tag) -> [u8; 16] {
        let mask = self.keystream(nonce, 1);
        core::array::from_fn(|i| hash[i] ^ mask[i])
    }
}

#[test]
fn equals_aes_gcm() {
    let key = *b"a key for a test";
    let nonce = *b"twelve bytes";
    let input = noise(220, 2100);
    let peer = AesGcm::<aes::Aes128, aes::cipher::consts::U12>::new(&key.into());
    let ours: Vec<_> = Backend::all_available().map(|b| Gcm::new(key, b)).collect();
    for length in (0..=300).chain((301..=2100).step_by(43)) {
        for a in [0, 13, 16, 100] {
            let aad = &input[a..][..a];
            let mut expected = input[..length].to_vec();
            let tag = peer
                .encrypt_inout_detached(&nonce.into(), aad, expected.as_mut_slice().into())
                .expect("short enough");
            let mut data = input[..length].to_vec();
            ours[0].encrypt(nonce, &mut data);
            assert_eq!(data, expected);
            for ours in &ours {
                let name = ours.key.backend().name();
                let hash = ours.key.hash_aead(aad, &data);
                assert_eq!(tag, ours.tag(nonce, hash), "{name} {length} {a}");

                let mut ghash = GHash::with_key(&ours.key);
                ghash.update_padded(aad);
                let (whole, rest) = data.split_at(length / 64 * 64);
                ghash.update_padded(whole);
                let hash = ghash.finalize_aead(rest, a as u64, length as u64);
                assert_eq!(tag, ours.tag(nonce, hash), "{name} {length} {a}");
            }
        }
    }
}
