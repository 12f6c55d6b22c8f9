//! Blocks, chaining, padding and where buffers lie.

use super::*;

/// Intel cryptography-primitives#88: 16 and 17 distinct blocks, and every other number up to 300.
#[test]
fn wide_kernel_one_lane_stored_wrong() {
    let mut rng = Rng::new(0xf012);
    for (name, make) in backends() {
        let (cipher, p) = (make(&KEY), peer(&KEY));
        for n in 1..=300 {
            let data: Vec<_> = (0..n).map(|_| Array(rng.array())).collect();
            let mut blocks = data.clone();
            cipher::BlockCipherEncrypt::encrypt_blocks(&cipher, &mut blocks);
            for (i, (block, plain)) in blocks.iter().zip(&data).enumerate() {
                assert_eq!(block.0, p.e(plain.0), "{name}, block {i} of {n}");
            }
            cipher::BlockCipherDecrypt::decrypt_blocks(&cipher, &mut blocks);
            assert_eq!(blocks, data, "{name}, {n} blocks there and back");
        }
    }
}

/// stream-ciphers#4, pycryptodome#420, gost-engine#302: CFB in place of 10 and 33 bytes; 32 bytes, then 16.
#[test]
fn cfb_8_and_128_confused_or_in_place_wrong_or_iv_not_carried() {
    let mut rng = Rng::new(0xf013);
    for (mode, way) in [(cfb_encrypt(), Way::Encrypt), (cfb_decrypt(), Way::Decrypt)] {
        for parts in [
            vec![10],
            vec![33],
            vec![32, 16],
            vec![16, 32],
            vec![1; 50],
            vec![10, 33, 5],
            vec![15, 17],
        ] {
            let len = parts.iter().sum();
            let (iv, data) = (rng.array(), rng.bytes(len));
            let expected = model::cfb::cfb128(&peer(&KEY), iv, &data, way);
            for (name, subject) in mode
                .subjects
                .iter()
                .filter(|(_, s)| parts.len() == 1 || s.takes_parts())
            {
                for at in [
                    Layout::InPlace(0),
                    Layout::InPlace(9),
                    Layout::BufToBuf(0, 0),
                ] {
                    let got = subject.run(&KEY, &iv, &data, &parts, at);
                    assert_eq!(got, expected, "{name}, {parts:?}, {at:?}");
                }
            }
            // The first byte is the same with segments of 8 bits, what follows is not.
            let narrow = model::cfb::cfb8(&peer(&KEY), iv, &data, way);
            assert_eq!(narrow[0], expected[0]);
            assert_ne!(narrow, expected);
        }
    }
    // The vectors of both are told apart.
    let document = derived::cfb_ofb();
    for test in json::list(&document, "tests")
        .iter()
        .filter(|t| json::text(t, "mode") == "CFB8")
    {
        let mut buffer = pat(json::number(test, "len"));
        if buffer.len() > 1 {
            let iv = Array(json::array(&document, "iv"));
            cfb::Encryptor::<sm4::Sm4>::new(&Array(json::array(&document, "key")), &iv)
                .encrypt(&mut buffer);
            assert_ne!(buffer, json::bytes(test, "ct"));
        }
    }
    // Blocks, then the value that is handed over, then blocks.
    for n in 0..40 {
        let (iv, data) = (rng.array(), rng.bytes(640));
        let blocks = Array::slice_as_chunks(&data).0;
        let mut out = blocks.to_vec();
        let (head, tail) = out.split_at_mut(n);
        let mut first = cfb::Decryptor::<sm4::Sm4>::new(&Array(KEY), &Array(iv));
        first.decrypt_blocks(head);
        cfb::Decryptor::<sm4::Sm4>::new(&Array(KEY), &first.iv_state()).decrypt_blocks(tail);
        let expected = model::cfb::cfb128(&peer(&KEY), iv, &data, Way::Decrypt);
        assert_eq!(Array::slice_as_flattened(&out), expected);
    }
}

