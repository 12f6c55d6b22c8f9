//! One interface to every AEAD, whatever the sizes of its nonce and tag.

use aead::inout::InOutBuf;
use aead::{AeadInOut, Error, KeyInit, Nonce, Tag};

use super::place::Placed;
use super::run::Layout;

/// An AEAD under a key, with the sizes of nonce and tag checked at run time.
pub trait DynAead {
    /// Encrypts, and gives the tag.
    ///
    /// # Errors
    /// As the AEAD itself.
    fn seal(&self, nonce: &[u8], aad: &[u8], data: InOutBuf<'_, '_, u8>) -> Result<Vec<u8>, Error>;

    /// Checks the tag and decrypts.
    ///
    /// # Errors
    /// As the AEAD itself.
    fn open(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), Error>;
}

impl<A: AeadInOut> DynAead for A {
    fn seal(&self, nonce: &[u8], aad: &[u8], data: InOutBuf<'_, '_, u8>) -> Result<Vec<u8>, Error> {
        let nonce = <&Nonce<A>>::try_from(nonce).expect("the nonce has the size of the type");
        self.encrypt_inout_detached(nonce, aad, data)
            .map(|tag| tag.to_vec())
    }

    fn open(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), Error> {
        let nonce = <&Nonce<A>>::try_from(nonce).expect("the nonce has the size of the type");
        let tag = <&Tag<A>>::try_from(tag).expect("the tag has the size of the type");
        self.decrypt_inout_detached(nonce, aad, data, tag)
    }
}

/// `A` under `key`.
pub fn boxed<A: AeadInOut + KeyInit + 'static>(key: &[u8; 16]) -> Box<dyn DynAead> {
    Box::new(A::new_from_slice(key).expect("a key of 16 bytes"))
}

/// What a failed check leaves in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftover {
    /// What was there before (GCM, which checks first).
    AsItWas,
    /// Zeros (CCM, which has to decrypt first).
    Zeros,
}

/// A message and what it becomes.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The nonce.
    pub nonce: &'a [u8],
    /// The associated data.
    pub aad: &'a [u8],
    /// The plaintext.
    pub plaintext: &'a [u8],
    /// The ciphertext without the tag.
    pub ciphertext: &'a [u8],
    /// The tag.
    pub tag: &'a [u8],
}

/// What `f` makes of `input` in the given layout; the input and the bytes around must stay.
fn apply<T>(input: &[u8], at: Layout, f: impl FnOnce(InOutBuf<'_, '_, u8>) -> T) -> (T, Vec<u8>) {
    match at {
        Layout::InPlace(offset) => {
            let mut buffer = Placed::new(offset, input);
            let result = f(buffer.get_mut().into());
            (result, buffer.checked().to_vec())
        }
        Layout::BufToBuf(from, to) => {
            let source = Placed::new(from, input);
            let mut target = Placed::new(to, &vec![FILL; input.len()]);
            let result = f(InOutBuf::new(source.get(), target.get_mut()).expect("same length"));
            assert_eq!(source.checked(), input, "the input was written to");
            (result, target.checked().to_vec())
        }
    }
}

/// What an output buffer holds before the call.
const FILL: u8 = 0x3c;

/// Sealing gives the ciphertext and the tag, opening gives the plaintext.
///
/// # Panics
/// When they do not.
pub fn agrees(aead: &dyn DynAead, m: &Message<'_>, at: Layout) {
    let (tag, ciphertext) = apply(m.plaintext, at, |data| aead.seal(m.nonce, m.aad, data));
    assert_eq!(ciphertext, m.ciphertext, "ciphertext, {at:?}");
    assert_eq!(tag.as_deref(), Ok(m.tag), "tag, {at:?}");
    let (result, plaintext) = apply(m.ciphertext, at, |data| {
        aead.open(m.nonce, m.aad, data, m.tag)
    });
    assert_eq!(result, Ok(()), "open, {at:?}");
    assert_eq!(plaintext, m.plaintext, "plaintext, {at:?}");
}

/// Opening fails and leaves nothing of the plaintext.
///
/// # Panics
/// When it does not.
pub fn refuses(aead: &dyn DynAead, m: &Message<'_>, at: Layout, leftover: Leftover) {
    let (result, left) = apply(m.ciphertext, at, |data| {
        aead.open(m.nonce, m.aad, data, m.tag)
    });
    assert_eq!(result, Err(Error), "opened, {at:?}");
    let expected = match (leftover, at) {
        (Leftover::Zeros, _) => vec![0; left.len()],
        (Leftover::AsItWas, Layout::InPlace(_)) => m.ciphertext.to_vec(),
        (Leftover::AsItWas, Layout::BufToBuf(..)) => vec![FILL; left.len()],
    };
    assert_eq!(left, expected, "what is left after a failure, {at:?}");
}

/// Sealing and opening fail because a length is beyond the limit, before any byte is touched.
///
/// # Panics
/// When they do not.
pub fn too_long(aead: &dyn DynAead, m: &Message<'_>, at: Layout) {
    let untouched = match at {
        Layout::InPlace(_) => m.plaintext.to_vec(),
        Layout::BufToBuf(..) => vec![FILL; m.plaintext.len()],
    };
    let (sealed, left) = apply(m.plaintext, at, |data| aead.seal(m.nonce, m.aad, data));
    assert_eq!(sealed, Err(Error), "sealed, {at:?}");
    assert_eq!(left, untouched, "touched, {at:?}");
    let (opened, left) = apply(m.plaintext, at, |data| {
        aead.open(m.nonce, m.aad, data, m.tag)
    });
    assert_eq!(opened, Err(Error), "opened, {at:?}");
    assert_eq!(left, untouched, "touched, {at:?}");
}
