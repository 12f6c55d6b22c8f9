//! CTR for bytes.

use super::{
    CtrCore,
    ahead::{self, Ahead},
    flavors::CtrFlavor,
};
use crate::key::Cipher;
use crate::mode::xor_in2out;
use cipher::{
    InOutBuf, InnerIvInit, Iv, IvSizeUser, OverflowError, SeekNum, StreamCipher, StreamCipherCore,
    StreamCipherCounter, StreamCipherError, StreamCipherSeek, StreamCipherSeekCore,
    common::InnerUser, consts::U16,
};
use core::fmt;

/// CTR for data of any length in bytes, in as many pieces as it comes.
///
/// A stream that is given small pieces makes keystream ahead: none for the first one, then 256 bytes, and up to 1024 at a
/// time. A large piece takes what there is of it and is processed directly from there on, in one pass over the data.
/// A value has room for it, besides the key, nonce and position: on x86-64 it takes 1344 bytes, or 1216 with a reference
/// to the key. The keystream is wiped on drop with the feature `zeroize`.
#[derive(Clone)]
pub struct Ctr<C: Cipher, F: CtrFlavor> {
    /// Its position is behind the block that is in use, whatever there is ahead.
    core: CtrCore<C, F>,
    ahead: Ahead,
}

impl<C: Cipher, F: CtrFlavor> Ctr<C, F> {
    /// Starts at the block that `core` is at.
    #[inline]
    pub fn from_core(core: CtrCore<C, F>) -> Self {
        Self {
            core,
            ahead: Ahead::new(),
        }
    }

    /// The core, whose position is behind the block that is in use.
    pub fn get_core(&self) -> &CtrCore<C, F> {
        &self.core
    }

    /// Processes more data than there is keystream for.
    #[inline(never)]
    fn apply_beyond(&mut self, mut data: InOutBuf<'_, '_, u8>) {
        let left = self.ahead.len();
        if left != 0 {
            let (head, tail) = data.split_at(left);
            self.apply_ahead(head);
            data = tail;
        }
        let n = data.len();
        if let Some(amount) = self.ahead.plan(n) {
            self.make_ahead(amount, 0);
            self.apply_ahead(data);
        } else {
            let rest = self.core.apply_keystream_bytes(data);
            self.ahead.hold(&rest.0, n % 16);
        }
    }

    /// Processes data with keystream that is there.
    #[inline]
    fn apply_ahead(&mut self, data: InOutBuf<'_, '_, u8>) {
        let begun = self.ahead.blocks_begun();
        let n = data.len();
        xor_in2out(data, self.ahead.take(n));
        let begun = self.ahead.blocks_begun() - begun;
        (self.core).set_block_pos(F::advance(self.core.get_block_pos(), begun));
    }

    /// Makes `amount` bytes of keystream and moves to byte `pos` of it.
    fn make_ahead(&mut self, amount: usize, pos: usize) {
        let start = self.core.get_block_pos();
        (self.core).apply_keystream_bytes(self.ahead.fill(amount).into());
        self.ahead.seek(pos);
        (self.core).set_block_pos(F::advance(start, self.ahead.blocks_begun()));
    }
}

impl<C: Cipher, F: CtrFlavor> StreamCipher for Ctr<C, F> {
    #[inline]
    fn check_remaining(&self, data_len: usize) -> Result<(), StreamCipherError> {
        let Some(blocks) = self.core.remaining_blocks() else {
            return Ok(());
        };
        if data_len
            .saturating_sub(self.ahead.left_of_block())
            .div_ceil(16)
            > blocks
        {
            return Err(StreamCipherError);
        }
        Ok(())
    }

    #[inline]
    fn unchecked_apply_keystream_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        if data.len() <= self.ahead.len() {
            self.apply_ahead(data);
        } else {
            self.apply_beyond(data);
        }
    }

    fn unchecked_write_keystream(&mut self, data: &mut [u8]) {
        data.fill(0);
        self.unchecked_apply_keystream_inout(data.into());
    }
}

impl<C: Cipher, F: CtrFlavor> StreamCipherSeek for Ctr<C, F> {
    fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
        T::from_block_byte(
            self.core.get_block_pos(),
            16 - self.ahead.left_of_block() as u8,
            16,
        )
    }

    fn try_seek<T: SeekNum>(&mut self, pos: T) -> Result<(), StreamCipherError> {
        // In blocks of one byte: in wider ones `SeekNum` panics on a negative position.
        let (pos, _) = pos.into_block_byte::<u128>(1)?;
        let byte = (pos % 16) as usize;
        let block = F::Counter::try_from(pos / 16).map_err(|_| StreamCipherError)?;
        if byte != 0 && block.is_max() {
            return Err(StreamCipherError);
        }
        let first = F::retreat(self.core.get_block_pos(), self.ahead.blocks_begun());
        if let Some(blocks) = F::distance(first, block)
            && blocks <= ahead::SIZE / 16
            && self.ahead.seek(16 * blocks + byte)
        {
            let begun = self.ahead.blocks_begun();
            self.core.set_block_pos(F::advance(first, begun));
            return Ok(());
        }
        self.ahead.clear();
        self.core.set_block_pos(block);
        if byte != 0 {
            self.make_ahead(ahead::FIRST, byte);
        }
        Ok(())
    }
}

impl<C: Cipher, F: CtrFlavor> InnerUser for Ctr<C, F> {
    type Inner = C;
}

impl<C: Cipher, F: CtrFlavor> IvSizeUser for Ctr<C, F> {
    type IvSize = U16;
}

impl<C: Cipher, F: CtrFlavor> InnerIvInit for Ctr<C, F> {
    #[inline]
    fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
        Self::from_core(CtrCore::inner_iv_init(cipher, iv))
    }
}

impl<C: Cipher, F: CtrFlavor> fmt::Debug for Ctr<C, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.core.fmt(f)
    }
}

#[cfg(feature = "zeroize")]
impl<C: Cipher + cipher::zeroize::ZeroizeOnDrop, F: CtrFlavor> cipher::zeroize::ZeroizeOnDrop
    for Ctr<C, F>
{
}
