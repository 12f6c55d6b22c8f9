//! SM4-XTS after both standards: vectors, and equality with RustCrypto's `Xts128` over SM4 and with the models.

use cipher::Array;
use cipher::KeyInit;
use cipher::inout::InOutBuf;
use hex_literal::hex;
use shangmi_tests::model;
use shangmi_tests::model::xts::Standard;
use shangmi_tests::support::bytes::{pat, unhex, unhex_array};
use shangmi_tests::support::rng::Rng;
use shangmi_tests::support::run::{Layout, feed};
use shangmi_tests::support::subjects::{backends, ours, peer};
use shangmi_tests::vectors::stanza::stanzas;
use shangmi_tests::vectors::{derived, folder, json};
use sm4_xts::{Error, Gbt17964, Ieee1619, Sm4Xts, Sm4XtsGb, WeakKey, Xts, get_tweak_default};
use xts_mode::Xts128;

const STANDARDS: [Standard; 2] = [Standard::Ieee, Standard::Gb];

fn halves(key: &[u8; 32]) -> ([u8; 16], [u8; 16]) {
    (
        key[..16].try_into().expect("16 bytes"),
        key[16..].try_into().expect("16 bytes"),
    )
}

fn model(
    standard: Standard,
    key: &[u8; 32],
    tweak: [u8; 16],
    data: &[u8],
    encrypt: bool,
) -> Vec<u8> {
    let (data_key, tweak_key) = halves(key);
    let (c, t) = (peer(&data_key), peer(&tweak_key));
    if encrypt {
        model::xts::encrypt(&c, &t, standard, tweak, data)
    } else {
        model::xts::decrypt(&c, &t, standard, tweak, data)
    }
}

/// One sector by ours, in the given layout.
fn sector(
    standard: Standard,
    key: &[u8; 32],
    tweak: [u8; 16],
    data: &[u8],
    encrypt: bool,
    at: Layout,
) -> Vec<u8> {
    fn run<S: sm4_xts::Standard>(
        xts: &Xts<S>,
        tweak: [u8; 16],
        buffer: InOutBuf<'_, '_, u8>,
        encrypt: bool,
    ) {
        let result = if encrypt {
            xts.encrypt_sector_inout(buffer, Array(tweak))
        } else {
            xts.decrypt_sector_inout(buffer, Array(tweak))
        };
        result.expect("a sector of a good length");
    }
    feed(data, &[data.len()], at, |buffer| match standard {
        Standard::Ieee => run(&Sm4Xts::new(&Array(*key)), tweak, buffer, encrypt),
        Standard::Gb => run(&Sm4XtsGb::new(&Array(*key)), tweak, buffer, encrypt),
    })
}

/// A vector, both ways, by ours and (IEEE) by RustCrypto's mode over ours.
fn check(standard: Standard, key: &[u8; 32], tweak: [u8; 16], plaintext: &[u8], ciphertext: &[u8]) {
    assert_eq!(
        model(standard, key, tweak, plaintext, true),
        ciphertext,
        "model, {standard:?}"
    );
    assert_eq!(
        model(standard, key, tweak, ciphertext, false),
        plaintext,
        "model, {standard:?}"
    );
    let len = plaintext.len();
    for at in [
        Layout::InPlace(len % 16),
        Layout::BufToBuf(len % 16, (len + 9) % 16),
    ] {
        let what = format!("{standard:?}, {len} bytes, {at:?}");
        assert_eq!(
            sector(standard, key, tweak, plaintext, true, at),
            ciphertext,
            "{what}"
        );
        assert_eq!(
            sector(standard, key, tweak, ciphertext, false, at),
            plaintext,
            "{what}"
        );
    }
    if standard == Standard::Ieee {
        let (c, t) = halves(key);
        let xts = Xts128::new(ours(&c), ours(&t));
        let mut buffer = plaintext.to_vec();
        xts.encrypt_sector(&mut buffer, Array(tweak));
        assert_eq!(buffer, ciphertext, "peer over ours");
        xts.decrypt_sector(&mut buffer, Array(tweak));
        assert_eq!(buffer, plaintext, "peer over ours");
    }
}

