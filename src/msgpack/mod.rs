//! The MessagePack that frames are written in: a reader for fixed layouts, and values to show.

mod reader;
mod value;

pub(crate) use reader::Reader;
pub use value::Value;
