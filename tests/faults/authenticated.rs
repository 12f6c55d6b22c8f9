//! Tags, limits, nonces and lengths of what authenticates.

use core::ptr;

use super::*;

/// AEADs#551 (CVE-2023-42811), wolfssl#5732: one tag bit flipped, in place and buffer to buffer, 1 to 4096 bytes.
#[test]
fn plaintext_left_after_a_failed_tag() {
    let mut rng = Rng::new(0xf005);
    let lengths: Vec<usize> = (1..=300)
        .chain([511, 512, 513, 1024, 1420, 4095, 4096])
        .collect();
    for &len in &lengths {
        let (aad, plaintext) = (rng.bytes(len % 33), rng.bytes(len));
        let nonce: [u8; 12] = rng.array();
        let layouts = [
            Layout::InPlace(len % 16),
            Layout::BufToBuf(len % 16, len % 7),
        ];

        for (aead, leftover, (ciphertext, tag)) in [
            (
                gcm(Who::Ours, &KEY, 12, 16),
                Leftover::AsItWas,
                model::gcm::seal(&peer(&KEY), &nonce, &aad, &plaintext, 16),
            ),
            (
                ccm(Who::Ours, &KEY, 12, 16),
                Leftover::Zeros,
                model::ccm::seal(&peer(&KEY), &nonce, &aad, &plaintext, 16),
            ),
        ] {
            let aead = aead.expect("a type");
            let good = Message {
                nonce: &nonce,
                aad: &aad,
                plaintext: &plaintext,
                ciphertext: &ciphertext,
                tag: &tag,
            };
            for at in layouts {
                // Every bit of the tag for one length, one bit for the others.
                let bits = if len == 33 {
                    0..128
                } else {
                    len % 128..len % 128 + 1
                };
                for bit in bits {
                    let mut wrong = tag.clone();
                    wrong[bit / 8] ^= 1 << (bit % 8);
                    refuses(
                        &*aead,
                        &Message {
                            tag: &wrong,
                            ..good
                        },
                        at,
                        leftover,
                    );
                }
                let mut wrong = ciphertext.clone();
                wrong[len / 2] ^= 0x10;
                refuses(
                    &*aead,
                    &Message {
                        ciphertext: &wrong,
                        ..good
                    },
                    at,
                    leftover,
                );
                let mut wrong = nonce;
                wrong[11] ^= 1;
                refuses(
                    &*aead,
                    &Message {
                        nonce: &wrong,
                        ..good
                    },
                    at,
                    leftover,
                );
                refuses(
                    &*aead,
                    &Message {
                        aad: &[&aad[..], b"x"].concat(),
                        ..good
                    },
                    at,
                    leftover,
                );
            }
        }
    }
    // The forms with a vector give nothing back.
    let nonce = Array([1; 12]);
    let mut sealed = Sm4Gcm::new(&Array(KEY))
        .encrypt(&nonce, &b"secret"[..])
        .expect("short");
    sealed[0] ^= 1;
    assert!(
        Sm4Gcm::new(&Array(KEY))
            .decrypt(&nonce, &sealed[..])
            .is_err()
    );
    assert!(
        Sm4Ccm::new(&Array(KEY))
            .decrypt(&nonce, &sealed[..])
            .is_err()
    );
}

