//! The examples of draft-ribose-cfrg-sm4, appendix A.2, through the traits' own tests.

use cipher::dev::{block_mode, stream};
use hex_literal::hex;
use sm4_modes::{Sm4, cbc, cfb, ctr, ofb};

const KEY_1: [u8; 16] = hex!("0123456789abcdeffedcba9876543210");
const KEY_2: [u8; 16] = hex!("fedcba98765432100123456789abcdef");
const IV: [u8; 16] = hex!("000102030405060708090a0b0c0d0e0f");
const BLOCKS: [u8; 32] = hex!("aaaaaaaabbbbbbbbccccccccddddddddeeeeeeeeffffffffaaaaaaaabbbbbbbb");

/// Runs one of the traits' tests on vectors of (key, plaintext, ciphertext).
macro_rules! vectors {
    ($module:ident::$test:ident::<$mode:ty>; $($key:ident, $plaintext:ident => $($ciphertext:literal)+;)*) => {$(
        $module::$test::<$mode>(&$module::TestVector {
            key: &$key,
            iv: &IV,
            plaintext: &$plaintext,
            ciphertext: &hex!($($ciphertext)+),
        })
        .unwrap();
    )*};
}

#[test]
fn cbc() {
    vectors! { block_mode::encrypt::<cbc::Encryptor>;
        KEY_1, BLOCKS => "78ebb11cc40b0a48312aaeb2040244cb4cb7016951909226979b0d15dc6a8f6d";
        KEY_2, BLOCKS => "0d3a6ddc2d21c698857215587b7bb59a91f2c147911a4144665e1fa1d40bae38";
    }
    vectors! { block_mode::decrypt::<cbc::Decryptor>;
        KEY_1, BLOCKS => "78ebb11cc40b0a48312aaeb2040244cb4cb7016951909226979b0d15dc6a8f6d";
        KEY_2, BLOCKS => "0d3a6ddc2d21c698857215587b7bb59a91f2c147911a4144665e1fa1d40bae38";
    }
}

#[test]
fn cfb() {
    vectors! { block_mode::encrypt::<cfb::Encryptor>;
        KEY_1, BLOCKS => "ac3236cb861dd316e6413b4e3c7524b769d4c54ed433b9a0346009beb37b2b3f";
        KEY_2, BLOCKS => "5dcccd25a84ba16560d7f265887068490d9b86ff20c3bfe115ffa02ca6192cc5";
    }
    vectors! { block_mode::decrypt::<cfb::Decryptor>;
        KEY_1, BLOCKS => "ac3236cb861dd316e6413b4e3c7524b769d4c54ed433b9a0346009beb37b2b3f";
        KEY_2, BLOCKS => "5dcccd25a84ba16560d7f265887068490d9b86ff20c3bfe115ffa02ca6192cc5";
    }
}

#[test]
fn ofb() {
    vectors! { stream::stream_cipher_test::<ofb::Ofb>;
        KEY_1, BLOCKS => "ac3236cb861dd316e6413b4e3c7524b71d01aca2487ca582cbf5463e6698539b";
        KEY_2, BLOCKS => "5dcccd25a84ba16560d7f2658870684933fa16bd5cd9c856cacaa1e101897a97";
    }
    vectors! { block_mode::encrypt::<ofb::OfbCore>;
        KEY_1, BLOCKS => "ac3236cb861dd316e6413b4e3c7524b71d01aca2487ca582cbf5463e6698539b";
    }
    vectors! { block_mode::decrypt::<ofb::OfbCore>;
        KEY_2, BLOCKS => "5dcccd25a84ba16560d7f2658870684933fa16bd5cd9c856cacaa1e101897a97";
    }
}

#[test]
fn ctr() {
    const TEXT: [u8; 64] = hex!(
        "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd"
        "eeeeeeeeeeeeeeeeffffffffffffffffaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb"
    );
    vectors! { stream::stream_cipher_test::<ctr::Ctr128BE>;
        KEY_1, TEXT => "ac3236cb970cc20791364c395a1342d1a3cbc1878c6f30cd074cce385cdd70c7"
            "f234bc0e24c11980fd1286310ce37b926e02fcd0faa0baf38b2933851d824514";
        KEY_2, TEXT => "5dcccd25b95ab07417a08512ee160e2f8f661521cbbab44cc87138445bc29e5c"
            "0ae0297205d62704173b21239b887f6c8cb5b800917a2488284bde9e16ea2906";
    }
}

cipher::stream_cipher_seek_test!(ctr32be_seek, ctr::Ctr32BE<Sm4>);
cipher::stream_cipher_seek_test!(ctr32le_seek, ctr::Ctr32LE<Sm4>);
cipher::stream_cipher_seek_test!(ctr64be_seek, ctr::Ctr64BE<Sm4>);
cipher::stream_cipher_seek_test!(ctr64le_seek, ctr::Ctr64LE<Sm4>);
cipher::stream_cipher_seek_test!(ctr128be_seek, ctr::Ctr128BE<Sm4>);
cipher::stream_cipher_seek_test!(ctr128le_seek, ctr::Ctr128LE<Sm4>);

type CtrCore = ctr::CtrCore<Sm4, ctr::flavors::Ctr128BE>;
cipher::iv_state_test!(cbc_encrypt_iv_state, cbc::Encryptor<Sm4>, encrypt);
cipher::iv_state_test!(cbc_decrypt_iv_state, cbc::Decryptor<Sm4>, decrypt);
cipher::iv_state_test!(cfb_encrypt_iv_state, cfb::Encryptor<Sm4>, encrypt);
cipher::iv_state_test!(cfb_decrypt_iv_state, cfb::Decryptor<Sm4>, decrypt);
cipher::iv_state_test!(ofb_iv_state, ofb::OfbCore<Sm4>, apply_ks);
cipher::iv_state_test!(ctr_iv_state, CtrCore, apply_ks);
