//! How much a file may ask of its reader.

use super::words::Bytes;
use super::{Error, Result};
use core::fmt;

/// What a reader grants to bytes that it does not trust. Every allocation whose size a file decides is
/// charged against these before it is made.
///
/// The defaults open whatever the reference library writes in practice and refuse what only an attacker
/// would: a frame of 200 bytes may claim 2⁶³ bytes of zeros.
///
/// ```
/// let careful = b2nd::Limits { memory: 16 << 20, ..Default::default() };
/// assert!(careful.metadata <= b2nd::Limits::default().memory);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that one call may allocate: its result and what decoding it takes, or the chunk index, which is kept.
    /// Compressed bytes that a source copies come on top, at most what it has of a chunk. 1 GiB.
    pub memory: u64,
    /// Bytes of one frame's header, and of its trailer; and of each variable-length metalayer once
    /// decompressed. 64 MiB.
    pub metadata: u64,
    /// Levels of nesting in MessagePack values and in dtypes. 32.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 1 << 30, metadata: 64 << 20, depth: 32 }
    }
}

impl Limits {
    /// Lets `wanted` bytes be allocated, or says no.
    ///
    /// # Errors
    /// `Limit` if they are more than [`memory`](Self::memory).
    pub fn allow_memory(&self, wanted: u64) -> Result<usize> {
        check(Limit::Memory, wanted, self.memory)
    }

    /// Lets `wanted` bytes of metadata be read, or says no.
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

/// Which of the [`Limits`] was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::memory`]
    Memory,
    /// [`Limits::metadata`]
    Metadata,
    /// [`Limits::depth`]
    Depth,
    /// Which one was not kept, nor the numbers: see [`Error`].
    Unspecified,
}

/// More was asked for than the [`Limits`] allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitError {
    /// The limit that was reached.
    pub limit: Limit,
    /// What the file or the call asked for: bytes, or levels for [`Limit::Depth`].
    pub wanted: u64,
    /// What the limit allows.
    pub allowed: u64,
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, wanted, allowed } = self;
        match limit {
            Limit::Memory => {
                // Without an allocator there is only the memory that was lent.
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