/// mbedtls#362, libtomcrypt#129, ring RUSTSEC-2025-0009: the check of lengths at its limit and one beyond.
///
/// Lengths that no machine can hold are checked by the unit tests of the crates' own helpers; those that memory can
/// be mapped for (and then never touched) here.
#[test]
fn limit_constants_off() {
    assert_eq!(sm4_gcm::P_MAX, (1 << 36) - 32, "2^39 - 256 bits");
    assert_eq!(
        sm4_gcm::A_MAX,
        (1 << 61) - 1,
        "2^64 - 1 bits, in whole bytes"
    );
    // The number of counter blocks that this leaves: all values of 32 bits but the two that J0 and its return take.
    assert_eq!(u128::from(sm4_gcm::P_MAX).div_ceil(16), (1 << 32) - 2);

    // CCM: two bytes of length.
    let plaintext = pat(65536);
    let nonce = [0xff; 13];
    ccm_agrees(&nonce, b"", &plaintext[..65535], 16);
    let aead = ccm(Who::Ours, &KEY, 13, 16).expect("a type");
    let m = Message {
        nonce: &nonce,
        aad: b"",
        plaintext: &plaintext,
        ciphertext: &[],
        tag: &[0; 16],
    };
    too_long(&*aead, &m, Layout::InPlace(0));
    too_long(&*aead, &m, Layout::BufToBuf(0, 0));

    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    {
        // GCM: one byte more than the limit.
        let mut map = Mapped::new(sm4_gcm::P_MAX as usize + 1);
        let aead = Sm4Gcm::new(&Array(KEY));
        let nonce = Array([0; 12]);
        assert!(
            aead.encrypt_inout_detached(&nonce, b"", map.get().into())
                .is_err()
        );
        assert!(
            aead.decrypt_inout_detached(&nonce, b"", map.get().into(), &Array([0; 16]))
                .is_err()
        );
        assert_eq!(map.resident(), 0, "a page was touched");
        // CCM with four bytes of length, likewise.
        let mut map = Mapped::new(1 << 32);
        let aead = <sm4_ccm::Ccm<U16, U11>>::new(&Array(KEY));
        let nonce = Array([0; 11]);
        assert!(
            aead.encrypt_inout_detached(&nonce, b"", map.get().into())
                .is_err()
        );
        assert!(
            aead.decrypt_inout_detached(&nonce, b"", map.get().into(), &Array([0; 16]))
                .is_err()
        );
        assert_eq!(map.resident(), 0, "a page was touched");
        // XTS: 2^20 blocks and a byte.
        let mut map = Mapped::new((16 << 20) + 1);
        assert!(
            Sm4Xts::new(&Array([1; 32]))
                .try_encrypt_sector(map.get(), Array([0; 16]))
                .is_err()
        );
        assert!(
            Sm4XtsGb::new(&Array([1; 32]))
                .try_decrypt_sector(map.get(), Array([0; 16]))
                .is_err()
        );
        assert_eq!(map.resident(), 0, "a page was touched");
        // CTR with 32 bits: 2^32 - 1 blocks are all there are.
        let mut map = Mapped::new(16 * ((1 << 32) - 1) + 1);
        let mut mode = ctr::Ctr32BE::<sm4::Sm4>::new(&Array(KEY), &Array([0; 16]));
        assert!(mode.try_apply_keystream(map.get()).is_err());
        assert_eq!(map.resident(), 0, "a page was touched");
        assert!(mode.check_remaining(16 * ((1 << 32) - 1)).is_ok());
    }
}

/// Zeros that take no memory until they are touched, for lengths that nobody can allocate.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
struct Mapped {
    start: *mut u8,
    len: usize,
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
impl Mapped {
    fn new(len: usize) -> Self {
        let (access, kind) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
        );
        // SAFETY: a new anonymous mapping at an address of the kernel's choice touches nothing that exists.
        let start = unsafe { libc::mmap(ptr::null_mut(), len, access, kind, -1, 0) };
        assert_ne!(start, libc::MAP_FAILED, "no address space for {len} bytes");
        Self {
            start: start.cast(),
            len,
        }
    }

    fn get(&mut self) -> &mut [u8] {
        // SAFETY: the mapping has `len` bytes that can be read (as zeros) and written, it lives as long as `self`,
        // and nothing else points into it.
        unsafe { core::slice::from_raw_parts_mut(self.start, self.len) }
    }

