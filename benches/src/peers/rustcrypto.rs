//! RustCrypto: its crates alone, and its modes over our block cipher.

use super::{Kind, Peer, modes};
use crate::{
    case::{Case, IV, KEY, TWEAK_KEY},
    job::{Made, job, set_up},
    machine,
    rows::{MESSAGES, Op},
};
use aead::consts::{U12, U16};
use aes_gcm::{Aes128Gcm, AesGcm};
use ccm::Ccm;
use cipher::{BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, KeyInit, KeySizeUser};
use digest::{Digest, Mac};
use hmac::Hmac;
use rustcrypto_sm3::Sm3;
use std::{hint::black_box, rc::Rc};
use universal_hash::UniversalHash;
use xts_mode::Xts128;

/// A block cipher as the modes want it.
trait Cipher:
    BlockCipherEncrypt<BlockSize = U16>
    + BlockCipherDecrypt
    + BlockSizeUser<BlockSize = U16>
    + KeyInit
    + KeySizeUser<KeySize = U16>
    + Clone
    + 'static
{
}

impl Cipher for rustcrypto_sm4::Sm4 {}
impl Cipher for sm4::Sm4 {}

/// RustCrypto's crates.
pub(super) struct RustCrypto;

impl Peer for RustCrypto {
    fn name(&self) -> String {
        "rustcrypto".to_owned()
    }

    fn version(&self) -> String {
        machine::locked(&[
            "sm3", "sm4", "ctr", "cbc", "cfb-mode", "ofb", "ghash", "aes-gcm", "ccm", "xts-mode",
            "hmac", "aes",
        ])
    }

    fn job(&self, case: &Rc<Case>) -> Made {
        let size = case.size;
        match case.row.op {
            Op::Sm3 => job(|buf| {
                let digest = Sm3::digest(&buf.data);
                buf.put(&digest);
            }),
            Op::Sm3Updates => job(move |buf| {
                let mut hasher = Sm3::new();
                buf.data
                    .chunks(size)
                    .for_each(|update| hasher.update(update));
                let digest = hasher.finalize();
                buf.put(&digest);
            }),
            Op::Sm3Many => job(move |buf| {
                buf.out.resize(32 * MESSAGES, 0);
                let (digests, _) = buf.out.as_chunks_mut::<32>();
                for (message, digest) in buf.data.chunks(size).zip(digests) {
                    *digest = Sm3::digest(message).into();
                }
            }),
            Op::HmacSm3 => {
                let keyed = Hmac::<Sm3>::new_from_slice(&KEY).expect("any length will do");
                job(move |buf| {
                    let tag = keyed
                        .clone()
                        .chain_update(&buf.data)
                        .finalize()
                        .into_bytes();
                    buf.put(&tag);
                })
            }
            Op::Ghash | Op::GhashUpdates(_) => ghash_job(case),
            Op::AesGcmSeal => {
                let gcm = Aes128Gcm::new(&KEY.into());
                job(move |buf| modes::seal(&gcm, buf))
            }
            Op::AesGmac => {
                let gcm = Aes128Gcm::new(&KEY.into());
                let case = Rc::clone(case);
                job(move |buf| modes::authenticate(&gcm, &case.message, buf))
            }
            _ => {
                let sm4 = rustcrypto_sm4::Sm4::new(&KEY.into());
                sm4_job::<rustcrypto_sm4::Sm4>(case).or_else(|| {
                    modes::mode_job!(case, sm4, rustcrypto_sm4::Sm4, cbc, cfb_mode, ctr, ofb)
                })
            }
        }
    }
}

/// RustCrypto's modes over our SM4, as who swaps the crate `sm4` gets them.
pub(super) struct DropIn;

impl Peer for DropIn {
    fn name(&self) -> String {
        "drop-in".to_owned()
    }

    fn kind(&self) -> Kind {
        Kind::DropIn
    }

    fn version(&self) -> String {
        let modes = machine::locked(&[
            "ctr", "cbc", "cfb-mode", "ofb", "aes-gcm", "ccm", "xts-mode",
        ]);
        format!("{modes}, over our sm4 {}", machine::own_version("sm4"))
    }

