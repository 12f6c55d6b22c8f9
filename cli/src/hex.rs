//! Hexadecimal digits without tables and without branches on the digits: they may be a key's.

/// Two lower-case digits for each byte of `bytes`, into `out` of twice the length.
pub(crate) fn encode(bytes: &[u8], out: &mut [u8]) {
    debug_assert_eq!(out.len(), 2 * bytes.len());
    for (byte, pair) in bytes.iter().zip(out.chunks_exact_mut(2)) {
        pair[0] = digit(byte >> 4);
        pair[1] = digit(byte & 15);
    }
}

/// The bytes that the digits `text`, twice as long as `out`, stand for.
///
/// Returns false, after having looked at all of them, if one is not a digit; `out` is then without meaning.
#[must_use]
pub(crate) fn decode(text: &[u8], out: &mut [u8]) -> bool {
    if text.len() != 2 * out.len() {
        return false;
    }
    let mut bad = 0;
    for (pair, byte) in text.chunks_exact(2).zip(out.iter_mut()) {
        let value = value(pair[0]) << 4 | value(pair[1]);
        bad |= value;
        *byte = value.to_le_bytes()[0];
    }
    bad >= 0
}

/// The digit of a value below 16.
fn digit(value: u8) -> u8 {
    let value = i16::from(value);
    // Above 9, the difference is negative and its sign fills the mask.
    let gap = ((9 - value) >> 8) & i16::from(b'a' - b'0' - 10);
    (value + i16::from(b'0') + gap).to_le_bytes()[0]
}

/// The value of a digit; negative if it is none.
fn value(digit: u8) -> i16 {
    // All ones if lo <= c <= hi, else zero.
    fn within(c: i16, lo: u8, hi: u8) -> i16 {
        !(((c - i16::from(lo)) | (i16::from(hi) - c)) >> 15)
    }
    let c = i16::from(digit);
    let number = within(c, b'0', b'9');
    let lower = within(c, b'a', b'f');
    let upper = within(c, b'A', b'F');
    (number & (c - i16::from(b'0')))
        | (lower & (c - i16::from(b'a') + 10))
        | (upper & (c - i16::from(b'A') + 10))
        | !(number | lower | upper)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn every_byte_as_the_formatter_prints_it() {
        for byte in 0..=255u8 {
            let mut text = [0; 2];
            encode(&[byte], &mut text);
            assert_eq!(text, format!("{byte:02x}").as_bytes());
            let mut back = [0];
            assert!(decode(&text, &mut back));
            assert_eq!(back, [byte]);
            assert!(decode(format!("{byte:02X}").as_bytes(), &mut back));
            assert_eq!(back, [byte]);
        }
    }

    #[test]
    fn every_pair_that_is_not_hexadecimal_is_refused() {
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let good = a.is_ascii_hexdigit() && b.is_ascii_hexdigit();
                assert_eq!(decode(&[a, b], &mut [0]), good, "{a:#x} {b:#x}");
            }
        }
    }

    #[test]
    fn lengths_must_fit() {
        assert!(!decode(b"0", &mut [0]));
        assert!(!decode(b"000", &mut [0]));
        assert!(!decode(b"0000", &mut [0]));
        assert!(decode(b"", &mut []));
    }
}
