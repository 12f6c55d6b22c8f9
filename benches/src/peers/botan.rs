//! Botan, through its C interface as the crate `botan` has it. That works from one buffer to another.

use super::Peer;
use crate::{
    case::{ASSOCIATED, Case, IV, KEY, NONCE, TWEAK_KEY},
    job::{Made, job, set_up},
    machine,
    rows::{MESSAGES, Op},
};
use ::botan::{BlockCipher, Cipher, CipherDirection, HashFunction, MsgAuthCode, Version};
use std::rc::Rc;

pub(super) struct Botan;

impl Peer for Botan {
    fn name(&self) -> String {
        "botan".to_owned()
    }

    fn version(&self) -> String {
        let Version {
            major,
            minor,
            patch,
            ..
        } = Version::current().expect("Botan tells its version");
        format!(
            "Botan {major}.{minor}.{patch}, {}",
            machine::locked(&["botan"])
        )
    }

    fn job(&self, case: &Rc<Case>) -> Made {
        match case.row.op {
            Op::Block | Op::EcbEncrypt => {
                let sm4 = block();
                job(move |buf| sm4.encrypt_in_place(&mut buf.data).expect("whole blocks"))
            }
            Op::EcbDecrypt => {
                let sm4 = block();
                job(move |buf| sm4.decrypt_in_place(&mut buf.data).expect("whole blocks"))
            }
            Op::CbcEncrypt => mode_job("SM4/CBC/NoPadding", CipherDirection::Encrypt, case),
            Op::CbcDecrypt => mode_job("SM4/CBC/NoPadding", CipherDirection::Decrypt, case),
            Op::CbcMany => messages_job(case),
            Op::CfbEncrypt => mode_job("SM4/CFB", CipherDirection::Encrypt, case),
            Op::CfbDecrypt => mode_job("SM4/CFB", CipherDirection::Decrypt, case),
            Op::Ofb => mode_job("SM4/OFB", CipherDirection::Encrypt, case),
            Op::Ctr32 => mode_job("CTR-BE(SM4,4)", CipherDirection::Encrypt, case),
            Op::Ctr128 => mode_job("SM4/CTR-BE", CipherDirection::Encrypt, case),
            Op::CtrCalls => calls_job(case),
            Op::XtsEncrypt => mode_job("SM4/XTS", CipherDirection::Encrypt, case),
            Op::XtsDecrypt => mode_job("SM4/XTS", CipherDirection::Decrypt, case),
            Op::GcmSeal => seal_job("SM4/GCM", case),
            Op::CcmSeal => seal_job("SM4/CCM", case),
            Op::AesGcmSeal => seal_job("AES-128/GCM", case),
            Op::GcmOpen => open_job("SM4/GCM", case),
            Op::CcmOpen => open_job("SM4/CCM", case),
            Op::Gmac => authenticate_job("SM4/GCM", case),
            Op::AesGmac => authenticate_job("AES-128/GCM", case),
            Op::KeySm4 => set_up(
                block(),
                |sm4| sm4.set_key(&KEY).expect("the key has 16 bytes"),
                |sm4, buf| sm4.encrypt_in_place(&mut buf.data).expect("whole blocks"),
            ),
            Op::KeyGcm => key_gcm_job(),
            Op::KeyXts => set_up(
                cipher("SM4/XTS", CipherDirection::Encrypt),
                |xts| xts.set_key(&xts_key()).expect("the key has 32 bytes"),
                |xts, buf| {
                    xts.start(&IV).expect("the tweak has 16 bytes");
                    buf.data = xts.finish(&buf.data).expect("a block at least");
                },
            ),
            Op::Sm3 | Op::Sm3Updates | Op::Sm3Many => sm3_job(case),
            Op::HmacSm3 => {
                let mut hmac = MsgAuthCode::new("HMAC(SM3)").expect("Botan has HMAC-SM3");
                hmac.set_key(&KEY).expect("any length will do");
                job(move |buf| {
                    hmac.update(&buf.data).expect("the key is set");
                    buf.out = hmac.finish().expect("the key is set");
                })
            }
            _ => None,
        }
    }
}

fn block() -> BlockCipher {
    let mut sm4 = BlockCipher::new("SM4").expect("Botan has SM4");
    sm4.set_key(&KEY).expect("the key has 16 bytes");
    sm4
}

fn xts_key() -> [u8; 32] {
    let mut key = [0; 32];
    key[..16].copy_from_slice(&KEY);
    key[16..].copy_from_slice(&TWEAK_KEY);
    key
}

fn cipher(name: &str, direction: CipherDirection) -> Cipher {
    let mut cipher = Cipher::new(name, direction).expect("Botan has the mode");
    let set = if name == "SM4/XTS" {
        cipher.set_key(&xts_key())
    } else {
        cipher.set_key(&KEY)
    };
    set.expect("the key has the mode's length");
    cipher
}

