//! Counter mode (SP 800-38C, section 6.1, steps 5 to 8).

use crate::blocks::Blocks;
use aead::inout::InOutBuf;
use sm4::{Sm4, ctr::ctr32};

/// What one turn of MAC and counter mode takes, in bytes: what the first has touched is still in the
/// innermost cache for the other. A multiple of 16.
pub(crate) const CHUNK: usize = 4096;

/// Encrypts or decrypts part of a message, of which block `number` is the first; the message begins with number 1.
pub(crate) fn crypt(cipher: &Sm4, blocks: &Blocks, number: u64, data: InOutBuf<'_, '_, u8>) {
    // The kernel counts with 32 bits, the mode with up to 64.
    let until_wrap = 16 * ((1 << 32) - (number & 0xffff_ffff));
    let at = until_wrap.min(data.len() as u64) as usize;
    let (now, later) = data.split_at(at);
    if !now.is_empty() {
        ctr32(cipher, &blocks.counter(number), now);
    }
    if !later.is_empty() {
        ctr32(cipher, &blocks.counter(number + until_wrap / 16), later);
    }
}

#[cfg(test)]
mod tests {
    use super::crypt;
    use crate::blocks::Blocks;
    use aead::consts::{U7, U16};
    use cipher::BlockCipherEncrypt;
    use sm4::Sm4;

    /// A message that reaches these numbers has 64 GiB.
    #[test]
    fn the_counter_carries_over_32_bits_at_every_place_of_a_batch() {
        let blocks = Blocks::new::<U16, U7>(&[0xff; 7].into(), 1, u64::MAX);
        for backend in sm4::Backend::all_available() {
            let cipher = Sm4::with_backend(&[7; 16].into(), backend);
            for before in 0..=140 {
                for multiple in [1_u64, 2, 0xffff_ffff] {
                    let number = (multiple << 32) - before;
                    let mut data = [0; 16 * 150 + 5];
                    crypt(&cipher, &blocks, number, data.as_mut_slice().into());
                    for (block, i) in data.chunks(16).zip(number..) {
                        let mut bytes = [0xff; 16];
                        bytes[0] = 7;
                        bytes[8..].copy_from_slice(&i.to_be_bytes());
                        let mut expected = bytes.into();
                        cipher.encrypt_block(&mut expected);
                        assert_eq!(*block, expected[..block.len()], "{i:#x}");
                    }
                }
            }
        }
    }
}
