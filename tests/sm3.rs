//! SM3: vectors, and equality with RustCrypto's and with the model.

use digest::array::Array;
use digest::common::hazmat::SerializableState;
use digest::dev::{TestVector, fixed_reset_test};
use digest::{Digest, FixedOutputReset, Reset, Update};
use hex_literal::hex;
use shangmi_tests::model;
use shangmi_tests::support::bytes::{unhex, unhex_array};
use shangmi_tests::support::place::Placed;
use shangmi_tests::support::rng::Rng;
use shangmi_tests::vectors::json::{self, wycheproof};
use shangmi_tests::vectors::stanza::stanzas;
use shangmi_tests::vectors::{derived, folder};
use sm3::{Backend, Sm3};

/// Hashes in one call and in several.
fn check(message: &[u8], digest: &[u8]) {
    assert_eq!(Sm3::digest(message)[..], *digest, "{} bytes", message.len());
    for part in [1, 7, 63, 64, 65] {
        let mut hasher = Sm3::new();
        for chunk in message.chunks(part) {
            Update::update(&mut hasher, chunk);
        }
        assert_eq!(
            hasher.finalize()[..],
            *digest,
            "{} bytes by {part}",
            message.len()
        );
    }
}

/// A hasher of every backend.
fn hashers() -> impl Iterator<Item = Sm3> {
    let mut all = Backend::all_available().map(Sm3::with_backend).peekable();
    assert!(all.peek().is_some());
    all
}

