//! What is measured: one row an operation. To add a row, name its operation in [`Op`], add a line to [`ROWS`], and
//! give the operation a job in the peers that have it.

/// The sizes, in bytes, at which most rows are measured. 1420 is 88 blocks and a tail of 12 bytes.
pub const SIZES: &[usize] = &[16, 64, 128, 256, 1024, 1420, 4096, 8192, 16384, 1 << 20];

/// The sizes at which a kernel is fed bit by bit: those of the tables that the project started from.
const UPDATES: &[usize] = &[16, 64, 256, 1024, 2048, 4096, 8192];

/// Bytes that the rows of updates and small calls process in all.
const STREAM: usize = 8192;

/// Messages that a many-messages row hashes in one go.
pub const MESSAGES: usize = 64;

/// Messages that a many-messages row encrypts in one go.
pub const STREAMS: usize = 16;

/// An operation. All of SM4 are under a key that is set up before, in place unless they open.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[allow(missing_docs, reason = "the titles of the rows say it")]
pub enum Op {
    EcbEncrypt,
    EcbDecrypt,
    CbcEncrypt,
    CbcDecrypt,
    CbcMany,
    CfbEncrypt,
    CfbDecrypt,
    Ofb,
    Ctr32,
    Ctr128,
    CtrCalls,
    GcmSeal,
    GcmOpen,
    Gmac,
    CcmSeal,
    CcmOpen,
    XtsEncrypt,
    XtsDecrypt,
    XtsGbEncrypt,
    XtsGbDecrypt,
    Block,
    KeySm4,
    KeyGcm,
    KeyXts,
    Sm3,
    Sm3Updates,
    Sm3Many,
    HmacSm3,
    Ghash,
    GhashUpdates(usize),
    AesGcmSeal,
    AesGmac,
}

/// How a row's figures are given.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Unit {
    /// Cycles for each byte.
    PerByte,
    /// Cycles for each call.
    PerCall,
}

impl Unit {
    /// As it stands above a table.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::PerByte => "cycles per byte",
            Self::PerCall => "cycles per call",
        }
    }
}

/// A row: an operation at its sizes.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name on the command line and in the JSON.
    pub id: &'static str,
    /// What it is, for a reader.
    pub title: &'static str,
    /// What is done.
    pub op: Op,
    /// Sizes in bytes: of the message, or of what the title names.
    pub sizes: &'static [usize],
}

impl Row {
    /// How this row's figures are given.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match self.op {
            Op::Block | Op::KeySm4 | Op::KeyGcm | Op::KeyXts | Op::GhashUpdates(_) => Unit::PerCall,
            _ => Unit::PerByte,
        }
    }

    /// The bytes that one call processes at a size: whole blocks where the mode knows no others.
    #[must_use]
    pub fn bytes(&self, size: usize) -> usize {
        match self.op {
            Op::EcbEncrypt | Op::EcbDecrypt | Op::CbcEncrypt | Op::CbcDecrypt | Op::Ghash => {
                size / 16 * 16
            }
            Op::CtrCalls | Op::Sm3Updates => STREAM,
            Op::Sm3Many => MESSAGES * size,
            Op::CbcMany => STREAMS * size,
            _ => size,
        }
    }

    /// Whether the row is there for comparison only, with no column of ours.
    #[must_use]
    pub fn is_context(&self) -> bool {
        matches!(self.op, Op::AesGcmSeal | Op::AesGmac)
    }

    /// Whether the row is one of those that everyday benchmarks and the summary show.
    #[must_use]
    pub fn is_main(&self) -> bool {
        !self.is_context()
            && self.unit() == Unit::PerByte
            && !matches!(self.op, Op::CtrCalls | Op::Sm3Updates)
    }
}

/// The row of that name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.id == id)
}

/// Makes a row.
const fn row(id: &'static str, title: &'static str, op: Op, sizes: &'static [usize]) -> Row {
    Row {
        id,
        title,
        op,
        sizes,
    }
}

/// One size: the block, or the key.
const ONE: &[usize] = &[16];

