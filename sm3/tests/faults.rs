//! Kinds of faults that other implementations of SM3 and of hashes have had.

use hex_literal::hex;
use sm3::{
    Backend, Digest, Sm3, Sm3Core,
    digest::{
        FixedOutputReset, Reset,
        block_api::{Buffer, FixedOutputCore, UpdateCore},
        common::hazmat::SerializableState,
    },
};

#[path = "support/model.rs"]
mod model;
use model::pattern;

fn hashers() -> impl Iterator<Item = Sm3> {
    Backend::all_available().map(Sm3::with_backend)
}

#[test]
fn finalize_twice() {
    let message = pattern(100);
    let expected = model::digest(&message);
    for mut hasher in hashers() {
        hasher.update(&message);
        let twin = hasher.clone();
        assert_eq!(hasher.finalize()[..], expected);
        assert_eq!(twin.finalize()[..], expected);
    }
}

#[test]
fn finalize_reset_then_reuse() {
    for mut hasher in hashers() {
        for len in [0, 1, 55, 56, 64, 100, 200, 3] {
            let message = pattern(len);
            hasher.update(&message);
            assert_eq!(
                hasher.finalize_reset()[..],
                model::digest(&message),
                "{len}"
            );
        }
        // Nothing was fed since: the empty message.
        let mut digest = Default::default();
        FixedOutputReset::finalize_into_reset(&mut hasher, &mut digest);
        assert_eq!(digest[..], model::digest(b""));
    }
}

#[test]
fn update_after_reset() {
    for mut hasher in hashers() {
        for fed in [0, 1, 63, 64, 65, 128, 200] {
            hasher.update(pattern(fed));
            Reset::reset(&mut hasher);
            hasher.update(b"abc");
            assert_eq!(
                hasher.clone().finalize()[..],
                model::digest(b"abc"),
                "{fed}"
            );
            Digest::reset(&mut hasher);
        }
    }
}

#[test]
fn reset_keeps_the_backend() {
    for backend in Backend::all_available() {
        let mut hasher = Sm3::with_backend(backend);
        hasher.update(b"abc");
        assert_eq!(hasher.backend(), backend);
        Reset::reset(&mut hasher);
        assert_eq!(hasher.backend(), backend);
        hasher.finalize_reset();
        assert_eq!(hasher.clone().backend(), backend);

        let mut core = Sm3Core::with_backend(backend);
        Reset::reset(&mut core);
        assert_eq!(core.backend(), backend);
    }
    assert_eq!(Some(Sm3::new().backend()), Backend::all_available().next());
}

#[test]
fn clone_goes_its_own_way() {
    for mut hasher in hashers() {
        hasher.update(pattern(70));
        let mut twin = hasher.clone();
        twin.update(b"twin");
        hasher.update(b"original");
        assert_eq!(
            twin.finalize()[..],
            model::digest(&[&pattern(70)[..], b"twin"].concat())
        );
        assert_eq!(
            hasher.finalize()[..],
            model::digest(&[&pattern(70)[..], b"original"].concat())
        );
    }
}

#[test]
fn one_split_anywhere() {
    let message = pattern(300);
    let expected = model::digest(&message);
    for mut hasher in hashers() {
        for split in 0..=message.len() {
            hasher.update(&message[..split]);
            hasher.update(&message[split..]);
            assert_eq!(hasher.finalize_reset()[..], expected, "{split}");
        }
    }
}

#[test]
fn pieces_of_every_size() {
    let message = pattern(700);
    let expected = model::digest(&message);
    for mut hasher in hashers() {
        for size in 1..=200 {
            for piece in message.chunks(size) {
                hasher.update(piece);
                hasher.update(b"");
            }
            assert_eq!(hasher.finalize_reset()[..], expected, "{size}");
        }
    }
}

#[test]
fn unaligned_buffers() {
    let message = pattern(400);
    let expected = model::digest(&message);
    for hasher in hashers() {
        for offset in 0..64 {
            let mut buffer = vec![0xa5; offset];
            buffer.extend_from_slice(&message);
            buffer.push(0x5a);
            let piece = &buffer[offset..offset + message.len()];
            assert_eq!(
                hasher.clone().chain_update(piece).finalize()[..],
                expected,
                "{offset}"
            );
        }
    }
}

/// The digests are OpenSSL 4.0's. The bit count passes 2^32 with the last of the 2^29 bytes.
#[test]
fn bit_counter_overflow_at_32_bits() {
    let zeros = vec![0; 1 << 20];
    for mut hasher in hashers() {
        for _ in 0..1 << 9 {
            hasher.update(&zeros);
        }
        assert_eq!(
            hasher.clone().finalize()[..],
            hex!("7927ca8884a535d9a4d80986f7c478a790013ee370836dfb86a36b4443c86533")
        );
        hasher.update([0]);
        assert_eq!(
            hasher.finalize()[..],
            hex!("1860c1d3654409dd1bbc7aea48889ae732d3aa767f282add9cea59a059fc6d1f")
        );
    }
}

/// States that no message within the standard's limit leads to: no panic, and 64-bit arithmetic.
#[test]
fn bit_counter_overflow_at_64_bits() {
    for blocks in [
        (1 << 55) - 2,
        (1 << 55) - 1,
        1 << 55,
        (1 << 58) - 1,
        1 << 58,
        u64::MAX - 1,
        u64::MAX,
    ] {
        let mut serialized = [0; 40];
        for (bytes, word) in serialized.chunks_mut(4).zip(model::IV) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        serialized[32..].copy_from_slice(&blocks.to_le_bytes());
        let mut core = Sm3Core::deserialize(&serialized.into()).unwrap();
        assert_eq!(core.serialize()[..], serialized);

        let message = pattern(128 + 3);
        core.update_blocks(&[
            message[..64].try_into().unwrap(),
            message[64..128].try_into().unwrap(),
        ]);
        let mut digest = Default::default();
        core.finalize_fixed_core(&mut Buffer::<Sm3Core>::new(&message[128..]), &mut digest);

        let bits = (u128::from(blocks) + 2) * 512 + 24;
        let mut last = [0; 64];
        last[..3].copy_from_slice(&message[128..]);
        last[3] = 0x80;
        last[56..].copy_from_slice(&(bits as u64).to_be_bytes());
        let state = message[..128].chunks(64).fold(model::IV, model::compress);
        assert_eq!(
            digest[..],
            model::output(model::compress(state, &last)),
            "{blocks}"
        );
    }
}
