//! AWS-LC's AES-128-GCM: what the best GHASH of today costs in a mode.

use super::Peer;
use crate::{
    case::{ASSOCIATED, Case, KEY, NONCE},
    job::{Made, job},
    machine,
    rows::Op,
};
use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use std::rc::Rc;

pub(super) struct AwsLc;

impl Peer for AwsLc {
    fn name(&self) -> String {
        "aws-lc".to_owned()
    }

    fn version(&self) -> String {
        machine::locked(&["aws-lc-rs", "aws-lc-sys"])
    }

    fn job(&self, case: &Rc<Case>) -> Made {
        let key = UnboundKey::new(&AES_128_GCM, &KEY).expect("the key has 16 bytes");
        let key = LessSafeKey::new(key);
        let nonce = || Nonce::assume_unique_for_key(NONCE);
        match case.row.op {
            Op::AesGcmSeal => job(move |buf| {
                let associated = Aad::from(ASSOCIATED);
                let tag = key.seal_in_place_separate_tag(nonce(), associated, &mut buf.data);
                buf.put(tag.expect("the lengths are within bounds").as_ref());
            }),
            Op::AesGmac => {
                let case = Rc::clone(case);
                job(move |buf| {
                    let associated = Aad::from(&case.message);
                    let tag = key.seal_in_place_separate_tag(nonce(), associated, &mut []);
                    buf.put(tag.expect("the lengths are within bounds").as_ref());
                })
            }
            _ => None,
        }
    }
}
