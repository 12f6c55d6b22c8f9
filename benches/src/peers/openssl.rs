//! OpenSSL, built by this package's build script, through its EVP interface, with everything fetched before.

mod ffi;

use super::Peer;
use crate::{
    case::{ASSOCIATED, Case, IV, KEY, NONCE, TWEAK_KEY},
    job::{Made, job, set_up},
    machine,
    rows::{MESSAGES, Op},
};
use ffi::{Cipher, Digest, Mac};
use std::{ffi::CStr, rc::Rc};

pub(super) struct OpenSsl;

impl Peer for OpenSsl {
    fn name(&self) -> String {
        "openssl".to_owned()
    }

    fn version(&self) -> String {
        format!("{}, {}", ffi::version(), machine::locked(&["openssl-src"]))
    }

    fn job(&self, case: &Rc<Case>) -> Made {
        match case.row.op {
            Op::Block | Op::EcbEncrypt => ecb_job(true),
            Op::EcbDecrypt => ecb_job(false),
            Op::CbcEncrypt => mode_job(Cipher::new(c"SM4-CBC", true)),
            Op::CbcDecrypt => mode_job(Cipher::new(c"SM4-CBC", false)),
            Op::CbcMany => {
                let mut cbc = Cipher::new(c"SM4-CBC", true);
                cbc.set_key(&KEY);
                let size = case.size;
                job(move |buf| {
                    for message in buf.data.chunks_mut(size) {
                        cbc.start(&IV);
                        cbc.update_in_place(message);
                    }
                })
            }
            Op::CfbEncrypt => mode_job(Cipher::new(c"SM4-CFB", true)),
            Op::CfbDecrypt => mode_job(Cipher::new(c"SM4-CFB", false)),
            Op::Ofb => mode_job(Cipher::new(c"SM4-OFB", true)),
            Op::Ctr128 => mode_job(Cipher::new(c"SM4-CTR", true)),
            Op::CtrCalls => {
                let mut ctr = Cipher::new(c"SM4-CTR", true);
                ctr.set_key(&KEY);
                let size = case.size;
                job(move |buf| {
                    ctr.start(&IV);
                    buf.data
                        .chunks_mut(size)
                        .for_each(|call| ctr.update_in_place(call));
                })
            }
            Op::XtsEncrypt => xts_job(true, c"IEEE"),
            Op::XtsDecrypt => xts_job(false, c"IEEE"),
            Op::XtsGbEncrypt => xts_job(true, c"GB"),
            Op::XtsGbDecrypt => xts_job(false, c"GB"),
            Op::GcmSeal => seal_job(Cipher::new(c"SM4-GCM", true)),
            Op::AesGcmSeal => seal_job(Cipher::new(c"AES-128-GCM", true)),
            Op::GcmOpen => open_job(Cipher::new(c"SM4-GCM", false), case),
            Op::Gmac => authenticate_job(c"SM4-GCM", case),
            Op::AesGmac => authenticate_job(c"AES-128-GCM", case),
            Op::CcmSeal => ccm_seal_job(),
            Op::CcmOpen => ccm_open_job(case),
            Op::KeySm4 | Op::KeyGcm | Op::KeyXts => key_job(case.row.op),
            Op::Sm3 | Op::Sm3Updates | Op::Sm3Many => sm3_job(case),
            Op::HmacSm3 => {
                let mut hmac = Mac::hmac_sm3(&KEY);
                job(move |buf| {
                    let tag = hmac.tag(&buf.data);
                    buf.put(&tag);
                })
            }
            _ => None,
        }
    }
}

fn ecb_job(encrypt: bool) -> Made {
    let mut ecb = Cipher::new(c"SM4-ECB", encrypt);
    ecb.set_key(&KEY);
    job(move |buf| ecb.update_in_place(&mut buf.data))
}

fn mode_job(mut mode: Cipher) -> Made {
    mode.set_key(&KEY);
    job(move |buf| {
        mode.start(&IV);
        mode.update_in_place(&mut buf.data);
    })
}

fn xts_key() -> [u8; 32] {
    let mut key = [0; 32];
    key[..16].copy_from_slice(&KEY);
    key[16..].copy_from_slice(&TWEAK_KEY);
    key
}

