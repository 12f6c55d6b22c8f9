//! The sealed file: its header, its key, its limits. `docs/container.md` describes it byte by byte.

use core::fmt;
use core::str::FromStr;

use hkdf::Hkdf;
use sm3::Sm3;
use zeroize::{Zeroize, Zeroizing};

use crate::key::{KEY_LEN, Key};

/// Bytes of the header.
pub(crate) const HEADER_LEN: usize = 50;
/// Bytes of the tag behind each segment.
pub(crate) const TAG_LEN: usize = 16;
/// Most segments of a file: as many as the counter has values.
pub(crate) const SEGMENTS_MAX: u64 = 1 << 32;

const MAGIC: [u8; 8] = *b"SHANGMI\x1a";
const VERSION: u8 = 1;
/// SM4-GCM in STREAM-BE32, file key by HKDF-SM3.
const SUITE: u8 = 1;
const SALT_LEN: usize = 32;
const PREFIX_LEN: usize = 7;
const INFO: &[u8] = b"shangmi sealed file 1, SM4-GCM STREAM-BE32 key";

/// Plaintext bytes in a segment: a power of two, kept as its exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SegmentSize(u8);

impl SegmentSize {
    pub(crate) const DEFAULT: Self = Self(16);
    const MIN: u8 = 6;
    const MAX: u8 = 24;

    fn from_exponent(exponent: u8) -> Option<Self> {
        (Self::MIN..=Self::MAX)
            .contains(&exponent)
            .then_some(Self(exponent))
    }

    pub(crate) fn bytes(self) -> usize {
        1 << self.0
    }

    /// The most plaintext bytes a file of such segments can hold.
    pub(crate) fn plaintext_max(self) -> u64 {
        SEGMENTS_MAX << self.0
    }
}

impl fmt::Display for SegmentSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            exponent @ 20.. => write!(f, "{}M", 1 << (exponent - 20)),
            exponent @ 10.. => write!(f, "{}K", 1 << (exponent - 10)),
            exponent => write!(f, "{}", 1 << exponent),
        }
    }
}

impl FromStr for SegmentSize {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WANTED: &str = "a power of two from 64 to 16M is wanted";
        let (number, unit) = if let Some(number) = text.strip_suffix(['K', 'k']) {
            (number, 1 << 10)
        } else if let Some(number) = text.strip_suffix(['M', 'm']) {
            (number, 1 << 20)
        } else {
            (text, 1)
        };
        number
            .parse::<u32>()
            .ok()
            .and_then(|number| number.checked_mul(unit))
            .filter(|bytes| bytes.is_power_of_two())
            .and_then(|bytes| Self::from_exponent(bytes.trailing_zeros().to_le_bytes()[0]))
            .ok_or(WANTED)
    }
}

/// Why the first bytes of a file are not a header. All of it can be seen in the file by anybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderError {
    /// Not a sealed file.
    Magic,
    /// A version or suite that this program does not know.
    Unknown,
    /// A segment size outside the limits.
    SegmentSize,
}

/// What stands in the clear before the segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) segment_size: SegmentSize,
    salt: [u8; SALT_LEN],
    prefix: [u8; PREFIX_LEN],
}

impl Header {
    /// A header for a new file, with fresh salt and nonce prefix.
    pub(crate) fn random(segment_size: SegmentSize) -> Result<Self, getrandom::Error> {
        let mut header = Self {
            segment_size,
            salt: [0; SALT_LEN],
            prefix: [0; PREFIX_LEN],
        };
        getrandom::fill(&mut header.salt)?;
        getrandom::fill(&mut header.prefix)?;
        Ok(header)
    }

