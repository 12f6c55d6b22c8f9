//! Every backend against the model, for every number of blocks and bytes that a kernel could treat apart.

mod model;

use cipher::{Array, Block, BlockCipherDecrypt, BlockCipherEncrypt, InOutBuf, KeyInit};
use sm4::{
    Backend, Sm4,
    ctr::{ctr32, ctr32_with_rest},
};

fn keys() -> impl Iterator<Item = [u8; 16]> {
    let fixed = [[0; 16], [0xff; 16]].into_iter();
    fixed.chain((0..30).map(|seed| model::bytes(16, seed).try_into().unwrap()))
}

fn blocks(n: usize, seed: u64) -> Vec<Block<Sm4>> {
    Array::slice_as_chunks(&model::bytes(16 * n, seed))
        .0
        .to_vec()
}

#[test]
fn one_block_under_many_keys() {
    for backend in Backend::all_available() {
        for key in keys() {
            let cipher = Sm4::with_backend(&key.into(), backend);
            assert_eq!(cipher.backend(), backend);
            for plaintext in blocks(8, 1) {
                let mut block = plaintext;
                cipher.encrypt_block(&mut block);
                assert_eq!(block, model::encrypt(&key, &plaintext.0));
                let mut block = plaintext;
                cipher.decrypt_block(&mut block);
                assert_eq!(block, model::decrypt(&key, &plaintext.0));
            }
        }
    }
}

#[test]
fn every_number_of_blocks() {
    let key = [0x5a; 16];
    for backend in Backend::all_available() {
        let cipher = Sm4::with_backend(&key.into(), backend);
        for n in 0..=300 {
            let input = blocks(n, n as u64);

            let expected: Vec<_> = input.iter().map(|b| model::encrypt(&key, &b.0)).collect();
            let mut in_place = input.clone();
            cipher.encrypt_blocks(&mut in_place);
            assert_eq!(in_place, expected, "{n} blocks in place");
            let mut out = vec![Block::<Sm4>::default(); n];
            cipher.encrypt_blocks_b2b(&input, &mut out).unwrap();
            assert_eq!(out, expected, "{n} blocks");

            let expected: Vec<_> = input.iter().map(|b| model::decrypt(&key, &b.0)).collect();
            let mut in_place = input.clone();
            cipher.decrypt_blocks(&mut in_place);
            assert_eq!(in_place, expected, "{n} blocks in place");
            let mut out = vec![Block::<Sm4>::default(); n];
            cipher.decrypt_blocks_b2b(&input, &mut out).unwrap();
            assert_eq!(out, expected, "{n} blocks");
        }
    }
}

/// The keystream by the model: the last four bytes count modulo 2^32.
fn keystream(key: &[u8; 16], counter: &[u8; 16], blocks: usize) -> Vec<u8> {
    let start = u32::from_be_bytes(counter[12..].try_into().unwrap());
    (0..blocks as u32)
        .flat_map(|i| {
            let mut block = *counter;
            block[12..].copy_from_slice(&start.wrapping_add(i).to_be_bytes());
            model::encrypt(key, &block)
        })
        .collect()
}

#[test]
fn counter_kernel_at_every_length() {
    let key = [0xc3; 16];
    for backend in Backend::all_available() {
        let cipher = Sm4::with_backend(&key.into(), backend);
        for start in [0, 1, 0xff, 0x0001_fff7, u32::MAX - 20, u32::MAX] {
            let mut counter = [0xee; 16];
            counter[12..].copy_from_slice(&start.to_be_bytes());
            let keystream = keystream(&key, &counter, 70);
            for n in 0..=1100 {
                let input = model::bytes(n, 7);
                let expected: Vec<u8> = input.iter().zip(&keystream).map(|(a, b)| a ^ b).collect();

                let mut in_place = input.clone();
                ctr32(&cipher, &counter.into(), in_place.as_mut_slice().into());
                assert_eq!(in_place, expected, "{n} bytes in place from {start:#x}");

                let mut out = vec![0x99; n];
                let data = InOutBuf::new(&input, &mut out).unwrap();
                let rest = ctr32_with_rest(&cipher, &counter.into(), data);
                assert_eq!(out, expected, "{n} bytes from {start:#x}");

                let mut expected = [0; 16];
                if n % 16 != 0 {
                    expected[n % 16..].copy_from_slice(&keystream[n..n.next_multiple_of(16)]);
                }
                assert_eq!(rest, expected, "what {n} bytes from {start:#x} leave");
            }
        }
    }
}

#[test]
fn counter_kernel_at_every_start_in_a_batch() {
    let key = [0x3c; 16];
    for backend in Backend::all_available() {
        let cipher = Sm4::with_backend(&key.into(), backend);
        for base in [0x0123_4560_u32, 0xffff_ff00, 0x00ff_ff80] {
            for start in base..=base + 255 {
                let mut counter = [0; 16];
                counter[12..].copy_from_slice(&start.to_be_bytes());
                let mut out = [0; 16 * 33];
                ctr32(&cipher, &counter.into(), (&mut out[..]).into());
                assert_eq!(out[..], keystream(&key, &counter, 33), "from {start:#x}");
            }
        }
    }
}

#[test]
fn detected_backend_is_available() {
    let cipher = Sm4::new(&[0; 16].into());
    assert_eq!(cipher.backend(), Backend::detect());
    assert!(Backend::all_available().any(|backend| backend == cipher.backend()));
    assert!(Backend::all_available().any(|backend| backend == Backend::Soft));
}

#[test]
fn debug_shows_no_key() {
    let cipher = Sm4::new(&[0x77; 16].into());
    assert_eq!(format!("{cipher:?}"), "Sm4 { .. }");
}

#[test]
fn size_is_as_documented() {
    // The choice of the backend takes a word where there is one.
    let choice = 4 * size_of::<Backend>();
    assert!(choice <= 4);
    assert_eq!(size_of::<Sm4>(), 128 + choice);
}
