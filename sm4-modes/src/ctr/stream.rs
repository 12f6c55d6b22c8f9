//! CTR for bytes.

use super::{CtrCore, flavors::CtrFlavor};
use crate::key::Cipher;
use cipher::{
    Block, InOutBuf, InnerIvInit, Iv, IvSizeUser, OverflowError, SeekNum, StreamCipher,
    StreamCipherCore, StreamCipherCounter, StreamCipherError, StreamCipherSeek,
    StreamCipherSeekCore, common::InnerUser, consts::U16,
};
use core::fmt;
use sm4::Sm4;

/// CTR for data of any length in bytes, in as many pieces as it comes.
#[derive(Clone)]
pub struct Ctr<C: Cipher, F: CtrFlavor> {
    core: CtrCore<C, F>,
    /// The keystream block that the position is in; its first bytes are used up.
    rest: Block<Sm4>,
    /// How many bytes of `rest` are left: 0 to 15.
    left: usize,
}

impl<C: Cipher, F: CtrFlavor> Ctr<C, F> {
    /// Starts at the block that `core` is at.
    pub fn from_core(core: CtrCore<C, F>) -> Self {
        Self {
            core,
            rest: Block::<Sm4>::default(),
            left: 0,
        }
    }

    /// The core, whose position is behind the block that is in use.
    pub fn get_core(&self) -> &CtrCore<C, F> {
        &self.core
    }
}

impl<C: Cipher, F: CtrFlavor> StreamCipher for Ctr<C, F> {
    #[inline]
    fn check_remaining(&self, data_len: usize) -> Result<(), StreamCipherError> {
        let Some(blocks) = self.core.remaining_blocks() else {
            return Ok(());
        };
        if data_len.saturating_sub(self.left).div_ceil(16) > blocks {
            return Err(StreamCipherError);
        }
        Ok(())
    }

    fn unchecked_apply_keystream_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        let n = self.left.min(data.len());
        let (mut head, data) = data.split_at(n);
        head.xor_in2out(&self.rest[16 - self.left..][..n]);
        self.left -= n;
        if !data.is_empty() {
            self.left = data.len().wrapping_neg() % 16;
            self.rest = self.core.apply_keystream_bytes(data);
        }
    }

    fn unchecked_write_keystream(&mut self, data: &mut [u8]) {
        data.fill(0);
        self.unchecked_apply_keystream_inout(data.into());
    }
}

impl<C: Cipher, F: CtrFlavor> StreamCipherSeek for Ctr<C, F> {
    fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
        T::from_block_byte(self.core.get_block_pos(), 16 - self.left as u8, 16)
    }

    fn try_seek<T: SeekNum>(&mut self, pos: T) -> Result<(), StreamCipherError> {
        // In blocks of one byte: in wider ones `SeekNum` panics on a negative position.
        let (pos, _) = pos.into_block_byte::<u128>(1)?;
        let byte = (pos % 16) as usize;
        let block = F::Counter::try_from(pos / 16).map_err(|_| StreamCipherError)?;
        if byte != 0 && block.is_max() {
            return Err(StreamCipherError);
        }
        self.core.set_block_pos(block);
        self.left = 0;
        if byte != 0 {
            let mut skipped = [0; 16];
            self.unchecked_write_keystream(&mut skipped[..byte]);
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

impl<C: Cipher, F: CtrFlavor> Drop for Ctr<C, F> {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        cipher::zeroize::Zeroize::zeroize(&mut self.rest);
    }
}

#[cfg(feature = "zeroize")]
impl<C: Cipher + cipher::zeroize::ZeroizeOnDrop, F: CtrFlavor> cipher::zeroize::ZeroizeOnDrop
    for Ctr<C, F>
{
}
