//! HMAC (RFC 2104) and HKDF (RFC 5869) over the model of SM3.

use super::sm3::sm3;

/// HMAC-SM3.
pub fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut block = [0; 64];
    if key.len() > 64 {
        block[..32].copy_from_slice(&sm3(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let inner = sm3(&[&block.map(|b| b ^ 0x36)[..], message].concat());
    sm3(&[&block.map(|b| b ^ 0x5c)[..], &inner].concat())
}

/// HKDF-SM3: extract, then expand to `len` bytes (at most 255 digests).
pub fn hkdf(salt: &[u8], ikm: &[u8], info: &[u8], len: usize) -> Vec<u8> {
    assert!(len <= 255 * 32);
    let prk = hmac(salt, ikm);
    let mut out = Vec::new();
    let mut last = Vec::new();
    let mut counter = 1;
    while out.len() < len {
        last = hmac(&prk, &[&last[..], info, &[counter]].concat()).to_vec();
        out.extend(&last);
        counter = counter.wrapping_add(1);
    }
    out.truncate(len);
    out
}
