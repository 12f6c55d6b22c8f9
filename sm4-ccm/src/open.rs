//! Authenticated decryption (SP 800-38C, section 6.2).

use crate::{
    Block,
    blocks::Blocks,
    lanes::Lanes,
    mac::{absorb, xor},
};
use aead::inout::InOutBuf;
use cipher::{BlockCipherEncBackend, BlockCipherEncClosure, BlockSizeUser, consts::U16};

/// Decrypts `buffer` and writes the full tag of what came out, for the caller to compare.
///
/// A block has to be decrypted before the MAC can take it, so the keystream runs one block ahead:
/// the first pass makes the mask and the keystream of block 1, and the MAC of each block takes the
/// counter block of the next one along.
pub(crate) struct Open<'a, 'inp, 'out> {
    pub(crate) blocks: Blocks,
    pub(crate) aad: &'a [u8],
    pub(crate) buffer: InOutBuf<'inp, 'out, u8>,
    pub(crate) tag: &'a mut Block,
}

impl BlockSizeUser for Open<'_, '_, '_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Open<'_, '_, '_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let Self {
            blocks,
            aad,
            buffer,
            tag,
        } = self;

        let mut first = Lanes([blocks.first(), blocks.counter(0), blocks.counter(1)]);
        first.encrypt(backend);
        // Lane 0 holds the MAC throughout, lane 1 the keystream of the block that comes next.
        let mut lanes = Lanes([first.0[0], first.0[2]]);
        absorb(backend, &mut lanes.0[0], aad);

        let (full, mut tail) = buffer.into_chunks::<U16>();
        for (next, mut block) in (2..).zip(full) {
            block.xor_in2out(&lanes.0[1]);
            xor(&mut lanes.0[0], block.get_out());
            lanes.0[1] = blocks.counter(next);
            lanes.encrypt(backend);
        }
        if !tail.is_empty() {
            let len = tail.len();
            tail.xor_in2out(&lanes.0[1][..len]);
            xor(&mut lanes.0[0], tail.get_out());
            backend.encrypt_block_inplace(&mut lanes.0[0]);
        }

        xor(&mut lanes.0[0], &first.0[1]);
        *tag = lanes.0[0];
    }
}
