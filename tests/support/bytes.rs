//! Bytes: hexadecimal text and patterns.

/// Bytes of hexadecimal text of either case.
///
/// # Panics
/// On anything that is not pairs of hexadecimal digits.
pub fn unhex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes();
    assert_eq!(digits.len() % 2, 0, "odd number of digits: {text}");
    (digits.chunks(2))
        .map(|pair| {
            let pair = core::str::from_utf8(pair).expect("ASCII");
            u8::from_str_radix(pair, 16).unwrap_or_else(|_| panic!("no hexadecimal digits: {pair}"))
        })
        .collect()
}

/// Hexadecimal text of an exact size.
///
/// # Panics
/// When the size differs.
pub fn unhex_array<const N: usize>(text: &str) -> [u8; N] {
    let bytes = unhex(text);
    bytes
        .try_into()
        .unwrap_or_else(|b: Vec<u8>| panic!("{} bytes, not {N}: {text}", b.len()))
}

/// The pattern of the derived vectors: byte i is ((7i + 3) ^ (i >> 8)) mod 256, repeated after 65536 bytes.
pub fn pat(len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| i & 0xffff)
        .map(|i| (((i * 7 + 3) ^ (i >> 8)) & 0xff) as u8)
        .collect()
}

/// The pattern of the associated data in the derived GCM vectors.
pub fn aad_pat(len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (((i * 5 + 1) ^ (i >> 8)) & 0xff) as u8)
        .collect()
}
