//! How to read.

use crate::base::Limits;
use crate::codec::Registry;

/// Parameters of decompression, as Blosc calls them: limits, codecs and compatibility.
///
/// ```
/// use b2nd::{DParams, Limits};
/// let dparams = DParams { limits: Limits { memory: 64 << 20, ..Default::default() }, ..Default::default() };
/// ```
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct DParams {
    /// Limits on what a file may ask for.
    pub limits: Limits,
    /// Codecs and filters of the host's own.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub registry: Registry,
    /// Read chunks of format version 4 as C-Blosc2 wrote them before February 2020, in beta 2 to beta 4. Where a
    /// frame itself gives that away this need not be set (FORMAT §13.1).
    pub early_bitshuffle: bool,
    /// Read of lazy arrays, proxies and remote arrays what their files hold, which is [not](crate::frame::Reference)
    /// what python-blosc2 would give: zeros where values are computed, and of what is cached the chunks that were
    /// fetched; the others remain errors. Of tables, also generated columns that are
    /// [stale](crate::Unsupported::StaleColumn).
    pub as_stored: bool,
}
