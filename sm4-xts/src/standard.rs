//! Where the two standards differ: the order of the bits of a tweak.

use core::fmt::Debug;
use sm4::xex::{HighFirst, LowFirst, Order};

/// The standards of XTS: [`Ieee1619`] and [`Gbt17964`].
///
/// The trait is sealed.
pub trait Standard: sealed::Standard {}

impl<S: sealed::Standard> Standard for S {}

/// IEEE 1619: the least significant bit of the first byte is the coefficient of x^0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ieee1619;

/// GB/T 17964-2021: the most significant bit of the first byte is the coefficient of x^0, as in
/// GCM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gbt17964;

mod sealed {
    use super::{Debug, HighFirst, LowFirst, Order};

    pub trait Standard: Copy + Debug + Default + Send + Sync + Unpin + 'static {
        type Order: Order;
    }

    impl Standard for super::Ieee1619 {
        type Order = LowFirst;
    }

    impl Standard for super::Gbt17964 {
        type Order = HighFirst;
    }
}
