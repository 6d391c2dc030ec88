//! MessagePack: a reader and a writer for the fixed layouts of frames, and a generic value for display.

#[cfg(feature = "alloc")]
mod emit;
#[cfg(feature = "alloc")]
mod extended;
mod reader;
#[cfg(feature = "alloc")]
mod tokens;
#[cfg(feature = "alloc")]
mod value;
#[cfg(feature = "alloc")]
mod writer;

#[cfg(feature = "alloc")]
pub use extended::Extended;
#[cfg(feature = "store")]
pub(crate) use extended::{FRAME, TENSOR, inside, wrong};
pub(crate) use reader::{Reader, marker};
#[cfg(feature = "alloc")]
pub use tokens::{Token, Tokens};
#[cfg(feature = "alloc")]
pub use value::Value;
#[cfg(feature = "alloc")]
pub(crate) use writer::{FIXSTR, Writer};
