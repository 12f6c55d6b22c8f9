//! Every length up to past several of the widest steps, against the model and against `ghash`.

use crate::model::{self, noise, noise_key, output, pad};
use ghash_simd::{Backend, GHash, universal_hash::UniversalHash};

const LONGEST: usize = 4200;

/// The hash of every prefix of `data`, by the model.
fn prefixes(h: [u8; 16], data: &[u8]) -> Vec<[u8; 16]> {
    let mut value = 0;
    (0..=data.len())
        .map(|length| {
            let whole = length / 16 * 16;
            if length == whole && length > 0 {
                let last = pad(&data[length - 16..length]);
                value = u128::from_be_bytes(model::ghash_from(value, h, &last));
            }
            model::ghash_from(value, h, &pad(&data[whole..length]))
        })
        .collect()
}

fn check(h: [u8; 16], data: &[u8]) {
    let expected = prefixes(h, data);
    let peer = ghash::GHash::new(&h.into());
    for (length, expected) in expected.iter().enumerate() {
        let mut ghash = peer.clone();
        ghash.update_padded(&data[..length]);
        assert_eq!(ghash.finalize(), *expected, "ghash {length}");
    }
    for backend in Backend::all_available() {
        let fresh = GHash::with_backend(&h.into(), backend);
        for (length, expected) in expected.iter().enumerate() {
            let mut ghash = fresh.clone();
            ghash.update_padded(&data[..length]);
            assert_eq!(output(ghash), *expected, "{} {length}", backend.name());
        }
    }
}

#[test]
fn every_length() {
    check(noise_key(200), &noise(201, LONGEST));
}

#[test]
fn every_length_of_ones_under_a_key_of_ones() {
    check([0xff; 16], &[0xff; LONGEST]);
}

/// Every length behind a first call, which leaves a running value that is not zero.
#[test]
fn every_length_after_another() {
    let h = noise_key(202);
    let data = noise(203, 600);
    for backend in Backend::all_available() {
        let mut first = GHash::with_backend(&h.into(), backend);
        first.update_padded(&data[..21]);
        let start = u128::from_be_bytes(model::ghash(h, &pad(&data[..21])));
        for length in 0..=data.len() {
            let mut ghash = first.clone();
            ghash.update_padded(&data[..length]);
            let expected = model::ghash_from(start, h, &pad(&data[..length]));
            assert_eq!(output(ghash), expected, "{} {length}", backend.name());
        }
    }
}
