//! Counter mode with a block apart, over any kernel: that block shares a pass with the last blocks of the data.

use super::Kernel;
use crate::ctr::Expected;
use crate::schedule::RoundKeys;
use cipher::{InOutBuf, array::Array, consts::U16};

type Block = Array<u8, U16>;

/// Most blocks that go with the one apart. Together they are a few passes of the narrow kernels, or one.
const MOST: usize = 47;

/// See [`Kernel::ctr32_if`].
#[inline]
pub(super) fn ctr32_if(
    kernel: impl Kernel,
    keys: &RoundKeys,
    prefix: [u32; 3],
    mask: u32,
    counter: u32,
    data: InOutBuf<'_, '_, u8>,
    expected: &Expected,
) -> Option<Block> {
    let blocks = data.len().div_ceil(16);
    let end = end(blocks);
    let before = if end == 0 {
        data.len()
    } else {
        16 * (blocks - end)
    };
    let (data, mut rest) = data.split_at(before);

    let mut own = Own([Block::default(); 1 + MOST]);
    let used = &mut own.0[..=end];
    let first = counter.wrapping_add((blocks - end) as u32);
    used[0] = block(prefix, mask);
    for (keystream, i) in used[1..].iter_mut().zip(0..) {
        *keystream = block(prefix, first.wrapping_add(i));
    }
    kernel.ecb_encrypt(keys, used.into());
    let mask = expected.check(own.0[0])?;

    let keystream = Array::slice_as_flattened(&own.0[1..]);
    let n = rest.len();
    rest.xor_in2out(&keystream[..n]);
    if !data.is_empty() {
        kernel.ctr32(keys, prefix, counter, data);
    }
    Some(mask)
}

/// How many of the last blocks go with the one apart. Those before fill passes of 128 or 64 blocks, or are all.
const fn end(blocks: usize) -> usize {
    let mut left = blocks % 128;
    if left > MOST {
        left %= 64;
    }
    if left > MOST { 0 } else { left }
}

fn block([a, b, c]: [u32; 3], d: u32) -> Block {
    let words = [a, b, c, d].map(u128::from);
    let block = words.into_iter().fold(0, |block, word| block << 32 | word);
    Array(block.to_be_bytes())
}

/// Keystream. Wiped on drop.
struct Own([Block; 1 + MOST]);

impl Drop for Own {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        cipher::zeroize::Zeroize::zeroize(Array::slice_as_flattened_mut(&mut self.0));
    }
}
