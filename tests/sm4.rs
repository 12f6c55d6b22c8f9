//! The SM4 block cipher: vectors, and equality with RustCrypto's and with the model, on every backend.

use cipher::array::Array;
use cipher::consts::U16;
use cipher::dev::block_cipher::{TestVector, encrypt_decrypt_test};
use cipher::inout::InOutBuf;
use cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use hex_literal::hex;
use shangmi_tests::model::cipher16::Cipher16;
use shangmi_tests::model::sm4::Model;
use shangmi_tests::model::{cipher16::padded, ecb};
use shangmi_tests::support::place::Placed;
use shangmi_tests::support::rng::Rng;
use shangmi_tests::support::run::{Layout, feed};
use shangmi_tests::support::subjects::{backends, ours, peer};
use shangmi_tests::vectors::folder;
use shangmi_tests::vectors::stanza::stanzas;
use sm4::Sm4;

const KEY: [u8; 16] = hex!("0123456789abcdeffedcba9876543210");

fn blocks(data: InOutBuf<'_, '_, u8>, f: impl FnOnce(InOutBuf<'_, '_, Array<u8, U16>>)) {
    let (blocks, tail) = data.into_chunks();
    assert!(tail.is_empty());
    f(blocks);
}

fn encrypt(cipher: &Sm4, data: &[u8], parts: &[usize], at: Layout) -> Vec<u8> {
    feed(data, parts, at, |part| {
        blocks(part, |b| cipher.encrypt_blocks_inout(b))
    })
}

fn decrypt(cipher: &Sm4, data: &[u8], parts: &[usize], at: Layout) -> Vec<u8> {
    feed(data, parts, at, |part| {
        blocks(part, |b| cipher.decrypt_blocks_inout(b))
    })
}

#[test]
fn gb_t_32907_examples() {
    for (name, make) in backends() {
        let cipher = make(&KEY);
        let once = hex!("681edf34d206965e86b3e94f536e4246");
        assert_eq!(cipher.e(KEY), once, "{name}");
        assert_eq!(cipher.d(once), KEY, "{name}");
        let mut block = KEY;
        for _ in 0..1_000_000 {
            block = cipher.e(block);
        }
        assert_eq!(block, hex!("595298c7c6fd271f0402f804c33d3f66"), "{name}");
    }
}

#[test]
fn the_trait_s_own_test_passes() {
    let ciphertext = hex!("681edf34d206965e86b3e94f536e4246");
    let vector = TestVector {
        key: &KEY,
        plaintext: &KEY,
        ciphertext: Box::leak(Box::new(ciphertext)),
    };
    encrypt_decrypt_test::<Sm4>(&vector).expect("the trait's own test");
}

#[test]
fn random_keys_and_blocks_equal_peer_and_model() {
    let mut rng = Rng::new(0x5401);
    for (name, make) in backends() {
        for _ in 0..5000 {
            let (key, block) = (rng.array(), rng.array());
            let (ours, peer) = (make(&key), peer(&key));
            let ciphertext = peer.e(block);
            assert_eq!(ours.e(block), ciphertext, "{name}, key {key:02x?}");
            assert_eq!(ours.d(ciphertext), block, "{name}, key {key:02x?}");
            assert_eq!(ours.d(block), peer.d(block), "{name}, key {key:02x?}");
        }
    }
}

#[test]
fn keys_and_blocks_of_one_bit_equal_the_model() {
    for (name, make) in backends() {
        for bit in 0..128 {
            let one = (1u128 << bit).to_be_bytes();
            let model = Model::new(&one);
            assert_eq!(
                make(&one).e([0; 16]),
                model.e([0; 16]),
                "{name}, key bit {bit}"
            );
            let model = Model::new(&[0; 16]);
            assert_eq!(
                make(&[0; 16]).e(one),
                model.e(one),
                "{name}, block bit {bit}"
            );
            let ones = (!(1u128 << bit)).to_be_bytes();
            assert_eq!(
                make(&ones).d(one),
                Model::new(&ones).d(one),
                "{name}, both, bit {bit}"
            );
        }
    }
}

