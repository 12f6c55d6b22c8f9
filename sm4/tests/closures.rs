//! The interface below the block cipher's methods: backends and the closures that they are given to.

mod model;

use cipher::{
    Array, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, KeyInit,
    consts::U16,
};
use sm4::{Backend, Sm4};
use std::panic::catch_unwind;

/// Gives a backend a tail of as many blocks as it is told.
struct Tail(usize);

impl BlockSizeUser for Tail {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Tail {
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        backend.encrypt_tail_blocks_inplace(&mut vec![Block::<B>::default(); self.0]);
    }
}

impl BlockCipherDecClosure for Tail {
    fn call<B: BlockCipherDecBackend<BlockSize = U16>>(self, backend: &B) {
        backend.decrypt_tail_blocks_inplace(&mut vec![Block::<B>::default(); self.0]);
    }
}

#[test]
fn tail_as_long_as_a_batch_is_refused() {
    for backend in Backend::all_available() {
        let cipher = Sm4::with_backend(&[0; 16].into(), backend);
        for n in [1000, 4096] {
            assert!(catch_unwind(|| cipher.encrypt_with_backend(Tail(n))).is_err());
            assert!(catch_unwind(|| cipher.decrypt_with_backend(Tail(n))).is_err());
        }
    }
    let cipher = Sm4::with_backend(&[0; 16].into(), Backend::Soft);
    for n in [16, 17, 40] {
        assert!(catch_unwind(|| cipher.encrypt_with_backend(Tail(n))).is_err());
        assert!(catch_unwind(|| cipher.decrypt_with_backend(Tail(n))).is_err());
    }
}

#[test]
fn cipher_is_a_backend_like_its_namesake() {
    let key = [0x11; 16];
    let cipher = Sm4::new(&key.into());
    let bytes = model::bytes(48, 5);
    for plaintext in Array::slice_as_chunks(&bytes).0 {
        let mut block = *plaintext;
        BlockCipherEncBackend::encrypt_block_inplace(&cipher, &mut block);
        assert_eq!(block, model::encrypt(&key, &plaintext.0));
        let mut block = *plaintext;
        BlockCipherDecBackend::decrypt_block_inplace(&cipher, &mut block);
        assert_eq!(block, model::decrypt(&key, &plaintext.0));
    }
}

/// A reference to a cipher has nothing but the closures of `cipher`'s own methods.
#[test]
fn closures_take_every_number_of_blocks() {
    let key = [0x77; 16];
    let bytes = model::bytes(16 * 300, 3);
    let blocks: &[Block<Sm4>] = Array::slice_as_chunks(&bytes).0;
    let encrypted: Vec<_> = blocks.iter().map(|b| model::encrypt(&key, &b.0)).collect();
    let decrypted: Vec<_> = blocks.iter().map(|b| model::decrypt(&key, &b.0)).collect();
    for backend in Backend::all_available() {
        let cipher = &Sm4::with_backend(&key.into(), backend);
        for n in 0..=300 {
            let mut out = blocks[..n].to_vec();
            <&Sm4 as BlockCipherEncrypt>::encrypt_blocks(&cipher, &mut out);
            assert_eq!(out, encrypted[..n], "{n} blocks in place");
            let mut out = vec![Block::<Sm4>::default(); n];
            <&Sm4 as BlockCipherDecrypt>::decrypt_blocks_b2b(&cipher, &blocks[..n], &mut out)
                .unwrap();
            assert_eq!(out, decrypted[..n], "{n} blocks");
        }
    }
}

#[test]
fn buffers_of_unequal_lengths_are_refused() {
    let cipher = Sm4::new(&[0; 16].into());
    let input = [Block::<Sm4>::default(); 3];
    for n in [0, 2, 4] {
        let mut out = vec![Block::<Sm4>::default(); n];
        assert!(cipher.encrypt_blocks_b2b(&input, &mut out).is_err());
        assert!(cipher.decrypt_blocks_b2b(&input, &mut out).is_err());
        assert_eq!(out, vec![Block::<Sm4>::default(); n]);
    }
}
