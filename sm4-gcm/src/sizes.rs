//! The nonce and tag sizes that GCM allows.

use aead::array::{ArraySize, typenum::NonZero};

/// Sizes that a nonce can have: 1 byte and up.
///
/// Every [`ArraySize`] but `U0` has this trait. It cannot be implemented outside this crate.
pub trait NonceSize: ArraySize + NonZero {}

impl<T: ArraySize + NonZero> NonceSize for T {}

/// Sizes that a tag can have: [`U12`], [`U13`], [`U14`], [`U15`] and [`U16`], and with the feature
/// `hazmat` also [`U4`] and [`U8`].
///
/// The trait is sealed.
///
/// [`U4`]: aead::consts::U4
/// [`U8`]: aead::consts::U8
/// [`U12`]: aead::consts::U12
/// [`U13`]: aead::consts::U13
/// [`U14`]: aead::consts::U14
/// [`U15`]: aead::consts::U15
/// [`U16`]: aead::consts::U16
pub trait TagSize: ArraySize + sealed::TagSize {}

impl<T: ArraySize + sealed::TagSize> TagSize for T {}

mod sealed {
    #[cfg(feature = "hazmat")]
    use aead::consts::{U4, U8};
    use aead::consts::{U12, U13, U14, U15, U16};

    pub trait TagSize {}

    #[cfg(feature = "hazmat")]
    impl TagSize for U4 {}
    #[cfg(feature = "hazmat")]
    impl TagSize for U8 {}
    impl TagSize for U12 {}
    impl TagSize for U13 {}
    impl TagSize for U14 {}
    impl TagSize for U15 {}
    impl TagSize for U16 {}
}