/// GmSSL d5de748e, isa-l_crypto#143: 48 bytes, and 33 blocks, in place.
#[test]
fn cbc_in_place_reads_an_overwritten_block() {
    let mut rng = Rng::new(0xf014);
    for blocks in 1..=200 {
        let (iv, data) = (rng.array(), rng.bytes(16 * blocks));
        for mode in [
            cbc_decrypt(),
            cfb_decrypt_blocks(),
            ecb_decrypt(),
            cbc_encrypt(),
            cfb_encrypt_blocks(),
        ] {
            let expected = (mode.model)(&KEY, &iv, &data);
            for (name, subject) in &mode.subjects {
                let got = subject.run(&KEY, &iv, &data, &[data.len()], Layout::InPlace(0));
                assert_eq!(got, expected, "{name}, {blocks} blocks in place");
            }
        }
    }
}

/// tjfoc#127, smcrypto#4: nothing, and last bytes 0, 17 and 255.
#[test]
fn unpad_panics_on_empty_or_garbage() {
    /// Opens in all forms, by CBC and by ECB, a message whose plaintext is given.
    fn open<P: Padding>(plain: &[u8]) -> Option<Vec<u8>> {
        let (key, iv) = (Array(KEY), Array([0x55; 16]));
        let ct = model::cbc::encrypt(&peer(&KEY), iv.0, plain);
        let by_cbc = cbc::Decryptor::<sm4::Sm4>::new(&key, &iv)
            .decrypt_padded_vec::<P>(&ct)
            .ok();
        let mut buffer = ct.clone();
        let in_place = cbc::Decryptor::<sm4::Sm4>::new(&key, &iv).decrypt_padded::<P>(&mut buffer);
        assert_eq!(in_place.ok(), by_cbc.as_deref());
        let mut out = vec![0x77; ct.len() + 5];
        let other =
            cbc::Decryptor::<sm4::Sm4>::new(&key, &iv).decrypt_padded_b2b::<P>(&ct, &mut out);
        assert_eq!(other.ok(), by_cbc.as_deref());
        let ct = model::ecb::encrypt(&peer(&KEY), plain);
        let by_ecb = ecb::Decryptor::<sm4::Sm4>::new(&key)
            .decrypt_padded_vec::<P>(&ct)
            .ok();
        assert_eq!(by_ecb, by_cbc);
        by_cbc
    }

    // No block at all: there is no padding in it.
    assert_eq!(open::<Pkcs7>(b""), None);
    assert_eq!(open::<Iso7816>(b""), None);
    assert_eq!(open::<AnsiX923>(b""), None);
    assert_eq!(open::<NoPadding>(b""), Some(Vec::new()));
    assert_eq!(open::<ZeroPadding>(b""), Some(Vec::new()));

    // Every last byte, after bytes that are no padding.
    for blocks in [1, 2, 3, 17] {
        for last in 0..=255u8 {
            let mut plain = vec![0xa7; 16 * blocks];
            *plain.last_mut().expect("not empty") = last;
            let expected = (last == 1).then(|| plain[..plain.len() - 1].to_vec());
            assert_eq!(open::<Pkcs7>(&plain), expected, "PKCS#7, last byte {last}");
            assert_eq!(
                open::<AnsiX923>(&plain),
                expected,
                "X9.23, last byte {last}"
            );
            let expected = (last == 0x80).then(|| plain[..plain.len() - 1].to_vec());
            assert_eq!(
                open::<Iso7816>(&plain),
                expected,
                "ISO 7816, last byte {last}"
            );
        }
    }
    // Good padding of every size, and the same with one byte of it changed.
    for size in 1..=16 {
        let message = pat(32 - size);
        let mut padded = [&message[..], &vec![size as u8; size]].concat();
        assert_eq!(
            open::<Pkcs7>(&padded).as_deref(),
            Some(&message[..]),
            "padding of {size}"
        );
        for wrong in 32 - size..31 {
            padded[wrong] ^= 0x40;
            assert_eq!(
                open::<Pkcs7>(&padded),
                None,
                "byte {wrong} of a padding of {size}"
            );
            padded[wrong] ^= 0x40;
        }
    }
    assert_eq!(open::<Iso7816>(&[0; 32]), None);

    // Lengths that are no multiple of a block.
    let (key, iv) = (Array(KEY), Array([0; 16]));
    for len in (1..80).filter(|len| len % 16 != 0) {
        let data = pat(len);
        assert!(
            cbc::Decryptor::<sm4::Sm4>::new(&key, &iv)
                .decrypt_padded_vec::<Pkcs7>(&data)
                .is_err()
        );
        assert!(
            ecb::Decryptor::<sm4::Sm4>::new(&key)
                .decrypt_padded_vec::<Pkcs7>(&data)
                .is_err()
        );
        let mut buffer = data.clone();
        assert!(
            cbc::Decryptor::<sm4::Sm4>::new(&key, &iv)
                .decrypt_padded::<Pkcs7>(&mut buffer)
                .is_err()
        );
        assert_eq!(buffer, data, "touched");
        // No room for the padding.
        let mut buffer = data.clone();
        let full =
            cbc::Encryptor::<sm4::Sm4>::new(&key, &iv).encrypt_padded::<Pkcs7>(&mut buffer, len);
        assert!(full.is_err());
        assert_eq!(buffer, data, "touched");
        let beyond = cbc::Encryptor::<sm4::Sm4>::new(&key, &iv)
            .encrypt_padded::<Pkcs7>(&mut buffer, len + 1);
        assert!(beyond.is_err());
        let mut short = vec![0x77; len - 1];
        assert!(
            cbc::Decryptor::<sm4::Sm4>::new(&key, &iv)
                .decrypt_padded_b2b::<Pkcs7>(&data, &mut short)
                .is_err()
        );
        assert!(short.iter().all(|&b| b == 0x77), "touched");
    }
}

