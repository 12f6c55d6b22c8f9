//! The associated data with the header that says how long it is, in whole blocks (SP 800-38C, appendix A.2.2).

use crate::Block;

/// The first block: the header and the first bytes of `aad`, which is not empty. Also the bytes behind those.
#[inline]
pub(crate) fn first(aad: &[u8]) -> (Block, &[u8]) {
    let (block, size) = header(aad.len() as u64);
    let (now, later) = aad.split_at(aad.len().min(16 - size));
    let mut block = Block::from(block);
    block[size..][..now.len()].copy_from_slice(now);
    (block, later)
}

/// Up to 16 bytes, filled up with zeros.
pub(crate) fn padded(bytes: &[u8]) -> Block {
    let mut block = Block::default();
    block[..bytes.len()].copy_from_slice(bytes);
    block
}

/// The header before `len` bytes of associated data, `len` not 0: 16 bytes of which the returned
/// number are header.
pub(crate) fn header(len: u64) -> ([u8; 16], usize) {
    let mut block = [0; 16];
    let size = if len < 0xff00 {
        block[..2].copy_from_slice(&(len as u16).to_be_bytes());
        2
    } else if let Ok(len) = u32::try_from(len) {
        block[..2].copy_from_slice(&[0xff, 0xfe]);
        block[2..6].copy_from_slice(&len.to_be_bytes());
        6
    } else {
        block[..2].copy_from_slice(&[0xff, 0xff]);
        block[2..10].copy_from_slice(&len.to_be_bytes());
        10
    };
    (block, size)
}

#[cfg(test)]
mod tests {
    extern crate alloc;

    use super::{first, header, padded};
    use alloc::{vec, vec::Vec};
    use hex_literal::hex;

    #[test]
    fn header_data_padding() {
        for len in (0..70).chain([0xfeff, 0xff00, 0xff20]) {
            let aad: Vec<u8> = (0..len).map(|i| i as u8 | 1).collect();
            let mut expected = match len {
                0 => vec![],
                len @ ..0xff00 => (len as u16).to_be_bytes().to_vec(),
                len => [&[0xff, 0xfe][..], &(len as u32).to_be_bytes()].concat(),
            };
            expected.extend(&aad);
            expected.resize(expected.len().next_multiple_of(16), 0);
            let mut all = Vec::new();
            if len != 0 {
                let (block, later) = first(&aad);
                all.extend(block);
                all.extend(later.chunks(16).flat_map(padded));
            }
            assert_eq!(all, expected);
        }
    }

    /// SP 800-38C, appendix A.2.2: each example there, and both sides of each border.
    #[test]
    fn headers() {
        for (len, bytes) in [
            (1, hex!("0001").as_slice()),
            (0xfeff, &hex!("feff")),
            (0xff00, &hex!("fffe0000ff00")),
            (65536, &hex!("fffe00010000")),
            (0xffff_ffff, &hex!("fffeffffffff")),
            (0x1_0000_0000, &hex!("ffff0000000100000000")),
            (u64::MAX, &hex!("ffffffffffffffffffff")),
        ] {
            let (block, size) = header(len);
            assert_eq!(&block[..size], bytes);
            assert!(block[size..].iter().all(|&b| b == 0));
        }
    }
}
