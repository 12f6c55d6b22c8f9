//! Many messages at once.
//!
//! One SM3 computation is a chain in which every step waits for the one before. Several of them side by side, each in one
//! lane of vector registers, are not slower than one: sixteen with AVX-512, eight with AVX2, four with SSE2.
//! Messages may differ in length; a lane that has come to the end of its message takes the next.
//!
//! | to compute | use | the same one by one |
//! |---|---|---|
//! | digests, all behind one prefix if there is one | [`ManySm3`] | [`Sm3`] |
//! | HMAC-SM3 under one key (RFC 2104) | [`ManyHmac`] | `hmac::Hmac<Sm3>` |
//! | PBKDF2-HMAC-SM3 (RFC 8018, 5.2) | [`ManyPbkdf2`] | `pbkdf2::pbkdf2_hmac::<Sm3>` |
//!
//! The results are those of the last column. Nothing is allocated but by the methods that return a `Vec`.
//!
//! What is public here is how long the messages are and how many: time depends on that, and not on their bytes.
//!
//! ```
//! use sm3::{Digest, Sm3, multi::ManySm3};
//!
//! // The leaves of a Merkle tree, each hashed behind a salt.
//! let data = [7; 3 * 4096];
//! let salted = ManySm3::new().behind(&Sm3::new_with_prefix([1; 32]));
//! let mut leaves = [Default::default(); 3];
//! salted.digest_each(data.chunks(4096), |index, digest| leaves[index] = digest);
//!
//! let leaf = Sm3::new().chain_update([1; 32]).chain_update(&data[4096..8192]).finalize();
//! assert_eq!(leaves[1], leaf);
//! ```

mod backend;
mod hmac;
mod lane;
mod pbkdf2;

pub use backend::Backend;
pub use hmac::ManyHmac;
pub use pbkdf2::ManyPbkdf2;

use crate::Sm3;
use core::fmt;
use digest::{Digest, Output};

/// Hashes many messages with SM3, all of them behind one prefix.
#[derive(Clone)]
pub struct ManySm3 {
    prefix: Sm3,
    backend: Backend,
}

impl ManySm3 {
    /// Without a prefix, with the fastest backend.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Self::with_backend(Backend::detect())
    }

    /// Without a prefix, with `backend`.
    #[inline]
    #[must_use]
    pub fn with_backend(backend: Backend) -> Self {
        Self {
            prefix: Sm3::new(),
            backend,
        }
    }

    /// Behind what `prefix` has hashed so far, which may be any number of bytes: every digest is that of a clone of
    /// `prefix` that is fed a message.
    #[inline]
    #[must_use]
    pub fn behind(self, prefix: &Sm3) -> Self {
        Self {
            prefix: prefix.clone(),
            backend: self.backend,
        }
    }

    /// Hashes every message, and calls `f` with its number, from 0 on, and its digest of 32 bytes.
    ///
    /// The calls come in the order in which messages end, not in the order in which they begin. Up to as many messages
    /// as the backend has lanes are held at a time.
    pub fn digest_each<I>(&self, messages: I, mut f: impl FnMut(usize, Output<Sm3>))
    where
        I: IntoIterator<Item: AsRef<[u8]>>,
    {
        let emit = |index, digest: &[u8; 32]| f(index, (*digest).into());
        self.backend.run(&self.prefix, None, messages, emit);
    }

    /// The digests of the messages, in their order.
    #[cfg(feature = "alloc")]
    pub fn digests<I>(&self, messages: I) -> alloc::vec::Vec<Output<Sm3>>
    where
        I: IntoIterator<Item: AsRef<[u8]>>,
    {
        in_order(|f| self.digest_each(messages, f))
    }
}

impl Default for ManySm3 {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ManySm3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ManySm3 { ... }")
    }
}

#[cfg(feature = "zeroize")]
impl digest::zeroize::ZeroizeOnDrop for ManySm3 {}

/// Collects by number what comes in another order.
#[cfg(feature = "alloc")]
fn in_order(each: impl FnOnce(&mut dyn FnMut(usize, Output<Sm3>))) -> alloc::vec::Vec<Output<Sm3>> {
    let mut all = alloc::vec::Vec::new();
    each(&mut |index, output| {
        if all.len() <= index {
            all.resize(index + 1, Output::<Sm3>::default());
        }
        all[index] = output;
    });
    all
}
