//! The filter pipeline of six slots, and its inverse.

use super::block::BlockInfo;
use super::slot::Filter;
use super::{
    BITSHUFFLE, BYTEDELTA, BYTEDELTA_BUGGY, DELTA, INT_TRUNC, NDCELL, NDMEAN, NOFILTER, SHUFFLE, TRUNC_PREC,
    delta, hosted, nd,
};
use crate::base::{Result, Unsupported};
use crate::simd;
use core::mem;

/// Whether filters other than shuffle and the truncating ones are built in.
pub(super) const MORE: bool = cfg!(feature = "filters");

/// Slots of a pipeline.
pub const MAX_FILTERS: usize = 6;

/// The filters of a chunk. Compression applies them from slot 0 to slot 5; decompression undoes them in reverse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Pipeline {
    /// The slots as stored, empty ones included.
    pub slots: [Filter; MAX_FILTERS],
}

impl Pipeline {
    /// The filters in use, in the order in which compression applies them.
    ///
    /// ```
    /// use b2nd::{chunk::CParams, filter::SHUFFLE};
    /// assert!(CParams::default().filters.iter().map(|filter| filter.id).eq([SHUFFLE]));
    /// ```
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Filter> + '_ {
        self.slots.iter().copied().filter(|filter| filter.id != NOFILTER)
    }

    /// Whether filter `id` is in use.
    ///
    /// ```
    /// use b2nd::filter::{DELTA, Pipeline};
    /// assert!(!Pipeline::default().contains(DELTA));
    /// ```
    pub fn contains(&self, id: u8) -> bool {
        self.iter().any(|filter| filter.id == id)
    }

    /// The filters that are to be undone, in the order in which compression applies them.
    fn undone(&self) -> impl Iterator<Item = Filter> + '_ {
        self.iter().filter(|filter| !matches!(filter.id, TRUNC_PREC | INT_TRUNC))
    }

    /// Whether nothing is to be undone.
    #[cfg(feature = "alloc")]
    pub(crate) fn undo_nothing(&self) -> bool {
        self.undone().next().is_none()
    }

    /// Whether all that is to be undone is a shuffle of elements of `size` bytes, the bytes of an item.
    pub(crate) fn only_shuffles(&self, size: usize) -> bool {
        let mut filters = self.undone();
        let shuffle = filters.next();
        shuffle.is_some_and(|filter| {
            filter.id == SHUFFLE && matches!(usize::from(filter.meta), meta if meta == 0 || meta == size)
        }) && filters.next().is_none()
    }

    /// How many filters write to another buffer; the others work in place.
    pub(crate) fn moving(&self) -> usize {
        self.iter().filter(|filter| moves(filter.id)).count()
    }

    /// Has `fill` write the filtered block to `dst` or `buffer`, then undoes the filters so that the decoded block
    /// ends up in `dst`. Without [moving](Self::moving) filters the buffer may be empty.
    pub(crate) fn backward(
        &self,
        block: &BlockInfo<'_>,
        buffer: &mut [u8],
        dst: &mut [u8],
        fill: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<()> {
        let (mut now, mut next) = if self.moving().is_multiple_of(2) { (dst, buffer) } else { (buffer, dst) };
        fill(now)?;
        for filter in self.iter().rev() {
            if moves(filter.id) {
                moving(filter, block, now, next)?;
                mem::swap(&mut now, &mut next);
            } else {
                in_place(filter, block, now)?;
            }
        }
        Ok(())
    }
}

pub(crate) const fn moves(id: u8) -> bool {
    !matches!(id, DELTA | TRUNC_PREC | INT_TRUNC)
}

fn in_place(filter: Filter, block: &BlockInfo<'_>, bytes: &mut [u8]) -> Result<()> {
    match filter.id {
        DELTA if MORE => delta::delta_backward(block, bytes),
        // Truncation cannot be undone.
        TRUNC_PREC | INT_TRUNC => {}
        _ => return Err(Unsupported::Filter(filter.id).into()),
    }
    Ok(())
}

fn moving(filter: Filter, block: &BlockInfo<'_>, src: &[u8], dst: &mut [u8]) -> Result<()> {
    match filter.id {
        SHUFFLE if filter.meta == 0 => simd::unshuffle(block.typesize, src, dst),
        SHUFFLE => simd::unshuffle(usize::from(filter.meta), src, dst),
        _ if !MORE => hosted::backward(filter, block, src, dst)?,
        BITSHUFFLE if block.early_bitshuffle && !(src.len() / block.typesize).is_multiple_of(8) => {
            dst.copy_from_slice(src);
        }
        BITSHUFFLE => simd::bitunshuffle(block.typesize, src, dst),
        BYTEDELTA | BYTEDELTA_BUGGY => {
            let streams = if filter.meta == 0 { block.itemsize } else { usize::from(filter.meta) };
            delta::bytedelta_backward(filter.id, streams, src, dst);
        }
        NDCELL | NDMEAN => nd::backward(filter.id, filter.meta, block, src, dst)?,
        _ => hosted::backward(filter, block, src, dst)?,
    }
    Ok(())
}
