//! What holds for every mode with associated data. Each property draws its cases from a generator with the given seed.

use core::fmt::Debug;

use aead::consts::{U12, U16};
use aead::{Aead, AeadCore, AeadInOut, KeyInit, KeySizeUser, Payload, TagPosition};
use cipher::Array;

use super::aead::{Leftover, agrees};
use super::aead_mode::Mode;
use super::rng::Rng;
use super::run::Layout;
use super::subjects::{Who, backends};

/// A mode's type with a nonce of 12 bytes and a tag of 16, as RFC 8998 has them.
pub trait Rfc8998:
    AeadInOut
    + AeadCore<NonceSize = U12, TagSize = U16>
    + KeyInit
    + KeySizeUser<KeySize = U16>
    + From<sm4::Sm4>
    + Clone
    + Debug
{
}

impl<A> Rfc8998 for A where
    A: AeadInOut
        + AeadCore<NonceSize = U12, TagSize = U16>
        + KeyInit
        + KeySizeUser<KeySize = U16>
        + From<sm4::Sm4>
        + Clone
        + Debug
{
}

impl Mode {
    /// Messages of these lengths, by every implementation.
    ///
    /// # Panics
    /// When one differs.
    pub fn every_length(&self, seed: u64, lengths: impl IntoIterator<Item = usize>) {
        let mut rng = Rng::new(seed);
        for len in lengths {
            let (key, nonce): ([u8; 16], [u8; 12]) = (rng.array(), rng.array());
            let aad_len = rng.below(70);
            let (aad, plaintext) = (rng.bytes(aad_len), rng.bytes(len));
            self.check(&self.case(&key, &nonce, &aad, &plaintext, 16));
        }
    }

    /// Associated data of these lengths.
    ///
    /// # Panics
    /// When ours differs.
    pub fn every_length_of_associated_data(
        &self,
        seed: u64,
        lengths: impl IntoIterator<Item = usize>,
    ) {
        let mut rng = Rng::new(seed);
        let key = rng.array();
        for aad_len in lengths {
            let nonce: [u8; 12] = rng.array();
            let (aad, plaintext) = (rng.bytes(aad_len), rng.bytes(aad_len % 37));
            let case = self.case(&key, &nonce, &aad, &plaintext, 16);
            self.agrees(Who::Ours, &case, &[Layout::InPlace(0)]);
        }
    }

    /// Nonces and tags of these sizes with messages of these lengths, by every implementation.
    ///
    /// # Panics
    /// When one differs.
    pub fn every_size(
        &self,
        seed: u64,
        sizes: impl IntoIterator<Item = (usize, usize)>,
        lengths: &[usize],
    ) {
        let mut rng = Rng::new(seed);
        for (nonce_len, tag_len) in sizes {
            for &len in lengths {
                let key = rng.array();
                let (nonce, plaintext) = (rng.bytes(nonce_len), rng.bytes(len));
                let aad = rng.bytes(len / 3);
                self.check(&self.case(&key, &nonce, &aad, &plaintext, tag_len));
            }
        }
    }

    /// Buffers at every distance from a multiple of 16.
    ///
    /// # Panics
    /// When ours differs.
    pub fn every_misalignment(&self, seed: u64) {
        let mut rng = Rng::new(seed);
        let (key, nonce): ([u8; 16], [u8; 12]) = (rng.array(), rng.array());
        let aead = (self.make)(Who::Ours, &key, 12, 16).expect("a type");
        for len in [1, 15, 16, 17, 255, 257, 1000] {
            let (aad, plaintext) = (rng.bytes(21), rng.bytes(len));
            let case = self.case(&key, &nonce, &aad, &plaintext, 16);
            for from in 0..16 {
                agrees(&*aead, &case.message(), Layout::InPlace(from));
                for to in 0..16 {
                    agrees(&*aead, &case.message(), Layout::BufToBuf(from, to));
                }
            }
        }
    }

