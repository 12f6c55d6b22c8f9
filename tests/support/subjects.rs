//! The implementations under test and their peers, by mode and by the sizes that a vector asks for.

use cipher::Array;
use cipher::consts::*;

use super::aead::{DynAead, boxed};

/// Who implements it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// This workspace.
    Ours,
    /// RustCrypto's mode over this workspace's SM4.
    PeerOverOurs,
    /// RustCrypto's mode over RustCrypto's SM4.
    Peer,
}

/// All of them.
pub const ALL: [Who; 3] = [Who::Ours, Who::PeerOverOurs, Who::Peer];

macro_rules! gcm_table {
    ($key:expr, $who:expr, $nonce:expr, $tag:expr; $(($n:literal, $N:ty, $t:literal, $T:ty))+) => {
        match ($nonce, $tag) {
            $(($n, $t) => Some(match $who {
                Who::Ours => boxed::<sm4_gcm::Gcm<$N, $T>>($key),
                Who::PeerOverOurs => boxed::<aes_gcm::AesGcm<sm4::Sm4, $N, $T>>($key),
                Who::Peer => boxed::<aes_gcm::AesGcm<rc_sm4::Sm4, $N, $T>>($key),
            }),)+
            _ => None,
        }
    };
}

/// GCM with these sizes in bytes, or nothing when the table below has no such entry.
pub fn gcm(who: Who, key: &[u8; 16], nonce: usize, tag: usize) -> Option<Box<dyn DynAead>> {
    gcm_table!(key, who, nonce, tag;
        (1, U1, 16, U16) (2, U2, 16, U16) (3, U3, 16, U16) (4, U4, 16, U16) (5, U5, 16, U16)
        (6, U6, 16, U16) (7, U7, 16, U16) (8, U8, 16, U16) (10, U10, 16, U16) (11, U11, 16, U16)
        (13, U13, 16, U16) (15, U15, 16, U16) (17, U17, 16, U16) (20, U20, 16, U16)
        (32, U32, 16, U16) (60, U60, 16, U16) (64, U64, 16, U16) (128, U128, 16, U16)
        (257, U257, 16, U16)
        (12, U12, 4, U4) (12, U12, 8, U8) (12, U12, 12, U12) (12, U12, 13, U13)
        (12, U12, 14, U14) (12, U12, 15, U15) (12, U12, 16, U16)
        (16, U16, 4, U4) (16, U16, 8, U8) (16, U16, 12, U12) (16, U16, 13, U13)
        (16, U16, 14, U14) (16, U16, 15, U15) (16, U16, 16, U16))
}

/// The nonce sizes that [`gcm`] knows with a tag of 16 bytes.
pub const GCM_NONCES: [usize; 21] = [
    1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 15, 16, 17, 20, 32, 60, 64, 128, 257,
];

/// The tag sizes that [`gcm`] knows with nonces of 12 and 16 bytes.
pub const GCM_TAGS: [usize; 7] = [4, 8, 12, 13, 14, 15, 16];

macro_rules! ccm_table {
    ($key:expr, $who:expr, $nonce:expr, $tag:expr; $($n:literal $N:ty),+; $tags:tt) => {
        match $nonce {
            $($n => ccm_table!(@tags $key, $who, $tag, $N, $tags),)+
            _ => None,
        }
    };
    (@tags $key:expr, $who:expr, $tag:expr, $N:ty, ($($t:literal $T:ty),+)) => {
        match $tag {
            $($t => Some(match $who {
                Who::Ours => boxed::<sm4_ccm::Ccm<$T, $N>>($key),
                Who::PeerOverOurs => boxed::<ccm::Ccm<sm4::Sm4, $T, $N>>($key),
                Who::Peer => boxed::<ccm::Ccm<rc_sm4::Sm4, $T, $N>>($key),
            }),)+
            _ => None,
        }
    };
}

/// CCM with these sizes in bytes, or nothing when the standard has no such sizes.
pub fn ccm(who: Who, key: &[u8; 16], nonce: usize, tag: usize) -> Option<Box<dyn DynAead>> {
    ccm_table!(key, who, nonce, tag;
        7 U7, 8 U8, 9 U9, 10 U10, 11 U11, 12 U12, 13 U13;
        (4 U4, 6 U6, 8 U8, 10 U10, 12 U12, 14 U14, 16 U16))
}

/// The nonce sizes of CCM.
pub const CCM_NONCES: [usize; 7] = [7, 8, 9, 10, 11, 12, 13];

/// The tag sizes of CCM.
pub const CCM_TAGS: [usize; 7] = [4, 6, 8, 10, 12, 14, 16];

/// This workspace's SM4 under `key`.
pub fn ours(key: &[u8; 16]) -> sm4::Sm4 {
    cipher::KeyInit::new(&Array(*key))
}

/// RustCrypto's SM4 under `key`.
pub fn peer(key: &[u8; 16]) -> rc_sm4::Sm4 {
    cipher::KeyInit::new(&Array(*key))
}

/// For every backend of this machine: its name, and a function that makes an SM4 of it.
pub fn backends() -> Vec<(&'static str, impl Fn(&[u8; 16]) -> sm4::Sm4 + Clone)> {
    let all: Vec<_> = (sm4::Backend::all_available())
        .map(|backend| {
            let make = move |key: &[u8; 16]| sm4::Sm4::with_backend(&Array(*key), backend);
            (backend.name(), make)
        })
        .collect();
    assert!(!all.is_empty());
    all
}
