//! Buffers at every offset from the vectors' alignment.

mod model;

use cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt, InOutBuf};
use sm4::{Backend, Sm4, ctr, feedback};

const KEY: [u8; 16] = [0x27; 16];
const IV: [u8; 16] = [0x5c; 16];

/// Bytes for which the kernels take different ways.
const LENGTHS: [usize; 8] = [16, 48, 128, 240, 528, 1024, 1424, 2064];

/// The alignment of the longest vectors.
const ALIGNMENT: usize = 64;

/// `n` bytes, so many from an aligned address.
fn at(memory: &mut [u8], offset: usize, n: usize) -> &mut [u8] {
    let aligned = memory.as_ptr().align_offset(ALIGNMENT);
    &mut memory[aligned + offset..][..n]
}

fn blocks<'inp, 'out>(data: InOutBuf<'inp, 'out, u8>) -> InOutBuf<'inp, 'out, Block<Sm4>> {
    data.into_chunks().0
}

/// Has `f` do what makes `expected` of `input` at all offsets, and what it makes of fewer bytes of it.
fn check(input: &[u8], expected: &[u8], f: impl Fn(&Sm4, InOutBuf<'_, '_, u8>)) {
    let mut from = vec![0; input.len() + 2 * ALIGNMENT];
    let mut to = from.clone();
    for backend in Backend::all_available() {
        let cipher = Sm4::with_backend(&KEY.into(), backend);
        for n in LENGTHS {
            for offset in 0..ALIGNMENT {
                let from = at(&mut from, offset, n);
                let to = at(&mut to, (11 * offset + 5) % ALIGNMENT, n);
                from.copy_from_slice(&input[..n]);
                f(&cipher, InOutBuf::new(from, to).unwrap());
                assert_eq!(
                    to,
                    &expected[..n],
                    "{backend:?}, {n} bytes, offset {offset}"
                );
                f(&cipher, from.into());
                assert_eq!(
                    from,
                    &expected[..n],
                    "{backend:?}, {n} bytes in place, offset {offset}"
                );
            }
        }
    }
}

#[test]
fn every_offset() {
    let input = model::bytes(LENGTHS[LENGTHS.len() - 1], 1);
    let (input_blocks, _) = input.as_chunks::<16>();
    let xor = |a: &[u8; 16], b: &[u8; 16]| -> [u8; 16] { core::array::from_fn(|i| a[i] ^ b[i]) };

    let expected: Vec<u8> = input_blocks
        .iter()
        .flat_map(|b| model::encrypt(&KEY, b))
        .collect();
    check(&input, &expected, |cipher, data| {
        cipher.encrypt_blocks_inout(blocks(data))
    });

    let expected: Vec<u8> = input_blocks
        .iter()
        .flat_map(|b| model::decrypt(&KEY, b))
        .collect();
    check(&input, &expected, |cipher, data| {
        cipher.decrypt_blocks_inout(blocks(data))
    });

    let befores = [&IV].into_iter().chain(input_blocks);
    let expected: Vec<u8> = input_blocks
        .iter()
        .zip(befores.clone())
        .flat_map(|(b, before)| xor(&model::decrypt(&KEY, b), before))
        .collect();
    check(&input, &expected, |cipher, data| {
        feedback::cbc_decrypt(cipher, &mut IV.into(), blocks(data));
    });

    let expected: Vec<u8> = input_blocks
        .iter()
        .zip(befores)
        .flat_map(|(b, before)| xor(&model::encrypt(&KEY, before), b))
        .collect();
    check(&input, &expected, |cipher, data| {
        feedback::cfb_decrypt(cipher, &mut IV.into(), data, None);
    });

    let start = u32::from_be_bytes([0x5c; 4]);
    let expected: Vec<u8> = input_blocks
        .iter()
        .zip(start..)
        .flat_map(|(b, count)| {
            let mut counter = IV;
            counter[12..].copy_from_slice(&count.to_be_bytes());
            xor(&model::encrypt(&KEY, &counter), b)
        })
        .collect();
    check(&input, &expected, |cipher, data| {
        ctr::ctr32(cipher, &IV.into(), data)
    });
}