    pub(crate) fn encode(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8] = VERSION;
        bytes[9] = SUITE;
        bytes[10] = self.segment_size.0;
        bytes[11..43].copy_from_slice(&self.salt);
        bytes[43..].copy_from_slice(&self.prefix);
        bytes
    }

    pub(crate) fn decode(bytes: &[u8; HEADER_LEN]) -> Result<Self, HeaderError> {
        if bytes[..8] != MAGIC {
            return Err(HeaderError::Magic);
        }
        if bytes[8] != VERSION || bytes[9] != SUITE {
            return Err(HeaderError::Unknown);
        }
        let mut header = Self {
            segment_size: SegmentSize::from_exponent(bytes[10]).ok_or(HeaderError::SegmentSize)?,
            salt: [0; SALT_LEN],
            prefix: [0; PREFIX_LEN],
        };
        header.salt.copy_from_slice(&bytes[11..43]);
        header.prefix.copy_from_slice(&bytes[43..]);
        Ok(header)
    }

    /// The seven bytes that all nonces of the file begin with.
    pub(crate) fn prefix(&self) -> &[u8; PREFIX_LEN] {
        &self.prefix
    }

    /// The key of this file alone, made from the user's key and the salt.
    pub(crate) fn file_key(&self, key: &Key) -> Key {
        let (mut extracted, hkdf) = Hkdf::<Sm3>::extract(Some(&self.salt), &key[..]);
        extracted.zeroize();
        let mut file_key = Zeroizing::new([0; KEY_LEN]);
        hkdf.expand(INFO, &mut file_key[..])
            .expect("16 bytes are fewer than HKDF's limit of 8160");
        file_key
    }
}

/// Fixed headers for the tests of this program.
#[cfg(test)]
impl Header {
    pub(crate) fn fixed(
        segment_size: SegmentSize,
        salt: [u8; SALT_LEN],
        prefix: [u8; PREFIX_LEN],
    ) -> Self {
        Self {
            segment_size,
            salt,
            prefix,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HEADER_LEN, Header, HeaderError, SegmentSize};

    #[test]
    fn segment_sizes_as_text() {
        for (text, bytes) in [
            ("64", 64),
            ("1024", 1024),
            ("1K", 1024),
            ("64k", 65536),
            ("65536", 65536),
            ("1M", 1 << 20),
            ("16m", 1 << 24),
            ("16384K", 1 << 24),
        ] {
            assert_eq!(
                text.parse::<SegmentSize>().map(SegmentSize::bytes),
                Ok(bytes)
            );
        }
        for text in [
            "",
            "0",
            "1",
            "32",
            "63",
            "65",
            "96",
            "3K",
            "32M",
            "K",
            "-64",
            "64 K",
            "4194304K",
            "4294967296",
            "1G",
        ] {
            assert!(text.parse::<SegmentSize>().is_err(), "{text:?}");
        }
        assert_eq!(SegmentSize::DEFAULT.bytes(), 65536);
        assert_eq!(SegmentSize::DEFAULT.to_string(), "64K");
    }

    #[test]
    fn largest_plaintexts() {
        let max = |text: &str| text.parse().map(SegmentSize::plaintext_max);
        assert_eq!(max("64"), Ok(274_877_906_944));
        assert_eq!(max("64K"), Ok(281_474_976_710_656));
        assert_eq!(max("16M"), Ok(72_057_594_037_927_936));
    }

    #[test]
    fn headers_come_back_and_differ() {
        let header = Header::random(SegmentSize::DEFAULT).unwrap();
        let bytes = header.encode();
        assert_eq!(Header::decode(&bytes), Ok(header));
        let other = Header::random(SegmentSize::DEFAULT).unwrap().encode();
        assert_ne!(bytes[11..43], other[11..43]);
        assert_ne!(bytes[43..], other[43..]);
    }

    #[test]
    fn what_is_no_header_is_named() {
        let good = Header::random(SegmentSize::DEFAULT).unwrap().encode();
        let with = |at: usize, value: u8| {
            let mut bytes: [u8; HEADER_LEN] = good;
            bytes[at] = value;
            Header::decode(&bytes)
        };
        for (at, byte) in good[..8].iter().enumerate() {
            assert_eq!(with(at, byte ^ 1), Err(HeaderError::Magic));
        }
        assert_eq!(with(8, 0), Err(HeaderError::Unknown));
        assert_eq!(with(8, 2), Err(HeaderError::Unknown));
        assert_eq!(with(9, 2), Err(HeaderError::Unknown));
        for exponent in (0..6).chain(25..=255) {
            assert_eq!(with(10, exponent), Err(HeaderError::SegmentSize));
        }
        for exponent in 6..=24 {
            assert!(with(10, exponent).is_ok());
        }
    }
}
