//! CCM (SP 800-38C, appendix A; RFC 3610), nonces of 7 to 13 bytes.

use super::cipher16::{Block, Cipher16, padded, xor};
use super::ctr::{self, Counter};

/// The blocks that the CBC-MAC runs over.
fn mac_blocks(nonce: &[u8], aad: &[u8], plaintext: &[u8], tag_len: usize) -> Vec<Block> {
    let q = 15 - nonce.len();
    let mut b0 = [0; 16];
    b0[0] = u8::from(!aad.is_empty()) << 6 | ((tag_len as u8 - 2) / 2) << 3 | (q as u8 - 1);
    b0[1..16 - q].copy_from_slice(nonce);
    b0[16 - q..].copy_from_slice(&(plaintext.len() as u128).to_be_bytes()[16 - q..]);

    let mut header = match aad.len() {
        0 => Vec::new(),
        n @ ..0xff00 => (n as u16).to_be_bytes().to_vec(),
        n @ ..0x1_0000_0000 => [&[0xff, 0xfe][..], &(n as u32).to_be_bytes()].concat(),
        n => [&[0xff, 0xff][..], &(n as u64).to_be_bytes()].concat(),
    };
    header.extend(aad);

    let mut all = vec![b0];
    all.extend(header.chunks(16).map(padded));
    all.extend(plaintext.chunks(16).map(padded));
    all
}

/// Counter block number zero.
fn a0(nonce: &[u8]) -> Block {
    let mut block = [0; 16];
    block[0] = (15 - nonce.len()) as u8 - 1;
    block[1..=nonce.len()].copy_from_slice(nonce);
    block
}

fn crypt(c: &impl Cipher16, nonce: &[u8], data: &[u8]) -> Vec<u8> {
    let counter = Counter::Be(8 * (15 - nonce.len()) as u32);
    ctr::apply(c, counter, a0(nonce), 16, data)
}

/// Ciphertext and tag. The lengths must be ones that the standard allows.
pub fn seal(
    c: &impl Cipher16,
    nonce: &[u8],
    aad: &[u8],
    plaintext: &[u8],
    tag_len: usize,
) -> (Vec<u8>, Vec<u8>) {
    assert!((7..=13).contains(&nonce.len()));
    assert!([4, 6, 8, 10, 12, 14, 16].contains(&tag_len));
    assert!(((plaintext.len() as u128) >> (8 * (15 - nonce.len()))) == 0);
    let mut mac = [0; 16];
    for block in mac_blocks(nonce, aad, plaintext, tag_len) {
        mac = c.e(xor(mac, block));
    }
    let tag = xor(mac, c.e(a0(nonce)));
    (crypt(c, nonce, plaintext), tag[..tag_len].to_vec())
}

/// Plaintext, or nothing when the tag is wrong.
pub fn open(
    c: &impl Cipher16,
    nonce: &[u8],
    aad: &[u8],
    ciphertext: &[u8],
    tag: &[u8],
) -> Option<Vec<u8>> {
    let plaintext = crypt(c, nonce, ciphertext);
    let (_, expected) = seal(c, nonce, aad, &plaintext, tag.len());
    (expected == tag).then_some(plaintext)
}
