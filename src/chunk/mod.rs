//! Chunks: the unit of compression, a header and independent blocks (FORMAT §3, §4).
//!
//! [`Chunk`] reads a chunk that lies in memory as a whole. Those who bring its bytes piece by piece use
//! [`reading`](crate::reading).

#[cfg_attr(not(feature = "alloc"), path = "singly.rs")]
mod ahead;
#[cfg(feature = "alloc")]
mod append;
mod area;
mod block;
mod blocks;
#[cfg(feature = "encode")]
mod encode;
mod head;
mod header;
#[cfg(feature = "alloc")]
mod kept;
mod memory;
mod params;
mod part;
mod reading;
#[cfg(feature = "alloc")]
mod scratch;
mod sink;
mod splitmode;
pub mod stream;
mod view;
#[cfg(feature = "alloc")]
mod whole;
pub(crate) mod wire;

pub use area::{Area, AreaWork, area_len};
pub use block::Context;
pub(crate) use blocks::Blocks;
#[cfg(feature = "encoders")]
pub use encode::ChunkEncoder;
#[cfg(feature = "auto")]
pub(crate) use encode::is_special;
#[cfg(feature = "auto")]
pub use encode::{Auto, Choice, Goal, Trial};
#[cfg(feature = "encode")]
pub use encode::{CParams, ChunkFormat, EncodeWork, encode_area_len};
#[cfg(feature = "encode")]
pub(crate) use encode::{copied_header, special_value};
#[cfg(feature = "write")]
pub(crate) use encode::{repeat, repeated};
pub(crate) use head::{Head, Spans};
pub use header::{Body, Header, MAX_BLOCKSIZE, SpecialValue, is_chunk};
pub(crate) use memory::DecodeMemory;
pub use params::DParams;
pub(crate) use part::{PartialDecode, Pick, Planes};
pub(crate) use reading::Progress;
#[cfg(feature = "alloc")]
pub use scratch::Scratch;
#[cfg(feature = "alloc")]
pub(crate) use sink::Discard;
pub(crate) use sink::Sink;
pub use splitmode::SplitMode;
pub use view::Chunk;
pub(crate) use view::{PIECE, Window};
pub use wire::{EXTENDED_HEADER, MIN_HEADER};
