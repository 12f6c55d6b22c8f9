//! The lengths that XTS allows.

use crate::Error;

/// Most bytes of a sector: 2^20 blocks.
const SECTOR_MAX: usize = 16 << 20;

/// Says whether a sector may have `len` bytes.
pub(crate) const fn check_sector(len: usize) -> Result<(), Error> {
    if len < 16 {
        return Err(Error::SectorTooShort);
    }
    if len > SECTOR_MAX {
        return Err(Error::SectorTooLong);
    }
    Ok(())
}

/// Says whether `len` bytes may be cut into sectors of `sector_size` bytes and a shorter last one.
pub(crate) const fn check_area(len: usize, sector_size: usize, first: u128) -> Result<(), Error> {
    if sector_size < 16 {
        return Err(Error::SectorSize);
    }
    if len == 0 {
        return Ok(());
    }
    let (full, last) = (len / sector_size, len % sector_size);
    if full > 0 && sector_size > SECTOR_MAX {
        return Err(Error::SectorTooLong);
    }
    if last > 0
        && let Err(error) = check_sector(last)
    {
        return Err(error);
    }
    let behind_first = (len - 1) / sector_size;
    if first.checked_add(behind_first as u128).is_none() {
        return Err(Error::SectorIndex);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{check_area, check_sector};
    use crate::Error;

    #[test]
    fn a_sector_has_16_bytes_to_16_mebibytes() {
        for len in 0..16 {
            assert_eq!(check_sector(len), Err(Error::SectorTooShort));
        }
        assert_eq!(check_sector(16), Ok(()));
        assert_eq!(check_sector(16_777_216), Ok(()));
        assert_eq!(check_sector(16_777_217), Err(Error::SectorTooLong));
        assert_eq!(check_sector(usize::MAX), Err(Error::SectorTooLong));
    }

    #[test]
    fn an_area_is_checked_by_its_sectors() {
        for size in 0..16 {
            assert_eq!(check_area(0, size, 0), Err(Error::SectorSize));
            assert_eq!(check_area(512, size, 0), Err(Error::SectorSize));
        }
        assert_eq!(check_area(0, 512, 0), Ok(()));
        assert_eq!(check_area(0, usize::MAX, u128::MAX), Ok(()));
        assert_eq!(check_area(1024, 512, 0), Ok(()));
        for last in 1..16 {
            assert_eq!(check_area(1024 + last, 512, 0), Err(Error::SectorTooShort));
            assert_eq!(check_area(last, 512, 0), Err(Error::SectorTooShort));
        }
        assert_eq!(check_area(1040, 512, 0), Ok(()));
        assert_eq!(check_area(1 << 25, 1 << 24, 0), Ok(()));
        assert_eq!(
            check_area(1 << 25, (1 << 24) + 1, 0),
            Err(Error::SectorTooLong)
        );
        // One sector that is shorter than the sector size.
        assert_eq!(check_area(1 << 24, usize::MAX, 0), Ok(()));
        assert_eq!(
            check_area((1 << 24) + 1, usize::MAX, 0),
            Err(Error::SectorTooLong)
        );
    }

    #[test]
    fn the_last_index_has_to_fit() {
        assert_eq!(check_area(512, 512, u128::MAX), Ok(()));
        assert_eq!(
            check_area(513 + 15, 512, u128::MAX),
            Err(Error::SectorIndex)
        );
        assert_eq!(check_area(1024, 512, u128::MAX), Err(Error::SectorIndex));
        assert_eq!(check_area(1024, 512, u128::MAX - 1), Ok(()));
        assert_eq!(
            check_area(1024 + 16, 512, u128::MAX - 1),
            Err(Error::SectorIndex)
        );
    }
}
