//! Blocks passed to filters of the host.

use super::block::BlockInfo;
use super::host::{Block, Inapplicable};
use super::slot::Filter;
use crate::base::{Error, Malformed, Result, Unsupported};

/// The facts about a block that a plugin gets.
const fn block<'a>(filter: Filter, info: &BlockInfo<'a>, src: &'a [u8]) -> Block<'a> {
    Block { src, meta: filter.meta, typesize: info.typesize, blockshape: info.blockshape }
}

/// Undoes a filter that is not built in.
#[cold]
pub(super) fn backward(filter: Filter, info: &BlockInfo<'_>, src: &[u8], dst: &mut [u8]) -> Result<()> {
    if let Some(plugin) = info.host.get(filter.id) {
        return plugin.backward(&block(filter, info, src), dst).map_err(|Inapplicable| {
            Error::format(Malformed::Field { name: "filter", value: filter.id.into() })
        });
    }
    Err(Unsupported::Filter(filter.id).into())
}

/// Applies a filter that is not built in.
#[cfg(feature = "encode")]
pub(super) fn forward(filter: Filter, info: &BlockInfo<'_>, src: &[u8], dst: &mut [u8]) -> Result<()> {
    if let Some(plugin) = info.host.get(filter.id) {
        return plugin
            .forward(&block(filter, info, src), dst)
            .map_err(|Inapplicable| crate::ArgumentError::Inapplicable(filter.id).into());
    }
    Err(Unsupported::Filter(filter.id).into())
}
