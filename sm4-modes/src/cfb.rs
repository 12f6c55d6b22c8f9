//! Cipher feedback mode with whole blocks, CFB-128 (GB/T 17964-2021, 7; NIST SP 800-38A, 6.3), with the names
//! of the crate `cfb-mode`.
//!
//! [`Encryptor`] and [`Decryptor`] take one message, of any length in bytes; [`BufEncryptor`] and [`BufDecryptor`]
//! take it in pieces. The same key and initialization vector twice reveals the XOR of the first blocks that differ.
//! CFB authenticates nothing.

mod buf;
mod decrypt;
mod encrypt;

pub use buf::{BufDecryptor, BufEncryptor};
pub use decrypt::Decryptor;
pub use encrypt::{Encryptor, encrypt_many};
