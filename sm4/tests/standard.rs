//! The examples of GB/T 32907, annex A.
use cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use hex_literal::hex;
use sm4::{Backend, Sm4};

const KEY: [u8; 16] = hex!("0123456789abcdeffedcba9876543210");

#[test]
fn example_1() {
    for backend in Backend::all_available() {
        let cipher = Sm4::with_backend(&KEY.into(), backend);
        let mut block = KEY.into();
        cipher.encrypt_block(&mut block);
        assert_eq!(block, hex!("681edf34d206965e86b3e94f536e4246"));
        cipher.decrypt_block(&mut block);
        assert_eq!(block, KEY);
    }
}

#[test]
fn example_2_one_million_times() {
    let cipher = Sm4::new(&KEY.into());
    let mut block: Block<Sm4> = KEY.into();
    for _ in 0..1_000_000 {
        cipher.encrypt_block(&mut block);
    }
    assert_eq!(block, hex!("595298c7c6fd271f0402f804c33d3f66"));
}
