//! The block that filters work on.

use super::host::HostFilters;

/// The facts about a block that filters need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockInfo<'a> {
    /// Bytes per item, from the chunk's header.
    pub(crate) typesize: usize,
    /// Bytes per item, from the super-chunk. Differs from `typesize` if above 255.
    pub(crate) itemsize: usize,
    /// The chunk's first block, decoded; `None` if this is the first.
    pub(crate) first: Option<&'a [u8]>,
    /// Items along each axis of the block, empty if it is not part of an array.
    pub(crate) blockshape: &'a [u32],
    /// Whether bitshuffle skipped blocks whose item count is not a multiple of 8 (FORMAT §3.2, §13.1).
    pub(crate) early_bitshuffle: bool,
    /// Filters that are not built in.
    pub(crate) host: HostFilters<'a>,
}
