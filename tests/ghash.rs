//! GHASH: equality with RustCrypto's and with the model, on every backend.

use aes_gcm::aead::inout::InOutBuf;
use cipher::{Array, BlockCipherEncrypt};
use ghash_simd::{Backend, GHash};
use hex_literal::hex;
use shangmi_tests::model::cipher16::xor;
use shangmi_tests::model::ghash::{blocks, ghash, lengths, mul, pow};
use shangmi_tests::support::place::Placed;
use shangmi_tests::support::rng::Rng;
use universal_hash::{KeyInit, Reset, UniversalHash};

fn backends() -> Vec<Backend> {
    let all: Vec<_> = Backend::all_available().collect();
    assert!(!all.is_empty());
    all
}

/// Keys that have shown faults elsewhere, and random ones.
fn keys(rng: &mut Rng) -> Vec<[u8; 16]> {
    let mut one = [0; 16];
    one[0] = 0x80;
    let mut last = [0; 16];
    last[15] = 1;
    let mut all = vec![[0; 16], one, last, [0xff; 16], [0x80; 16], [0x01; 16]];
    all.extend([
        hex!("0000000000000000ffffffffffffffff"),
        hex!("ffffffffffffffff0000000000000000"),
    ]);
    all.extend((0..8).map(|_| rng.array::<16>()));
    all
}

#[test]
fn sp_800_38d_example() {
    let h = Array(hex!("66e94bd4ef8a2c3b884cfa59ca342b2e"));
    for backend in backends() {
        let mut hash = GHash::with_backend(&h, backend);
        assert_eq!(hash.backend(), backend);
        hash.update(&[
            Array(hex!("0388dace60b6a392f328c2b971b2fe78")),
            Array(hex!("00000000000000000000000000000080")),
        ]);
        assert_eq!(
            hash.finalize().0,
            hex!("f38cbb1ad69223dcc3457ae5b6b0f885"),
            "{backend:?}"
        );
    }
}

#[test]
fn every_number_of_blocks_equals_model_and_peer() {
    let mut rng = Rng::new(0x4701);
    for h in keys(&mut rng) {
        let data: Vec<[u8; 16]> = (0..=200)
            .map(|i| match i % 7 {
                0 => [0xff; 16],
                1 => [0; 16],
                _ => rng.array(),
            })
            .collect();
        let arrays: Vec<_> = data.iter().map(|&b| Array(b)).collect();
        let mut y = [0; 16];
        for n in 0..=200 {
            let mut peer = <::ghash::GHash as KeyInit>::new(&Array(h));
            peer.update(&arrays[..n]);
            assert_eq!(peer.finalize().0, y, "peer, {n} blocks");
            for backend in backends() {
                let mut hash = GHash::with_backend(&Array(h), backend);
                hash.update(&arrays[..n]);
                assert_eq!(hash.finalize().0, y, "{backend:?}, {n} blocks, H {h:02x?}");
            }
            y = ghash(h, [xor(y, data[n])]);
        }
    }
}

#[test]
fn every_length_in_bytes_equals_the_model() {
    let mut rng = Rng::new(0x4702);
    let h = rng.array();
    let data = rng.bytes(1100);
    for len in 0..=data.len() {
        let expected = ghash(h, blocks(&data[..len]));
        for backend in backends() {
            let mut hash = GHash::with_backend(&Array(h), backend);
            hash.update_padded(&data[..len]);
            assert_eq!(hash.finalize().0, expected, "{backend:?}, {len} bytes");
        }
    }
}

#[test]
fn random_splits_of_blocks_and_bytes_equal_the_model() {
    let mut rng = Rng::new(0x4703);
    for backend in backends() {
        for _ in 0..500 {
            let h = rng.array();
            let mut hash = GHash::with_backend(&Array(h), backend);
            let mut all = Vec::new();
            for _ in 0..rng.below(12) {
                if rng.below(2) == 0 {
                    let part: Vec<_> = (0..rng.below(20)).map(|_| Array(rng.array())).collect();
                    hash.update(&part);
                    all.extend(part.iter().map(|b| b.0));
                } else {
                    let len = rng.below(200);
                    let part = rng.bytes(len);
                    hash.update_padded(&part);
                    all.extend(blocks(&part));
                }
            }
            let clone = hash.clone();
            let expected = ghash(h, all);
            assert_eq!(hash.finalize().0, expected, "{backend:?}");
            assert_eq!(clone.finalize().0, expected, "{backend:?}, clone");
        }
    }
}

