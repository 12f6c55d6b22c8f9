//! Faults that other implementations of these algorithms have shipped, by kind: one test for each kind, named after it,
//! over everything in this workspace that the kind can touch.

#[path = "faults/authenticated.rs"]
mod authenticated;
#[path = "faults/blocks.rs"]
mod blocks;
#[path = "faults/ccm_formats.rs"]
mod ccm_formats;
#[path = "faults/counters.rs"]
mod counters;
#[path = "faults/hashes.rs"]
mod hashes;
#[path = "faults/machine.rs"]
mod machine;
#[path = "faults/sectors.rs"]
mod sectors;

use aead::consts::*;
use aead::inout::InOutBuf;
use aead::{Aead, AeadInOut, KeyInit, Payload};
use cipher::array::Array;
use cipher::block_padding::{AnsiX923, Iso7816, NoPadding, Padding, Pkcs7, ZeroPadding};
use cipher::{
    BlockModeDecrypt, BlockModeEncrypt, InnerIvInit, IvState, KeyIvInit, StreamCipher,
    StreamCipherCore, StreamCipherSeek, StreamCipherSeekCore,
};
use digest::{Digest, FixedOutputReset, Reset, Update};
use hex_literal::hex;
use hmac::Mac;
use shangmi_tests::implements;
use shangmi_tests::model;
use shangmi_tests::model::cfb::Way;
use shangmi_tests::model::cipher16::{Cipher16, xor};
use shangmi_tests::model::ctr::Counter;
use shangmi_tests::model::xts::Standard;
use shangmi_tests::support::aead::{Leftover, Message, agrees, refuses, too_long};
use shangmi_tests::support::block_modes::*;
use shangmi_tests::support::bytes::pat;
use shangmi_tests::support::ctr_modes;
use shangmi_tests::support::place::Placed;
use shangmi_tests::support::rng::Rng;
use shangmi_tests::support::run::{Layout, feed};
use shangmi_tests::support::subjects::{
    CCM_NONCES, CCM_TAGS, GCM_NONCES, GCM_TAGS, Who, backends, ccm, gcm, ours, peer,
};
use shangmi_tests::support::wiped::traces;
use shangmi_tests::vectors::{derived, json};
use sm4_ccm::Sm4Ccm;
use sm4_gcm::Sm4Gcm;
use sm4_modes::{cbc, cfb, ctr, ecb, ofb};
use sm4_xts::{Sm4Xts, Sm4XtsGb, WeakKey};
use universal_hash::UniversalHash;

const KEY: [u8; 16] = hex!("0123456789abcdeffedcba9876543210");

/// Seals by the model, then asks ours to agree.
fn gcm_agrees(nonce: &[u8], aad: &[u8], plaintext: &[u8], tag_len: usize) {
    let aead = gcm(Who::Ours, &KEY, nonce.len(), tag_len).expect("a type");
    let (ciphertext, tag) = model::gcm::seal(&peer(&KEY), nonce, aad, plaintext, tag_len);
    let m = Message {
        nonce,
        aad,
        plaintext,
        ciphertext: &ciphertext,
        tag: &tag,
    };
    agrees(&*aead, &m, Layout::InPlace(0));
    agrees(&*aead, &m, Layout::BufToBuf(0, 0));
}

/// Seals by the model, then asks ours to agree.
fn ccm_agrees(nonce: &[u8], aad: &[u8], plaintext: &[u8], tag_len: usize) {
    let aead = ccm(Who::Ours, &KEY, nonce.len(), tag_len).expect("a type");
    let (ciphertext, tag) = model::ccm::seal(&peer(&KEY), nonce, aad, plaintext, tag_len);
    let m = Message {
        nonce,
        aad,
        plaintext,
        ciphertext: &ciphertext,
        tag: &tag,
    };
    agrees(&*aead, &m, Layout::InPlace(0));
    agrees(&*aead, &m, Layout::BufToBuf(0, 0));
}

/// Both standards, both ways.
fn xts_agrees(key: &[u8; 32], tweak: [u8; 16], data: &[u8]) {
    let c = peer(key[..16].try_into().expect("16 bytes"));
    let t = peer(key[16..].try_into().expect("16 bytes"));
    let what = format!("{} bytes", data.len());
    let mut buffer = data.to_vec();
    let xts = Sm4Xts::new(&Array(*key));
    xts.try_encrypt_sector(&mut buffer, Array(tweak))
        .expect("a good length");
    assert_eq!(
        buffer,
        model::xts::encrypt(&c, &t, Standard::Ieee, tweak, data),
        "{what}"
    );
    xts.try_decrypt_sector(&mut buffer, Array(tweak))
        .expect("a good length");
    assert_eq!(buffer, data, "{what}");
    let gb = Sm4XtsGb::new(&Array(*key));
    gb.try_encrypt_sector(&mut buffer, Array(tweak))
        .expect("a good length");
    assert_eq!(
        buffer,
        model::xts::encrypt(&c, &t, Standard::Gb, tweak, data),
        "{what}"
    );
    gb.try_decrypt_sector(&mut buffer, Array(tweak))
        .expect("a good length");
    assert_eq!(buffer, data, "{what}");
}
