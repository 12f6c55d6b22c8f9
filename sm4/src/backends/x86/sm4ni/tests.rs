//! The kernel over a model of the instructions.

extern crate alloc;

use super::ctr;
use super::instructions::Sm4Instructions;
use super::kernel::{Direction, Reversed, expand};
use crate::{Backend, Sm4, ctr::ctr32_with_rest, schedule};
use alloc::{vec, vec::Vec};
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOutBuf, array::Array, consts::U16,
    typenum::Unsigned,
};
use core::{arch::x86_64::*, array};
use hex_literal::hex;
use shangmi_cpu::Avx2;

/// The instructions by Intel's Software Developer's Manual, volume 2, with the S-box of GB/T 32907, 6.2.
#[derive(Clone, Copy)]
struct Model(#[allow(dead_code, reason = "the proof of AVX2")] Avx2);

const SBOX: [u8; 256] = hex!(
    "d690e9fecce13db716b614c228fb2c05" "2b679a762abe04c3aa44132649860699"
    "9c4250f491ef987a33540b43edcfac62" "e4b31ca9c908e89580df94fa758f3fa6"
    "4707a7fcf37317ba83593c19e6854fa8" "686b81b27164da8bf8eb0f4b70569d35"
    "1e240e5e6358d1a225227c3b01217887" "d40046579fd327524c3602e7a0c4c89e"
    "eabf8ad240c738b5a3f7f2cef96115a1" "e0ae5da49b341a55ad933230f58cb1e3"
    "1df6e22e8266ca60c02923ab0d534e6f" "d5db3745defd8e2f03ff6a726d6c5b51"
    "8d1baf92bbddbc7f11d95c411f105ad8" "0ac13188a5cd7bbd2d74d012b8e5b4b0"
    "8969974a0c96777e65b9f109c56ec684" "18f07dec3adc4d2079ee5f3ed7cb3948"
);

/// Four steps: each word is replaced by its sum with `map` of the S-box of the sum of the others and a key.
fn four(mut words: [u32; 4], keys: [u32; 4], map: impl Fn(u32) -> u32) -> [u32; 4] {
    for i in 0..4 {
        let sum = words[(i + 1) % 4] ^ words[(i + 2) % 4] ^ words[(i + 3) % 4] ^ keys[i];
        words[i] ^= map(u32::from_le_bytes(
            sum.to_le_bytes().map(|x| SBOX[usize::from(x)]),
        ));
    }
    words
}

fn key_map(x: u32) -> u32 {
    x ^ x.rotate_left(13) ^ x.rotate_left(23)
}

fn round_map(x: u32) -> u32 {
    x ^ x.rotate_left(2) ^ x.rotate_left(10) ^ x.rotate_left(18) ^ x.rotate_left(24)
}

fn words(vector: __m128i) -> [u32; 4] {
    let mut words = [0; 4];
    // SAFETY: this is a reference to 16 bytes.
    unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), vector) }
    words
}

fn vector(words: [u32; 4]) -> __m128i {
    // SAFETY: this is a reference to 16 bytes.
    unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
}

// SAFETY: the token proves AVX2.
unsafe impl Sm4Instructions for Model {
    fn key4(self, k: __m128i, ck: __m128i) -> __m128i {
        vector(four(words(k), words(ck), key_map))
    }

    fn rounds4(self, x: __m128i, keys: __m128i) -> __m128i {
        vector(four(words(x), words(keys), round_map))
    }

    fn rounds4_pair(self, x: __m256i, keys: __m256i) -> __m256i {
        let (mut x_words, mut key_words) = ([[0; 4]; 2], [[0; 4]; 2]);
        // SAFETY: the token proves AVX2; these are references to 32 bytes.
        unsafe {
            _mm256_storeu_si256(x_words.as_mut_ptr().cast(), x);
            _mm256_storeu_si256(key_words.as_mut_ptr().cast(), keys);
        }
        let out: [_; 2] = array::from_fn(|i| four(x_words[i], key_words[i], round_map));
        // SAFETY: the token proves AVX2; this is a reference to 32 bytes.
        unsafe { _mm256_loadu_si256(out.as_ptr().cast()) }
    }
}

/// Nothing can be run on a CPU without AVX2.
fn model() -> Option<Model> {
    Avx2::check().map(Model)
}

struct Encrypt<'a>(InOutBuf<'a, 'a, Array<u8, U16>>);
struct Decrypt<'a>(InOutBuf<'a, 'a, Array<u8, U16>>);

impl BlockSizeUser for Encrypt<'_> {
    type BlockSize = U16;
}

impl BlockSizeUser for Decrypt<'_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Encrypt<'_> {
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let (batches, tail) = self.0.into_chunks::<B::ParBlocksSize>();
        batches
            .into_iter()
            .for_each(|batch| backend.encrypt_par_blocks(batch));
        if B::ParBlocksSize::USIZE > 1 {
            backend.encrypt_tail_blocks(tail);
        }
    }
}