#[test]
fn gb_t_17964_and_ieee_examples() {
    let key = hex!("2b7e151628aed2a6abf7158809cf4f3c000102030405060708090a0b0c0d0e0f");
    let tweak = hex!("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    let plaintext = hex!(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17"
    );
    let gb = hex!(
        "e9538251c71d7b80bbe4483fef497bd12c5c581bd6242fc51e08964fb4f60fdb"
        "0ba42f63499279213d318d2c11f6886e903be7f93a1b3479"
    );
    let ieee = hex!(
        "e9538251c71d7b80bbe4483fef497bd1b3db1a3e60408c575d63ff7db39f8326"
        "0869f9e2585fec9f0b863bf8fd784b8627d16c0db6d2cfc7"
    );
    check(Standard::Gb, &key, tweak, &plaintext, &gb);
    check(Standard::Ieee, &key, tweak, &plaintext, &ieee);
}

#[test]
fn every_length_equals_model_and_peer() {
    let mut rng = Rng::new(0x7801);
    for len in 16..=1100 {
        let (key, tweak, data) = (rng.array(), rng.array(), rng.bytes(len));
        for standard in STANDARDS {
            let ciphertext = model(standard, &key, tweak, &data, true);
            check(standard, &key, tweak, &data, &ciphertext);
        }
        let (c, t) = halves(&key);
        let mut buffer = data.clone();
        Xts128::new(peer(&c), peer(&t)).encrypt_sector(&mut buffer, Array(tweak));
        assert_eq!(buffer, model(Standard::Ieee, &key, tweak, &data, true));
    }
}

#[test]
fn every_block_count_and_tail_on_every_backend_equals_the_model() {
    let mut rng = Rng::new(0x7802);
    for (name, make) in backends() {
        for len in (256..=300 * 16).filter(|len| len % 16 < 2 || len % 16 == 15) {
            let (key, tweak, data) = (rng.array(), rng.array(), rng.bytes(len));
            let (c, t) = halves(&key);
            let ieee = Xts::<Ieee1619>::from_ciphers(make(&c), make(&t));
            let mut buffer = data.clone();
            ieee.encrypt_sector(&mut buffer, Array(tweak));
            assert_eq!(
                buffer,
                model(Standard::Ieee, &key, tweak, &data, true),
                "{name}, {len}"
            );
            ieee.decrypt_sector(&mut buffer, Array(tweak));
            assert_eq!(buffer, data, "{name}, {len}");
            let gb = Xts::<Gbt17964>::from_ciphers(make(&c), make(&t));
            gb.encrypt_sector(&mut buffer, Array(tweak));
            assert_eq!(
                buffer,
                model(Standard::Gb, &key, tweak, &data, true),
                "{name}, {len}"
            );
            gb.decrypt_sector(&mut buffer, Array(tweak));
            assert_eq!(buffer, data, "{name}, {len}");
        }
    }
}

#[test]
fn every_misalignment_equals_the_aligned_one() {
    let mut rng = Rng::new(0x7803);
    for len in [16, 17, 31, 32, 33, 255, 257, 512, 1001] {
        let (key, tweak, data) = (rng.array(), rng.array(), rng.bytes(len));
        for standard in STANDARDS {
            let enc = model(standard, &key, tweak, &data, true);
            let dec = model(standard, &key, tweak, &data, false);
            for from in 0..16 {
                let at = Layout::InPlace(from);
                assert_eq!(
                    sector(standard, &key, tweak, &data, true, at),
                    enc,
                    "{len}, {at:?}"
                );
                assert_eq!(
                    sector(standard, &key, tweak, &data, false, at),
                    dec,
                    "{len}, {at:?}"
                );
                for to in 0..16 {
                    let at = Layout::BufToBuf(from, to);
                    assert_eq!(
                        sector(standard, &key, tweak, &data, true, at),
                        enc,
                        "{len}, {at:?}"
                    );
                    assert_eq!(
                        sector(standard, &key, tweak, &data, false, at),
                        dec,
                        "{len}, {at:?}"
                    );
                }
            }
        }
    }
}

