//! CTR (SP 800-38A, 6.5) with counters of several widths.

use super::cipher16::{Block, Cipher16};

/// Where the counter stands in the block, how wide it is and in which byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// The last bytes, big-endian; the width in bits.
    Be(u32),
    /// The first bytes, little-endian; the width in bits.
    Le(u32),
}

impl Counter {
    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            Self::Be(bits) | Self::Le(bits) => bits,
        }
    }
}

/// The counter block `n` blocks after `iv`: the counter wraps at its width, the other bytes stay.
pub fn counter_block(counter: Counter, iv: Block, n: u128) -> Block {
    let width = (counter.bits() / 8) as usize;
    let mut block = iv;
    // Byte by byte with a carry, as one does it on paper.
    let mut carry = 0u16;
    for i in 0..width {
        let at = match counter {
            Counter::Be(_) => 15 - i,
            Counter::Le(_) => i,
        };
        let addend = u16::from((n >> (8 * i)) as u8);
        let sum = u16::from(block[at]) + addend + carry;
        block[at] = sum as u8;
        carry = sum >> 8;
    }
    block
}

/// Adds the keystream to `data`, where `data` starts `start` bytes into the stream.
pub fn apply(c: &impl Cipher16, counter: Counter, iv: Block, start: u128, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len());
    let mut keystream = [0; 16];
    for (i, &byte) in data.iter().enumerate() {
        let at = start + i as u128;
        if i == 0 || at.is_multiple_of(16) {
            keystream = c.e(counter_block(counter, iv, at / 16));
        }
        out.push(byte ^ keystream[(at % 16) as usize]);
    }
    out
}
