//! The MessagePack that frames are written in: a reader for fixed layouts, and values to show.

mod reader;
#[cfg(feature = "alloc")]
mod value;

pub(crate) use reader::{Reader, marker};
#[cfg(feature = "alloc")]
pub use value::Value;