/// bc-java#319, ipsec-mb#159: all 16 misalignments of input and of output.
#[test]
fn source_offset_ignored_or_unaligned_buffers() {
    let mut rng = Rng::new(0xf016);
    let (key, iv, data): (_, [u8; 16], _) = (rng.array(), rng.array(), rng.bytes(16 * 33));
    let mut modes = vec![
        ecb_encrypt(),
        ecb_decrypt(),
        cbc_encrypt(),
        cbc_decrypt(),
        cfb_encrypt_blocks(),
        cfb_decrypt_blocks(),
        cfb_encrypt(),
        cfb_decrypt(),
        ofb(),
        ofb_blocks(),
    ];
    modes.extend(ctr_modes::all().into_iter().map(|flavour| flavour.mode));
    let expected: Vec<_> = modes
        .iter()
        .map(|mode| (mode.model)(&key, &iv, &data))
        .collect();
    let p = peer(&key);
    let gcm_sealed = model::gcm::seal(&p, &iv[..12], &data, &data, 16);
    let ccm_sealed = model::ccm::seal(&p, &iv[..12], &data, &data, 16);
    let xts_sealed = model::xts::encrypt(&p, &p, Standard::Ieee, iv, &data);
    let mut double = [0; 32];
    double[..16].copy_from_slice(&key);
    double[16..].copy_from_slice(&key);
    for from in 0..16 {
        for to in 0..16 {
            let at = Layout::BufToBuf(from, to);
            for (mode, expected) in modes.iter().zip(&expected) {
                for (name, subject) in &mode.subjects {
                    let got = subject.run(&key, &iv, &data, &[data.len()], at);
                    assert_eq!(got, *expected, "{name}, {at:?}");
                }
            }
            for (aead, (ciphertext, tag)) in [
                (gcm(Who::Ours, &key, 12, 16), &gcm_sealed),
                (ccm(Who::Ours, &key, 12, 16), &ccm_sealed),
            ] {
                // The associated data lies at an odd place, too.
                let aad = Placed::new(to, &data);
                let m = Message {
                    nonce: &iv[..12],
                    aad: aad.get(),
                    plaintext: &data,
                    ciphertext,
                    tag,
                };
                agrees(&*aead.expect("a type"), &m, at);
            }
            let got = feed(&data, &[data.len()], at, |part| {
                Sm4Xts::new(&Array(double))
                    .encrypt_sector_inout(part, Array(iv))
                    .expect("a good length");
            });
            assert_eq!(got, xts_sealed, "XTS, {at:?}");
        }
        let placed = Placed::new(from, &data);
        assert_eq!(sm3::Sm3::digest(placed.get())[..], model::sm3::sm3(&data));
        let mut hash = ghash_simd::GHash::new(&Array(key));
        hash.update_padded(placed.get());
        assert_eq!(
            hash.finalize().0,
            model::ghash::ghash(key, model::ghash::blocks(&data))
        );
    }
}

