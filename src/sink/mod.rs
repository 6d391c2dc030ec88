//! Sinks of bytes, the editor that creates and changes frames in them, and a logger for [`flash`] memories.

#[cfg(feature = "write")]
mod array;
#[cfg(feature = "write")]
mod auto;
#[cfg(feature = "write")]
mod batch;
#[cfg(feature = "write")]
mod choosing;
#[cfg(feature = "write")]
mod copy;
#[cfg(feature = "write")]
mod editor;
#[cfg(all(feature = "std", feature = "write"))]
mod file;
pub mod flash;
#[cfg(feature = "write")]
mod join;
#[cfg(feature = "write")]
mod memory;
#[cfg(feature = "write")]
mod metalayers;
#[cfg(feature = "write")]
mod moves;
#[cfg(feature = "write")]
mod schunk;
#[cfg(feature = "write")]
mod typed;
#[cfg(feature = "write")]
mod write;

#[cfg(feature = "write")]
pub use array::Supply;
#[cfg(feature = "write")]
pub use choosing::Chosen;
#[cfg(feature = "write")]
pub use editor::Editor;
#[cfg(all(feature = "std", feature = "write"))]
pub use file::{File, create, edit};
#[cfg(feature = "write")]
pub use memory::Memory;
#[cfg(feature = "write")]
pub use write::WriteAt;
