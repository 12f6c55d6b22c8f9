//! The public methods: one set that panics, as `xts-mode` has it, and one that returns errors.

use crate::{
    Array, Error, InOutBuf, Standard, Xts,
    direction::{Decrypt, Encrypt},
};
use cipher::consts::U16;

/// Methods with the names and the behaviour of `xts-mode`.
impl<S: Standard> Xts<S> {
    /// Encrypts a sector of 16 bytes to 16 MiB in place.
    ///
    /// # Panics
    /// Where [`Self::try_encrypt_sector`] returns an error. The sector is not touched then.
    #[track_caller]
    pub fn encrypt_sector(&self, sector: &mut [u8], tweak: Array<u8, U16>) {
        or_panic(self.try_encrypt_sector(sector, tweak));
    }

    /// Decrypts a sector of 16 bytes to 16 MiB in place.
    ///
    /// # Panics
    /// Where [`Self::try_decrypt_sector`] returns an error. The sector is not touched then.
    #[track_caller]
    pub fn decrypt_sector(&self, sector: &mut [u8], tweak: Array<u8, U16>) {
        or_panic(self.try_decrypt_sector(sector, tweak));
    }

    /// Encrypts sectors of `sector_size` bytes each in place. The last one may be shorter, but has
    /// at least 16 bytes.
    ///
    /// The tweak of each sector is what `get_tweak_fn` makes of its index, usually
    /// [`get_tweak_default`](crate::get_tweak_default).
    ///
    /// # Panics
    /// Where [`Self::try_encrypt_area`] returns an error. The area is not touched then.
    #[track_caller]
    pub fn encrypt_area(
        &self,
        area: &mut [u8],
        sector_size: usize,
        first_sector_index: u128,
        get_tweak_fn: impl Fn(u128) -> Array<u8, U16>,
    ) {
        or_panic(self.try_encrypt_area(area, sector_size, first_sector_index, get_tweak_fn));
    }

    /// Decrypts sectors of `sector_size` bytes each in place. The last one may be shorter, but has
    /// at least 16 bytes.
    ///
    /// The tweak of each sector is what `get_tweak_fn` makes of its index, usually
    /// [`get_tweak_default`](crate::get_tweak_default).
    ///
    /// # Panics
    /// Where [`Self::try_decrypt_area`] returns an error. The area is not touched then.
    #[track_caller]
    pub fn decrypt_area(
        &self,
        area: &mut [u8],
        sector_size: usize,
        first_sector_index: u128,
        get_tweak_fn: impl Fn(u128) -> Array<u8, U16>,
    ) {
        or_panic(self.try_decrypt_area(area, sector_size, first_sector_index, get_tweak_fn));
    }
}

#[track_caller]
fn or_panic(result: Result<(), Error>) {
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// Methods that return errors. All lengths are checked before a byte is touched.
impl<S: Standard> Xts<S> {
    /// Encrypts a sector in place.
    ///
    /// # Errors
    /// [`Error::SectorTooShort`] below 16 bytes, [`Error::SectorTooLong`] above 16 MiB.
    pub fn try_encrypt_sector(
        &self,
        sector: &mut [u8],
        tweak: Array<u8, U16>,
    ) -> Result<(), Error> {
        self.encrypt_sector_inout(sector.into(), tweak)
    }

    /// Decrypts a sector in place.
    ///
    /// # Errors
    /// [`Error::SectorTooShort`] below 16 bytes, [`Error::SectorTooLong`] above 16 MiB.
    pub fn try_decrypt_sector(
        &self,
        sector: &mut [u8],
        tweak: Array<u8, U16>,
    ) -> Result<(), Error> {
        self.decrypt_sector_inout(sector.into(), tweak)
    }

    /// Encrypts sectors of `sector_size` bytes each in place; the last one may be shorter. An
    /// empty area has no sectors.
    ///
    /// # Errors
    /// - [`Error::SectorSize`] if `sector_size` is below 16.
    /// - [`Error::SectorTooShort`] if the last sector has fewer than 16 bytes.
    /// - [`Error::SectorTooLong`] if a sector has more than 16 MiB.
    /// - [`Error::SectorIndex`] if the index of the last sector exceeds [`u128::MAX`].
    pub fn try_encrypt_area(
        &self,
        area: &mut [u8],
        sector_size: usize,
        first_sector_index: u128,
        get_tweak_fn: impl Fn(u128) -> Array<u8, U16>,
    ) -> Result<(), Error> {
        self.encrypt_area_inout(area.into(), sector_size, first_sector_index, get_tweak_fn)
    }

    /// Decrypts sectors of `sector_size` bytes each in place; the last one may be shorter. An
    /// empty area has no sectors.
    ///
    /// # Errors
    /// As [`Self::try_encrypt_area`].
    pub fn try_decrypt_area(
        &self,
        area: &mut [u8],
        sector_size: usize,
        first_sector_index: u128,
        get_tweak_fn: impl Fn(u128) -> Array<u8, U16>,
    ) -> Result<(), Error> {
        self.decrypt_area_inout(area.into(), sector_size, first_sector_index, get_tweak_fn)
    }

    /// Encrypts a sector in place or from one buffer to another.
    ///
    /// # Errors
    /// As [`Self::try_encrypt_sector`].
    pub fn encrypt_sector_inout(
        &self,
        sector: InOutBuf<'_, '_, u8>,
        tweak: Array<u8, U16>,
    ) -> Result<(), Error> {
        self.sector::<Encrypt>(sector, tweak)
    }

    /// Decrypts a sector in place or from one buffer to another.
    ///
    /// # Errors
    /// As [`Self::try_decrypt_sector`].
    pub fn decrypt_sector_inout(
        &self,
        sector: InOutBuf<'_, '_, u8>,
        tweak: Array<u8, U16>,
    ) -> Result<(), Error> {
        self.sector::<Decrypt>(sector, tweak)
    }

    /// Encrypts sectors in place or from one buffer to another.
    ///
    /// # Errors
    /// As [`Self::try_encrypt_area`].
    pub fn encrypt_area_inout(
        &self,
        area: InOutBuf<'_, '_, u8>,
        sector_size: usize,
        first_sector_index: u128,
        get_tweak_fn: impl Fn(u128) -> Array<u8, U16>,
    ) -> Result<(), Error> {
        self.area::<Encrypt>(area, sector_size, first_sector_index, get_tweak_fn)
    }

    /// Decrypts sectors in place or from one buffer to another.
    ///
    /// # Errors
    /// As [`Self::try_decrypt_area`].
    pub fn decrypt_area_inout(
        &self,
        area: InOutBuf<'_, '_, u8>,
        sector_size: usize,
        first_sector_index: u128,
        get_tweak_fn: impl Fn(u128) -> Array<u8, U16>,
    ) -> Result<(), Error> {
        self.area::<Decrypt>(area, sector_size, first_sector_index, get_tweak_fn)
    }
}