    /// Each backend of SM4, and values made from a cipher, from a key and from a clone.
    ///
    /// # Panics
    /// When one differs.
    pub fn every_backend<A: Rfc8998>(&self, seed: u64) {
        let mut rng = Rng::new(seed);
        for (name, make) in backends() {
            println!("{name}");
            for len in 0..=600 {
                let (key, nonce): ([u8; 16], [u8; 12]) = (rng.array(), rng.array());
                let (aad, plaintext) = (rng.bytes(len % 40), rng.bytes(len));
                let case = self.case(&key, &nonce, &aad, &plaintext, 16);
                let m = case.message();
                agrees(&A::from(make(&key)), &m, Layout::InPlace(0));
                agrees(&A::new(&Array(key)).clone(), &m, Layout::BufToBuf(0, 0));
            }
        }
    }

    /// The forms that keep the tag behind the ciphertext, and every truncation of what they give.
    ///
    /// # Panics
    /// When one differs from the model, or takes what is cut or longer.
    pub fn combined_forms<A: Rfc8998>(&self, seed: u64) {
        let mut rng = Rng::new(seed);
        for len in 0..100 {
            let (key, nonce): ([u8; 16], [u8; 12]) = (rng.array(), rng.array());
            let (aad, msg) = (rng.bytes(9), rng.bytes(len));
            let case = self.case(&key, &nonce, &aad, &msg, 16);
            let sealed = [case.ciphertext, case.tag].concat();
            let (aead, nonce) = (A::new(&Array(key)), Array(nonce));
            let payload = |msg| Payload { msg, aad: &aad };

            let got = aead.encrypt(&nonce, payload(&msg));
            assert_eq!(got.as_deref(), Ok(&sealed[..]));
            let back = aead.decrypt(&nonce, payload(&sealed));
            assert_eq!(back.as_deref(), Ok(&msg[..]));

            let mut buffer = msg.clone();
            aead.encrypt_in_place(&nonce, &aad, &mut buffer)
                .expect("short");
            assert_eq!(buffer, sealed);
            aead.decrypt_in_place(&nonce, &aad, &mut buffer)
                .expect("good");
            assert_eq!(buffer, msg);

            for cut in 0..sealed.len() {
                let mut buffer = sealed[..cut].to_vec();
                assert!(
                    aead.decrypt_in_place(&nonce, &aad, &mut buffer).is_err(),
                    "{cut} of {}",
                    sealed.len()
                );
                assert_eq!(buffer, self.left_of(&sealed[..cut]));
            }
            let longer = [&sealed[..], &[0]].concat();
            assert!(aead.decrypt(&nonce, payload(&longer)).is_err());
        }
        assert_eq!(A::TAG_POSITION, TagPosition::Postfix);
    }

    /// What is left of a ciphertext with its tag of 16 bytes after a failed check. Too short for a tag: all of it.
    fn left_of(&self, sealed: &[u8]) -> Vec<u8> {
        match self.leftover {
            Leftover::AsItWas => sealed.to_vec(),
            // The message is wiped, the tag stays.
            Leftover::Zeros => {
                let message = sealed.len().saturating_sub(16);
                [&vec![0; message], &sealed[message..]].concat()
            }
        }
    }
}

/// Keys of 16 bytes only.
///
/// # Panics
/// When another one is taken.
pub fn refuses_other_keys<A: Rfc8998>() {
    for len in (0..=64).filter(|&len| len != 16) {
        assert!(
            A::new_from_slice(&vec![1; len]).is_err(),
            "key of {len} bytes"
        );
    }
}

/// `Debug` is short and shows no byte of the key.
///
/// # Panics
/// When it does not hold.
pub fn debug_names_no_secret<A: Rfc8998>() {
    let shown = format!("{:?}", A::new(&Array([0xab; 16])));
    assert!(
        shown.len() < 100 && !shown.contains("171") && !shown.contains("ab, "),
        "{shown}"
    );
}
