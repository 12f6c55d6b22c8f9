//! Many messages at once, against the model, one message at a time, and RustCrypto's constructions.

use core::num::NonZero;
use hex_literal::hex;
use hmac::{Hmac, KeyInit, Mac};
use sm3::{
    Digest, Sm3,
    digest::Output,
    multi::{Backend, ManyHmac, ManyPbkdf2, ManySm3},
};

#[path = "support/model.rs"]
mod model;
use model::pattern;

/// The digests that `many` gives, each exactly once, by the number of the message.
fn digests<M: AsRef<[u8]>>(many: &ManySm3, messages: &[M]) -> Vec<Output<Sm3>> {
    let mut all = vec![None; messages.len()];
    many.digest_each(messages, |number, digest| {
        assert!(all[number].replace(digest).is_none(), "{number} twice");
    });
    all.into_iter().map(|digest| digest.expect("all")).collect()
}

fn check(messages: &[&[u8]]) {
    for backend in Backend::all_available() {
        let found = digests(&ManySm3::with_backend(backend), messages);
        for (message, found) in messages.iter().zip(found) {
            assert_eq!(
                found[..],
                model::digest(message),
                "{}: {} bytes, {} messages",
                backend.name(),
                message.len(),
                messages.len()
            );
        }
    }
}

#[test]
fn backends_have_names_lanes_and_an_order() {
    let all: Vec<_> = Backend::all_available().collect();
    assert_eq!(all[0], Backend::detect());
    let lanes: Vec<_> = all.iter().map(|backend| backend.lanes()).collect();
    assert!(lanes.is_sorted_by(|a, b| a > b), "{lanes:?}");
    assert_eq!(all.last(), Some(&Backend::Single(sm3::Backend::detect())));
    assert_eq!(all.last().map(|single| single.lanes()), Some(1));
    for backend in all {
        let lanes = match backend.name() {
            "avx512" => 16,
            "avx2" => 8,
            "sse2" => 4,
            "single" => 1,
            other => panic!("{other}"),
        };
        assert_eq!(backend.lanes(), lanes);
    }
}

#[test]
fn every_length_beside_others() {
    let data = pattern(700);
    let messages: Vec<_> = (0..=data.len())
        .map(|len| &data[data.len() - len..])
        .collect();
    check(&messages);
}

#[test]
fn every_number_of_messages_of_every_block_count() {
    let data = pattern(64 * 6);
    for count in 0..=40 {
        for len in [0, 55, 56, 63, 64, 65, 119, 120, 6 * 64] {
            check(&vec![&data[..len]; count]);
        }
    }
}

/// Each lane in turn has the long message, while the others are refilled or run dry.
#[test]
fn one_long_message_among_short_ones() {
    let long = pattern(10_000);
    for place in 0..=33 {
        let mut messages: Vec<_> = (0..34).map(|i| &long[i..3 * i + 1]).collect();
        messages[place] = &long;
        check(&messages);
    }
}

#[test]
fn lengths_of_all_sizes_in_no_order() {
    let data = pattern(5000);
    let mut x = 1u32;
    let messages: Vec<_> = (0..400)
        .map(|_| {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let len = (x >> 8) as usize % (1 << (x >> 29)) * 40;
            &data[..len.min(data.len())]
        })
        .collect();
    check(&messages);
}

#[test]
fn unaligned_messages() {
    let data = pattern(400);
    let messages: Vec<_> = (0..64).map(|offset| &data[offset..offset + 300]).collect();
    check(&messages);
}

#[test]
fn every_prefix_with_every_length() {
    let data = pattern(400);
    for backend in Backend::all_available() {
        for prefix in 0..=130 {
            let many =
                ManySm3::with_backend(backend).behind(&Sm3::new_with_prefix(&data[..prefix]));
            let messages: Vec<_> = (0..=200).map(|len| &data[prefix..prefix + len]).collect();
            for (len, digest) in digests(&many, &messages).into_iter().enumerate() {
                assert_eq!(
                    digest,
                    Sm3::digest(&data[..prefix + len]),
                    "{}: {prefix} and {len}",
                    backend.name()
                );
            }
        }
    }
}

/// The bits of a message whose prefix is long, though only its state is at hand.
#[test]
fn the_count_goes_on_from_the_prefix() {
    use sm3::digest::common::hazmat::SerializableState;
    let mut serialized = Sm3::new().serialize();
    serialized[32..40].copy_from_slice(&((1u64 << 58) - 1).to_le_bytes());
    let prefix = Sm3::deserialize(&serialized).unwrap();
    for backend in Backend::all_available() {
        let found = digests(
            &ManySm3::with_backend(backend).behind(&prefix),
            &[pattern(100)],
        );
        assert_eq!(
            found[0],
            prefix.clone().chain_update(pattern(100)).finalize()
        );
    }
}

