//! The sizes and formats of CCM.

use super::*;

/// libtomcrypt#775, Wycheproof InvalidNonceSize: nonces of 0, 1, 6, 14, 16 bytes.
#[test]
fn ccm_nonce_size_not_checked_or_cut_silently() {
    macro_rules! nonces {
        ($yes:literal: $($size:ty)+) => {
            $(assert_eq!(implements!($size: sm4_ccm::NonceSize), $yes, stringify!($size));)+
        };
    }
    nonces!(false: U0 U1 U2 U3 U4 U5 U6 U14 U15 U16 U17 U24 U32);
    nonces!(true: U7 U8 U9 U10 U11 U12 U13);
    assert!(!implements!(U0: sm4_gcm::NonceSize));
    // Every byte of a nonce counts.
    for nonce_len in CCM_NONCES {
        let nonce = vec![0; nonce_len];
        let (ciphertext, tag) = model::ccm::seal(&peer(&KEY), &nonce, b"", b"message", 16);
        let aead = ccm(Who::Ours, &KEY, nonce_len, 16).expect("a type");
        for at in 0..nonce_len {
            let mut other = nonce.clone();
            other[at] = 1;
            let m = Message {
                nonce: &other,
                aad: b"",
                plaintext: b"message",
                ciphertext: &ciphertext,
                tag: &tag,
            };
            refuses(&*aead, &m, Layout::InPlace(0), Leftover::Zeros);
        }
    }
    for nonce_len in GCM_NONCES {
        let nonce = vec![0; nonce_len];
        let (ciphertext, tag) = model::gcm::seal(&peer(&KEY), &nonce, b"", b"message", 16);
        let aead = gcm(Who::Ours, &KEY, nonce_len, 16).expect("a type");
        for at in 0..nonce_len {
            let mut other = nonce.clone();
            other[at] = 1;
            let m = Message {
                nonce: &other,
                aad: b"",
                plaintext: b"message",
                ciphertext: &ciphertext,
                tag: &tag,
            };
            refuses(&*aead, &m, Layout::InPlace(0), Leftover::AsItWas);
        }
    }
}

/// libtomcrypt#452: tags of 2, 3, 5, 7, 13, 15 bytes.
#[test]
fn ccm_odd_or_two_byte_tags_accepted() {
    macro_rules! tags {
        ($crate_name:ident $yes:literal: $($size:ty)+) => {
            $(assert_eq!(implements!($size: $crate_name::TagSize), $yes, stringify!($size));)+
        };
    }
    tags!(sm4_ccm false: U0 U1 U2 U3 U5 U7 U9 U11 U13 U15 U17 U18 U20 U32);
    tags!(sm4_ccm true: U4 U6 U8 U10 U12 U14 U16);
    tags!(sm4_gcm false: U0 U1 U2 U3 U5 U6 U7 U9 U10 U11 U17 U18 U20 U32);
    for tag_len in CCM_TAGS {
        ccm_agrees(&[3; 12], b"aad", &pat(50), tag_len);
    }
}

/// GmSSL ae2f635b, a485fa0b: nonces of ff bytes, 7, 12 and 13 of them.
#[test]
fn ccm_counter_carries_into_the_nonce_or_length_field_off() {
    for nonce_len in CCM_NONCES {
        for nonce in [
            vec![0xff; nonce_len],
            vec![0; nonce_len],
            vec![0x80; nonce_len],
        ] {
            // The counter passes 255 blocks, and the length field its first byte.
            for len in [0, 1, 16, 255 * 16, 256 * 16, 257 * 16 + 1, 5000, 60_000] {
                ccm_agrees(&nonce, b"", &pat(len), 16);
            }
            // A counter of two bytes at its last value but one.
            ccm_agrees(&nonce, b"a", &pat(65535), 4);
        }
    }
    // Three bytes of counter and of length.
    ccm_agrees(&[0xff; 12], b"", &pat(70_000), 16);
}

/// libsmx: associated data of 511 bytes and more. To the last byte of the two-byte form and into the six-byte form.
#[test]
fn ccm_long_associated_data_refused() {
    for aad_len in (0..40).chain([253, 254, 255, 256, 510, 511, 512, 1000, 4096]) {
        ccm_agrees(&[4; 12], &pat(aad_len), b"message", 16);
    }
    for aad_len in (0xff00 - 20..=0xff00 + 20).chain([0xffff, 0x10000, 0x10001, 1 << 20]) {
        ccm_agrees(&[4; 7], &pat(aad_len), b"message", 8);
    }
}
