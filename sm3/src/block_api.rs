//! The hash without its buffer: whole blocks in, padding at the end.

use crate::{Backend, consts::IV};
use core::fmt;
use digest::{
    HashMarker, Output,
    array::Array,
    block_api::{
        AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, Eager, FixedOutputCore,
        OutputSizeUser, Reset, UpdateCore,
    },
    common::hazmat::{DeserializeStateError, SerializableState, SerializedState},
    typenum::{U32, U40, U64},
};

/// SM3 over whole blocks of 64 bytes.
///
/// The value takes 40 bytes, or 48 where there is a choice of backends. Its serialized state takes
/// 40: the eight words of the state, then the number of blocks as 64 bits, all little-endian.
#[derive(Clone)]
pub struct Sm3Core {
    pub(crate) state: [u32; 8],
    /// Blocks so far, modulo 2^64.
    pub(crate) blocks: u64,
    backend: Backend,
}

impl Sm3Core {
    /// Makes a core that uses `backend`, and goes on to do so when it is reset.
    #[inline]
    #[must_use]
    pub fn with_backend(backend: Backend) -> Self {
        Self {
            state: IV,
            blocks: 0,
            backend,
        }
    }

    /// The backend that this core uses.
    #[inline]
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.backend
    }
}

impl HashMarker for Sm3Core {}

impl BlockSizeUser for Sm3Core {
    type BlockSize = U64;
}

impl BufferKindUser for Sm3Core {
    type BufferKind = Eager;
}

impl OutputSizeUser for Sm3Core {
    type OutputSize = U32;
}

impl UpdateCore for Sm3Core {
    #[inline]
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        // Wraps: a deserialized count may be anything.
        self.blocks = self.blocks.wrapping_add(blocks.len() as u64);
        self.backend
            .compress(&mut self.state, Array::cast_slice_to_core(blocks));
    }
}

impl FixedOutputCore for Sm3Core {
    #[inline]
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        let bytes = self
            .blocks
            .wrapping_mul(64)
            .wrapping_add(buffer.get_pos() as u64);
        let bits = bytes.wrapping_mul(8);

        let mut state = self.state;
        buffer.len64_padding_be(bits, |block| {
            self.backend.compress(&mut state, &[block.0]);
        });
        for (bytes, word) in out.chunks_exact_mut(4).zip(state) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        // Under HMAC the digest may be a secret.
        #[cfg(feature = "zeroize")]
        digest::zeroize::Zeroize::zeroize(&mut state);
    }
}

impl Default for Sm3Core {
    #[inline]
    fn default() -> Self {
        Self::with_backend(Backend::detect())
    }
}

impl Reset for Sm3Core {
    #[inline]
    fn reset(&mut self) {
        *self = Self::with_backend(self.backend);
    }
}

impl AlgorithmName for Sm3Core {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm3")
    }
}

impl fmt::Debug for Sm3Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm3Core { ... }")
    }
}

impl Drop for Sm3Core {
    #[inline]
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        {
            use digest::zeroize::Zeroize;
            self.state.zeroize();
            self.blocks.zeroize();
        }
    }
}

#[cfg(feature = "zeroize")]
impl digest::zeroize::ZeroizeOnDrop for Sm3Core {}

impl SerializableState for Sm3Core {
    type SerializedStateSize = U40;

    fn serialize(&self) -> SerializedState<Self> {
        let mut serialized = SerializedState::<Self>::default();
        let (state, blocks) = serialized.split_at_mut(32);
        for (bytes, word) in state.chunks_exact_mut(4).zip(self.state) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        blocks.copy_from_slice(&self.blocks.to_le_bytes());
        serialized
    }

    fn deserialize(serialized: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
        let (state, blocks) = serialized.split_ref::<U32>();
        let (words, _) = state.as_slice().as_chunks::<4>();
        let mut core = Self::default();
        for (word, bytes) in core.state.iter_mut().zip(words) {
            *word = u32::from_le_bytes(*bytes);
        }
        core.blocks = u64::from_le_bytes((*blocks).into());
        Ok(core)
    }
}