#[test]
fn every_misalignment_equals_the_aligned_one() {
    let mut rng = Rng::new(0x4704);
    let h = rng.array();
    let data = rng.bytes(1000);
    for len in [1, 15, 16, 17, 63, 64, 65, 127, 129, 1000] {
        let expected = ghash(h, blocks(&data[..len]));
        for offset in 0..16 {
            let placed = Placed::new(offset, &data[..len]);
            for backend in backends() {
                let mut hash = GHash::with_backend(&Array(h), backend);
                hash.update_padded(placed.checked());
                assert_eq!(
                    hash.finalize().0,
                    expected,
                    "{backend:?}, {len} at {offset}"
                );
            }
        }
    }
}

#[test]
fn initial_blocks_continue_and_reset_returns_to_zero() {
    let mut rng = Rng::new(0x4705);
    for _ in 0..200 {
        let (h, start, n) = (rng.array(), rng.array(), rng.below(20));
        let data: Vec<[u8; 16]> = (0..n).map(|_| rng.array()).collect();
        let arrays: Vec<_> = data.iter().map(|&b| Array(b)).collect();
        // Y = start before the first block: the start is added to the first block.
        let mut shifted = data.clone();
        let expected = match shifted.first_mut() {
            Some(first) => {
                *first = xor(*first, start);
                ghash(h, shifted)
            }
            None => start,
        };
        let mut hash = GHash::new_with_init_block(&Array(h), u128::from_be_bytes(start));
        hash.update(&arrays);
        assert_eq!(hash.clone().finalize().0, expected);
        hash.reset();
        hash.update(&arrays);
        assert_eq!(hash.finalize().0, ghash(h, data));
    }
}

#[test]
fn sums_and_powers_hold() {
    // GHASH is linear, and of one block at the front of n it is that block times the nth power of the key.
    let mut rng = Rng::new(0x4706);
    for backend in backends() {
        for n in [1u64, 2, 3, 4, 5, 8, 9, 16, 17, 31, 64, 100, 1000] {
            let (h, first): ([u8; 16], [u8; 16]) = (rng.array(), rng.array());
            let mut data = vec![Array([0; 16]); n as usize];
            data[0] = Array(first);
            let mut hash = GHash::with_backend(&Array(h), backend);
            hash.update(&data);
            let expected = mul(u128::from_be_bytes(first), pow(u128::from_be_bytes(h), n));
            assert_eq!(
                hash.finalize().0,
                expected.to_be_bytes(),
                "{backend:?}, {n} blocks"
            );
        }
    }
}

#[test]
fn keys_of_other_lengths_are_refused() {
    for len in (0..=40).filter(|&len| len != 16) {
        assert!(GHash::new_from_slice(&vec![1; len]).is_err(), "{len} bytes");
    }
}

/// AES-GCM put together from our GHASH is RustCrypto's AES-GCM.
#[test]
fn it_makes_a_gcm_of_another_cipher() {
    use aes_gcm::aead::AeadInOut;
    use cipher::consts::U12;
    let mut rng = Rng::new(0x4707);
    for _ in 0..200 {
        let (key, nonce): ([u8; 16], [u8; 12]) = (rng.array(), rng.array());
        let (aad_len, len) = (rng.below(100), rng.below(500));
        let (aad, mut data) = (rng.bytes(aad_len), rng.bytes(len));
        let cipher = aes::Aes128::new(&Array(key));
        let gcm = aes_gcm::AesGcm::<_, U12>::from(cipher.clone());
        let buffer = InOutBuf::from(&mut data[..]);
        let tag = gcm
            .encrypt_inout_detached(&Array(nonce), &aad, buffer)
            .expect("short");

        let (mut h, mut mask) = (Array([0; 16]), Array([0; 16]));
        cipher.encrypt_block(&mut h);
        mask[..12].copy_from_slice(&nonce);
        mask[15] = 1;
        cipher.encrypt_block(&mut mask);
        let mut hash = GHash::new(&h);
        hash.update_padded(&aad);
        hash.update_padded(&data);
        hash.update(&[Array(lengths(aad.len() as u64, data.len() as u64))]);
        assert_eq!(xor(hash.finalize().0, mask.0), tag.0);
    }
}
