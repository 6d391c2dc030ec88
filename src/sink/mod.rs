//! Sinks of bytes, and the editor that makes and changes frames in them.

mod array;
mod batch;
mod copy;
mod editor;
#[cfg(feature = "std")]
mod file;
mod join;
mod memory;
mod metalayers;
mod moves;
mod schunk;
mod typed;

pub use array::Supply;
pub use editor::Editor;
#[cfg(feature = "std")]
pub use file::{File, create, edit};
pub use memory::Memory;

use crate::frame::Part;
use crate::source::ReadAt;

/// Something that a frame can be written to, and read from meanwhile.
///
/// A sink need not be durable before [`sync`](Self::sync), nor visible to others before [`publish`](Self::publish).
pub trait WriteAt: ReadAt {
    /// Writes bytes at an offset of a part. The part grows as needed; what lies between is zeros.
    ///
    /// # Errors
    /// The sink's own.
    fn write_at(&mut self, part: Part, offset: u64, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Replaces the content of [`Part::Frame`]. Whoever opens it finds the old or the new one, whatever happens.
    ///
    /// # Errors
    /// The sink's own.
    fn replace(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Returns when all that was written is durable.
    ///
    /// # Errors
    /// The sink's own.
    fn sync(&mut self) -> Result<(), Self::Error>;

    /// Cuts [`Part::Frame`] to this length.
    ///
    /// # Errors
    /// The sink's own.
    fn truncate(&mut self, len: u64) -> Result<(), Self::Error>;

    /// Removes the files of chunks that `unused` names, of those that there are.
    ///
    /// # Errors
    /// The sink's own.
    fn remove(&mut self, unused: &dyn Fn(u32) -> bool) -> Result<(), Self::Error>;

    /// An empty sink that takes the place of this one when it is [published](Self::publish).
    ///
    /// # Errors
    /// The sink's own.
    fn successor(&self) -> Result<Self, Self::Error>
    where
        Self: Sized;

    /// Makes a new sink visible at its place, where it replaces what was there before. Does nothing if it is.
    ///
    /// # Errors
    /// The sink's own.
    fn publish(&mut self) -> Result<(), Self::Error>;
}
