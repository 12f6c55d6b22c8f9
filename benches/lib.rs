//! What the benchmarks share.

/// Message lengths in bytes: those of the tables that the project started from, and longer ones. 1420 is 88
/// blocks and a tail of 12 bytes.
pub const SIZES: [usize; 9] = [16, 64, 128, 256, 1024, 1420, 4096, 8192, 65536];
