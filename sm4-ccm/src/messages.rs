//! The interface of several messages.

use crate::{
    Ccm, Error, Nonce, NonceSize, Tag, TagSize,
    blocks::Blocks,
    limits,
    many::{GROUP, Part, SMALL_GROUP, run},
};
use aead::{array::Array, inout::InOutBuf};
use core::fmt;
use ctutils::CtEq;

/// One of the messages of [`Ccm::encrypt_many`] or [`Ccm::decrypt_many`].
pub struct Message<'a, TagSize, NonceSize>
where
    TagSize: crate::TagSize,
    NonceSize: crate::NonceSize,
{
    /// The nonce. No two messages that are sealed with one key may have the same.
    pub nonce: Nonce<NonceSize>,
    /// The associated data.
    pub associated_data: &'a [u8],
    /// The text, in place or from one buffer to another.
    pub buffer: InOutBuf<'a, 'a, u8>,
    /// The tag: encryption writes it, decryption compares it.
    pub tag: Tag<TagSize>,
}

impl<T: TagSize, N: NonceSize> Message<'_, T, N> {
    fn part(&mut self) -> Part<'_> {
        let (aad, message) = (self.associated_data.len(), self.buffer.len());
        Part {
            blocks: Blocks::new::<T, N>(&self.nonce, aad as u64, message as u64),
            aad: self.associated_data,
            text: self.buffer.reborrow(),
        }
    }
}

impl<T: TagSize, N: NonceSize> fmt::Debug for Message<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message").finish_non_exhaustive()
    }
}

impl<TagSize, NonceSize> Ccm<TagSize, NonceSize>
where
    TagSize: crate::TagSize,
    NonceSize: crate::NonceSize,
{
    /// Seals any number of messages, 64 at a time, with the result of
    /// [`encrypt_inout_detached`][crate::AeadInOut::encrypt_inout_detached] for each.
    ///
    /// A MAC leaves most of a vector CPU idle; those of 16 messages take about the time of one. Messages need not be of the
    /// same length, but it is as many as last that share the time.
    ///
    /// # Errors
    /// If one of the messages is longer than [`Ccm::P_MAX`]. No byte of any is touched then.
    pub fn encrypt_many(
        &self,
        messages: &mut [Message<'_, TagSize, NonceSize>],
    ) -> Result<(), Error> {
        Self::check(messages)?;
        for messages in messages.chunks_mut(GROUP) {
            if messages.len() <= SMALL_GROUP {
                self.encrypt_group::<SMALL_GROUP>(messages);
            } else {
                self.encrypt_group::<GROUP>(messages);
            }
        }
        Ok(())
    }

    /// Seals up to `N` messages.
    fn encrypt_group<const N: usize>(&self, messages: &mut [Message<'_, TagSize, NonceSize>]) {
        let tags = run::<false, N>(&self.cipher, messages.iter_mut().map(Message::part));
        for (message, full) in messages.iter_mut().zip(&tags.0) {
            message.tag = Array::from_fn(|i| full[i]);
        }
    }

    /// Opens any number of messages, 64 at a time, with the result of
    /// [`decrypt_inout_detached`][crate::AeadInOut::decrypt_inout_detached] for each in `results`.
    ///
    /// A message whose tag does not match has its output filled with zeros; the others are opened all the same.
    ///
    /// # Errors
    /// If one of `results` is an error; also, and then all of them are and no byte of any message is touched, if one of the
    /// messages is longer than [`Ccm::P_MAX`] or there are not as many `results` as `messages`.
    pub fn decrypt_many(
        &self,
        messages: &mut [Message<'_, TagSize, NonceSize>],
        results: &mut [Result<(), Error>],
    ) -> Result<(), Error> {
        results.fill(Err(Error));
        Self::check(messages)?;
        if messages.len() != results.len() {
            return Err(Error);
        }
        for (messages, results) in messages.chunks_mut(GROUP).zip(results.chunks_mut(GROUP)) {
            if messages.len() <= SMALL_GROUP {
                self.decrypt_group::<SMALL_GROUP>(messages, results);
            } else {
                self.decrypt_group::<GROUP>(messages, results);
            }
        }
        results.iter().copied().collect()
    }

    /// Opens up to `N` messages, all `results` of which are errors before.
    fn decrypt_group<const N: usize>(
        &self,
        messages: &mut [Message<'_, TagSize, NonceSize>],
        results: &mut [Result<(), Error>],
    ) {
        // The right tag of a message that was refused would be a forgery made to order: they are wiped on drop.
        let tags = run::<true, N>(&self.cipher, messages.iter_mut().map(Message::part));
        for ((message, full), result) in messages.iter_mut().zip(&tags.0).zip(results) {
            let equal = full[..TagSize::USIZE].ct_eq(&message.tag);
            if equal.to_bool() {
                *result = Ok(());
            } else {
                message.buffer.get_out().fill(0);
            }
        }
    }

    fn check(messages: &[Message<'_, TagSize, NonceSize>]) -> Result<(), Error> {
        messages
            .iter()
            .try_for_each(|message| limits::check_length(message.buffer.len() as u64, Self::P_MAX))
    }
}
