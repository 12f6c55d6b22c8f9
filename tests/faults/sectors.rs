//! Lengths and keys of XTS.

use super::*;

/// botan#1706: 0 to 15, 16 and 17 bytes.
#[test]
fn xts_one_block_refused_or_less_accepted_or_tail_dropped() {
    let key = [0x31; 32];
    for len in 0..16 {
        let mut buffer = pat(len);
        for result in [
            Sm4Xts::new(&Array(key)).try_encrypt_sector(&mut buffer, Array([0; 16])),
            Sm4Xts::new(&Array(key)).try_decrypt_sector(&mut buffer, Array([0; 16])),
            Sm4XtsGb::new(&Array(key)).try_encrypt_sector(&mut buffer, Array([0; 16])),
            Sm4XtsGb::new(&Array(key)).try_decrypt_sector(&mut buffer, Array([0; 16])),
        ] {
            assert!(result.is_err(), "{len} bytes");
        }
        assert_eq!(buffer, pat(len));
    }
    for len in 16..=200 {
        xts_agrees(&key, [7; 16], &pat(len));
        // Every byte of the plaintext reaches the ciphertext.
        let seal = |data: &[u8]| {
            let mut buffer = data.to_vec();
            Sm4Xts::new(&Array(key)).encrypt_sector(&mut buffer, Array([7; 16]));
            buffer
        };
        let mut other = pat(len);
        *other.last_mut().expect("not empty") ^= 1;
        assert_ne!(seal(&pat(len)), seal(&other));
    }
}

/// libgcrypt 0d42d967: every number of blocks, 1 to 140 and then some, with and without a tail.
#[test]
fn xts_exit_of_the_fast_loop_off_by_one() {
    let mut rng = Rng::new(0xf010);
    for blocks in 1..=300 {
        for tail in [0, 1, 15] {
            xts_agrees(&rng.array(), rng.array(), &rng.bytes(16 * blocks + tail));
        }
    }
}

/// openssl#7120, #9112: equal halves are refused by the checked constructor; opening old data stays possible.
#[test]
fn xts_key_halves_equal() {
    for half in [[0; 16], [0xff; 16], KEY] {
        let mut key = [0; 32];
        key[..16].copy_from_slice(&half);
        key[16..].copy_from_slice(&half);
        assert_eq!(Sm4Xts::new_checked(&Array(key)).err(), Some(WeakKey));
        assert_eq!(Sm4XtsGb::new_checked(&Array(key)).err(), Some(WeakKey));
        xts_agrees(&key, [1; 16], &pat(100));
        key[31] ^= 1;
        assert!(Sm4Xts::new_checked(&Array(key)).is_ok());
        assert!(Sm4XtsGb::new_checked(&Array(key)).is_ok());
    }
}
