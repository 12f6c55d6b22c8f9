//! CFB for a message that comes in pieces.

use crate::key::Cipher;
use crate::mode::{impl_mode, impl_wipe};
use cipher::{Array, Block, BlockCipherEncrypt, InnerIvInit, Iv, IvSizeUser, consts::U16};
use sm4::{Sm4, feedback};

/// CFB encryption of a message in pieces of any length in bytes.
#[derive(Clone)]
pub struct BufEncryptor<C: Cipher = Sm4> {
    cipher: C,
    state: Block<Sm4>,
    pos: usize,
}

/// CFB decryption of a message in pieces of any length in bytes; many blocks at a time.
#[derive(Clone)]
pub struct BufDecryptor<C: Cipher = Sm4> {
    cipher: C,
    state: Block<Sm4>,
    pos: usize,
}

impl_mode!(BufEncryptor; |f| f.write_str("cfb::BufEncryptor<Sm4>"));
impl_mode!(BufDecryptor; |f| f.write_str("cfb::BufDecryptor<Sm4>"));
impl_wipe!(BufEncryptor; state);
impl_wipe!(BufDecryptor; state);

/// What both have: `state` holds `pos` bytes of the current block of ciphertext, and behind them the
/// rest of its keystream.
macro_rules! impl_buffered {
    ($name:ident) => {
        impl<C: Cipher> $name<C> {
            /// The block that the state is kept in, and the number of its bytes (0 to 15) that are used up.
            pub fn get_state(&self) -> (&Block<Sm4>, usize) {
                (&self.state, self.pos)
            }

            /// Goes on from what [`get_state`][Self::get_state] gave.
            ///
            /// # Panics
            /// If `pos` is not below 16.
            #[must_use]
            pub fn from_state(cipher: C, state: &Block<Sm4>, pos: usize) -> Self {
                assert!(pos < 16, "the position in a block is below 16");
                Self {
                    cipher,
                    state: *state,
                    pos,
                }
            }
        }

        impl<C: Cipher> IvSizeUser for $name<C> {
            type IvSize = U16;
        }

        impl<C: Cipher> InnerIvInit for $name<C> {
            #[inline]
            fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
                let mut state = *iv;
                cipher.as_sm4().encrypt_block(&mut state);
                Self {
                    cipher,
                    state,
                    pos: 0,
                }
            }
        }
    };
}

impl_buffered!(BufEncryptor);
impl_buffered!(BufDecryptor);

impl<C: Cipher> BufEncryptor<C> {
    /// Encrypts the next piece of the message in place.
    pub fn encrypt(&mut self, data: &mut [u8]) {
        let rest = &mut self.state[self.pos..];
        let n = data.len().min(rest.len());
        let (head, data) = data.split_at_mut(n);
        for (keystream, byte) in rest.iter_mut().zip(head) {
            *keystream ^= *byte;
            *byte = *keystream;
        }
        self.pos += n;
        if self.pos < 16 {
            return;
        }

        let (blocks, tail) = Array::slice_as_chunks_mut(data);
        let cipher = self.cipher.as_sm4();
        feedback::cfb_encrypt(cipher, &mut self.state, blocks.into());
        cipher.encrypt_block(&mut self.state);
        for (keystream, byte) in self.state.iter_mut().zip(&mut *tail) {
            *keystream ^= *byte;
            *byte = *keystream;
        }
        self.pos = tail.len();
    }
}

impl<C: Cipher> BufDecryptor<C> {
    /// Decrypts the next piece of the message in place.
    pub fn decrypt(&mut self, data: &mut [u8]) {
        let rest = &mut self.state[self.pos..];
        let n = data.len().min(rest.len());
        let (head, data) = data.split_at_mut(n);
        for (keystream, byte) in rest.iter_mut().zip(head) {
            let plaintext = *keystream ^ *byte;
            *keystream = *byte;
            *byte = plaintext;
        }
        self.pos += n;
        if self.pos < 16 {
            return;
        }

        self.pos = data.len() % 16;
        let whole = data.len() - self.pos;
        let mut tail = Block::<Sm4>::default();
        tail[..self.pos].copy_from_slice(&data[whole..]);
        let mut next = Block::<Sm4>::default();
        let cipher = self.cipher.as_sm4();
        feedback::cfb_decrypt(cipher, &mut self.state, data.into(), Some(&mut next));
        next[..self.pos].copy_from_slice(&tail[..self.pos]);
        self.state = next;
    }
}
