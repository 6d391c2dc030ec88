//! Limits on what a file may make its reader allocate.

use super::words::Bytes;
use super::{Error, Result};
use core::fmt;

/// Limits for untrusted input. Every allocation whose size a file decides is charged against them first.
///
/// The defaults open whatever the reference library writes in practice and refuse what only an attacker would write: a
/// frame of 200 bytes may claim 2⁶³ bytes of zeros.
///
/// ```
/// let careful = b2nd::Limits { memory: 16 << 20, ..Default::default() };
/// assert!(careful.metadata <= b2nd::Limits::default().memory);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that one call may allocate for its result and for decoding, or for the chunk index, which is kept.
    /// Default: 1 GiB. Compressed bytes that a source copies are not included; they are at most those of a chunk.
    pub memory: u64,
    /// Bytes of a frame's header, of its trailer, and of each variable-length metalayer once decompressed. Default: 64
    /// MiB.
    pub metadata: u64,
    /// Levels of nesting in MessagePack values and in dtypes. Default: 32.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 1 << 30, metadata: 64 << 20, depth: 32 }
    }
}

impl Limits {
    /// Checks that `wanted` bytes may be allocated.
    ///
    /// # Errors
    /// `Limit` if they are more than [`memory`](Self::memory).
    pub fn allow_memory(&self, wanted: u64) -> Result<usize> {
        check(Limit::Memory, wanted, self.memory)
    }

    /// Checks that `wanted` bytes of metadata may be read.
    pub(crate) fn allow_metadata(&self, wanted: u64) -> Result<usize> {
        check(Limit::Metadata, wanted, self.metadata.min(self.memory))
    }
}

fn check(limit: Limit, wanted: u64, allowed: u64) -> Result<usize> {
    match usize::try_from(wanted) {
        Ok(len) if wanted <= allowed && len <= isize::MAX as usize => Ok(len),
        _ => Err(Error::from(LimitError { limit, wanted, allowed })),
    }
}

/// The limit that was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::memory`]
    Memory,
    /// [`Limits::metadata`]
    Metadata,
    /// [`Limits::depth`]
    Depth,
    /// Details were not kept: see [`Error`].
    Unspecified,
}

/// An operation needs more than the [`Limits`] allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitError {
    /// The limit that was exceeded.
    pub limit: Limit,
    /// What the file or the call needs: bytes, or levels for [`Limit::Depth`].
    pub wanted: u64,
    /// What the limit allows.
    pub allowed: u64,
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, wanted, allowed } = self;
        match limit {
            Limit::Memory => {
                // Without an allocator memory comes from the caller's `Area`.
                let name = if cfg!(feature = "alloc") { "`limits.memory`" } else { "the `Area`" };
                write!(f, "{} needed at once, {name} allows {allowed}", Bytes(*wanted))
            }
            Limit::Metadata => {
                write!(f, "{} of metadata, `limits.metadata` allows {allowed}", Bytes(*wanted))
            }
            Limit::Unspecified => f.write_str("beyond the limits"),
            Limit::Depth => write!(f, "nested {wanted} levels deep, `limits.depth` allows {allowed}"),
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn says_which_limit_to_raise() {
        let limits = Limits { memory: 10, metadata: 5, depth: 1 };
        let error = limits.allow_memory(11).unwrap_err();
        assert_eq!(error.to_string(), "11 bytes needed at once, `limits.memory` allows 10");
        let error = limits.allow_metadata(6).unwrap_err();
        assert_eq!(error.to_string(), "6 bytes of metadata, `limits.metadata` allows 5");
    }
}
