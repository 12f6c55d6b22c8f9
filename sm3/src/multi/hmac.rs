//! HMAC of many messages under one key.

use super::Backend;
use crate::Sm3;
use core::fmt;
use digest::{Digest, Output};

/// The states of HMAC (RFC 2104) behind the block of the inner and that of the outer key.
#[derive(Clone)]
pub(super) struct Keyed {
    pub(super) inner: Sm3,
    pub(super) outer: Sm3,
}

impl Keyed {
    /// From a key of any length; one of more than 64 bytes is hashed first.
    pub(super) fn new(key: &[u8]) -> Self {
        let mut block = [0; 64];
        if let Some(begin) = block.get_mut(..key.len()) {
            begin.copy_from_slice(key);
        } else {
            let mut digest = Sm3::digest(key);
            block[..32].copy_from_slice(&digest);
            #[cfg(feature = "zeroize")]
            digest::zeroize::Zeroize::zeroize(digest.as_mut_slice());
        }
        // In place: every copy would be one more to wipe.
        block.iter_mut().for_each(|byte| *byte ^= 0x36);
        let inner = Sm3::new_with_prefix(block.as_slice());
        block.iter_mut().for_each(|byte| *byte ^= 0x36 ^ 0x5c);
        let outer = Sm3::new_with_prefix(block.as_slice());
        #[cfg(feature = "zeroize")]
        digest::zeroize::Zeroize::zeroize(&mut block);
        Self { inner, outer }
    }
}

/// Computes HMAC-SM3 (RFC 2104 with SM3) of many messages under one key.
#[derive(Clone)]
pub struct ManyHmac {
    keyed: Keyed,
    backend: Backend,
}

impl ManyHmac {
    /// From a key of any length, with the fastest backend. A key of more than 64 bytes is hashed first.
    #[must_use]
    pub fn new(key: &[u8]) -> Self {
        Self::with_backend(key, Backend::detect())
    }

    /// From a key of any length, with `backend`.
    #[must_use]
    pub fn with_backend(key: &[u8], backend: Backend) -> Self {
        Self {
            keyed: Keyed::new(key),
            backend,
        }
    }

    /// Computes the tag of every message, and calls `f` with its number, from 0 on, and its tag of 32 bytes.
    ///
    /// The calls come in the order in which messages end, not in the order in which they begin. Up to as many messages
    /// as the backend has lanes are held at a time.
    ///
    /// To check a tag that somebody else has sent, compare in constant time.
    pub fn mac_each<I>(&self, messages: I, mut f: impl FnMut(usize, Output<Sm3>))
    where
        I: IntoIterator<Item: AsRef<[u8]>>,
    {
        let Keyed { inner, outer } = &self.keyed;
        let emit = |index, tag: &[u8; 32]| f(index, (*tag).into());
        self.backend.run(inner, Some(outer), messages, emit);
    }

    /// The tags of the messages, in their order.
    #[cfg(feature = "alloc")]
    pub fn macs<I>(&self, messages: I) -> alloc::vec::Vec<Output<Sm3>>
    where
        I: IntoIterator<Item: AsRef<[u8]>>,
    {
        super::in_order(|f| self.mac_each(messages, f))
    }
}

impl fmt::Debug for ManyHmac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ManyHmac { ... }")
    }
}

#[cfg(feature = "zeroize")]
impl digest::zeroize::ZeroizeOnDrop for ManyHmac {}
