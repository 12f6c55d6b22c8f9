//! Our crates: as a user gets them, and with every backend of this machine.

use super::{Kind, Peer, modes};
use crate::{
    case::{Case, IV, KEY, TWEAK_KEY},
    job::{Made, job, set_up},
    machine,
    rows::{MESSAGES, Op, STREAMS},
};
use aead::KeyInit;
use cipher::BlockCipherEncrypt;
use digest::{Digest, Mac};
use ghash_simd::{GHash, GHashKey};
use hmac::Hmac;
use sm3::{
    Sm3,
    multi::{self, ManySm3},
};
use sm4::Sm4;
use sm4_ccm::Sm4Ccm;
use sm4_gcm::Sm4Gcm;
use sm4_xts::{Gbt17964, Ieee1619, Standard, Xts};
use std::{collections::BTreeSet, hint::black_box, rc::Rc};
use universal_hash::UniversalHash;

/// Ours, with the backends of this name where there are some, or those that a user gets.
struct Ours {
    backend: Option<&'static str>,
}

/// Ours as a user gets them, and then once for every name of a backend.
pub(super) fn all() -> Vec<Box<dyn Peer>> {
    let names: BTreeSet<_> = sm4::Backend::all_available()
        .map(sm4::Backend::name)
        .chain(sm3::Backend::all_available().map(sm3::Backend::name))
        .chain(multi::Backend::all_available().map(multi::Backend::name))
        .chain(ghash_simd::Backend::all_available().map(ghash_simd::Backend::name))
        .collect();
    core::iter::once(None)
        .chain(names.into_iter().map(Some))
        .map(|backend| Box::new(Ours { backend }) as Box<dyn Peer>)
        .collect()
}

impl Ours {
    /// What makes an SM4 of a key, if there is such a backend.
    fn sm4(&self) -> Option<impl Fn(&[u8; 16]) -> Sm4 + Copy + 'static> {
        let backend = match self.backend {
            None => None,
            Some(name) => Some(sm4::Backend::all_available().find(|b| b.name() == name)?),
        };
        Some(move |key: &[u8; 16]| match backend {
            None => Sm4::new(key.into()),
            Some(backend) => Sm4::with_backend(key.into(), backend),
        })
    }

    /// What makes an SM3.
    fn sm3(&self) -> Option<impl Fn() -> Sm3 + Copy + 'static> {
        let backend = match self.backend {
            None => None,
            Some(name) => Some(sm3::Backend::all_available().find(|b| b.name() == name)?),
        };
        Some(move || match backend {
            None => Sm3::new(),
            Some(backend) => Sm3::with_backend(backend),
        })
    }

    /// What hashes many messages.
    fn many(&self) -> Option<ManySm3> {
        Some(match self.backend {
            None => ManySm3::new(),
            Some(name) => {
                let mut backends = multi::Backend::all_available();
                ManySm3::with_backend(backends.find(|b| b.name() == name)?)
            }
        })
    }

    /// A GHASH under a key.
    fn ghash(&self) -> Option<GHashKey> {
        Some(match self.backend {
            None => GHashKey::new(&KEY.into()),
            Some(name) => {
                let mut backends = ghash_simd::Backend::all_available();
                GHashKey::with_backend(&KEY.into(), backends.find(|b| b.name() == name)?)
            }
        })
    }
}

impl Peer for Ours {
    fn name(&self) -> String {
        match self.backend {
            None => "ours".to_owned(),
            Some(backend) => format!("ours:{backend}"),
        }
    }

    fn kind(&self) -> Kind {
        match self.backend {
            None => Kind::Ours,
            Some(_) => Kind::Backend,
        }
    }

    fn version(&self) -> String {
        let Some(backend) = self.backend else {
            return format!(
                "{} (sm4 {}, sm3 {}, ghash {})",
                machine::own_versions(),
                sm4::Backend::detect().name(),
                sm3::Backend::detect().name(),
                ghash_simd::Backend::detect().name(),
            );
        };
        format!("{}, forced to {backend}", machine::own_versions())
    }

    fn job(&self, case: &Rc<Case>) -> Made {
        match case.row.op {
            Op::Sm3 | Op::Sm3Updates | Op::HmacSm3 => sm3_job(self.sm3()?, case),
            Op::Sm3Many => many_job(self.many()?, case.size),
            Op::Ghash | Op::GhashUpdates(_) => ghash_job(self.ghash()?, case),
            Op::KeySm4 | Op::KeyGcm | Op::KeyXts => key_job(self.sm4()?, case.row.op),
            _ => sm4_job(&self.sm4()?, case),
        }
    }
}