/// Tweaks whose doubling carries at every step, and the corners.
#[test]
fn special_tweaks_equal_the_model() {
    let mut rng = Rng::new(0x7804);
    let mut tweaks = vec![[0; 16], [0xff; 16]];
    tweaks.extend((0..128).map(|bit| (1u128 << bit).to_le_bytes()));
    for tweak in tweaks {
        let (key, data) = (rng.array(), rng.bytes(16 * 20 + 7));
        for standard in STANDARDS {
            let ciphertext = model(standard, &key, tweak, &data, true);
            check(standard, &key, tweak, &data, &ciphertext);
        }
    }
}

/// An area is its sectors, one after another, with the index as the tweak.
#[test]
fn areas_are_their_sectors() {
    let mut rng = Rng::new(0x7805);
    for sector_size in [16, 17, 31, 32, 48, 100, 255, 256, 500, 512, 520, 1000, 4096] {
        for len in [0, 1, 2, 5, 15, 16, 17, 33, 129, 300] {
            for rest in [0, 16, 17, 100, 511] {
                let len = if rest < sector_size {
                    len * sector_size + rest
                } else {
                    len * sector_size
                };
                if len > 70_000 {
                    continue;
                }
                let (key, data): ([u8; 32], _) = (rng.array(), rng.bytes(len));
                let first = u128::from_be_bytes(rng.array()) >> 64;
                for standard in STANDARDS {
                    let enc: Vec<u8> = (data.chunks(sector_size).enumerate())
                        .flat_map(|(i, s)| {
                            let tweak = (first + i as u128).to_le_bytes();
                            model(standard, &key, tweak, s, true)
                        })
                        .collect();
                    area(standard, &key, first, sector_size, &data, &enc);
                }
            }
        }
    }
}

fn area(standard: Standard, key: &[u8; 32], first: u128, size: usize, data: &[u8], enc: &[u8]) {
    fn run<S: sm4_xts::Standard>(xts: &Xts<S>, first: u128, size: usize, data: &[u8], enc: &[u8]) {
        let what = format!("{} bytes in sectors of {size}", data.len());
        let mut buffer = data.to_vec();
        xts.encrypt_area(&mut buffer, size, first, get_tweak_default);
        assert_eq!(buffer, enc, "{what}");
        xts.decrypt_area(&mut buffer, size, first, get_tweak_default);
        assert_eq!(buffer, data, "{what}");
        xts.try_encrypt_area(&mut buffer, size, first, get_tweak_default)
            .expect("fits");
        assert_eq!(buffer, enc, "{what}");
        xts.try_decrypt_area(&mut buffer, size, first, get_tweak_default)
            .expect("fits");
        assert_eq!(buffer, data, "{what}");
        let at = Layout::BufToBuf(size % 16, 5);
        let out = feed(data, &[data.len()], at, |b| {
            xts.encrypt_area_inout(b, size, first, get_tweak_default)
                .expect("fits");
        });
        assert_eq!(out, enc, "{what}, {at:?}");
        let out = feed(enc, &[data.len()], at, |b| {
            xts.decrypt_area_inout(b, size, first, get_tweak_default)
                .expect("fits");
        });
        assert_eq!(out, data, "{what}, {at:?}");
    }
    match standard {
        Standard::Ieee => {
            run(&Sm4Xts::new(&Array(*key)), first, size, data, enc);
            let (c, t) = halves(key);
            let mut buffer = data.to_vec();
            Xts128::new(peer(&c), peer(&t)).encrypt_area(
                &mut buffer,
                size,
                first,
                xts_mode::get_tweak_default,
            );
            assert_eq!(buffer, enc, "peer");
        }
        Standard::Gb => run(&Sm4XtsGb::new(&Array(*key)), first, size, data, enc),
    }
}

/// The tweaks are asked for once a sector, in order.
#[test]
fn tweaks_are_made_from_every_index_once() {
    use core::cell::RefCell;
    let asked = RefCell::new(Vec::new());
    let mut buffer = vec![0; 300 * 32 + 20];
    Sm4Xts::new(&Array([1; 32])).encrypt_area(&mut buffer, 32, u128::MAX - 300, |index| {
        asked.borrow_mut().push(index);
        get_tweak_default(index)
    });
    let expected: Vec<u128> = (0..=300).map(|i| u128::MAX - 300 + i).collect();
    assert_eq!(*asked.borrow(), expected);
}