#[test]
fn results_in_order_and_owned_messages() {
    let lens = [3000, 1, 64, 0, 2999, 7, 120, 500, 5, 9, 1000];
    let messages = || lens.map(pattern);
    let expected: Vec<_> = messages().iter().map(Sm3::digest).collect();
    let tags: Vec<_> = messages()
        .iter()
        .map(|message| one_tag(b"key", message))
        .collect();
    for backend in Backend::all_available() {
        let many = ManySm3::with_backend(backend);
        let mut all = vec![Output::<Sm3>::default(); lens.len()];
        many.digest_each(messages(), |number, digest| all[number] = digest);
        assert_eq!(all, expected);
        #[cfg(feature = "alloc")]
        {
            assert_eq!(many.digests(messages()), expected);
            let many = ManyHmac::with_backend(b"key", backend);
            assert_eq!(many.macs(messages().iter()), tags);
        }
    }
    assert_eq!(tags.len(), lens.len());
}

/// Messages are taken as lanes come free, not all at once.
#[test]
fn no_more_messages_are_held_than_there_are_lanes() {
    use core::cell::Cell;
    for backend in Backend::all_available() {
        let held = Cell::new(0);
        let messages = (0..100).map(|i| {
            held.set(held.get() + 1);
            assert!(held.get() <= backend.lanes());
            pattern(37 * (i % 9))
        });
        ManySm3::with_backend(backend).digest_each(messages, |_, _| held.set(held.get() - 1));
        assert_eq!(held.get(), 0);
    }
}

fn one_tag(key: &[u8], message: &[u8]) -> Output<Sm3> {
    let mut mac = Hmac::<Sm3>::new_from_slice(key).unwrap();
    mac.update(message);
    mac.finalize().into_bytes()
}

/// A key, and the tags of the three messages.
const HMAC: [(&[u8], [[u8; 32]; 3]); 2] = [
    (
        b"key",
        [
            hex!("4deb29b9be17bd4fd2aca21f908885b9f849bc61e8fbd101e04fd9987528d4df"),
            hex!("28e63256e7c5a087b1f073265dc53092163f7b82729735d06f28f10af9d52393"),
            hex!("ed75461c95bc66c140fbd35b426a5a505a9ca9df67c88104a45ce8c95831b46f"),
        ],
    ),
    (
        &[0x0b; 100],
        [
            hex!("6b8ef38d27f7e46203bf88ad541a90d8bddacbf0bef6ad42727cd86c01638b87"),
            hex!("7c7268ae960b09ba1aafc42876e8f70215d853b62b1e3b96f1002dcf04eeb5c2"),
            hex!("d481e8a4f490c3f70fe6f6b82d3bd38821800cff65f91d9c8bdc2a35f6ee03fa"),
        ],
    ),
];

/// A password, a salt, iterations, and the key.
#[allow(clippy::type_complexity)]
const PBKDF2: [(&[u8], &[u8], u32, &[u8]); 4] = [
    (
        b"password",
        b"salt",
        1,
        &hex!("4612f922a1fdcefaf4312fc6f8f3322b489cbf24f2ea361b44c2bd8fa2c6dcb0"),
    ),
    (
        b"password",
        b"salt",
        4096,
        &hex!("b6e8f2074c87432b78f62e5ced980fdff89e86af2f693dab1638e2b3683045dd"),
    ),
    (
        &[0x61; 100],
        &[0x62; 70],
        100,
        &hex!(
            "711d253847e57e5da7b98e4853f45d8c65259f2075f63f9288badcf79468301b69e174ac3904bf5dc084da9b0bb5126a8bfd4a0197a76fd27e3ef3fe42bbec66564394b0b5d7de36d3c8afb144ff3ddee69e2ce7d5b7c1f527b25a2d5852503a49acfae5"
        ),
    ),
    (
        b"pass\0word",
        b"sa\0lt",
        4096,
        &hex!("5f936b2e356f06e2bb3932165821261c"),
    ),
];

const HKDF: [u8; 80] = hex!(
    "33b89ed43886eb84b602ec655189b46b823223e7cd1f9d78c1fa59972677645fa3c2babd7cb9b3b6c7cee0c0991f6afd506695c25b4a28258cf639eeec2e2bb215c7ea9a683cf8af918e130317d88789"
);

