//! From areas to sectors, whose tweaks are encrypted together.

use crate::{
    Block, Error, InOutBuf, Standard, Xts,
    direction::Direction,
    limits::{check_area, check_sector},
    wipe::Wiped,
};
use cipher::{
    BlockCipherEncrypt,
    array::ArraySize,
    consts::{U1, U8, U128},
    typenum::Unsigned,
};

/// How many sectors' tweaks are encrypted together: as many blocks as the widest backend takes.
pub(crate) type Group = U128;

/// The same, where there are no more.
type Few = U8;

impl<S: Standard> Xts<S> {
    pub(crate) fn sector<D: Direction>(
        &self,
        sector: InOutBuf<'_, '_, u8>,
        tweak: Block,
    ) -> Result<(), Error> {
        check_sector(sector.len())?;
        let mut start = Wiped::<U1>::zeros();
        start.0[0] = tweak;
        self.tweak.encrypt_block(&mut start.0[0]);
        self.one::<D>(sector, &mut start.0[0]);
        Ok(())
    }

    pub(crate) fn area<D: Direction>(
        &self,
        area: InOutBuf<'_, '_, u8>,
        sector_size: usize,
        first: u128,
        get_tweak: impl Fn(u128) -> Block,
    ) -> Result<(), Error> {
        check_area(area.len(), sector_size, first)?;
        if area.is_empty() {
            return Ok(());
        }
        if area.len() <= sector_size {
            // A single sector: no need for a whole group of tweaks.
            return self.sector::<D>(area, get_tweak(first));
        }

        // Less room costs less to clear.
        if area.len().div_ceil(sector_size) <= Few::USIZE {
            self.groups::<D, Few>(area, sector_size, first, get_tweak);
        } else {
            self.groups::<D, Group>(area, sector_size, first, get_tweak);
        }
        Ok(())
    }

    /// Sectors of which the tweaks of `N` at a time are encrypted together.
    fn groups<D: Direction, N: ArraySize>(
        &self,
        area: InOutBuf<'_, '_, u8>,
        sector_size: usize,
        first: u128,
        get_tweak: impl Fn(u128) -> Block,
    ) {
        let sectors = area.len().div_ceil(sector_size);
        let mut starts = Wiped::<N>::zeros();
        let mut rest = area;
        for done in (0..sectors).step_by(N::USIZE) {
            let starts = &mut starts.0[..N::USIZE.min(sectors - done)];
            for (index, start) in (done..).zip(&mut *starts) {
                *start = get_tweak(first + index as u128);
            }
            self.tweak.encrypt_blocks(starts);

            let len = rest.len().min(N::USIZE * sector_size);
            let (group, behind) = rest.split_at(len);
            self.group::<D>(group, sector_size, starts);
            rest = behind;
        }
    }

    /// Sectors with their encrypted tweaks.
    fn group<D: Direction>(
        &self,
        group: InOutBuf<'_, '_, u8>,
        sector_size: usize,
        starts: &mut [Block],
    ) {
        let len = group.len();
        // What has the same shape: all sectors but a last one that is shorter, and it as well where
        // no sector has a partial block.
        let alike = if len.is_multiple_of(16) && sector_size.is_multiple_of(16) {
            len
        } else {
            len - len % sector_size
        };
        let (alike, last) = group.split_at(alike);
        let (starts, start_of_last) = starts.split_at_mut(alike.len().div_ceil(sector_size));
        self.sectors::<D>(alike, sector_size, starts);
        if let Some(start) = start_of_last.first_mut() {
            self.one::<D>(last, start);
        }
    }
}
