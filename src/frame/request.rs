//! Bytes that the core asks for and somebody else brings.

use core::ops::Range;

/// The parts that a frame is stored in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The frame; of a sparse one, the file `chunks.b2frame`.
    Frame,
    /// A chunk's file in a sparse frame, by its number.
    Chunk(u32),
}

/// Bytes that somebody has to bring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Of which part.
    pub part: Part,
    /// Which bytes of it. A part that ends earlier gives what it has.
    pub range: Range<u64>,
}
