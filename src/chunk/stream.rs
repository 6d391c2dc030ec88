//! Chunks that are sent and read piece by piece.
//!
//! A `Sender` on a device encodes samples as they come and divides the blocks into packets, in fixed memory; a `Receiver` on
//! the host makes items of the packets that arrive (docs/embedded.md, "Streaming chunks"). A [`BlockReader`] decodes a chunk
//! whose bytes arrive in pieces, in the memory of a block.

mod packet;
#[cfg(feature = "alloc")]
mod partial;
mod reader;
#[cfg(feature = "alloc")]
mod receiver;
#[cfg(feature = "encode")]
mod sender;

pub use packet::{MAX_PACKET, PACKET_HEADER};
pub use reader::{BlockReader, PlainBlock, read_len};
#[cfg(feature = "alloc")]
pub use receiver::{ReceiveParams, Received, Receiver, Report};
#[cfg(feature = "encode")]
pub use sender::{DESCRIBE_EVERY, Sender, send_area_len};