/// Tags by OpenSSL 3.0 (`openssl mac -digest SM3 HMAC`).
#[test]
fn hmac_values_from_openssl() {
    let messages: [&[u8]; 3] = [b"", b"abc", &[0x5a; 200]];
    for (key, tags) in HMAC {
        for backend in Backend::all_available() {
            ManyHmac::with_backend(key, backend).mac_each(messages, |number, tag| {
                assert_eq!(tag[..], tags[number], "{} {number}", backend.name());
            });
        }
    }
}

#[test]
fn every_key_length_equals_hmac() {
    let data = pattern(400);
    for key in 0..=200 {
        let key = &data[..key];
        let messages: Vec<_> = (0..40).map(|i| &data[i..10 * i]).skip(1).collect();
        for backend in Backend::all_available() {
            let mut count = 0;
            ManyHmac::with_backend(key, backend).mac_each(&messages, |number, tag| {
                assert_eq!(tag, one_tag(key, messages[number]));
                count += 1;
            });
            assert_eq!(count, messages.len());
        }
    }
}

fn one_key(password: &[u8], salt: &[u8], iterations: u32, len: usize) -> Vec<u8> {
    let mut output = vec![0; len];
    pbkdf2::pbkdf2_hmac::<Sm3>(password, salt, iterations, &mut output);
    output
}

fn many(iterations: u32, backend: Backend) -> ManyPbkdf2 {
    ManyPbkdf2::with_backend(NonZero::new(iterations).unwrap(), backend)
}

/// Keys by OpenSSL 3.0 (`openssl kdf -kdfopt digest:SM3 PBKDF2`).
#[test]
fn pbkdf2_values_from_openssl() {
    for (password, salt, iterations, key) in PBKDF2 {
        assert_eq!(one_key(password, salt, iterations, key.len()), key);
        for backend in Backend::all_available() {
            for count in [1, 3, 17] {
                let mut outputs = vec![vec![0; key.len()]; count];
                let inputs = outputs
                    .iter_mut()
                    .map(|output| (password, salt, &mut output[..]));
                many(iterations, backend).derive_each(inputs).unwrap();
                assert_eq!(outputs, vec![key.to_vec(); count], "{}", backend.name());
            }
        }
    }
}

#[test]
fn every_output_length_equals_pbkdf2() {
    let data = pattern(1000);
    for backend in Backend::all_available() {
        for iterations in [1, 2, 5] {
            let mut outputs: Vec<_> = (0..=200).map(|len| vec![0; len]).collect();
            let inputs = outputs
                .iter_mut()
                .enumerate()
                .map(|(i, output)| (&data[..i], &data[i..4 * i], &mut output[..]));
            many(iterations, backend).derive_each(inputs).unwrap();
            for (i, output) in outputs.iter().enumerate() {
                let expected = one_key(&data[..i], &data[i..4 * i], iterations, i);
                assert_eq!(*output, expected, "{}: {i}", backend.name());
            }
        }
    }
}

#[test]
fn every_number_of_passwords_equals_pbkdf2() {
    let data = pattern(100);
    for backend in Backend::all_available() {
        for count in 0..=40 {
            let mut outputs = vec![[0; 20]; count];
            let inputs = (0..count).map(|i| &data[i..]).zip(&mut outputs);
            let inputs = inputs.map(|(password, output)| (password, b"salt", &mut output[..]));
            many(3, backend).derive_each(inputs).unwrap();
            for (i, output) in outputs.iter().enumerate() {
                assert_eq!(output[..], one_key(&data[i..], b"salt", 3, 20), "{count}");
            }
        }
    }
}

/// One by one, over every backend of [`Sm3`]: what takes a hash takes this one.
#[test]
fn hkdf_is_the_same_over_every_backend() {
    // RFC 5869's shape with SM3, by OpenSSL 3.0 (`openssl kdf -kdfopt digest:SM3 HKDF`).
    let mut okm = [0; 80];
    hkdf::Hkdf::<Sm3>::new(Some(b"salt"), b"input key material")
        .expand(b"info", &mut okm)
        .unwrap();
    assert_eq!(okm, HKDF);
}

#[test]
fn debug_shows_no_secret() {
    assert_eq!(format!("{:?}", ManyHmac::new(b"key")), "ManyHmac { ... }");
    assert_eq!(format!("{:?}", ManySm3::default()), "ManySm3 { ... }");
}
