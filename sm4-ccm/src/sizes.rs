//! The tag and nonce sizes that CCM allows (SP 800-38C, appendix A.1).

use aead::array::ArraySize;

/// Sizes that a tag can have: [`U4`], [`U6`], [`U8`], [`U10`], [`U12`], [`U14`] and [`U16`].
///
/// The trait is sealed.
///
/// [`U4`]: aead::consts::U4
/// [`U6`]: aead::consts::U6
/// [`U8`]: aead::consts::U8
/// [`U10`]: aead::consts::U10
/// [`U12`]: aead::consts::U12
/// [`U14`]: aead::consts::U14
/// [`U16`]: aead::consts::U16
pub trait TagSize: ArraySize + sealed::TagSize {}

impl<T: ArraySize + sealed::TagSize> TagSize for T {}

/// Sizes that a nonce can have: [`U7`], [`U8`], [`U9`], [`U10`], [`U11`], [`U12`] and [`U13`].
///
/// The trait is sealed.
///
/// [`U7`]: aead::consts::U7
/// [`U8`]: aead::consts::U8
/// [`U9`]: aead::consts::U9
/// [`U10`]: aead::consts::U10
/// [`U11`]: aead::consts::U11
/// [`U12`]: aead::consts::U12
/// [`U13`]: aead::consts::U13
pub trait NonceSize: ArraySize + sealed::NonceSize {}

impl<T: ArraySize + sealed::NonceSize> NonceSize for T {}

mod sealed {
    use aead::consts::{U4, U6, U7, U8, U9, U10, U11, U12, U13, U14, U16};

    pub trait TagSize {}

    impl TagSize for U4 {}
    impl TagSize for U6 {}
    impl TagSize for U8 {}
    impl TagSize for U10 {}
    impl TagSize for U12 {}
    impl TagSize for U14 {}
    impl TagSize for U16 {}

    pub trait NonceSize {}

    impl NonceSize for U7 {}
    impl NonceSize for U8 {}
    impl NonceSize for U9 {}
    impl NonceSize for U10 {}
    impl NonceSize for U11 {}
    impl NonceSize for U12 {}
    impl NonceSize for U13 {}
}
