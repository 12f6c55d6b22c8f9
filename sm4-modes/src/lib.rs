#![no_std]
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod cbc;
pub mod cfb;
pub mod ctr;
pub mod ecb;
mod key;
mod many;
mod mode;
pub mod ofb;

pub use cipher;
pub use key::Cipher;
pub use sm4::{self, Sm4};
