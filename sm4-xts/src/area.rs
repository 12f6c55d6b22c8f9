//! From sectors and areas to jobs.

use crate::{
    Block, Error, InOutBuf, Standard, Xts,
    direction::Direction,
    job::Job,
    limits::{check_area, check_sector},
    wipe::Wiped,
};
use cipher::{
    BlockCipherEncrypt,
    consts::{U1, U128},
    typenum::Unsigned,
};

/// How many sectors' tweaks are encrypted together: as many blocks as the widest backend takes.
type Group = U128;

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
        self.one::<D>(sector, &start.0);
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

        let sectors = area.len().div_ceil(sector_size);
        let mut starts = Wiped::<Group>::zeros();
        let mut rest = area;
        for done in (0..sectors).step_by(Group::USIZE) {
            let starts = &mut starts.0[..Group::USIZE.min(sectors - done)];
            for (index, start) in (done..).zip(&mut *starts) {
                *start = get_tweak(first + index as u128);
            }
            self.tweak.encrypt_blocks(starts);

            let len = rest.len().min(Group::USIZE * sector_size);
            let (group, behind) = rest.split_at(len);
            self.group::<D>(group, sector_size, starts);
            rest = behind;
        }
        Ok(())
    }

    /// Sectors with their encrypted tweaks.
    fn group<D: Direction>(
        &self,
        mut group: InOutBuf<'_, '_, u8>,
        sector_size: usize,
        starts: &[Block],
    ) {
        if sector_size.is_multiple_of(16) {
            // No gap between the blocks of one sector and those of the next: they share passes.
            D::run(&self.data, Job::<S>::new(group, starts, sector_size / 16));
            return;
        }
        for start in starts.chunks(1) {
            let len = group.len().min(sector_size);
            let (sector, behind) = group.split_at(len);
            self.one::<D>(sector, start);
            group = behind;
        }
    }

    /// One sector with its encrypted tweak.
    fn one<D: Direction>(&self, sector: InOutBuf<'_, '_, u8>, start: &[Block]) {
        let blocks = sector.len() / 16;
        D::run(&self.data, Job::<S>::new(sector, start, blocks));
    }
}
