//! Filters added by the host.

use crate::base::Plugins;
use core::fmt;

/// A filter cannot be applied to a block, or not undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inapplicable;

impl fmt::Display for Inapplicable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the filter cannot be applied here")
    }
}

impl core::error::Error for Inapplicable {}

/// A block to filter, or one to unfilter.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Block<'a> {
    /// The block's bytes.
    pub src: &'a [u8],
    /// The filter's parameter, from the chunk's header.
    pub meta: u8,
    /// Bytes per item, from the chunk's header.
    pub typesize: usize,
    /// Items along each axis of a block; empty if the chunk is not part of an array.
    pub blockshape: &'a [u32],
}

/// A filter that is not built in. It turns a block into another one of the same length.
///
/// ```
/// use b2nd::codec::Registry;
/// use b2nd::filter::{Block, Inapplicable, Plugin};
///
/// /// Adds its parameter to each byte.
/// struct Sum;
///
/// impl Plugin for Sum {
///     fn name(&self) -> &'static str {
///         "sum"
///     }
///
///     fn forward(&self, block: &Block<'_>, dst: &mut [u8]) -> Result<(), Inapplicable> {
///         dst.iter_mut().zip(block.src).for_each(|(to, from)| *to = from.wrapping_add(block.meta));
///         Ok(())
///     }
///
///     fn backward(&self, block: &Block<'_>, dst: &mut [u8]) -> Result<(), Inapplicable> {
///         dst.iter_mut().zip(block.src).for_each(|(to, from)| *to = from.wrapping_sub(block.meta));
///         Ok(())
///     }
/// }
///
/// let mut registry = Registry::new();
/// registry.insert_filter(200, &Sum);
///
/// # #[cfg(feature = "write")]
/// # {
/// use b2nd::chunk::{CParams, Chunk, ChunkEncoder};
/// use b2nd::filter::{Filter, Pipeline};
/// use b2nd::{DParams, Scratch};
/// let mut filters = Pipeline::default();
/// filters.slots[0] = Filter { id: 200, meta: 7 };
/// let cparams = CParams { filters, registry: registry.clone(), ..CParams::default() };
/// let plain: Vec<u8> = (0..5000).map(|i| (i / 100) as u8).collect();
/// let bytes = ChunkEncoder::new(cparams).encode(&plain)?;
/// let mut scratch = Scratch::new(&DParams { registry, ..DParams::default() });
/// assert_eq!(Chunk::new(&bytes)?.decode(&mut scratch)?, plain);
/// # }
/// # Ok::<(), b2nd::Error>(())
/// ```
pub trait Plugin: Send + Sync {
    /// The filter's name, for messages.
    fn name(&self) -> &'static str;

    /// Filters a block to `dst`, which is as long as the block. Must write all of it if it returns `Ok`. It may be
    /// lossy. Without this method the filter can only be undone.
    ///
    /// # Errors
    /// The filter does not apply to blocks or items like these, or not with this parameter.
    fn forward(&self, block: &Block<'_>, dst: &mut [u8]) -> Result<(), Inapplicable> {
        _ = (block, dst);
        Err(Inapplicable)
    }

    /// Undoes [`forward`](Self::forward). Must write all of `dst` if it returns `Ok`; the initial content of `dst` is
    /// unspecified.
    ///
    /// # Errors
    /// The filter does not make such blocks.
    fn backward(&self, block: &Block<'_>, dst: &mut [u8]) -> Result<(), Inapplicable>;
}

/// The filters of the host that a pipeline can use: none without an allocator.
#[derive(Clone, Copy)]
pub(crate) struct HostFilters<'a>(Option<&'a Plugins<u8, dyn Plugin>>);

impl fmt::Debug for HostFilters<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostFilters").finish_non_exhaustive()
    }
}

impl<'a> HostFilters<'a> {
    #[cfg(test)]
    pub(crate) const NONE: Self = Self(None);

    pub(crate) const fn of(plugins: &'a Plugins<u8, dyn Plugin>) -> Self {
        Self(Some(plugins))
    }

    pub(crate) fn get(self, id: u8) -> Option<&'a dyn Plugin> {
        if cfg!(feature = "alloc") { self.0?.get(id) } else { None }
    }
}
