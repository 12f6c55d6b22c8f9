//! The mode itself: sectors whose tweaks are encrypted already, in as few passes as their blocks fill.

use crate::{
    Block, InOutBuf, Standard, Xts, area::Group, direction::Direction, steal::steal, wipe::Wiped,
};
use cipher::{
    Array,
    consts::{U1, U16, U128},
    typenum::Unsigned,
};
use core::slice;
use sm4::xex::{Last, Masks};

/// Blocks that are brought together where partial blocks lie between them.
type Gathered = U128;

impl<S: Standard> Xts<S> {
    /// One sector.
    pub(crate) fn one<D: Direction>(&self, sector: InOutBuf<'_, '_, u8>, start: &mut Block) {
        let starts = slice::from_mut(start);
        let (mut whole, partial) = sector.into_chunks::<U16>();
        let blocks = whole.len();
        if partial.is_empty() {
            self.run::<D>(whole, starts, blocks, Last::Own);
            return;
        }
        self.run::<D>(whole.reborrow(), starts, blocks, D::STEALING);
        let mut stolen = Wiped::<U1>::zeros();
        let last = &mut whole.get_out()[blocks - 1];
        stolen.0[0] = steal(last, partial);
        self.each::<D>(&mut stolen.0, starts);
        *last = stolen.0[0];
    }

    /// Sectors of `size` bytes each, no more than [`Group`](Group).
    pub(crate) fn sectors<D: Direction>(
        &self,
        mut sectors: InOutBuf<'_, '_, u8>,
        size: usize,
        starts: &mut [Block],
    ) {
        if size.is_multiple_of(16) {
            // No gap between the blocks of one sector and those of the next.
            self.run::<D>(sectors.into_chunks().0, starts, size / 16, Last::Own);
            return;
        }
        self.whole_blocks::<D>(sectors.reborrow(), size, starts);

        let mut stolen = Wiped::<Group>::zeros();
        let stolen = &mut stolen.0[..starts.len()];
        let mut rest = sectors.reborrow();
        for stolen in &mut *stolen {
            let (sector, behind) = rest.split_at(size);
            let (mut whole, partial) = sector.into_chunks::<U16>();
            let last = whole.len() - 1;
            *stolen = steal(&whole.get_out()[last], partial);
            rest = behind;
        }
        self.each::<D>(stolen, starts);
        let at = size - size % 16 - 16;
        for (sector, stolen) in sectors.get_out().chunks_exact_mut(size).zip(stolen) {
            sector[at..at + 16].copy_from_slice(stolen);
        }
    }

    /// The whole blocks of sectors that have partial ones.
    fn whole_blocks<D: Direction>(
        &self,
        sectors: InOutBuf<'_, '_, u8>,
        size: usize,
        starts: &mut [Block],
    ) {
        let per_sector = size / 16;
        let mut rest = sectors;
        if per_sector > Gathered::USIZE / 2 {
            for start in starts {
                let (sector, behind) = rest.split_at(size);
                let whole = sector.into_chunks().0;
                self.run::<D>(whole, slice::from_mut(start), per_sector, D::STEALING);
                rest = behind;
            }
            return;
        }
        let mut gathered = Wiped::<Gathered>::zeros();
        for starts in starts.chunks_mut(Gathered::USIZE / per_sector) {
            let (mut sectors, behind) = rest.split_at(starts.len() * size);
            let whole = &mut gathered.0[..starts.len() * per_sector];
            for (whole, sector) in whole
                .chunks_exact_mut(per_sector)
                .zip(sectors.get_in().chunks_exact(size))
            {
                let whole = Array::slice_as_flattened_mut(whole);
                whole.copy_from_slice(&sector[..16 * per_sector]);
            }
            let masks = Masks::<S::Order>::new(starts, per_sector, D::STEALING);
            D::run(&self.data, masks, (&mut *whole).into());
            for (whole, sector) in whole
                .chunks_exact(per_sector)
                .zip(sectors.get_out().chunks_exact_mut(size))
            {
                sector[..16 * per_sector].copy_from_slice(Array::slice_as_flattened(whole));
            }
            rest = behind;
        }
    }

    /// Sectors of `per_sector` blocks without gaps. The last one may have fewer.
    fn run<D: Direction>(
        &self,
        blocks: InOutBuf<'_, '_, Block>,
        starts: &mut [Block],
        per_sector: usize,
        last: Last,
    ) {
        let masks = Masks::<S::Order>::new(starts, per_sector, last);
        D::run(&self.data, masks, blocks);
    }

    /// Blocks with a tweak each.
    fn each<D: Direction>(&self, blocks: &mut [Block], tweaks: &mut [Block]) {
        let masks = Masks::<S::Order>::new(tweaks, 1, Last::Own);
        D::run(&self.data, masks, blocks.into());
    }
}
