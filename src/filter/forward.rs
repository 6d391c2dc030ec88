//! Applying the filters of a pipeline.

use super::pipeline::MORE;
use super::{
    BITSHUFFLE, BYTEDELTA, BYTEDELTA_BUGGY, BlockInfo, DELTA, Filter, HostFilters, INT_TRUNC, NDCELL, NDMEAN,
    NOFILTER, Pipeline, SHUFFLE, TRUNC_PREC, delta, hosted, moves, nd, trunc,
};
use crate::base::{ArgumentError, Result, Unsupported, copy};
use crate::simd;
use core::mem;

impl Pipeline {
    /// Says no to filters that cannot be applied to chunks of `nbytes`, or not so that they could be undone.
    pub(crate) fn check_forward(&self, typesize: usize, nbytes: usize, host: HostFilters<'_>) -> Result<()> {
        for filter in self.iter() {
            let applicable = match filter.id {
                SHUFFLE => true,
                id if !built_in(id) && host.get(id).is_some() => true,
                _ if !MORE => return Err(Unsupported::Filter(filter.id).into()),
                BITSHUFFLE | BYTEDELTA | NDCELL | NDMEAN => true,
                // The reference loses the last bytes (FORMAT §11 B6).
                DELTA => nbytes.is_multiple_of(delta::delta_unit(typesize)),
                TRUNC_PREC | INT_TRUNC => trunc::cleared(filter, typesize).is_some(),
                _ => return Err(Unsupported::Filter(filter.id).into()),
            };
            if !applicable {
                return Err(ArgumentError::Inapplicable(filter.id).into());
            }
        }
        Ok(())
    }

    /// Says no to TRUNC_PREC for items that are no floats, and without a number of bits to keep.
    pub(crate) fn check_items(&self, are_floats: bool, itemsize: usize) -> Result<()> {
        let applicable = |filter: Filter| are_floats && trunc::cleared(filter, itemsize).is_some();
        if self.iter().all(|filter| filter.id != TRUNC_PREC || applicable(filter)) {
            return Ok(());
        }
        Err(ArgumentError::Inapplicable(TRUNC_PREC).into())
    }

    /// The memory for applying the filters.
    pub(crate) fn needs(&self) -> FilterNeeds {
        FilterNeeds::of(&self.slots.map(|filter| filter.id))
    }

    /// Applies the filters to a `plain` block. The result lies in one of the buffers, or is the block itself where there is
    /// no filter. The buffers that are [needed](FilterNeeds::buffers) have its length.
    pub(crate) fn forward<'b>(
        &self,
        block: &BlockInfo<'_>,
        plain: &'b [u8],
        [mut now, mut next]: [&'b mut [u8]; 2],
    ) -> Result<&'b [u8]> {
        let mut filtered = false;
        for filter in self.iter() {
            if !moves(filter.id) {
                if !filtered {
                    copy(plain, now)?;
                }
                in_place(filter, block, now)?;
            } else if filtered {
                moving(filter, block, now, next)?;
                mem::swap(&mut now, &mut next);
            } else {
                moving(filter, block, plain, now)?;
            }
            filtered = true;
        }
        Ok(if filtered { now } else { plain })
    }
}

/// The memory for applying some filters.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FilterNeeds {
    /// Buffers of a block.
    pub(crate) buffers: usize,
    /// Whether readers decode another first block than the plain one, and others depend on it.
    pub(crate) first: bool,
}

impl FilterNeeds {
    /// Of the filters with these ids.
    pub(crate) const fn of(ids: &[u8]) -> Self {
        let (mut buffers, mut lossy, mut delta, mut slot) = (0, false, false, 0);
        while slot < ids.len() {
            let id = ids[slot];
            if id != NOFILTER {
                // The first filter reads the plain block, others one of the buffers.
                let other = moves(id) && buffers > 0;
                buffers = if other {
                    2
                } else if buffers > 0 {
                    buffers
                } else {
                    1
                };
                lossy |= matches!(id, TRUNC_PREC | INT_TRUNC | NDMEAN) || !built_in(id);
                delta |= id == DELTA;
            }
            slot += 1;
        }
        Self { buffers, first: MORE && lossy && delta }
    }
}

/// Whether this is one of our own filters. Without the feature `filters` the host can bring those that write to another
/// buffer.
const fn built_in(id: u8) -> bool {
    match id {
        SHUFFLE | DELTA | TRUNC_PREC | INT_TRUNC => true,
        BITSHUFFLE | BYTEDELTA | BYTEDELTA_BUGGY | NDCELL | NDMEAN => MORE,
        _ => false,
    }
}

fn in_place(filter: Filter, block: &BlockInfo<'_>, bytes: &mut [u8]) -> Result<()> {
    match filter.id {
        DELTA if MORE => delta::delta_forward(block, bytes),
        TRUNC_PREC | INT_TRUNC => {
            let bits = trunc::cleared(filter, block.typesize);
            trunc::clear(bits.ok_or(ArgumentError::Inapplicable(filter.id))?, block.typesize, bytes);
        }
        _ => return Err(Unsupported::Filter(filter.id).into()),
    }
    Ok(())
}

fn moving(filter: Filter, block: &BlockInfo<'_>, src: &[u8], dst: &mut [u8]) -> Result<()> {
    match filter.id {
        SHUFFLE if filter.meta == 0 => simd::shuffle(block.typesize, src, dst),
        SHUFFLE => simd::shuffle(usize::from(filter.meta), src, dst),
        _ if !MORE => hosted::forward(filter, block, src, dst)?,
        BITSHUFFLE if block.early_bitshuffle && !(src.len() / block.typesize).is_multiple_of(8) => {
            dst.copy_from_slice(src);
        }
        BITSHUFFLE => simd::bitshuffle(block.typesize, src, dst),
        BYTEDELTA => {
            let streams = if filter.meta == 0 { block.itemsize } else { usize::from(filter.meta) };
            delta::bytedelta_forward(streams, src, dst);
        }
        NDCELL | NDMEAN => nd::forward(filter.id, filter.meta, block, src, dst)?,
        _ => hosted::forward(filter, block, src, dst)?,
    }
    Ok(())
}
