//! The six slots, and undoing what stands in them.

use super::{
    BITSHUFFLE, BYTEDELTA, BYTEDELTA_BUGGY, DELTA, INT_TRUNC, NDCELL, NDMEAN, NOFILTER, SHUFFLE, TRUNC_PREC,
    delta, nd,
};
use crate::base::{Result, Unsupported};
use crate::simd;
use core::mem;

/// Whether there are more filters than shuffle.
const MORE: bool = cfg!(feature = "filters");

/// Slots of a pipeline.
pub const MAX_FILTERS: usize = 6;

/// A filter and its parameter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filter {
    /// The filter's id; 0 is an empty slot.
    pub id: u8,
    /// What it means is the filter's affair (FORMAT §2.2).
    pub meta: u8,
}

/// The filters of a chunk. Compression applies them from slot 0 to slot 5, reading goes back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pipeline {
    /// The slots as stored, empty ones included.
    pub slots: [Filter; MAX_FILTERS],
}

/// What the filters of a pipeline know of the block that they work on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block<'a> {
    /// Bytes of an item, as the chunk's header has them.
    pub(crate) typesize: usize,
    /// Bytes of an item as the super-chunk has them: differs when they are more than 255.
    pub(crate) itemsize: usize,
    /// The chunk's first block, plain; `None` if this is the first.
    pub(crate) first: Option<&'a [u8]>,
    /// Items along each axis of the block, empty if it is not part of an array.
    pub(crate) blockshape: &'a [u32],
    /// Whether bitshuffle left blocks alone whose item count is no multiple of 8 (FORMAT §3.2, §20).
    pub(crate) early_bitshuffle: bool,
}

/// Two work buffers of the block's length; either may be empty where [`Pipeline::buffers`] says so.
pub(crate) struct Buffers<'a> {
    pub(crate) a: &'a mut [u8],
    pub(crate) b: &'a mut [u8],
}

impl Pipeline {
    /// The filters that are there, from the first applied to the last.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Filter> + '_ {
        self.slots.iter().copied().filter(|filter| filter.id != NOFILTER)
    }

    /// Whether filter `id` is among them.
    ///
    /// ```
    /// use b2nd::filter::{DELTA, Pipeline};
    /// assert!(!Pipeline::default().contains(DELTA));
    /// ```
    pub fn contains(&self, id: u8) -> bool {
        self.iter().any(|filter| filter.id == id)
    }

    /// How many work buffers [`backward`](Self::backward) needs: 0, 1 or 2.
    pub(crate) fn buffers(&self) -> usize {
        self.moving().min(2)
    }

    /// Filters that write their result to another buffer; the others work in place.
    fn moving(&self) -> usize {
        self.iter().filter(|filter| moves(filter.id)).count()
    }

    /// Lets `fill` write the filtered block where it is cheapest, then undoes the filters; the plain block ends
    /// in `dst`.
    pub(crate) fn backward(
        &self,
        block: &Block<'_>,
        buffers: Buffers<'_>,
        dst: &mut [u8],
        fill: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<()> {
        let mut moves_left = self.moving();
        let Buffers { a: mut now, b: mut next } = buffers;
        let mut last = Some(dst);
        if moves_left == 0
            && let Some(dst) = last.take()
        {
            now = dst;
        }
        fill(now)?;
        for filter in self.iter().rev() {
            if !moves(filter.id) {
                in_place(filter, block, now)?;
                continue;
            }
            moves_left -= 1;
            if moves_left == 0
                && let Some(dst) = last.take()
            {
                next = dst;
            }
            moving(filter, block, now, next)?;
            mem::swap(&mut now, &mut next);
        }
        Ok(())
    }
}

pub(crate) const fn moves(id: u8) -> bool {
    !matches!(id, DELTA | TRUNC_PREC | INT_TRUNC)
}

fn in_place(filter: Filter, block: &Block<'_>, bytes: &mut [u8]) -> Result<()> {
    match filter.id {
        DELTA if MORE => delta::delta_backward(block, bytes),
        // What they cut off is gone.
        TRUNC_PREC | INT_TRUNC => {}
        _ => return Err(Unsupported::Filter(filter.id).into()),
    }
    Ok(())
}

fn moving(filter: Filter, block: &Block<'_>, src: &[u8], dst: &mut [u8]) -> Result<()> {
    match filter.id {
        SHUFFLE if filter.meta == 0 => simd::unshuffle(block.typesize, src, dst),
        SHUFFLE => simd::unshuffle(usize::from(filter.meta), src, dst),
        _ if !MORE => return Err(Unsupported::Filter(filter.id).into()),
        BITSHUFFLE if block.early_bitshuffle && !(src.len() / block.typesize).is_multiple_of(8) => {
            dst.copy_from_slice(src);
        }
        BITSHUFFLE => simd::bitunshuffle(block.typesize, src, dst),
        BYTEDELTA | BYTEDELTA_BUGGY => {
            let streams = if filter.meta == 0 { block.itemsize } else { usize::from(filter.meta) };
            delta::bytedelta_backward(filter.id, streams, src, dst);
        }
        NDCELL | NDMEAN => nd::backward(filter.id, filter.meta, block, src, dst)?,
        _ => return Err(Unsupported::Filter(filter.id).into()),
    }
    Ok(())
}