    /// How many of the first and last pages are in memory.
    fn resident(&self) -> usize {
        let edge = self.len.min(1 << 20);
        let last = (self.len - edge) & !0xfff;
        let mut seen = vec![0u8; 2 + edge / 4096];
        let mut pages = 0;
        for offset in [0, last] {
            // SAFETY: the range lies in the mapping and starts at a page; the vector has a byte for each page of it.
            let result =
                unsafe { libc::mincore(self.start.add(offset).cast(), edge, seen.as_mut_ptr()) };
            assert_eq!(result, 0);
            pages += seen.iter().filter(|&&page| page & 1 == 1).count();
        }
        pages
    }
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: the mapping was made with this length and no reference into it is left.
        unsafe { libc::munmap(self.start.cast(), self.len) };
    }
}

/// ipsec-mb#47, mbedtls#8732: 2^29 bytes of associated data are 2^32 bits.
///
/// Of a block followed by zeros, GHASH is that block times a power of the key, which the model has quickly.
#[test]
fn associated_data_length_in_bits_overflows() {
    let nonce = [7; 12];
    let p = peer(&KEY);
    let h = u128::from_be_bytes(p.e([0; 16]));
    let first: [u8; 16] = hex!("feedfacedeadbeeffeedfacedeadbeef");
    for len in [(1usize << 29) - 16, 1 << 29, (1 << 29) + 1] {
        let mut aad = vec![0; len];
        aad[..16].copy_from_slice(&first);
        // One power more for the block of lengths, which follows.
        let blocks = len.div_ceil(16) as u64;
        let body = model::ghash::mul(u128::from_be_bytes(first), model::ghash::pow(h, blocks + 1));
        let lengths = u128::from_be_bytes(model::ghash::lengths(len as u64, 0));
        let hashed = (body ^ model::ghash::mul(lengths, h)).to_be_bytes();
        let tag = xor(hashed, p.e(model::gcm::j0(&p, &nonce)));
        let aead = Sm4Gcm::new(&Array(KEY));
        let got = aead.encrypt_inout_detached(&Array(nonce), &aad, (&mut [][..]).into());
        assert_eq!(got.map(|tag| tag.0), Ok(tag), "{len} bytes");
    }
}