    fn job(&self, case: &Rc<Case>) -> Made {
        match case.row.op {
            // Those are ours alone.
            Op::Block | Op::EcbEncrypt | Op::EcbDecrypt | Op::KeySm4 => None,
            _ => {
                let sm4 = sm4::Sm4::new(&KEY.into());
                sm4_job::<sm4::Sm4>(case)
                    .or_else(|| modes::mode_job!(case, sm4, sm4::Sm4, cbc, cfb_mode, ctr, ofb))
            }
        }
    }
}

fn ghash_job(case: &Rc<Case>) -> Made {
    let update = match case.row.op {
        Op::GhashUpdates(update) => update.min(case.size),
        _ => usize::MAX,
    };
    let keyed = ghash::GHash::new(&KEY.into());
    job(move |buf| {
        let mut ghash = keyed.clone();
        let (blocks, _) = ghash::Block::slice_as_chunks(&buf.data);
        blocks
            .chunks(update / 16)
            .for_each(|blocks| ghash.update(blocks));
        let tag = ghash.finalize();
        buf.put(&tag);
    })
}

/// What is not among the modes of `mode_job`.
fn sm4_job<C: Cipher>(case: &Rc<Case>) -> Made {
    let new = |key: &[u8; 16]| C::new(key.into());
    let gcm = move || AesGcm::<C, U12, U16>::from(new(black_box(&KEY)));
    let ccm = move || Ccm::<C, U16, U12>::from(new(&KEY));
    let xts = move || {
        let (data, tweak) = black_box((&KEY, &TWEAK_KEY));
        Xts128::new(new(data), new(tweak))
    };
    let shared = Rc::clone(case);
    match case.row.op {
        Op::KeySm4 => set_up(
            (),
            move |()| drop(black_box(new(black_box(&KEY)))),
            move |(), buf| {
                let (blocks, _) = cipher::Array::slice_as_chunks_mut(&mut buf.data);
                new(&KEY).encrypt_blocks(blocks);
            },
        ),
        Op::KeyGcm => set_up(
            (),
            move |()| drop(black_box(gcm())),
            move |(), buf| modes::seal(&gcm(), buf),
        ),
        Op::KeyXts => set_up(
            (),
            move |()| drop(black_box(xts())),
            move |(), buf| xts().encrypt_sector(&mut buf.data, IV.into()),
        ),
        Op::GcmSeal => {
            let gcm = gcm();
            job(move |buf| modes::seal(&gcm, buf))
        }
        Op::GcmOpen => {
            let gcm = gcm();
            job(move |buf| modes::open(&gcm, shared.ciphertext(), &shared.tag(), buf))
        }
        Op::Gmac => {
            let gcm = gcm();
            job(move |buf| modes::authenticate(&gcm, &shared.message, buf))
        }
        Op::CcmSeal => {
            let ccm = ccm();
            job(move |buf| modes::seal(&ccm, buf))
        }
        Op::CcmOpen => {
            let ccm = ccm();
            job(move |buf| modes::open(&ccm, shared.ciphertext(), &shared.tag(), buf))
        }
        Op::XtsEncrypt => {
            let xts = xts();
            job(move |buf| xts.encrypt_sector(&mut buf.data, IV.into()))
        }
        Op::XtsDecrypt => {
            let xts = xts();
            job(move |buf| xts.decrypt_sector(&mut buf.data, IV.into()))
        }
        _ => None,
    }
}

/// Seals for the opening rows; nothing for the others.
pub(super) fn seal(op: Op, message: &[u8]) -> Vec<u8> {
    let mut buf = crate::case::Buf {
        data: message.to_vec(),
        out: Vec::new(),
    };
    let sm4 = rustcrypto_sm4::Sm4::new(&KEY.into());
    match op {
        Op::GcmOpen => modes::seal(&AesGcm::<_, U12, U16>::from(sm4), &mut buf),
        Op::CcmOpen => modes::seal(&Ccm::<_, U16, U12>::from(sm4), &mut buf),
        _ => return Vec::new(),
    }
    buf.data.extend_from_slice(&buf.out);
    buf.data
}