#[test]
fn every_number_of_blocks_equals_single_blocks() {
    let mut rng = Rng::new(0x5402);
    for (name, make) in backends() {
        let key = rng.array();
        let (ours, peer) = (make(&key), peer(&key));
        let data = rng.bytes(300 * 16);
        let (enc, dec) = (ecb::encrypt(&peer, &data), ecb::decrypt(&peer, &data));
        for n in 0..=300 {
            let len = 16 * n;
            for at in [
                Layout::InPlace(n % 16),
                Layout::BufToBuf(n % 16, (n + 5) % 16),
            ] {
                let what = format!("{name}, {n} blocks, {at:?}");
                assert_eq!(
                    encrypt(&ours, &data[..len], &[len], at),
                    enc[..len],
                    "{what}"
                );
                assert_eq!(
                    decrypt(&ours, &data[..len], &[len], at),
                    dec[..len],
                    "{what}"
                );
            }
        }
    }
}

#[test]
fn every_pair_of_misalignments_equals_the_aligned_one() {
    let mut rng = Rng::new(0x5403);
    for (name, make) in backends() {
        let key = rng.array();
        let (ours, peer) = (make(&key), peer(&key));
        let data = rng.bytes(69 * 16);
        let (enc, dec) = (ecb::encrypt(&peer, &data), ecb::decrypt(&peer, &data));
        for n in [1, 2, 15, 16, 17, 33, 69] {
            let len = 16 * n;
            for from in 0..16 {
                for to in 0..16 {
                    let at = Layout::BufToBuf(from, to);
                    assert_eq!(
                        encrypt(&ours, &data[..len], &[len], at),
                        enc[..len],
                        "{name} {at:?}"
                    );
                    assert_eq!(
                        decrypt(&ours, &data[..len], &[len], at),
                        dec[..len],
                        "{name} {at:?}"
                    );
                }
                let at = Layout::InPlace(from);
                assert_eq!(
                    encrypt(&ours, &data[..len], &[len], at),
                    enc[..len],
                    "{name} {at:?}"
                );
                assert_eq!(
                    decrypt(&ours, &data[..len], &[len], at),
                    dec[..len],
                    "{name} {at:?}"
                );
            }
        }
    }
}

#[test]
fn each_lane_stands_alone() {
    // One block among zeros: it must come out where it went in, and change nothing else.
    let mut rng = Rng::new(0x5404);
    for (name, make) in backends() {
        let key = rng.array();
        let (ours, model) = (make(&key), Model::new(&key));
        let (odd, zero) = (rng.array(), [0; 16]);
        let expected = [model.e(odd), model.e(zero)];
        for n in [1, 2, 3, 15, 16, 17, 31, 32, 33, 64, 65, 128, 129] {
            for lane in 0..n {
                let mut data = vec![Array(zero); n];
                data[lane] = Array(odd);
                ours.encrypt_blocks(&mut data);
                for (i, block) in data.iter().enumerate() {
                    let expected = expected[usize::from(i != lane)];
                    assert_eq!(
                        block.0, expected,
                        "{name}, block {i} of {n}, odd one {lane}"
                    );
                }
            }
        }
    }
}

