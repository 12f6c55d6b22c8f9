//! What GCM hashes: associated data, ciphertext, lengths.

use crate::model::{self, lengths, noise, noise_key, output, pad};
use ghash_simd::{Backend, GHash, GHashKey, Tag, universal_hash::UniversalHash};

/// By `ghash`, in separate calls.
fn peer(h: [u8; 16], a: &[u8], c: &[u8]) -> Tag {
    let mut ghash = ghash::GHash::new(&h.into());
    ghash.update_padded(a);
    ghash.update_padded(c);
    ghash.update(&[lengths(a.len(), c.len()).into()]);
    ghash.finalize()
}

fn model(h: [u8; 16], a: &[u8], c: &[u8]) -> [u8; 16] {
    let mut blocks = pad(a);
    blocks.extend(pad(c));
    blocks.push(lengths(a.len(), c.len()));
    model::ghash(h, &blocks)
}

fn keys(h: [u8; 16]) -> Vec<GHashKey> {
    let key = |backend| GHashKey::with_backend(&h.into(), backend);
    Backend::all_available().map(key).collect()
}

#[test]
fn all_short_pairs() {
    let h = noise_key(210);
    let data = noise(211, 200);
    let keys = keys(h);
    for a in 0..=70 {
        for c in 0..=130 {
            let (a, c) = (&data[..a], &data[70..][..c]);
            let expected = peer(h, a, c);
            for key in &keys {
                let name = key.backend().name();
                assert_eq!(
                    key.hash_aead(a, c),
                    expected,
                    "{name} {} {}",
                    a.len(),
                    c.len()
                );
            }
        }
    }
}

/// Every length of each part beside some of the other, by the model.
#[test]
fn every_length_of_either_part() {
    let h = noise_key(212);
    let data = noise(213, 900);
    let keys = keys(h);
    for long in 0..=700 {
        for short in [0, 1, 13, 16, 33, 129, 200] {
            if long % 3 != 0 && short > 16 {
                continue;
            }
            for (a, c) in [(short, long), (long, short)] {
                let (a, c) = (&data[..a], &data[data.len() - c..]);
                let expected = model(h, a, c);
                for key in &keys {
                    let name = key.backend().name();
                    let hash: [u8; 16] = key.hash_aead(a, c).into();
                    assert_eq!(hash, expected, "{name} {} {}", a.len(), c.len());
                }
            }
        }
    }
}

/// The same in pieces: the associated data, whole blocks of ciphertext, and the rest with the
/// lengths.
#[test]
fn pieces_equal_the_whole() {
    let h = noise_key(214);
    let data = noise(215, 900);
    for key in keys(h) {
        for a in [0, 5, 16, 300] {
            for c in (0..600).step_by(7).chain([64, 128, 256, 512]) {
                let (a, c) = (&data[..a], &data[300..][..c]);
                let expected = peer(h, a, c);
                for first in [0, 16, 64, 256, 304] {
                    let Some((first, rest)) = c.split_at_checked(first) else {
                        break;
                    };
                    let mut ghash = GHash::with_key(&key);
                    ghash.update_padded(a);
                    ghash.update_padded(first);
                    let hash = ghash.finalize_aead(rest, a.len() as u64, c.len() as u64);
                    let name = key.backend().name();
                    assert_eq!(hash, expected, "{name} {} {}", a.len(), c.len());
                }
            }
        }
    }
}

/// Lengths up to the limits of SP 800-38D take all 64 bits.
#[test]
fn lengths_are_counted_in_64_bits() {
    let h = noise_key(216);
    for (a, c) in [(1 << 29, 1 << 32), ((1 << 61) - 1, (1 << 36) - 32)] {
        let block = u128::from(8 * a) << 64 | u128::from(8 * c);
        let expected = model::ghash(h, &[block.to_be_bytes()]);
        for key in keys(h) {
            let hash: [u8; 16] = GHash::with_key(&key).finalize_aead(&[], a, c).into();
            assert_eq!(hash, expected, "{}", key.backend().name());
        }
    }
}

/// A key is as good after a message as before it.
#[test]
fn messages_do_not_change_the_key() {
    let h = noise_key(217);
    let data = noise(218, 5000);
    for key in keys(h) {
        let before = key.hash_aead(&data[..13], &data[..64]);
        let long = key.hash_aead(&data[..100], &data);
        assert_eq!(long, peer(h, &data[..100], &data));
        assert_eq!(key.hash_aead(&data[..13], &data[..64]), before);
        assert_eq!(output(GHash::with_key(&key)), [0; 16]);
    }
}
