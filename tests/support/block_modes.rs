//! ECB, CBC, CFB and OFB: ours on every backend, RustCrypto's over ours, RustCrypto's over its own.

use cipher::array::Array;
use cipher::{BlockModeDecrypt, BlockModeEncrypt, InnerIvInit};
use sm4_modes::{cbc, cfb, ecb, ofb};

use super::drive::{Mode, Named};
use super::run::{
    BlockDecrypt, BlockEncrypt, EcbDecrypt, EcbEncrypt, Made, Parts, SingleDecrypt, SingleEncrypt,
    Stream, Whole,
};
use super::subjects::{backends, peer};
use crate::model;
use crate::model::cfb::Way;

macro_rules! subjects {
    ($($what:literal: $subject:expr;)+ for $make:ident; $($peer:expr;)+) => {{
        let mut all: Vec<Named> = Vec::new();
        for (backend, $make) in backends() {
            $({
                let $make = $make.clone();
                all.push((format!("{}, {backend}", $what), Box::new($subject)));
            })+
        }
        $(all.push(("peer".to_owned(), Box::new($peer)));)+
        all
    }};
}

/// ECB encryption.
pub fn ecb_encrypt() -> Mode<'static> {
    Mode {
        unit: 16,
        subjects: subjects! {
            "ours": EcbEncrypt(Made::<ecb::Encryptor, _>::by(make));
            "peer over ours": EcbEncrypt(Made::<::ecb::Encryptor<_>, _>::by(make));
            for make;
            EcbEncrypt(Made::<::ecb::Encryptor<_>, _>::by(peer));
        },
        model: &|key, _, data| model::ecb::encrypt(&peer(key), data),
    }
}

/// ECB decryption.
pub fn ecb_decrypt() -> Mode<'static> {
    Mode {
        unit: 16,
        subjects: subjects! {
            "ours": EcbDecrypt(Made::<ecb::Decryptor, _>::by(make));
            "peer over ours": EcbDecrypt(Made::<::ecb::Decryptor<_>, _>::by(make));
            for make;
            EcbDecrypt(Made::<::ecb::Decryptor<_>, _>::by(peer));
        },
        model: &|key, _, data| model::ecb::decrypt(&peer(key), data),
    }
}

/// CBC encryption.
pub fn cbc_encrypt() -> Mode<'static> {
    Mode {
        unit: 16,
        subjects: subjects! {
            "ours": BlockEncrypt(Made::<cbc::Encryptor, _>::by(make));
            "ours, single blocks": SingleEncrypt(Made::<cbc::Encryptor, _>::by(make));
            "peer over ours": BlockEncrypt(Made::<::cbc::Encryptor<_>, _>::by(make));
            for make;
            BlockEncrypt(Made::<::cbc::Encryptor<_>, _>::by(peer));
        },
        model: &|key, iv, data| model::cbc::encrypt(&peer(key), *iv, data),
    }
}

/// CBC decryption.
pub fn cbc_decrypt() -> Mode<'static> {
    Mode {
        unit: 16,
        subjects: subjects! {
            "ours": BlockDecrypt(Made::<cbc::Decryptor, _>::by(make));
            "ours, single blocks": SingleDecrypt(Made::<cbc::Decryptor, _>::by(make));
            "peer over ours": BlockDecrypt(Made::<::cbc::Decryptor<_>, _>::by(make));
            for make;
            BlockDecrypt(Made::<::cbc::Decryptor<_>, _>::by(peer));
        },
        model: &|key, iv, data| model::cbc::decrypt(&peer(key), *iv, data),
    }
}

/// CFB encryption of whole blocks.
pub fn cfb_encrypt_blocks() -> Mode<'static> {
    Mode {
        unit: 16,
        subjects: subjects! {
            "ours": BlockEncrypt(Made::<cfb::Encryptor, _>::by(make));
            "ours, single blocks": SingleEncrypt(Made::<cfb::Encryptor, _>::by(make));
            "peer over ours": BlockEncrypt(Made::<cfb_mode::Encryptor<_>, _>::by(make));
            for make;
            BlockEncrypt(Made::<cfb_mode::Encryptor<_>, _>::by(peer));
        },
        model: &|key, iv, data| model::cfb::cfb128(&peer(key), *iv, data, Way::Encrypt),
    }
}

/// CFB decryption of whole blocks.
pub fn cfb_decrypt_blocks() -> Mode<'static> {
    Mode {
        unit: 16,
        subjects: subjects! {
            "ours": BlockDecrypt(Made::<cfb::Decryptor, _>::by(make));
            "ours, single blocks": SingleDecrypt(Made::<cfb::Decryptor, _>::by(make));
            "peer over ours": BlockDecrypt(Made::<cfb_mode::Decryptor<_>, _>::by(make));
            for make;
            BlockDecrypt(Made::<cfb_mode::Decryptor<_>, _>::by(peer));
        },
        model: &|key, iv, data| model::cfb::cfb128(&peer(key), *iv, data, Way::Decrypt),
    }
}

