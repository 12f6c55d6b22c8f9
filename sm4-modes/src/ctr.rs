//! Counter mode (GB/T 17964-2021, 9; NIST SP 800-38A, 6.5), with the names of the crate `ctr`.
//!
//! The first counter block is the nonce of 16 bytes; from there a counter of 32, 64 or 128 bits counts up and wraps
//! within its own bytes: the last ones of the block for the big-endian flavors, the first ones for the little-endian
//! ones. The same counter block twice under one key reveals the XOR of two plaintexts. CTR authenticates nothing.
//!
//! As in the crate `ctr`, the keystream ends one block before the counter would come back to its start.

mod ahead;
mod core_api;
pub mod flavors;
mod stream;

pub use core_api::CtrCore;
pub use flavors::CtrFlavor;
pub use stream::Ctr;

use sm4::Sm4;

/// CTR with a 32-bit big-endian counter.
pub type Ctr32BE<C = Sm4> = Ctr<C, flavors::Ctr32BE>;
/// CTR with a 32-bit little-endian counter.
pub type Ctr32LE<C = Sm4> = Ctr<C, flavors::Ctr32LE>;
/// CTR with a 64-bit big-endian counter.
pub type Ctr64BE<C = Sm4> = Ctr<C, flavors::Ctr64BE>;
/// CTR with a 64-bit little-endian counter.
pub type Ctr64LE<C = Sm4> = Ctr<C, flavors::Ctr64LE>;
/// CTR with a 128-bit big-endian counter.
pub type Ctr128BE<C = Sm4> = Ctr<C, flavors::Ctr128BE>;
/// CTR with a 128-bit little-endian counter.
pub type Ctr128LE<C = Sm4> = Ctr<C, flavors::Ctr128LE>;