#[test]
fn gb_t_32905_examples() {
    check(
        b"abc",
        &hex!("66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
    );
    check(
        &b"abcd".repeat(16),
        &hex!("debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732"),
    );
}

#[test]
fn every_length_equals_peer_and_model() {
    let mut rng = Rng::new(0x5301);
    let data = rng.bytes(1100);
    for len in 0..=data.len() {
        let message = &data[..len];
        let expected = model::sm3::sm3(message);
        assert_eq!(
            rc_sm3::Sm3::digest(message)[..],
            expected,
            "peer, {len} bytes"
        );
        assert_eq!(Sm3::digest(message)[..], expected, "{len} bytes");
        for hasher in hashers() {
            let backend = hasher.backend();
            let digest = hasher.chain_update(message).finalize();
            assert_eq!(digest[..], expected, "{backend:?}, {len} bytes");
        }
    }
}

#[test]
fn random_splits_equal_one_call() {
    let mut rng = Rng::new(0x5302);
    for _ in 0..2000 {
        let len = rng.below(3000);
        let message = rng.bytes(len);
        let parts = rng.splits(message.len());
        for mut hasher in hashers() {
            let backend = hasher.backend();
            let mut rest = &message[..];
            for &part in &parts {
                let (now, later) = rest.split_at(part);
                Update::update(&mut hasher, now);
                rest = later;
            }
            let digest = hasher.finalize();
            assert_eq!(
                digest,
                rc_sm3::Sm3::digest(&message),
                "{backend:?}, {parts:?}"
            );
        }
    }
}

#[test]
fn every_cut_in_two_equals_one_call() {
    let mut rng = Rng::new(0x5306);
    let message = rng.bytes(300);
    let expected = model::sm3::sm3(&message);
    for cut in 0..=message.len() {
        let (head, tail) = message.split_at(cut);
        for hasher in hashers() {
            let digest = hasher.chain_update(head).chain_update(tail).finalize();
            assert_eq!(digest[..], expected, "{cut} bytes, then the rest");
        }
    }
}

#[test]
fn every_misalignment_equals_the_aligned_one() {
    let mut rng = Rng::new(0x5303);
    let message = rng.bytes(517);
    for len in [0, 1, 55, 56, 63, 64, 65, 127, 128, 129, 517] {
        let expected = model::sm3::sm3(&message[..len]);
        for offset in 0..16 {
            let placed = Placed::new(offset, &message[..len]);
            for hasher in hashers() {
                let digest = hasher.chain_update(placed.checked()).finalize();
                assert_eq!(digest[..], expected, "{len} bytes at {offset}");
            }
        }
    }
}

#[test]
fn clone_reset_and_reuse_start_afresh() {
    let mut rng = Rng::new(0x5304);
    for _ in 0..300 {
        let (a, b, c) = (rng.below(200), rng.below(200), rng.below(200));
        let (a, b, c) = (rng.bytes(a), rng.bytes(b), rng.bytes(c));
        let mut hasher = Sm3::new();
        Update::update(&mut hasher, &a);
        let mut clone = hasher.clone();
        Update::update(&mut clone, &b);
        Update::update(&mut hasher, &c);
        assert_eq!(
            clone.finalize()[..],
            model::sm3::sm3(&[&a[..], &b].concat())
        );
        let first = FixedOutputReset::finalize_fixed_reset(&mut hasher);
        assert_eq!(first[..], model::sm3::sm3(&[&a[..], &c].concat()));
        Update::update(&mut hasher, &b);
        let second = FixedOutputReset::finalize_fixed_reset(&mut hasher);
        assert_eq!(second[..], model::sm3::sm3(&b));
        Update::update(&mut hasher, &a);
        Reset::reset(&mut hasher);
        Update::update(&mut hasher, &c);
        assert_eq!(hasher.finalize()[..], model::sm3::sm3(&c));
    }
}

#[test]
fn serialized_states_are_those_of_the_peer_at_every_position() {
    let mut rng = Rng::new(0x5305);
    let message = rng.bytes(400);
    let digest = model::sm3::sm3(&message);
    for at in 0..=200 {
        let ours = Sm3::new().chain_update(&message[..at]);
        let peers = rc_sm3::Sm3::new().chain_update(&message[..at]);
        let state = ours.serialize();
        assert_eq!(state, peers.serialize(), "after {at} bytes");
        let ours = Sm3::deserialize(&state).expect("a state of the peer's layout");
        let peers = rc_sm3::Sm3::deserialize(&state).expect("a state of ours");
        assert_eq!(ours.chain_update(&message[at..]).finalize()[..], digest);
        assert_eq!(peers.chain_update(&message[at..]).finalize()[..], digest);
    }
}

#[test]
fn states_that_cannot_be_are_refused() {
    // The last part is the buffer: its position must lie below 64.
    let good = Sm3::new().chain_update([1; 70]).serialize();
    for position in 64..=255u8 {
        let mut bad = good;
        bad[40] = position;
        let ours = Sm3::deserialize(&bad).is_err();
        let peers = rc_sm3::Sm3::deserialize(&bad).is_err();
        assert!(ours && peers, "position {position}");
    }
}

#[test]
fn the_length_in_bits_is_counted_to_the_end() {
    // A state after n blocks, as nobody can reach it by hashing; the last block holds the length alone.
    let start = Sm3::new().chain_update([0x5a; 64]).serialize();
    let h: [u32; 8] = core::array::from_fn(|i| {
        u32::from_le_bytes(start[4 * i..4 * i + 4].try_into().expect("4 bytes"))
    });
    for blocks in [
        1u64,
        1 << 23,
        (1 << 23) + 1,
        1 << 26,
        1 << 40,
        (1 << 55) - 1,
    ] {
        let mut state = start;
        state[32..40].copy_from_slice(&blocks.to_le_bytes());
        let mut last = [0; 64];
        last[0] = 0x80;
        last[56..].copy_from_slice(&(blocks * 512).to_be_bytes());
        let expected: Vec<u8> = (model::sm3::compress(h, &last).iter())
            .flat_map(|word| word.to_be_bytes())
            .collect();
        let hasher = Sm3::deserialize(&state).expect("a state");
        assert_eq!(hasher.finalize()[..], expected, "{blocks} blocks");
    }
}

#[test]
fn more_than_2_to_the_64_bits_do_not_panic() {
    // Beyond what the standard defines; a state from outside must not bring a program down.
    let start = Sm3::new().chain_update([0x5a; 64]).serialize();
    for blocks in [
        1u64 << 55,
        1 << 58,
        1 << 61,
        1 << 63,
        u64::MAX - 1,
        u64::MAX,
    ] {
        let mut state = start;
        state[32..40].copy_from_slice(&blocks.to_le_bytes());
        let mut hasher = Sm3::deserialize(&state).expect("a state");
        Update::update(&mut hasher, &[0; 200]);
        let _ = hasher.finalize();
    }
}

#[test]
fn derived_half_a_gigabyte_of_zeros() {
    let document = derived::sm3();
    let tests = json::list(&document, "tests");
    let chunk = vec![0; 1 << 20];
    let (mut hasher, mut done, mut tested) = (Sm3::new(), 0, 0);
    for test in tests {
        let len = json::number(test, "zeros");
        assert!(len >= done, "ascending");
        while done < len {
            let part = chunk.len().min(len - done);
            Update::update(&mut hasher, &chunk[..part]);
            done += part;
        }
        assert_eq!(
            hasher.clone().finalize()[..],
            json::bytes(test, "sm3"),
            "{len} zeros"
        );
        tested += 1;
    }
    assert_eq!(tested, 2);
}

#[test]
fn openssl_evpmd_sm3() {
    let name = "openssl/evpmd_sm3.txt";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let (ours, others): (Vec<_>, Vec<_>) =
        (stanzas(&text, "Digest").into_iter()).partition(|s| s.text("Digest") == "SM3");
    for stanza in &ours {
        check(&stanza.bytes("Input"), &stanza.bytes("Output"));
    }
    folder::report(name, ours.len(), 8);
    folder::report_other(name, "SHA3-256, SHA-512", others.len(), 2);
}

#[test]
fn ipsec_mb_sm3() {
    let name = "ipsec-mb/sm3_test.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let cases = wycheproof(&document);
    for case in &cases {
        assert!(case.valid && json::text(case.test, "key").is_empty());
        check(
            &json::bytes(case.test, "msg"),
            &json::bytes(case.test, "tag"),
        );
    }
    folder::report(name, cases.len(), 31);
}

#[test]
fn botan_sm3() {
    let name = "botan/sm3.vec";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let all = stanzas(&text, "Out");
    for stanza in &all {
        assert_eq!(stanza.heading, "SM3");
        check(&stanza.bytes("In"), &stanza.bytes("Out"));
    }
    folder::report(name, all.len(), 139);
}

#[test]
fn gmsm_sm3() {
    let name = "gmsm/gmsm_vectors.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let tables = json::list(&document["files"], "sm3/sm3_test.go");
    let (mut tested, mut others) = (0, 0);
    for table in tables {
        let entries = json::list(table, "entries");
        if json::text(table, "table") == "sm3TestVector" {
            for entry in entries {
                let value = |i: usize| entry["values"][i].as_str().expect("text");
                check(&unhex(value(1)), &unhex_array::<32>(value(0)));
                tested += 1;
            }
        } else {
            others += entries.len();
        }
    }
    folder::report(&format!("{name} (SM3)"), tested, 58);
    folder::report_other(name, "SM3 key derivation and empty tables", others, 27);
}

#[test]
fn rustcrypto_blobs() {
    let name = "rustcrypto/sm3_kat.blb";
    if let Some(blob) = folder::read(name) {
        let items = blobby::parse_into_vec(blob.leak()).expect("a blob");
        let (pairs, odd) = items.as_chunks();
        assert!(odd.is_empty());
        for &[input, output] in pairs {
            check(input, output);
            fixed_reset_test::<Sm3>(&TestVector { input, output }).expect("the trait's own test");
        }
        folder::report(name, pairs.len(), 5);
    }

    let name = "rustcrypto/sm3_serialization.bin";
    if let Some(expected) = folder::read(name) {
        let mut hasher = Sm3::new();
        Update::update(&mut hasher, &[0x13; 65]);
        assert_eq!(hasher.serialize()[..], expected);
        let state = Array::try_from(&expected[..]).expect("104 bytes");
        let hasher = Sm3::deserialize(&state).expect("a state");
        let digest = hasher.chain_update([0x13; 65]).finalize();
        assert_eq!(digest[..], model::sm3::sm3(&[0x13; 130]));
        folder::report(name, 1, 1);
    }
}

/// The stream is hashed once, with a clone at each of the five lengths.
#[test]
#[ignore = "hashes 6 GiB: about half a minute"]
fn libgcrypt_six_gigabytes() {
    let name = "libgcrypt/sm3_huge.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let mut cases: Vec<(u64, [u8; 32])> = (json::list(&document, "tests").iter())
        .filter(|test| json::number(test, "gib") == 6)
        .map(|test| {
            let delta = test["delta_bytes"].as_i64().expect("a number");
            (
                (6u64 << 30).checked_add_signed(delta).expect("fits"),
                json::array(test, "sm3"),
            )
        })
        .collect();
    cases.sort_unstable();
    let chunk = vec![b'a'; 1 << 20];
    let (mut hasher, mut done) = (Sm3::new(), 0);
    for &(len, digest) in &cases {
        while done < len {
            let part = (chunk.len() as u64).min(len - done);
            Update::update(&mut hasher, &chunk[..part as usize]);
            done += part;
        }
        assert_eq!(hasher.clone().finalize()[..], digest, "{len} bytes");
    }
    folder::report(&format!("{name} (6 GiB)"), cases.len(), 5);
}

#[test]
fn libgcrypt_quarter_of_a_terabyte_is_beyond_a_test() {
    let name = "libgcrypt/sm3_huge.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let tests = json::list(&document, "tests");
    let long = tests
        .iter()
        .filter(|test| json::number(test, "gib") == 256)
        .count();
    folder::report_other(name, "256 GiB of 'a', a quarter of an hour each", long, 5);
    folder::report_other(
        name,
        "6 GiB of 'a', in the ignored test",
        tests.len() - long,
        5,
    );
}
