//! `gmcrypto-core`, with its SIMD features. Its modes expand the key in every call, and return new vectors.

use super::Peer;
use crate::{
    case::{ASSOCIATED, Buf, Case, IV, KEY, NONCE, TWEAK_KEY},
    job::{Made, job, set_up},
    machine,
    rows::{MESSAGES, Op},
};
use gmcrypto_core::{
    hmac::HmacSm3,
    sm3::{self, Sm3},
    sm4::{Sm4Cipher, ctr_streaming::Sm4CtrCipher, mode_ccm, mode_gcm, mode_xts},
};
use std::{hint::black_box, rc::Rc};

pub(super) struct GmCrypto;

impl Peer for GmCrypto {
    fn name(&self) -> String {
        "gmcrypto".to_owned()
    }

    fn version(&self) -> String {
        machine::locked(&["gmcrypto-core"])
    }

    fn job(&self, case: &Rc<Case>) -> Made {
        match case.row.op {
            Op::Block | Op::EcbEncrypt | Op::EcbDecrypt | Op::KeySm4 => block_job(case.row.op),
            Op::Ctr128 | Op::CtrCalls => ctr_job(case),
            Op::GcmSeal | Op::GcmOpen | Op::Gmac => gcm_job(case),
            Op::CcmSeal | Op::CcmOpen => ccm_job(case),
            Op::XtsGbEncrypt | Op::XtsGbDecrypt => xts_job(case.row.op),
            Op::Sm3 | Op::Sm3Updates | Op::Sm3Many | Op::HmacSm3 => sm3_job(case),
            _ => None,
        }
    }
}

fn block_job(op: Op) -> Made {
    let sm4 = Sm4Cipher::new(&KEY);
    match op {
        Op::Block => job(move |buf| {
            sm4.encrypt_block(buf.data.first_chunk_mut().expect("a block"));
        }),
        Op::EcbEncrypt => job(move |buf| sm4.encrypt_blocks(buf.data.as_chunks_mut().0)),
        Op::EcbDecrypt => job(move |buf| sm4.decrypt_blocks(buf.data.as_chunks_mut().0)),
        Op::KeySm4 => set_up(
            (),
            |()| drop(black_box(Sm4Cipher::new(black_box(&KEY)))),
            |(), buf| Sm4Cipher::new(&KEY).encrypt_blocks(buf.data.as_chunks_mut().0),
        ),
        _ => None,
    }
}

fn ctr_job(case: &Rc<Case>) -> Made {
    let case = Rc::clone(case);
    let size = if case.row.op == Op::CtrCalls {
        case.size
    } else {
        case.message.len()
    };
    job(move |buf| {
        let mut ctr = Sm4CtrCipher::new(&KEY, &IV);
        for (input, output) in case.message.chunks(size).zip(buf.data.chunks_mut(size)) {
            ctr.update(input, output);
        }
    })
}

fn gcm_job(case: &Rc<Case>) -> Made {
    let case = Rc::clone(case);
    match case.row.op {
        Op::GcmSeal => job(move |buf| {
            let sealed = mode_gcm::encrypt(&KEY, &NONCE, &ASSOCIATED, &buf.data);
            let (ciphertext, tag) = sealed.expect("the lengths are within bounds");
            buf.data = ciphertext;
            buf.put(&tag);
        }),
        Op::GcmOpen => job(move |buf| {
            let tag = case.tag();
            let opened = mode_gcm::decrypt(&KEY, &NONCE, &ASSOCIATED, case.ciphertext(), &tag);
            buf.data = opened.expect("the tag is right");
        }),
        _ => job(move |buf| {
            let sealed = mode_gcm::encrypt(&KEY, &NONCE, &case.message, &[]);
            buf.put(&sealed.expect("the lengths are within bounds").1);
        }),
    }
}

fn ccm_job(case: &Rc<Case>) -> Made {
    let case = Rc::clone(case);
    match case.row.op {
        Op::CcmSeal => job(move |buf| {
            let sealed = mode_ccm::encrypt(&KEY, &NONCE, &ASSOCIATED, &buf.data, 16);
            take_sealed(sealed.expect("the lengths are within bounds"), buf);
        }),
        _ => job(move |buf| {
            let opened = mode_ccm::decrypt(&KEY, &NONCE, &ASSOCIATED, &case.sealed, 16);
            buf.data = opened.expect("the tag is right");
        }),
    }
}

/// Takes a ciphertext with a tag after it.
fn take_sealed(mut sealed: Vec<u8>, buf: &mut Buf) {
    let length = sealed.len() - 16;
    buf.put(&sealed[length..]);
    sealed.truncate(length);
    buf.data = sealed;
}

fn xts_job(op: Op) -> Made {
    let mut key = [0; 32];
    key[..16].copy_from_slice(&KEY);
    key[16..].copy_from_slice(&TWEAK_KEY);
    match op {
        Op::XtsGbEncrypt => job(move |buf| {
            buf.data = mode_xts::encrypt(&key, &IV, &buf.data).expect("the key has two halves");
        }),
        _ => job(move |buf| {
            buf.data = mode_xts::decrypt(&key, &IV, &buf.data).expect("the key has two halves");
        }),
    }
}

fn sm3_job(case: &Rc<Case>) -> Made {
    let size = case.size;
    match case.row.op {
        Op::Sm3 => job(|buf| {
            let digest = sm3::hash(&buf.data);
            buf.put(&digest);
        }),
        Op::Sm3Updates => job(move |buf| {
            let mut hasher = Sm3::new();
            buf.data
                .chunks(size)
                .for_each(|update| hasher.update(update));
            buf.put(&hasher.finalize());
        }),
        Op::Sm3Many => job(move |buf| {
            buf.out.resize(32 * MESSAGES, 0);
            let (digests, _) = buf.out.as_chunks_mut::<32>();
            for (message, digest) in buf.data.chunks(size).zip(digests) {
                *digest = sm3::hash(message);
            }
        }),
        // Its keyed state cannot be copied: the key is set up in each call.
        _ => job(|buf| {
            let mut hmac = HmacSm3::new(&KEY);
            hmac.update(&buf.data);
            buf.put(&hmac.finalize());
        }),
    }
}
