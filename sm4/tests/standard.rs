//! The examples of GB/T 32907, annex A, and of draft-ribose-cfrg-sm4, through the trait's own test.

use cipher::dev::block_cipher::{TestVector, encrypt_decrypt_test};
use cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt};
use hex_literal::hex;
use sm4::{Backend, Sm4};

const KEY: [u8; 16] = hex!("0123456789abcdeffedcba9876543210");

#[test]
fn single_blocks() {
    let vectors: [([u8; 16], [u8; 16], [u8; 16]); 5] = [
        (KEY, KEY, hex!("681edf34d206965e86b3e94f536e4246")),
        (
            KEY,
            hex!("aaaaaaaabbbbbbbbccccccccdddddddd"),
            hex!("5ec8143de509cff7b5179f8f474b8619"),
        ),
        (
            KEY,
            hex!("eeeeeeeeffffffffaaaaaaaabbbbbbbb"),
            hex!("2f1d305a7fb17df985f81c8482192304"),
        ),
        (
            hex!("fedcba98765432100123456789abcdef"),
            hex!("aaaaaaaabbbbbbbbccccccccdddddddd"),
            hex!("c5876897e4a59bbba72a10c83872245b"),
        ),
        (
            hex!("fedcba98765432100123456789abcdef"),
            hex!("eeeeeeeeffffffffaaaaaaaabbbbbbbb"),
            hex!("12dd90bc2d200692b529a4155ac9e600"),
        ),
    ];
    for (key, plaintext, ciphertext) in &vectors {
        encrypt_decrypt_test::<Sm4>(&TestVector {
            key: Box::leak(Box::new(*key)),
            plaintext: Box::leak(Box::new(*plaintext)),
            ciphertext: Box::leak(Box::new(*ciphertext)),
        })
        .unwrap();
    }
}

#[test]
fn one_million_times_and_back() {
    for backend in Backend::all_available() {
        let cipher = Sm4::with_backend(&KEY.into(), backend);
        let mut block: Block<Sm4> = KEY.into();
        for _ in 0..1_000_000 {
            cipher.encrypt_block(&mut block);
        }
        assert_eq!(block, hex!("595298c7c6fd271f0402f804c33d3f66"));
        for _ in 0..1_000_000 {
            cipher.decrypt_block(&mut block);
        }
        assert_eq!(block, KEY);
    }
}
