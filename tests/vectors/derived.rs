//! The vectors in `data/derived`.

use serde_json::Value;

use super::json::parse;

/// GCM: lengths of message and associated data.
pub fn gcm() -> Value {
    parse(include_str!("../data/derived/gcm_len_grid.json"))
}

/// CCM: sizes of nonce and tag, lengths of message.
pub fn ccm() -> Value {
    parse(include_str!("../data/derived/ccm_grid.json"))
}

/// CFB with segments of 128, 8 and 1 bits, and OFB.
pub fn cfb_ofb() -> Value {
    parse(include_str!("../data/derived/cfb_ofb.json"))
}

/// XTS: tweaks of both standards.
pub fn xts() -> Value {
    parse(include_str!("../data/derived/xts_tweaks.json"))
}

/// SM3 of half a gigabyte.
pub fn sm3() -> Value {
    parse(include_str!("../data/derived/sm3_long.json"))
}
