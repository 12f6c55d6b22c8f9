//! Authenticated encryption (SP 800-38C, section 6.1).

use crate::{
    Block,
    blocks::Blocks,
    counter::{CHUNK, crypt},
    mac::Mac,
    tail::{Tail, before_end},
};
use aead::inout::InOutBuf;
use sm4::Sm4;

/// Seals `buffer` and returns the full tag.
///
/// The MAC is a chain of which each link waits for the whole latency of the cipher. Beside it, the time for
/// counter mode is small, and the CPU hides part of it behind the chain.
pub(crate) fn seal(
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
    let (mut before, end) = buffer.split_at(before_end(len));
    let mut number = 1;
    while !before.is_empty() {
        let at = before.len().min(CHUNK);
        let (chunk, behind) = before.split_at(at);
        mac.update(&[], chunk.get_in());
        crypt(cipher, blocks, number, chunk);
        number += (CHUNK / 16) as u64;
        before = behind;
    }
    mac.update(&[], end.get_in());
    tail.xor(end);
    tail.mask(mac.finish())
}
