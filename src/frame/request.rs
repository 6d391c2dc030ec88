//! Bytes that the core asks for and somebody else brings.

#[cfg(feature = "alloc")]
use crate::base::Result;
#[cfg(feature = "alloc")]
use crate::chunk::DParams;
use core::cmp::Ordering;
use core::ops::Range;

/// The parts that a frame is stored in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

/// By parts, and by where they begin.
impl Ord for Request {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |request: &Self| (request.part, request.range.start, request.range.end);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Request {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Reading something of a frame, as a conversation: bring what [`ask`](Self::ask) wants until it wants nothing.
#[cfg(feature = "alloc")]
pub trait Conversation {
    /// What is read.
    type Outcome;

    /// The bytes that are needed next, if any.
    fn ask(&self) -> Option<Request>;

    /// Takes the bytes that [`ask`](Self::ask) wanted, fewer if the frame ends earlier.
    ///
    /// # Errors
    /// `Format`, `Unsupported` and `Limit` for what is read; `Argument` if nothing was asked for.
    fn give(&mut self, bytes: &[u8], dparams: &DParams) -> Result<()>;

    /// What was read, once nothing more is needed.
    ///
    /// # Errors
    /// `Argument` if something still is.
    fn finish(self) -> Result<Self::Outcome>;
}