/// CFB encryption of any length: at once, in pieces, and whole blocks followed by the rest.
pub fn cfb_encrypt() -> Mode<'static> {
    Mode {
        unit: 1,
        subjects: subjects! {
            "ours": Whole(move |key: &_, iv: &_, data: cipher::inout::InOutBuf<'_, '_, u8>| {
                cfb::Encryptor::inner_iv_init(make(key), &Array(*iv)).encrypt_inout(data);
            });
            "ours, blocks and rest": Whole(move |key: &_, iv: &_, data: cipher::inout::InOutBuf<'_, '_, u8>| {
                let mut mode = cfb::Encryptor::inner_iv_init(make(key), &Array(*iv));
                let blocks = data.len() / 32;
                let (head, rest) = data.split_at(16 * blocks);
                mode.encrypt_blocks_inout(head.into_chunks().0);
                mode.encrypt_inout(rest);
            });
            "ours, in pieces": Parts(move |key: &_, iv: &_| {
                let mut mode = cfb::BufEncryptor::inner_iv_init(make(key), &Array(*iv));
                move |data: cipher::inout::InOutBuf<'_, '_, u8>| mode.encrypt(data.into_out_with_copied_in())
            });
            "peer over ours": Parts(move |key: &_, iv: &_| {
                let mut mode = cfb_mode::BufEncryptor::inner_iv_init(make(key), &Array(*iv));
                move |data: cipher::inout::InOutBuf<'_, '_, u8>| mode.encrypt(data.into_out_with_copied_in())
            });
            for make;
            Parts(|key: &_, iv: &_| {
                let mut mode = cfb_mode::BufEncryptor::inner_iv_init(peer(key), &Array(*iv));
                move |data: cipher::inout::InOutBuf<'_, '_, u8>| mode.encrypt(data.into_out_with_copied_in())
            });
        },
        model: &|key, iv, data| model::cfb::cfb128(&peer(key), *iv, data, Way::Encrypt),
    }
}

/// CFB decryption of any length: at once, in pieces, and whole blocks followed by the rest.
pub fn cfb_decrypt() -> Mode<'static> {
    Mode {
        unit: 1,
        subjects: subjects! {
            "ours": Whole(move |key: &_, iv: &_, data: cipher::inout::InOutBuf<'_, '_, u8>| {
                cfb::Decryptor::inner_iv_init(make(key), &Array(*iv)).decrypt_inout(data);
            });
            "ours, blocks and rest": Whole(move |key: &_, iv: &_, data: cipher::inout::InOutBuf<'_, '_, u8>| {
                let mut mode = cfb::Decryptor::inner_iv_init(make(key), &Array(*iv));
                let blocks = data.len() / 32;
                let (head, rest) = data.split_at(16 * blocks);
                mode.decrypt_blocks_inout(head.into_chunks().0);
                mode.decrypt_inout(rest);
            });
            "ours, in pieces": Parts(move |key: &_, iv: &_| {
                let mut mode = cfb::BufDecryptor::inner_iv_init(make(key), &Array(*iv));
                move |data: cipher::inout::InOutBuf<'_, '_, u8>| mode.decrypt(data.into_out_with_copied_in())
            });
            "peer over ours": Parts(move |key: &_, iv: &_| {
                let mut mode = cfb_mode::BufDecryptor::inner_iv_init(make(key), &Array(*iv));
                move |data: cipher::inout::InOutBuf<'_, '_, u8>| mode.decrypt(data.into_out_with_copied_in())
            });
            for make;
            Parts(|key: &_, iv: &_| {
                let mut mode = cfb_mode::BufDecryptor::inner_iv_init(peer(key), &Array(*iv));
                move |data: cipher::inout::InOutBuf<'_, '_, u8>| mode.decrypt(data.into_out_with_copied_in())
            });
        },
        model: &|key, iv, data| model::cfb::cfb128(&peer(key), *iv, data, Way::Decrypt),
    }
}

/// OFB, both ways.
pub fn ofb() -> Mode<'static> {
    Mode {
        unit: 1,
        subjects: subjects! {
            "ours": Stream(move |key: &_, iv: &_| {
                ofb::Ofb::from_core(ofb::OfbCore::inner_iv_init(make(key), &Array(*iv)))
            });
            "peer over ours": Stream(move |key: &_, iv: &_| {
                ::ofb::Ofb::from_core(::ofb::OfbCore::inner_iv_init(make(key), &Array(*iv)))
            });
            for make;
            Stream(|key: &_, iv: &_| {
                ::ofb::Ofb::from_core(::ofb::OfbCore::inner_iv_init(peer(key), &Array(*iv)))
            });
        },
        model: &|key, iv, data| model::ofb::apply(&peer(key), *iv, data),
    }
}

/// OFB of whole blocks as a block mode, both ways.
pub fn ofb_blocks() -> Mode<'static> {
    Mode {
        unit: 16,
        subjects: subjects! {
            "ours, encrypt": BlockEncrypt(Made::<ofb::OfbCore, _>::by(make));
            "ours, decrypt": BlockDecrypt(Made::<ofb::OfbCore, _>::by(make));
            "peer over ours": BlockEncrypt(Made::<::ofb::OfbCore<_>, _>::by(make));
            for make;
            BlockDecrypt(Made::<::ofb::OfbCore<_>, _>::by(peer));
        },
        model: &|key, iv, data| model::ofb::apply(&peer(key), *iv, data),
    }
}