/// Every row.
pub const ROWS: &[Row] = &[
    row(
        "block",
        "SM4, one block after the other (latency)",
        Op::Block,
        ONE,
    ),
    row("key", "SM4 key set-up", Op::KeySm4, ONE),
    row("key-gcm", "SM4-GCM key set-up", Op::KeyGcm, ONE),
    row("key-xts", "SM4-XTS key set-up", Op::KeyXts, ONE),
    row("ecb-enc", "SM4-ECB encryption", Op::EcbEncrypt, SIZES),
    row("ecb-dec", "SM4-ECB decryption", Op::EcbDecrypt, SIZES),
    row("cbc-enc", "SM4-CBC encryption", Op::CbcEncrypt, SIZES),
    row("cbc-dec", "SM4-CBC decryption", Op::CbcDecrypt, SIZES),
    row(
        "cbc-many",
        "SM4-CBC encryption of 16 messages of the size",
        Op::CbcMany,
        &[16, 64, 128, 256, 1024, 4096, 16384],
    ),
    row("cfb-enc", "SM4-CFB encryption", Op::CfbEncrypt, SIZES),
    row("cfb-dec", "SM4-CFB decryption", Op::CfbDecrypt, SIZES),
    row("ofb", "SM4-OFB", Op::Ofb, SIZES),
    row("ctr32", "SM4-CTR, counter of 32 bits", Op::Ctr32, SIZES),
    row("ctr", "SM4-CTR, counter of 128 bits", Op::Ctr128, SIZES),
    row(
        "ctr-calls",
        "SM4-CTR, 8192 bytes in calls of the size",
        Op::CtrCalls,
        &[16, 64, 256, 1024],
    ),
    row(
        "gcm-seal",
        "SM4-GCM sealing, 13 bytes of associated data",
        Op::GcmSeal,
        SIZES,
    ),
    row(
        "gcm-open",
        "SM4-GCM opening, 13 bytes of associated data",
        Op::GcmOpen,
        SIZES,
    ),
    row(
        "gmac",
        "SM4-GCM of associated data alone (GMAC)",
        Op::Gmac,
        SIZES,
    ),
    row(
        "ccm-seal",
        "SM4-CCM sealing, 13 bytes of associated data",
        Op::CcmSeal,
        SIZES,
    ),
    row(
        "ccm-open",
        "SM4-CCM opening, 13 bytes of associated data",
        Op::CcmOpen,
        SIZES,
    ),
    row(
        "xts-enc",
        "SM4-XTS encryption, IEEE 1619",
        Op::XtsEncrypt,
        SIZES,
    ),
    row(
        "xts-dec",
        "SM4-XTS decryption, IEEE 1619",
        Op::XtsDecrypt,
        SIZES,
    ),
    row(
        "xts-gb-enc",
        "SM4-XTS encryption, GB/T 17964",
        Op::XtsGbEncrypt,
        SIZES,
    ),
    row(
        "xts-gb-dec",
        "SM4-XTS decryption, GB/T 17964",
        Op::XtsGbDecrypt,
        SIZES,
    ),
    row("sm3", "SM3", Op::Sm3, SIZES),
    row(
        "sm3-updates",
        "SM3, 8192 bytes in updates of the size",
        Op::Sm3Updates,
        UPDATES,
    ),
    row(
        "sm3-many",
        "SM3 over 64 messages of the size",
        Op::Sm3Many,
        &[16, 64, 128, 256, 1024, 1420, 4096, 8192, 16384],
    ),
    row("hmac", "HMAC-SM3", Op::HmacSm3, SIZES),
    row("ghash", "GHASH", Op::Ghash, SIZES),
    row(
        "ghash-16",
        "GHASH, updates of 16 bytes",
        Op::GhashUpdates(16),
        UPDATES,
    ),
    row(
        "ghash-64",
        "GHASH, updates of 64 bytes",
        Op::GhashUpdates(64),
        &[64, 256],
    ),
    row(
        "ghash-256",
        "GHASH, updates of 256 bytes",
        Op::GhashUpdates(256),
        &[256, 1024, 2048, 4096, 8192],
    ),
    row(
        "ghash-1024",
        "GHASH, updates of 1024 bytes",
        Op::GhashUpdates(1024),
        &[1024, 2048, 4096, 8192],
    ),
    row(
        "ghash-4096",
        "GHASH, updates of 4096 bytes",
        Op::GhashUpdates(4096),
        &[4096, 8192],
    ),
    row(
        "ghash-all",
        "GHASH, one update",
        Op::GhashUpdates(usize::MAX),
        &[16, 64, 256, 1024, 2048, 4096, 8192],
    ),
    row(
        "aes-gcm-seal",
        "AES-128-GCM sealing, for comparison",
        Op::AesGcmSeal,
        SIZES,
    ),
    row(
        "aes-gmac",
        "AES-128-GCM of associated data alone, for comparison",
        Op::AesGmac,
        SIZES,
    ),
];

#[cfg(test)]
mod tests {
    use super::{Op, ROWS, Row, STREAM, Unit, find};
    use std::collections::BTreeSet;

    #[test]
    fn ids_are_unique_and_found() {
        let ids: BTreeSet<_> = ROWS.iter().map(|row| row.id).collect();
        assert_eq!(ids.len(), ROWS.len());
        for id in ids {
            assert_eq!(find(id).map(|row| row.id), Some(id));
        }
        assert!(find("rot13").is_none());
    }

    #[test]
    fn sizes_ascend_and_give_work() {
        for Row { id, op, sizes, .. } in ROWS {
            assert!(sizes.is_sorted_by(|a, b| a < b), "{id}");
            assert!(sizes[0] >= 16, "{id}");
            if let Op::GhashUpdates(update) = op {
                assert!(
                    sizes
                        .iter()
                        .all(|size| *update == usize::MAX || size % update == 0),
                    "{id}"
                );
            }
        }
    }

    #[test]
    fn bytes_count_what_is_processed() {
        let bytes = |id: &str, size| find(id).unwrap().bytes(size);
        assert_eq!(bytes("ecb-enc", 1420), 1408);
        assert_eq!(bytes("cfb-dec", 1420), 1420);
        assert_eq!(bytes("sm3-many", 16), 1024);
        assert_eq!(bytes("sm3-updates", 16), STREAM);
        assert_eq!(find("key").unwrap().unit(), Unit::PerCall);
    }
}
