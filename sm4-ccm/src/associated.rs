//! The header that says how long the associated data is (SP 800-38C, appendix A.2.2).

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
    use super::header;
    use hex_literal::hex;

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
