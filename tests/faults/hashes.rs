//! SM3, HMAC and GHASH.

use super::*;

/// tjfoc#69, libgcrypt 512c0c75: finalize a clone; finalize and reset, then use again; update after a reset.
#[test]
fn hash_finalized_twice_or_reused_or_updated_after_reset() {
    let digest = model::sm3::sm3;
    for len in [0, 1, 55, 56, 63, 64, 65, 127, 128, 200] {
        let message = pat(len);
        let mut hasher = sm3::Sm3::new();
        Update::update(&mut hasher, &message);
        assert_eq!(hasher.clone().finalize()[..], digest(&message));
        assert_eq!(hasher.clone().finalize()[..], digest(&message), "twice");
        Update::update(&mut hasher, b"more");
        assert_eq!(
            hasher.clone().finalize()[..],
            digest(&[&message[..], b"more"].concat())
        );
        assert_eq!(
            hasher.finalize_fixed_reset()[..],
            digest(&[&message[..], b"more"].concat())
        );
        assert_eq!(
            hasher.finalize_fixed_reset()[..],
            digest(b""),
            "after a reset"
        );
        Update::update(&mut hasher, &message);
        assert_eq!(
            hasher.finalize_fixed_reset()[..],
            digest(&message),
            "reused"
        );
        Update::update(&mut hasher, &message);
        Reset::reset(&mut hasher);
        Update::update(&mut hasher, b"other");
        assert_eq!(
            hasher.finalize()[..],
            digest(b"other"),
            "after a reset in the middle"
        );
    }
    // GHASH likewise.
    let mut hash = ghash_simd::GHash::new(&Array(KEY));
    for _ in 0..3 {
        hash.update_padded(&pat(100));
        let expected = model::ghash::ghash(KEY, model::ghash::blocks(&pat(100)));
        assert_eq!(hash.clone().finalize().0, expected);
        assert_eq!(hash.clone().finalize().0, expected);
        Reset::reset(&mut hash);
    }
}

/// libgcrypt 0cb29a57: 2^29 and 2^29 + 1 zero bytes, which the vectors in `sm3.rs` hash; here every carry of the count.
#[test]
fn hash_bit_counter_overflow() {
    use digest::common::hazmat::SerializableState;
    let start = sm3::Sm3::new().chain_update([1; 64]).serialize();
    let h = core::array::from_fn(|i| {
        u32::from_le_bytes(start[4 * i..][..4].try_into().expect("4 bytes"))
    });
    for bit in 0..55 {
        for blocks in [1u64 << bit, (1 << bit) - 1, (1 << bit) + 1] {
            // So many blocks, and 7 bytes more.
            let mut state = start;
            state[32..40].copy_from_slice(&blocks.to_le_bytes());
            let mut hasher = sm3::Sm3::deserialize(&state).expect("a state");
            Update::update(&mut hasher, b"7 bytes");
            let mut last = [0; 64];
            last[..8].copy_from_slice(b"7 bytes\x80");
            last[56..].copy_from_slice(&(blocks * 512 + 56).to_be_bytes());
            let words = model::sm3::compress(h, &last);
            let expected: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
            assert_eq!(hasher.finalize()[..], expected, "{blocks} blocks");
        }
    }
}

/// mygityf/cipher#1: keys of 63, 64, 65 and 200 bytes.
#[test]
fn hmac_key_over_64_bytes() {
    for len in (0..=200).chain([1000]) {
        let key = pat(len);
        let mut mac = <hmac::Hmac<sm3::Sm3> as KeyInit>::new_from_slice(&key).expect("any length");
        Mac::update(&mut mac, b"message");
        assert_eq!(
            mac.finalize().into_bytes()[..],
            model::hmac::hmac(&key, b"message"),
            "{len} bytes"
        );
    }
    // A long key is its digest.
    assert_eq!(
        model::hmac::hmac(&pat(65), b"m"),
        model::hmac::hmac(&model::sm3::sm3(&pat(65)), b"m")
    );
}

/// binius64#1801: every width against the model, 0 to 200 blocks, keys 0, 1 and ff.
#[test]
fn wide_and_narrow_ghash_differ() {
    let mut one = [0; 16];
    one[0] = 0x80;
    for h in [[0; 16], one, [0xff; 16], KEY] {
        let data: Vec<[u8; 16]> = (0..200u8).map(|i| [i.wrapping_mul(37); 16]).collect();
        let arrays: Vec<_> = data.iter().map(|&b| Array(b)).collect();
        for n in 0..=200 {
            let expected = model::ghash::ghash(h, data[..n].iter().copied());
            for backend in ghash_simd::Backend::all_available() {
                let mut hash = ghash_simd::GHash::with_backend(&Array(h), backend);
                hash.update(&arrays[..n]);
                assert_eq!(
                    hash.finalize().0,
                    expected,
                    "{backend:?}, {n} blocks at once"
                );
                let mut hash = ghash_simd::GHash::with_backend(&Array(h), backend);
                for block in arrays[..n].chunks(1 + n % 5) {
                    hash.update(block);
                }
                assert_eq!(
                    hash.finalize().0,
                    expected,
                    "{backend:?}, {n} blocks in parts"
                );
            }
        }
    }
}