/// botan#5638, libgcrypt a43e03ef: that set-up reads no table is for the constant-time harness to show; that the
/// schedule which is computed instead is the right one, for keys with every value in every byte, is shown here.
#[test]
fn key_schedule_through_a_table_though_the_rounds_are_not() {
    for (name, make) in backends() {
        for byte in 0..16 {
            for value in 0..=255 {
                let mut key = KEY;
                key[byte] = value;
                let model = model::sm4::Model::new(&key);
                assert_eq!(
                    make(&key).e(KEY),
                    model.e(KEY),
                    "{name}, byte {byte} is {value}"
                );
            }
        }
    }
}

/// ehsm#311, sm-crypto#7: 0, 12 and 16 bytes come back exactly, padded or not.
#[test]
fn padded_input_in_a_wrapper_loses_bytes() {
    let (key, iv) = (Array(KEY), Array([0x29; 16]));
    for len in 0..=70 {
        for data in [
            pat(len),
            vec![0; len],
            vec![1; len],
            vec![16; len],
            vec![0x80; len],
        ] {
            let ct = cbc::Encryptor::<sm4::Sm4>::new(&key, &iv).encrypt_padded_vec::<Pkcs7>(&data);
            assert_eq!(ct.len(), len / 16 * 16 + 16, "{len} bytes");
            let back = cbc::Decryptor::<sm4::Sm4>::new(&key, &iv).decrypt_padded_vec::<Pkcs7>(&ct);
            assert_eq!(back.ok().as_deref(), Some(&data[..]), "CBC, {len} bytes");
            let ct = ecb::Encryptor::<sm4::Sm4>::new(&key).encrypt_padded_vec::<Iso7816>(&data);
            let back = ecb::Decryptor::<sm4::Sm4>::new(&key).decrypt_padded_vec::<Iso7816>(&ct);
            assert_eq!(back.ok().as_deref(), Some(&data[..]), "ECB, {len} bytes");

            let sealed = Sm4Gcm::new(&Array(KEY))
                .encrypt(&Array([1; 12]), &data[..])
                .expect("short");
            assert_eq!(sealed.len(), len + 16);
            assert_eq!(
                Sm4Gcm::new(&Array(KEY)).decrypt(&Array([1; 12]), &sealed[..]),
                Ok(data.clone())
            );
            let sealed = Sm4Ccm::new(&Array(KEY))
                .encrypt(&Array([1; 12]), &data[..])
                .expect("short");
            assert_eq!(
                Sm4Ccm::new(&Array(KEY)).decrypt(&Array([1; 12]), &sealed[..]),
                Ok(data.clone())
            );

            let mut buffer = data.clone();
            cfb::Encryptor::inner_iv_init(ours(&KEY), &iv).encrypt(&mut buffer);
            cfb::Decryptor::inner_iv_init(ours(&KEY), &iv).decrypt(&mut buffer);
            ofb::Ofb::<sm4::Sm4>::new(&key, &iv).apply_keystream(&mut buffer);
            ofb::Ofb::<sm4::Sm4>::new(&key, &iv).apply_keystream(&mut buffer);
            assert_eq!(buffer, data, "streams, {len} bytes");
        }
    }
    // The core of a stream takes whole blocks and says how many are left of them.
    let core = ofb::OfbCore::<sm4::Sm4>::new(&key, &iv);
    assert_eq!(core.remaining_blocks(), None);
}