/// golang#80288, dotnet/runtime#71366: tags of 4 and 12 bytes between guard bytes; a prefix of a valid tag.
///
/// A tag is a value of its exact size here, so that nothing is stored past it and nothing shorter can be compared:
/// what can go wrong is the content, and what the forms with a buffer do around it.
#[test]
fn short_tag_stores_sixteen_bytes_or_compares_only_what_was_given() {
    let mut rng = Rng::new(0xf008);
    let (aad, plaintext, nonce) = (rng.bytes(20), rng.bytes(33), [5; 12]);
    let (_, full) = model::gcm::seal(&peer(&KEY), &nonce, &aad, &plaintext, 16);
    for tag_len in GCM_TAGS {
        gcm_agrees(&nonce, &aad, &plaintext, tag_len);
        let aead = gcm(Who::Ours, &KEY, 12, tag_len).expect("a type");
        let (ciphertext, tag) = model::gcm::seal(&peer(&KEY), &nonce, &aad, &plaintext, tag_len);
        assert_eq!(tag, full[..tag_len]);
        // A tag that is right in all bytes but one, each in turn.
        for wrong_byte in 0..tag_len {
            let mut wrong = tag.clone();
            wrong[wrong_byte] ^= 0x80;
            let m = Message {
                nonce: &nonce,
                aad: &aad,
                plaintext: &plaintext,
                ciphertext: &ciphertext,
                tag: &wrong,
            };
            refuses(&*aead, &m, Layout::InPlace(0), Leftover::AsItWas);
        }
    }
    for tag_len in CCM_TAGS {
        let aead = ccm(Who::Ours, &KEY, 12, tag_len).expect("a type");
        let (ciphertext, tag) = model::ccm::seal(&peer(&KEY), &nonce, &aad, &plaintext, tag_len);
        for wrong_byte in 0..tag_len {
            let mut wrong = tag.clone();
            wrong[wrong_byte] ^= 0x80;
            let m = Message {
                nonce: &nonce,
                aad: &aad,
                plaintext: &plaintext,
                ciphertext: &ciphertext,
                tag: &wrong,
            };
            refuses(&*aead, &m, Layout::InPlace(0), Leftover::Zeros);
        }
    }

    // In a buffer: exactly the tag is appended, and a prefix of it opens nothing.
    fn exact<A: AeadInOut + KeyInit>(tag_len: usize) {
        let aead = A::new_from_slice(&KEY).expect("16 bytes");
        let nonce = Default::default();
        let mut placed = Placed::new(3, &[0x42; 33]);
        let buffer = InOutBuf::from(placed.get_mut());
        let tag = aead
            .encrypt_inout_detached(&nonce, b"aad", buffer)
            .expect("short");
        assert_eq!(tag.len(), tag_len);
        let ciphertext = placed.checked().to_vec();

        let mut sealed = vec![0x42; 33];
        aead.encrypt_in_place(&nonce, b"aad", &mut sealed)
            .expect("short");
        assert_eq!(sealed, [&ciphertext[..], &tag].concat());
        for len in 0..sealed.len() {
            let mut prefix = sealed[..len].to_vec();
            assert!(
                aead.decrypt_in_place(&nonce, b"aad", &mut prefix).is_err(),
                "{len} bytes"
            );
        }
        sealed.extend([0; 12]);
        assert!(aead.decrypt_in_place(&nonce, b"aad", &mut sealed).is_err());
    }
    exact::<sm4_gcm::Gcm<U12, U4>>(4);
    exact::<sm4_gcm::Gcm<U12, U8>>(8);
    exact::<sm4_gcm::Gcm<U12, U12>>(12);
    exact::<sm4_gcm::Gcm<U16, U13>>(13);
    exact::<Sm4Gcm>(16);
    exact::<sm4_ccm::Ccm<U4, U13>>(4);
    exact::<sm4_ccm::Ccm<U12, U7>>(12);
    exact::<Sm4Ccm>(16);
}

/// wolfssl#11148: one key, and nonces of 16, 12 and 16 bytes.
#[test]
fn non_96_bit_nonce_poisons_the_next_message() {
    let mut rng = Rng::new(0xf009);
    let cipher = ours(&KEY);
    let long = <sm4_gcm::Gcm<U16>>::from(cipher.clone());
    let usual = Sm4Gcm::from(cipher.clone());
    let longest = <sm4_gcm::Gcm<U257>>::from(cipher);
    for _ in 0..100 {
        let (a, b, c): ([u8; 16], [u8; 12], [u8; 257]) = (rng.array(), rng.array(), rng.array());
        let plaintext = rng.bytes(40);
        let check = |nonce: &[u8], got: Result<Vec<u8>, aead::Error>| {
            let (ciphertext, tag) = model::gcm::seal(&peer(&KEY), nonce, b"aad", &plaintext, 16);
            assert_eq!(
                got,
                Ok([ciphertext, tag].concat()),
                "nonce of {} bytes",
                nonce.len()
            );
        };
        let payload = || Payload {
            msg: &plaintext[..],
            aad: b"aad",
        };
        check(&a, long.encrypt(&Array(a), payload()));
        check(&b, usual.encrypt(&Array(b), payload()));
        check(&a, long.encrypt(&Array(a), payload()));
        check(&c, longest.encrypt(&Array(c), payload()));
        check(&b, usual.encrypt(&Array(b), payload()));
        check(&c, longest.encrypt(&Array(c), payload()));
        // A failure in between changes nothing either.
        assert!(
            long.decrypt(
                &Array(a),
                Payload {
                    msg: &[0; 50],
                    aad: b"aad"
                }
            )
            .is_err()
        );
        check(&a, long.encrypt(&Array(a), payload()));
    }
}