/// The counter kernel against the model, over every length and at the edges of its counter.
#[test]
fn the_counter_kernel_equals_the_model() {
    use shangmi_tests::model::ctr::{Counter, apply};
    let mut rng = Rng::new(0x5405);
    for (name, make) in backends() {
        let key = rng.array();
        let (ours, peer) = (make(&key), peer(&key));
        let data = rng.bytes(1100);
        let run = |counter: &[u8; 16], len: usize, at| {
            feed(&data[..len], &[len], at, |part| {
                sm4::ctr::ctr32(&ours, &Array(*counter), part)
            })
        };
        let counter: [u8; 16] = rng.array();
        let expected = apply(&peer, Counter::Be(32), counter, 0, &data);
        for len in 0..=data.len() {
            for at in [
                Layout::InPlace(len % 16),
                Layout::BufToBuf(len % 16, (len + 3) % 16),
            ] {
                assert_eq!(
                    run(&counter, len, at),
                    expected[..len],
                    "{name}, {len} bytes, {at:?}"
                );
            }
        }
        // The wrap at every position within a batch.
        for before in 0..=70u32 {
            let mut counter = counter;
            counter[12..].copy_from_slice(&0u32.wrapping_sub(before).to_be_bytes());
            let expected = apply(&peer, Counter::Be(32), counter, 0, &data);
            let got = run(&counter, data.len(), Layout::InPlace(0));
            assert_eq!(got, expected, "{name}, {before} blocks before the wrap");
        }
        for from in 0..16 {
            for to in 0..16 {
                let at = Layout::BufToBuf(from, to);
                for len in [1, 16, 255, 257, 1100] {
                    assert_eq!(
                        run(&counter, len, at),
                        expected[..len],
                        "{name}, {len}, {at:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn keys_of_other_lengths_are_refused() {
    for len in (0..=64).filter(|&len| len != 16) {
        assert!(Sm4::new_from_slice(&vec![7; len]).is_err(), "{len} bytes");
    }
    let cipher = Sm4::new_from_slice(&KEY).expect("16 bytes");
    assert_eq!(cipher.e(KEY), ours(&KEY).e(KEY));
}

#[test]
fn buffers_of_unequal_length_are_refused_untouched() {
    let cipher = ours(&KEY);
    let input = [Block::<Sm4>::default(); 5];
    for n in [0, 1, 4, 6] {
        let mut output = vec![Array([0x77; 16]); n];
        assert!(cipher.encrypt_blocks_b2b(&input, &mut output).is_err());
        assert!(cipher.decrypt_blocks_b2b(&input, &mut output).is_err());
        assert!(output.iter().all(|b| b.0 == [0x77; 16]));
    }
}

#[test]
fn a_clone_is_the_same_cipher() {
    let cipher = ours(&KEY);
    let clone = cipher.clone();
    drop(cipher);
    assert_eq!(clone.e(KEY), Model::new(&KEY).e(KEY));
}

#[test]
fn debug_output_names_no_secret() {
    let shown = format!("{:?} {:#?}", ours(&KEY), ours(&KEY));
    for word in Model::new(&KEY).round_keys() {
        assert!(!shown.contains(&format!("{word}")) && !shown.contains(&format!("{word:x}")));
    }
    assert!(shown.len() < 100, "{shown}");
}

#[test]
fn botan_sm4() {
    let name = "botan/sm4.vec";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let all = stanzas(&text, "Out");
    for stanza in &all {
        assert_eq!(stanza.heading, "SM4");
        let key = stanza.bytes("Key").try_into().expect("16 bytes");
        let (plaintext, ciphertext) = (stanza.bytes("In"), stanza.bytes("Out"));
        for (backend, make) in backends() {
            let cipher = make(&key);
            let whole = [plaintext.len()];
            assert_eq!(
                encrypt(&cipher, &plaintext, &whole, Layout::InPlace(1)),
                ciphertext,
                "{backend}"
            );
            assert_eq!(
                decrypt(&cipher, &ciphertext, &whole, Layout::InPlace(1)),
                plaintext,
                "{backend}"
            );
            for (p, c) in plaintext.chunks(16).zip(ciphertext.chunks(16)) {
                assert_eq!(cipher.e(padded(p)), padded(c), "{backend}");
            }
        }
    }
    folder::report(name, all.len(), 22);
}

#[test]
fn the_placement_helper_sees_what_it_should() {
    // A guard that cannot fail guards nothing.
    for offset in 0..16 {
        let placed = Placed::new(offset, &[1, 2, 3]);
        assert_eq!(placed.get().as_ptr().align_offset(16), (16 - offset) % 16);
        assert_eq!(placed.checked(), [1, 2, 3]);
    }
}
