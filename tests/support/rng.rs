//! A small generator of pseudorandom numbers, so that every run tests the same cases.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator with a fixed seed, which is printed: a failing test shows it.
    pub fn new(seed: u64) -> Self {
        println!("seed {seed:#x}");
        Self(seed)
    }

    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    /// `len` bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.word() as u8).collect()
    }

    /// `N` bytes.
    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        core::array::from_fn(|_| self.word() as u8)
    }

    /// Cuts `len` into parts: many short ones, some long ones, now and then an empty one.
    pub fn splits(&mut self, len: usize) -> Vec<usize> {
        let mut parts = Vec::new();
        let mut rest = len;
        while rest > 0 {
            let bound = match self.below(4) {
                0 => 3,
                1 => 20,
                2 => 300,
                _ => rest + 1,
            };
            let part = self.below(bound).min(rest);
            parts.push(part);
            rest -= part;
        }
        parts
    }
}