/// tjfoc/gmsm#93: 1, 15, 17, 31, 33 bytes.
#[test]
fn lengths_that_are_not_multiples_of_16() {
    let mut rng = Rng::new(0xf00a);
    for len in [0, 1, 2, 7, 8, 9, 15, 17, 31, 33, 47, 49, 255, 257, 271, 273] {
        let (iv, data) = (rng.array(), rng.bytes(len));
        gcm_agrees(&[1; 12], &data, &data, 16);
        ccm_agrees(&[1; 12], &data, &data, 16);
        for mode in [cfb_encrypt(), cfb_decrypt(), ofb()] {
            let expected = (mode.model)(&KEY, &iv, &data);
            mode.gives(&KEY, &iv, &data, &expected);
        }
        for flavour in ctr_modes::all() {
            let expected = (flavour.mode.model)(&KEY, &iv, &data);
            flavour.mode.gives(&KEY, &iv, &data, &expected);
        }
        if len >= 16 {
            xts_agrees(&[9; 32], iv, &data);
        }
        assert_eq!(sm3::Sm3::digest(&data)[..], model::sm3::sm3(&data));
        let mut hash = ghash_simd::GHash::new(&Array(KEY));
        hash.update_padded(&data);
        assert_eq!(
            hash.finalize().0,
            model::ghash::ghash(KEY, model::ghash::blocks(&data))
        );
        let padded = cbc::Encryptor::<sm4::Sm4>::new(&Array(KEY), &Array(iv))
            .encrypt_padded_vec::<Pkcs7>(&data);
        let by_hand = [&data[..], &vec![16 - (len % 16) as u8; 16 - len % 16]].concat();
        assert_eq!(padded, model::cbc::encrypt(&peer(&KEY), iv, &by_hand));
    }
}

/// rustls PR#2966: an inner plaintext of 16385 bytes, sequence numbers 0, 1, 2^32 and 2^64 - 1, records of 2^14 + 256.
///
/// The record layer itself is not part of these crates; what it asks of the AEADs is.
#[test]
fn tls_record_nonce_associated_data_or_limit() {
    let iv: [u8; 12] = hex!("0f1e2d3c4b5a69788796a5b4");
    let mut nonces = Vec::new();
    for sequence in [0, 1, 255, 256, (1 << 32) - 1, 1 << 32, 1 << 63, u64::MAX] {
        let mut nonce = iv;
        for (byte, number) in nonce[4..].iter_mut().zip(sequence.to_be_bytes()) {
            *byte ^= number;
        }
        nonces.push(nonce);
        // Content, its type and padding; the header of the record as associated data.
        for inner in [1, 2, 16384, 16385, (1 << 14) + 256 - 16] {
            let length = (inner + 16) as u16;
            let [high, low] = length.to_be_bytes();
            let header = [23, 3, 3, high, low];
            let plaintext = pat(inner);
            gcm_agrees(&nonce, &header, &plaintext, 16);
            ccm_agrees(&nonce, &header, &plaintext, 16);
            // A record under the number of another one does not open.
            let (ciphertext, tag) = model::gcm::seal(&peer(&KEY), &nonce, &header, &plaintext, 16);
            let mut other = nonce;
            other[11] ^= 1;
            let m = Message {
                nonce: &other,
                aad: &header,
                plaintext: &plaintext,
                ciphertext: &ciphertext,
                tag: &tag,
            };
            let aead = gcm(Who::Ours, &KEY, 12, 16).expect("a type");
            refuses(&*aead, &m, Layout::InPlace(0), Leftover::AsItWas);
            // Nor with another length in its header.
            let header = [23, 3, 3, high, low ^ 1];
            let m = Message {
                nonce: &nonce,
                aad: &header,
                ..m
            };
            refuses(&*aead, &m, Layout::InPlace(0), Leftover::AsItWas);
        }
    }
    nonces.sort_unstable();
    nonces.dedup();
    assert_eq!(nonces.len(), 8, "every sequence number has its own nonce");
}