#[test]
fn lengths_that_are_not_allowed_are_errors_and_touch_nothing() {
    let xts = Sm4Xts::new(&Array([3; 32]));
    let gb = Sm4XtsGb::new(&Array([3; 32]));
    for len in 0..16 {
        let mut buffer = pat(len);
        assert_eq!(
            xts.try_encrypt_sector(&mut buffer, Array([0; 16])),
            Err(Error::SectorTooShort)
        );
        assert_eq!(
            xts.try_decrypt_sector(&mut buffer, Array([0; 16])),
            Err(Error::SectorTooShort)
        );
        assert_eq!(
            gb.try_encrypt_sector(&mut buffer, Array([0; 16])),
            Err(Error::SectorTooShort)
        );
        assert_eq!(
            gb.try_decrypt_sector(&mut buffer, Array([0; 16])),
            Err(Error::SectorTooShort)
        );
        assert_eq!(buffer, pat(len));
    }
    for (len, size, first, error) in [
        (64, 0, 0, Error::SectorSize),
        (64, 15, 0, Error::SectorSize),
        (0, 15, 0, Error::SectorSize),
        (1, 16, 0, Error::SectorTooShort),
        (31, 16, 0, Error::SectorTooShort),
        (512 + 15, 512, 0, Error::SectorTooShort),
        (300 * 32 + 1, 32, 0, Error::SectorTooShort),
        (1024, 512, u128::MAX, Error::SectorIndex),
        (512 + 16, 512, u128::MAX, Error::SectorIndex),
        (300 * 32, 32, u128::MAX - 298, Error::SectorIndex),
    ] {
        let mut buffer = pat(len);
        let enc = xts.try_encrypt_area(&mut buffer, size, first, get_tweak_default);
        let dec = gb.try_decrypt_area(&mut buffer, size, first, get_tweak_default);
        assert_eq!(
            (enc, dec),
            (Err(error), Err(error)),
            "{len} in {size} from {first}"
        );
        assert_eq!(buffer, pat(len), "{len} in {size} from {first}");
    }
    let mut buffer = vec![0x11; (16 << 20) + 1];
    assert_eq!(
        xts.try_encrypt_sector(&mut buffer, Array([0; 16])),
        Err(Error::SectorTooLong)
    );
    assert_eq!(
        gb.try_decrypt_sector(&mut buffer, Array([0; 16])),
        Err(Error::SectorTooLong)
    );
    assert!(buffer.iter().all(|&b| b == 0x11));
    let size = buffer.len();
    let result = xts.try_encrypt_area(&mut buffer, size, 0, get_tweak_default);
    assert_eq!(result, Err(Error::SectorTooLong));
    assert!(buffer.iter().all(|&b| b == 0x11));
}

#[test]
fn the_longest_sector_equals_the_model() {
    let mut rng = Rng::new(0x7806);
    let (key, tweak) = (rng.array(), rng.array());
    let data = pat(16 << 20);
    for standard in STANDARDS {
        let got = sector(standard, &key, tweak, &data, true, Layout::InPlace(0));
        assert!(
            got == model(standard, &key, tweak, &data, true),
            "{standard:?}"
        );
    }
}

#[test]
#[should_panic = "16"]
fn the_panicking_form_panics_on_a_short_sector() {
    Sm4Xts::new(&Array([3; 32])).encrypt_sector(&mut [0; 15], Array([0; 16]));
}

#[test]
fn keys_with_equal_halves_are_refused_by_the_checked_constructor_only() {
    let mut rng = Rng::new(0x7807);
    for _ in 0..50 {
        let half: [u8; 16] = rng.array();
        let mut key = [0; 32];
        key[..16].copy_from_slice(&half);
        key[16..].copy_from_slice(&half);
        assert_eq!(Sm4Xts::new_checked(&Array(key)).err(), Some(WeakKey));
        assert_eq!(Sm4XtsGb::new_checked(&Array(key)).err(), Some(WeakKey));
        // Old data can still be read.
        let data = pat(50);
        for standard in STANDARDS {
            let ciphertext = model(standard, &key, [1; 16], &data, true);
            check(standard, &key, [1; 16], &data, &ciphertext);
        }
        // One bit of difference, wherever it is, is enough.
        for bit in 0..128 {
            let mut other = key;
            other[16 + bit / 8] ^= 1 << (bit % 8);
            assert!(Sm4Xts::new_checked(&Array(other)).is_ok(), "bit {bit}");
            assert!(Sm4XtsGb::new_checked(&Array(other)).is_ok(), "bit {bit}");
        }
    }
    for len in (0..=64).filter(|&len| len != 32) {
        assert!(
            Sm4Xts::new_from_slice(&vec![1; len]).is_err(),
            "key of {len} bytes"
        );
        assert!(
            Sm4XtsGb::new_from_slice(&vec![1; len]).is_err(),
            "key of {len} bytes"
        );
    }
}

