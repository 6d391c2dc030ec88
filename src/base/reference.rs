//! Frames that refer to values stored elsewhere.

use core::fmt;

/// The kind of a frame that describes an array without holding all of its values. python-blosc2 writes such frames for
/// lazy arrays, proxies and remote arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Reference {
    /// A lazy expression: its values are computed from other arrays.
    LazyExpr,
    /// A lazy function of other arrays.
    LazyUdf,
    /// A proxy: it caches the chunks of another array that were fetched.
    Proxy,
    /// A remote array: it caches the chunks that were fetched.
    RemoteArray,
    /// An array on a Caterva2 server.
    C2Array,
    /// A kind that this version does not know.
    Other,
}

impl Reference {
    /// python-blosc2's name for it.
    ///
    /// ```
    /// use b2nd::frame::Reference;
    /// assert_eq!(Reference::LazyExpr.name(), "lazyexpr");
    /// ```
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

    /// Whether its chunks are cached copies, of which some may be missing.
    ///
    /// ```
    /// use b2nd::frame::Reference;
    /// assert!(Reference::Proxy.is_cache() && !Reference::LazyExpr.is_cache());
    /// ```
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
