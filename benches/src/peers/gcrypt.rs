//! The system's libgcrypt.

mod ffi;

use super::Peer;
use crate::{
    case::{ASSOCIATED, Case, IV, KEY, NONCE, TWEAK_KEY},
    job::{Made, job, set_up},
    rows::{MESSAGES, Op},
};
use ffi::{Algorithm, Cipher, Digest, Library, Mac, Mode};
use std::rc::Rc;

pub(super) struct Gcrypt(Library);

impl Gcrypt {
    /// Starts the library.
    pub(super) fn start() -> Self {
        Self(Library::start())
    }

    fn cipher(&self, mode: Mode) -> Cipher {
        Cipher::new(self.0, Algorithm::Sm4, mode, &KEY)
    }
}

impl Peer for Gcrypt {
    fn name(&self) -> String {
        "gcrypt".to_owned()
    }

    fn version(&self) -> String {
        format!("libgcrypt {}", self.0.version())
    }

    fn job(&self, case: &Rc<Case>) -> Made {
        let shared = Rc::clone(case);
        match case.row.op {
            Op::Block | Op::EcbEncrypt => {
                let mut ecb = self.cipher(Mode::Ecb);
                job(move |buf| ecb.encrypt_in_place(&mut buf.data))
            }
            Op::EcbDecrypt => {
                let mut ecb = self.cipher(Mode::Ecb);
                job(move |buf| ecb.decrypt_in_place(&mut buf.data))
            }
            Op::CbcEncrypt => mode_job(self.cipher(Mode::Cbc), true),
            Op::CbcDecrypt => mode_job(self.cipher(Mode::Cbc), false),
            Op::CbcMany => {
                let mut cbc = self.cipher(Mode::Cbc);
                job(move |buf| {
                    for message in buf.data.chunks_mut(shared.size) {
                        cbc.start(&IV);
                        cbc.encrypt_in_place(message);
                    }
                })
            }
            Op::CfbEncrypt => mode_job(self.cipher(Mode::Cfb), true),
            Op::CfbDecrypt => mode_job(self.cipher(Mode::Cfb), false),
            Op::Ofb => mode_job(self.cipher(Mode::Ofb), true),
            Op::Ctr128 | Op::CtrCalls => {
                let mut ctr = self.cipher(Mode::Ctr);
                let calls = case.row.op == Op::CtrCalls;
                job(move |buf| {
                    ctr.set_counter(&IV);
                    let size = if calls { shared.size } else { buf.data.len() };
                    buf.data
                        .chunks_mut(size)
                        .for_each(|call| ctr.encrypt_in_place(call));
                })
            }
            Op::XtsEncrypt => mode_job(self.xts(), true),
            Op::XtsDecrypt => mode_job(self.xts(), false),
            Op::GcmSeal => gcm_seal_job(self.cipher(Mode::Gcm)),
            Op::AesGcmSeal => gcm_seal_job(self.aes_gcm()),
            Op::GcmOpen => {
                let mut gcm = self.cipher(Mode::Gcm);
                job(move |buf| {
                    gcm.start(&NONCE);
                    gcm.associate(&ASSOCIATED);
                    gcm.decrypt(shared.ciphertext(), &mut buf.data);
                    assert!(gcm.check(&shared.tag()), "the tag is right");
                })
            }
            Op::Gmac => gmac_job(self.cipher(Mode::Gcm), shared),
            Op::AesGmac => gmac_job(self.aes_gcm(), shared),
            Op::CcmSeal => {
                let mut ccm = self.cipher(Mode::Ccm);
                job(move |buf| {
                    ccm.start(&NONCE);
                    ccm.announce(buf.data.len(), ASSOCIATED.len());
                    ccm.associate(&ASSOCIATED);
                    ccm.encrypt_in_place(&mut buf.data);
                    buf.put(&ccm.tag());
                })
            }
            Op::CcmOpen => {
                let mut ccm = self.cipher(Mode::Ccm);
                job(move |buf| {
                    ccm.start(&NONCE);
                    ccm.announce(buf.data.len(), ASSOCIATED.len());
                    ccm.associate(&ASSOCIATED);
                    ccm.decrypt(shared.ciphertext(), &mut buf.data);
                    assert!(ccm.check(&shared.tag()), "the tag is right");
                })
            }
            Op::KeySm4 | Op::KeyGcm | Op::KeyXts => self.key_job(case.row.op),
            Op::Sm3 | Op::Sm3Updates | Op::Sm3Many => self.sm3_job(case),
            Op::HmacSm3 => {
                let mut hmac = Mac::hmac_sm3(self.0, &KEY);
                job(move |buf| {
                    let tag = hmac.tag(&buf.data);
                    buf.put(&tag);
                })
            }
            _ => None,
        }
    }
}

impl Gcrypt {
    fn xts(&self) -> Cipher {
        Cipher::new(self.0, Algorithm::Sm4, Mode::Xts, &xts_key())
    }

    fn aes_gcm(&self) -> Cipher {
        Cipher::new(self.0, Algorithm::Aes128, Mode::Gcm, &KEY)
    }

    fn key_job(&self, op: Op) -> Made {
        match op {
            Op::KeySm4 => set_up(
                self.cipher(Mode::Ecb),
                |ecb| ecb.set_key(&KEY),
                |ecb, buf| ecb.encrypt_in_place(&mut buf.data),
            ),
            Op::KeyGcm => set_up(
                self.cipher(Mode::Gcm),
                |gcm| gcm.set_key(&KEY),
                |gcm, buf| {
                    gcm.start(&NONCE);
                    gcm.associate(&ASSOCIATED);
                    gcm.encrypt_in_place(&mut buf.data);
                    buf.put(&gcm.tag());
                },
            ),
            _ => set_up(
                self.xts(),
                |xts| xts.set_key(&xts_key()),
                |xts, buf| {
                    xts.start(&IV);
                    xts.encrypt_in_place(&mut buf.data);
                },
            ),
        }
    }

    fn sm3_job(&self, case: &Rc<Case>) -> Made {
        let mut sm3 = Digest::sm3(self.0);
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
}

fn xts_key() -> [u8; 32] {
    let mut key = [0; 32];
    key[..16].copy_from_slice(&KEY);
    key[16..].copy_from_slice(&TWEAK_KEY);
    key
}

fn mode_job(mut mode: Cipher, encrypt: bool) -> Made {
    job(move |buf| {
        mode.start(&IV);
        if encrypt {
            mode.encrypt_in_place(&mut buf.data);
        } else {
            mode.decrypt_in_place(&mut buf.data);
        }
    })
}

fn gcm_seal_job(mut gcm: Cipher) -> Made {
    job(move |buf| {
        gcm.start(&NONCE);
        gcm.associate(&ASSOCIATED);
        gcm.encrypt_in_place(&mut buf.data);
        buf.put(&gcm.tag());
    })
}

fn gmac_job(mut gcm: Cipher, case: Rc<Case>) -> Made {
    job(move |buf| {
        gcm.start(&NONCE);
        gcm.associate(&case.message);
        buf.put(&gcm.tag());
    })
}
