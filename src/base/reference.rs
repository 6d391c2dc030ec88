//! Frames whose values are not in their chunks.

use core::fmt;

/// What a frame is that describes an array without holding its values, or not all of them: python-blosc2 writes such
/// frames for lazy arrays, proxies and remote arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reference {
    /// A lazy expression, computed from other arrays when it is read.
    LazyExpr,
    /// A lazy function of other arrays.
    LazyUdf,
    /// A proxy: a cache of another array, of which it holds the chunks that were fetched.
    Proxy,
    /// A remote array, with the chunks that were fetched.
    RemoteArray,
    /// An array on a Caterva2 server.
    C2Array,
    /// An object of a kind that this version does not know.
    Other,
}

impl Reference {
    /// python-blosc2's name for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LazyExpr => "lazyexpr",
            Self::LazyUdf => "lazyudf",
            Self::Proxy => "proxy",
            Self::RemoteArray => "remote_array",
            Self::C2Array => "c2array",
            Self::Other => "b2o",
        }
    }

    /// Whether its chunks are copies of another array's, and only those are there that were fetched.
    pub const fn is_cache(self) -> bool {
        matches!(self, Self::Proxy | Self::RemoteArray | Self::C2Array)
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LazyExpr => {
                "a lazy expression: its values are computed from other arrays and are not stored in this file"
            }
            Self::LazyUdf => {
                "a lazy function: its values are computed from other arrays and are not stored in this file"
            }
            Self::Proxy => "a proxy of another array: this file holds only the chunks that were fetched",
            Self::RemoteArray => "a remote array: this file holds only the chunks that were fetched",
            Self::C2Array => "an array on a Caterva2 server: its values are not stored in this file",
            Self::Other => "a reference of an unknown kind: its values are not stored in this file",
        })
    }
}