impl BlockCipherDecClosure for Decrypt<'_> {
    fn call<B: BlockCipherDecBackend<BlockSize = U16>>(self, backend: &B) {
        let (batches, tail) = self.0.into_chunks::<B::ParBlocksSize>();
        batches
            .into_iter()
            .for_each(|batch| backend.decrypt_par_blocks(batch));
        if B::ParBlocksSize::USIZE > 1 {
            backend.decrypt_tail_blocks(tail);
        }
    }
}

fn blocks(n: usize, seed: usize) -> Vec<Array<u8, U16>> {
    let byte = |i: usize| (i ^ seed).wrapping_mul(0x9e37_79b9).to_le_bytes()[2];
    (0..n)
        .map(|b| Array(array::from_fn(|i| byte(16 * b + i))))
        .collect()
}

#[test]
fn instructions_on_the_example_of_the_standard() {
    let Some(model) = model() else { return };
    let key = hex!("0123456789abcdeffedcba9876543210");
    let keys = expand(model, &key);
    // GB/T 32907, A.1: the first two and the last two round keys, and the words behind round 4.
    assert_eq!(keys[..2], [0xf121_86f9, 0x4166_2b61]);
    assert_eq!(keys[30..], [0x01cf_72e5, 0x9124_a012]);
    let text = [0x0123_4567, 0x89ab_cdef, 0xfedc_ba98, 0x7654_3210];
    let first = *keys.first_chunk().unwrap();
    let behind = words(model.rounds4(vector(text), vector(first)));
    assert_eq!(behind, [0x27fa_d345, 0xa18b_4cb2, 0x11c1_e22a, 0xcc13_e2ee]);

    let mut block = [Array(key)];
    Encrypt((&mut block[..]).into()).call(&Direction::new(model, &keys));
    assert_eq!(block[0].0, hex!("681edf34d206965e86b3e94f536e4246"));
}

#[test]
fn key_schedule() {
    let Some(model) = model() else { return };
    for key in blocks(50, 1) {
        assert_eq!(expand(model, &key.0), schedule::expand(&key.0));
    }
}

#[test]
fn every_number_of_blocks() {
    let Some(model) = model() else { return };
    let key = [0x5a; 16];
    let cipher = Sm4::with_backend(&key.into(), Backend::Soft);
    let keys = expand(model, &key);
    for n in 0..=300 {
        let input = blocks(n, n);

        let mut expected = input.clone();
        cipher.encrypt_blocks(&mut expected);
        let mut out = input.clone();
        Encrypt(out.as_mut_slice().into()).call(&Direction::new(model, &keys));
        assert_eq!(out, expected, "{n} blocks in place");
        let mut out = vec![Array([0x99; 16]); n];
        let buffers = InOutBuf::new(&input, &mut out).unwrap();
        Encrypt(buffers).call(&Direction::new(model, &keys));
        assert_eq!(out, expected, "{n} blocks");

        let mut expected = input.clone();
        cipher.decrypt_blocks(&mut expected);
        let mut out = input.clone();
        Decrypt(out.as_mut_slice().into()).call(&Direction::new(model, &Reversed::new(&keys).0));
        assert_eq!(out, expected, "{n} blocks in place");
    }
}

#[test]
fn one_block() {
    let Some(model) = model() else { return };
    let key = [0xa5; 16];
    let cipher = Sm4::with_backend(&key.into(), Backend::Soft);
    let keys = expand(model, &key);
    for input in blocks(20, 3) {
        let (mut expected, mut out) = (input, input);
        BlockCipherEncrypt::encrypt_block(&cipher, &mut expected);
        Direction::new(model, &keys).encrypt_block((&mut out).into());
        assert_eq!(out, expected);
        Direction::new(model, &Reversed::new(&keys).0).decrypt_block((&mut out).into());
        assert_eq!(out, input);
    }
}

#[test]
fn counters() {
    let Some(model) = model() else { return };
    let key = [0xc3; 16];
    let cipher = Sm4::with_backend(&key.into(), Backend::Soft);
    let keys = expand(model, &key);
    let prefix = [0x0102_0304, 0xfffe_fdfc, 0x8899_aabb];
    for start in [0, 1, 0x0001_fff7, u32::MAX - 20, u32::MAX] {
        let mut counter = Block::<Sm4>::default();
        let all = prefix.into_iter().chain([start]);
        for (bytes, word) in counter.as_chunks_mut::<4>().0.iter_mut().zip(all) {
            *bytes = word.to_be_bytes();
        }
        for n in 0..=1100 {
            let input: Vec<u8> = blocks(69, n).into_iter().flatten().take(n).collect();
            let mut expected = input.clone();
            let data = expected.as_mut_slice().into();
            let expected_rest = ctr32_with_rest(&cipher, &counter, data);

            let mut out = input.clone();
            let rest = ctr::apply(model, &keys, prefix, start, out.as_mut_slice().into());
            assert_eq!(out, expected, "{n} bytes in place from {start:#x}");
            assert_eq!(rest, expected_rest, "what {n} bytes from {start:#x} leave");

            let mut out = vec![0x99; n];
            let data = InOutBuf::new(&input, &mut out).unwrap();
            ctr::apply(model, &keys, prefix, start, data);
            assert_eq!(out, expected, "{n} bytes from {start:#x}");
        }
    }
}