fn mode_job(name: &str, direction: CipherDirection, case: &Rc<Case>) -> Made {
    let mut cipher = cipher(name, direction);
    let case = Rc::clone(case);
    job(move |buf| {
        cipher.start(&IV).expect("the vector has 16 bytes");
        let written = cipher.finish_into(&case.message, &mut buf.data);
        assert_eq!(written, Ok(case.message.len()));
    })
}

fn calls_job(case: &Rc<Case>) -> Made {
    let mut cipher = cipher("SM4/CTR-BE", CipherDirection::Encrypt);
    let case = Rc::clone(case);
    job(move |buf| {
        cipher.start(&IV).expect("the vector has 16 bytes");
        let outputs = buf.data.chunks_mut(case.size);
        for (input, output) in case.message.chunks(case.size).zip(outputs) {
            cipher
                .update_into(input, output)
                .expect("any length will do");
        }
    })
}

fn messages_job(case: &Rc<Case>) -> Made {
    let mut cipher = cipher("SM4/CBC/NoPadding", CipherDirection::Encrypt);
    let case = Rc::clone(case);
    job(move |buf| {
        let outputs = buf.data.chunks_mut(case.size);
        for (input, output) in case.message.chunks(case.size).zip(outputs) {
            cipher.start(&IV).expect("the vector has 16 bytes");
            let written = cipher.finish_into(input, output);
            assert_eq!(written, Ok(case.size));
        }
    })
}

fn seal_job(name: &str, case: &Rc<Case>) -> Made {
    let case = Rc::clone(case);
    set_up(
        (
            cipher(name, CipherDirection::Encrypt),
            vec![0; case.message.len() + 16],
        ),
        move |(cipher, sealed)| {
            cipher
                .set_associated_data(&ASSOCIATED)
                .expect("the key is set");
            cipher.start(&NONCE).expect("the nonce has 12 bytes");
            let written = cipher.finish_into(&case.message, sealed);
            assert_eq!(written, Ok(sealed.len()));
        },
        |(_, sealed), buf| {
            let (ciphertext, tag) = sealed.split_at(sealed.len() - 16);
            buf.data.copy_from_slice(ciphertext);
            buf.put(tag);
        },
    )
}

fn open_job(name: &str, case: &Rc<Case>) -> Made {
    let mut cipher = cipher(name, CipherDirection::Decrypt);
    let case = Rc::clone(case);
    job(move |buf| {
        cipher
            .set_associated_data(&ASSOCIATED)
            .expect("the key is set");
        cipher.start(&NONCE).expect("the nonce has 12 bytes");
        let written = cipher.finish_into(&case.sealed, &mut buf.data);
        assert_eq!(written, Ok(buf.data.len()), "the tag is right");
    })
}

fn authenticate_job(name: &str, case: &Rc<Case>) -> Made {
    let mut cipher = cipher(name, CipherDirection::Encrypt);
    let case = Rc::clone(case);
    job(move |buf| {
        cipher
            .set_associated_data(&case.message)
            .expect("the key is set");
        cipher.start(&NONCE).expect("the nonce has 12 bytes");
        buf.out.resize(16, 0);
        let written = cipher.finish_into(&[], &mut buf.out);
        assert_eq!(written, Ok(16));
    })
}

fn key_gcm_job() -> Made {
    set_up(
        cipher("SM4/GCM", CipherDirection::Encrypt),
        |gcm| gcm.set_key(&KEY).expect("the key has 16 bytes"),
        |gcm, buf| {
            gcm.set_associated_data(&ASSOCIATED)
                .expect("the key is set");
            gcm.start(&NONCE).expect("the nonce has 12 bytes");
            let sealed = gcm.finish(&buf.data).expect("any length will do");
            let (ciphertext, tag) = sealed.split_at(sealed.len() - 16);
            buf.data.copy_from_slice(ciphertext);
            buf.put(tag);
        },
    )
}

fn sm3_job(case: &Rc<Case>) -> Made {
    let mut sm3 = HashFunction::new("SM3").expect("Botan has SM3");
    let (op, size) = (case.row.op, case.size);
    job(move |buf| match op {
        Op::Sm3Many => {
            buf.out.resize(32 * MESSAGES, 0);
            let (digests, _) = buf.out.as_chunks_mut::<32>();
            for (message, digest) in buf.data.chunks(size).zip(digests) {
                sm3.update(message).expect("any length will do");
                digest.copy_from_slice(&sm3.finish().expect("there is a digest"));
            }
        }
        _ => {
            for update in buf.data.chunks(size) {
                sm3.update(update).expect("any length will do");
            }
            buf.out = sm3.finish().expect("there is a digest");
        }
    })
}