fn sm3_job(new: impl Fn() -> Sm3 + Copy + 'static, case: &Rc<Case>) -> Made {
    let size = case.size;
    match case.row.op {
        Op::Sm3 => job(move |buf| {
            let digest = new().chain_update(&buf.data).finalize();
            buf.put(&digest);
        }),
        Op::Sm3Updates => job(move |buf| {
            let mut hasher = new();
            buf.data
                .chunks(size)
                .for_each(|update| hasher.update(update));
            let digest = hasher.finalize();
            buf.put(&digest);
        }),
        // Over the crate `hmac`, which takes the detected backend only.
        Op::HmacSm3 if new().backend() == Sm3::new().backend() => {
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
        _ => None,
    }
}

fn many_job(many: ManySm3, size: usize) -> Made {
    job(move |buf| {
        buf.out.resize(32 * MESSAGES, 0);
        let (digests, _) = buf.out.as_chunks_mut::<32>();
        many.digest_each(buf.data.chunks(size), |i, digest| {
            digests[i] = digest.into();
        });
    })
}

fn ghash_job(key: GHashKey, case: &Rc<Case>) -> Made {
    let update = match case.row.op {
        Op::GhashUpdates(update) => update.min(case.size),
        _ => usize::MAX,
    };
    job(move |buf| {
        let mut ghash = GHash::with_key(&key);
        let (blocks, _) = ghash_simd::Block::slice_as_chunks(&buf.data);
        blocks
            .chunks(update / 16)
            .for_each(|blocks| ghash.update(blocks));
        let tag = ghash.finalize();
        buf.put(&tag);
    })
}

fn key_job(new: impl Fn(&[u8; 16]) -> Sm4 + Copy + 'static, op: Op) -> Made {
    match op {
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
            move |()| drop(black_box(Sm4Gcm::from(new(black_box(&KEY))))),
            move |(), buf| modes::seal(&Sm4Gcm::from(new(&KEY)), buf),
        ),
        Op::KeyXts => {
            let xts = move || {
                let (data, tweak) = black_box((&KEY, &TWEAK_KEY));
                Xts::<Ieee1619>::from_ciphers(new(data), new(tweak))
            };
            set_up(
                (),
                move |()| drop(black_box(xts())),
                move |(), buf| xts().encrypt_sector(&mut buf.data, IV.into()),
            )
        }
        _ => None,
    }
}

fn sm4_job(new: &impl Fn(&[u8; 16]) -> Sm4, case: &Rc<Case>) -> Made {
    let sm4 = new(&KEY);
    let shared = Rc::clone(case);
    match case.row.op {
        Op::GcmSeal => {
            let gcm = Sm4Gcm::from(sm4);
            job(move |buf| modes::seal(&gcm, buf))
        }
        Op::GcmOpen => {
            let gcm = Sm4Gcm::from(sm4);
            job(move |buf| modes::open(&gcm, shared.ciphertext(), &shared.tag(), buf))
        }
        Op::Gmac => {
            let gcm = Sm4Gcm::from(sm4);
            job(move |buf| modes::authenticate(&gcm, &shared.message, buf))
        }
        Op::CcmSeal => {
            let ccm = Sm4Ccm::from(sm4);
            job(move |buf| modes::seal(&ccm, buf))
        }
        Op::CcmOpen => {
            let ccm = Sm4Ccm::from(sm4);
            job(move |buf| modes::open(&ccm, shared.ciphertext(), &shared.tag(), buf))
        }
        Op::CbcMany => job(move |buf| {
            let mut ivs = [IV.into(); STREAMS];
            let messages = buf.data.chunks_mut(shared.size).map(|message| {
                let (blocks, _) = cipher::Array::slice_as_chunks_mut(message);
                blocks.into()
            });
            sm4_modes::cbc::encrypt_many(&sm4, ivs.iter_mut().zip(messages));
        }),
        Op::XtsEncrypt | Op::XtsDecrypt => xts_job(
            Xts::<Ieee1619>::from_ciphers(sm4, new(&TWEAK_KEY)),
            case.row.op,
        ),
        Op::XtsGbEncrypt | Op::XtsGbDecrypt => xts_job(
            Xts::<Gbt17964>::from_ciphers(sm4, new(&TWEAK_KEY)),
            case.row.op,
        ),
        _ => modes::mode_job!(
            case,
            sm4,
            Sm4,
            sm4_modes::cbc,
            sm4_modes::cfb,
            sm4_modes::ctr,
            sm4_modes::ofb
        ),
    }
}

fn xts_job<S: Standard + 'static>(xts: Xts<S>, op: Op) -> Made {
    match op {
        Op::XtsEncrypt | Op::XtsGbEncrypt => {
            job(move |buf| xts.encrypt_sector(&mut buf.data, IV.into()))
        }
        _ => job(move |buf| xts.decrypt_sector(&mut buf.data, IV.into())),
    }
}