#[test]
fn debug_output_names_no_secret() {
    let shown = format!(
        "{:?}{:?}",
        Sm4Xts::new(&Array([0xab; 32])),
        Sm4XtsGb::new(&Array([0xab; 32]))
    );
    assert!(
        shown.len() < 200 && !shown.contains("171") && !shown.contains("ab, "),
        "{shown}"
    );
}

#[test]
fn derived_tweaks() {
    let document = derived::xts();
    let key = json::array(&document, "key");
    let tests = json::list(&document, "tests");
    for test in tests {
        let standard = match json::text(test, "std") {
            "IEEE" => Standard::Ieee,
            "GB" => Standard::Gb,
            other => panic!("standard {other}"),
        };
        let (tweak, plaintext) = (json::array(test, "tweak"), pat(json::number(test, "len")));
        let ciphertext = model(standard, &key, tweak, &plaintext, true);
        assert_eq!(
            model::sm3::sm3(&ciphertext)[..],
            json::bytes(test, "ct_sm3")
        );
        check(standard, &key, tweak, &plaintext, &ciphertext);
    }
    assert_eq!(tests.len(), 12);
}

/// GB is what OpenSSL computes when a stanza names no standard.
#[test]
fn openssl_evpciph_sm4() {
    let name = "openssl/evpciph_sm4.txt";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let (mut gb, mut ieee) = (0, 0);
    for stanza in stanzas(&text, "Cipher")
        .iter()
        .filter(|s| s.text("Cipher") == "SM4-XTS")
    {
        let standard = match stanza.find("XTSStandard") {
            Some("IEEE") => Standard::Ieee,
            None | Some("GB") => Standard::Gb,
            Some(other) => panic!("standard {other}"),
        };
        let key = stanza.bytes("Key").try_into().expect("32 bytes");
        let tweak = stanza.bytes("IV").try_into().expect("16 bytes");
        check(
            standard,
            &key,
            tweak,
            &stanza.bytes("Plaintext"),
            &stanza.bytes("Ciphertext"),
        );
        match standard {
            Standard::Gb => gb += 1,
            Standard::Ieee => ieee += 1,
        }
    }
    assert_eq!((gb, ieee), (3, 1));
    folder::report(&format!("{name} (XTS)"), gb + ieee, 4);
}

#[test]
fn gmsm_sm4_xts() {
    let name = "gmsm/gmsm_vectors.json";
    let Some(text) = folder::read_text(name) else {
        return;
    };
    let document = json::parse(&text);
    let (mut gb, mut ieee) = (0, 0);
    for table in json::list(&document["files"], "cipher/xts_sm4_test.go") {
        let table_name = json::text(table, "table");
        for entry in json::list(table, "entries") {
            let value = |i: usize| entry["values"][i].as_str().expect("text");
            let tweak = match table_name {
                "xtsGBTestVectors" => unhex_array(value(1)),
                _ => sector_number(value(1)).to_le_bytes(),
            };
            let standard = if table_name == "xtsTestVectors" {
                Standard::Ieee
            } else {
                Standard::Gb
            };
            check(
                standard,
                &unhex_array(value(0)),
                tweak,
                &unhex(value(2)),
                &unhex(value(3)),
            );
            match standard {
                Standard::Gb => gb += 1,
                Standard::Ieee => ieee += 1,
            }
        }
    }
    assert_eq!((gb, ieee), (25, 8));
    folder::report(&format!("{name} (XTS)"), gb + ieee, 33);
}

/// A number as Go writes it.
fn sector_number(text: &str) -> u128 {
    match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16).expect("hexadecimal digits"),
        None => text.parse().expect("decimal digits"),
    }
}
