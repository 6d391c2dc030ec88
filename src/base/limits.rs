//! Limits on what a file may make its reader allocate.

use super::error::{Error, Result};
use super::error_kind::{Limit, LimitError};

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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Limits {
    /// Bytes that one call may allocate for its result and for decoding, or for the chunk index, which is kept.
    /// Default: 1 GiB. Compressed bytes that a source copies are not included; they are at most those of a chunk.
    pub memory: u64,
    /// Bytes of a frame's header, of its trailer, and of each attribute once decompressed. Default: 64
    /// MiB.
    pub metadata: u64,
    /// Bytes that a block, the metalayers of a frame or an object may take if the file has less than a 1024th of them. What is
    /// repeated as such, without a codec, does not count. Default: 16 MiB.
    pub expansion: u64,
    /// Levels of nesting in MessagePack values and in dtypes. Default: 32.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 1 << 30, metadata: 64 << 20, expansion: 16 << 20, depth: 32 }
    }
}

impl Limits {
    /// Checks that `wanted` bytes may be allocated.
    ///
    /// ```
    /// let limits = b2nd::Limits { memory: 1000, ..Default::default() };
    /// assert!(limits.allow_memory(1000).is_ok() && limits.allow_memory(1001).is_err());
    /// ```
    ///
    /// # Errors
    /// `Limit` if they are more than [`memory`](Self::memory).
    pub fn allow_memory(&self, wanted: u64) -> Result<usize> {
        check(Limit::Memory, wanted, self.memory)
    }

    /// Checks that `wanted` bytes of metadata may be read.
    ///
    /// ```
    /// let limits = b2nd::Limits { metadata: 1000, ..Default::default() };
    /// assert!(limits.allow_metadata(1000).is_ok() && limits.allow_metadata(1001).is_err());
    /// ```
    ///
    /// # Errors
    /// `Limit` if they are more than [`metadata`](Self::metadata), or than [`memory`](Self::memory).
    pub fn allow_metadata(&self, wanted: u64) -> Result<usize> {
        check(Limit::Metadata, wanted, self.metadata.min(self.memory))
    }

    /// The bytes that may come of `stored` ones: [`expansion`](Self::expansion), or what honest data rarely exceeds: no codec but
    /// zstd can.
    ///
    /// ```
    /// let limits = b2nd::Limits::default();
    /// assert_eq!((limits.most_of(1), limits.most_of(1 << 20)), (16 << 20, 1 << 30));
    /// ```
    #[must_use]
    pub fn most_of(&self, stored: u64) -> u64 {
        self.expansion.max(stored.saturating_mul(1 << 10))
    }

    /// Checks that `wanted` bytes may come of `stored` ones.
    pub(crate) fn allow_expansion(&self, wanted: u64, stored: u64) -> Result<()> {
        check(Limit::Expansion, wanted, self.most_of(stored)).map(drop)
    }

    /// Checks that values may be nested `wanted` levels deep.
    pub(crate) fn allow_depth(&self, wanted: u32) -> Result<()> {
        check(Limit::Depth, wanted.into(), self.depth.into()).map(drop)
    }
}

fn check(limit: Limit, wanted: u64, allowed: u64) -> Result<usize> {
    match usize::try_from(wanted) {
        Ok(len) if wanted <= allowed && len <= isize::MAX as usize => Ok(len),
        _ => Err(Error::from(LimitError { limit, wanted, allowed })),
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn says_which_limit_to_raise() {
        let limits = Limits { memory: 10, metadata: 5, expansion: 9, depth: 1 };
        let error = limits.allow_memory(11).unwrap_err();
        assert_eq!(error.to_string(), "11 bytes needed at once, `limits.memory` allows 10");
        let error = limits.allow_metadata(6).unwrap_err();
        assert_eq!(error.to_string(), "6 bytes of metadata, `limits.metadata` allows 5");
        assert!(limits.allow_expansion(1024, 1).is_ok() && limits.allow_expansion(9, 0).is_ok());
        let error = limits.allow_expansion(1025, 1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "1025 bytes of which the file has less than a 1024th, `limits.expansion` allows 1024"
        );
    }
}