fn xts(encrypt: bool, standard: &CStr) -> Cipher {
    let mut xts = Cipher::new(c"SM4-XTS", encrypt);
    xts.set_xts_standard(standard);
    xts.set_key(&xts_key());
    xts
}

fn xts_job(encrypt: bool, standard: &CStr) -> Made {
    let mut xts = xts(encrypt, standard);
    job(move |buf| {
        xts.start(&IV);
        xts.update_in_place(&mut buf.data);
    })
}

fn seal_job(mut aead: Cipher) -> Made {
    aead.set_key(&KEY);
    job(move |buf| {
        aead.start(&NONCE);
        aead.associate(&ASSOCIATED);
        aead.update_in_place(&mut buf.data);
        assert!(aead.finish(), "sealing does not fail");
        buf.put(&aead.tag());
    })
}

fn open_job(mut aead: Cipher, case: &Rc<Case>) -> Made {
    aead.set_key(&KEY);
    let case = Rc::clone(case);
    job(move |buf| {
        aead.start(&NONCE);
        aead.expect_tag(&case.tag());
        aead.associate(&ASSOCIATED);
        assert!(
            aead.update(case.ciphertext(), &mut buf.data),
            "nothing is checked yet"
        );
        assert!(aead.finish(), "the tag is right");
    })
}

fn authenticate_job(name: &CStr, case: &Rc<Case>) -> Made {
    let mut aead = Cipher::new(name, true);
    aead.set_key(&KEY);
    let case = Rc::clone(case);
    job(move |buf| {
        aead.start(&NONCE);
        aead.associate(&case.message);
        assert!(aead.finish(), "authenticating does not fail");
        buf.put(&aead.tag());
    })
}

fn ccm(encrypt: bool) -> Cipher {
    let mut ccm = Cipher::new(c"SM4-CCM", encrypt);
    // Both lengths have to be there when the key is set up.
    ccm.set_nonce_length(NONCE.len());
    ccm.set_tag_length();
    ccm.set_key(&KEY);
    ccm
}

fn ccm_seal_job() -> Made {
    let mut ccm = ccm(true);
    job(move |buf| {
        ccm.start(&NONCE);
        ccm.announce(buf.data.len());
        ccm.associate(&ASSOCIATED);
        ccm.update_in_place(&mut buf.data);
        buf.put(&ccm.tag());
    })
}

fn ccm_open_job(case: &Rc<Case>) -> Made {
    let mut ccm = ccm(false);
    let case = Rc::clone(case);
    job(move |buf| {
        ccm.expect_tag(&case.tag());
        ccm.start(&NONCE);
        ccm.announce(buf.data.len());
        ccm.associate(&ASSOCIATED);
        assert!(
            ccm.update(case.ciphertext(), &mut buf.data),
            "the tag is right"
        );
    })
}

fn key_job(op: Op) -> Made {
    match op {
        Op::KeySm4 => set_up(
            Cipher::new(c"SM4-ECB", true),
            |ecb| ecb.set_key(&KEY),
            |ecb, buf| ecb.update_in_place(&mut buf.data),
        ),
        Op::KeyGcm => set_up(
            Cipher::new(c"SM4-GCM", true),
            |gcm| gcm.set_key(&KEY),
            |gcm, buf| {
                gcm.start(&NONCE);
                gcm.associate(&ASSOCIATED);
                gcm.update_in_place(&mut buf.data);
                assert!(gcm.finish(), "sealing does not fail");
                buf.put(&gcm.tag());
            },
        ),
        _ => set_up(
            xts(true, c"IEEE"),
            |xts| xts.set_key(&xts_key()),
            |xts, buf| {
                xts.start(&IV);
                xts.update_in_place(&mut buf.data);
            },
        ),
    }
}

fn sm3_job(case: &Rc<Case>) -> Made {
    let mut sm3 = Digest::sm3();
    let (op, size) = (case.row.op, case.size);
    job(move |buf| match op {
        Op::Sm3Many => {
            buf.out.resize(32 * MESSAGES, 0);
            let (digests, _) = buf.out.as_chunks_mut::<32>();
            for (message, digest) in buf.data.chunks(size).zip(digests) {
                *digest = sm3.digest([message].into_iter());
            }
        }
        _ => {
            let digest = sm3.digest(buf.data.chunks(size));
            buf.put(&digest);
        }
    })
}
