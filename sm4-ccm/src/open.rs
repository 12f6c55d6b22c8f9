//! Authenticated decryption (SP 800-38C, section 6.2).

use crate::{
    Block,
    blocks::Blocks,
    counter::{CHUNK, crypt},
    mac::Mac,
    tail::{Tail, before_end},
};
use aead::inout::InOutBuf;
use sm4::Sm4;

/// Decrypts `buffer` and returns the full tag of what came out, for the caller to compare.
pub(crate) fn open(
    cipher: &Sm4,
    blocks: &Blocks,
    aad: &[u8],
    buffer: InOutBuf<'_, '_, u8>,
) -> Block {
    let len = buffer.len();
    let mut tail = Tail::zeros();
    tail.make(cipher, blocks, len);
    let mut mac = Mac::new(cipher, tail.chain());
    mac.update(aad, &[]);
    let (mut before, mut end) = buffer.split_at(before_end(len));
    let mut number = 1;
    while !before.is_empty() {
        let at = before.len().min(CHUNK);
        let (mut chunk, behind) = before.split_at(at);
        crypt(cipher, blocks, number, chunk.reborrow());
        mac.update(&[], chunk.get_out());
        number += (CHUNK / 16) as u64;
        before = behind;
    }
    tail.xor(end.reborrow());
    mac.update(&[], end.get_out());
    tail.mask(mac.finish())
}
