//! Authenticated encryption (SP 800-38C, section 6.1).

use crate::{
    Block,
    blocks::Blocks,
    lanes::Lanes,
    mac::{absorb, xor},
};
use aead::inout::InOutBuf;
use cipher::{BlockCipherEncBackend, BlockCipherEncClosure, BlockSizeUser, consts::U16};

/// Seals `buffer` and writes the full tag.
///
/// The MAC is a chain, one pass after the other. Each of its passes takes the counter block of the
/// same message block along, so that the encryption costs no pass.
pub(crate) struct Seal<'a, 'inp, 'out> {
    pub(crate) blocks: Blocks,
    pub(crate) aad: &'a [u8],
    pub(crate) buffer: InOutBuf<'inp, 'out, u8>,
    pub(crate) tag: &'a mut Block,
}

impl BlockSizeUser for Seal<'_, '_, '_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Seal<'_, '_, '_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let Self {
            blocks,
            aad,
            buffer,
            tag,
        } = self;

        // Lane 0 holds the MAC throughout, lane 1 a counter block and then its keystream.
        let mut lanes = Lanes([blocks.first(), blocks.counter(0)]);
        lanes.encrypt(backend);
        let mask = Lanes([lanes.0[1]]);
        absorb(backend, &mut lanes.0[0], aad);

        let (full, mut tail) = buffer.into_chunks::<U16>();
        let last = full.len() as u64 + 1;
        for (number, mut block) in (1..).zip(full) {
            xor(&mut lanes.0[0], block.get_in());
            lanes.0[1] = blocks.counter(number);
            lanes.encrypt(backend);
            block.xor_in2out(&lanes.0[1]);
        }
        if !tail.is_empty() {
            xor(&mut lanes.0[0], tail.get_in());
            lanes.0[1] = blocks.counter(last);
            lanes.encrypt(backend);
            let len = tail.len();
            tail.xor_in2out(&lanes.0[1][..len]);
        }

        xor(&mut lanes.0[0], &mask.0[0]);
        *tag = lanes.0[0];
    }
}
