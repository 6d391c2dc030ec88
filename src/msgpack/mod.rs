//! The MessagePack that frames are written in: a reader and a writer of fixed layouts, and values to show.

mod reader;
#[cfg(feature = "alloc")]
mod value;
#[cfg(feature = "alloc")]
mod writer;

pub(crate) use reader::{Reader, marker};
#[cfg(feature = "alloc")]
pub use value::Value;
#[cfg(feature = "alloc")]
pub(crate) use writer::{FIXSTR, Writer};
