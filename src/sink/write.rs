//! Sinks of editors.

use crate::frame::{Part, Revision};
use crate::source::ReadAt;

/// A destination for the bytes of a frame, which can also be read.
///
/// Data need not be durable before [`sync`](Self::sync), nor visible to other readers before [`publish`](Self::publish).
pub trait WriteAt: ReadAt {
    /// Writes bytes at an offset of a part. The part grows as needed; gaps are filled with zeros.
    ///
    /// # Errors
    /// The sink's own.
    fn write_at(&mut self, part: Part, offset: u64, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Whether this is still the state of the frame at the sink's place. By default it [is](Revision::is_current) if the source that
    /// this sink is says so.
    ///
    /// # Errors
    /// The sink's own.
    fn compare(&mut self, revision: &Revision) -> Result<bool, Self::Error> {
        revision.is_current(self)
    }

    /// Replaces the content of [`Part::Frame`] atomically, even if the process is interrupted.
    ///
    /// # Errors
    /// The sink's own.
    fn replace(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Returns when all writes are durable.
    ///
    /// # Errors
    /// The sink's own.
    fn sync(&mut self) -> Result<(), Self::Error>;

    /// Truncates [`Part::Frame`] to this length.
    ///
    /// # Errors
    /// The sink's own.
    fn truncate(&mut self, len: u64) -> Result<(), Self::Error>;

    /// Removes the existing chunk files for whose numbers `unused` returns true.
    ///
    /// # Errors
    /// The sink's own.
    fn remove(&mut self, unused: &dyn Fn(u32) -> bool) -> Result<(), Self::Error>;

    /// Creates an empty sink that replaces this one when it is [published](Self::publish).
    ///
    /// # Errors
    /// The sink's own.
    fn successor(&self) -> Result<Self, Self::Error>
    where
        Self: Sized;

    /// Makes a new sink visible at its final place, replacing what was there. Does nothing if it is already published.
    ///
    /// # Errors
    /// The sink's own.
    fn publish(&mut self) -> Result<(), Self::Error>;
}
