//! Requests for bytes, which the caller fulfils.

#[cfg(feature = "alloc")]
use crate::base::Result;
#[cfg(feature = "alloc")]
use crate::chunk::DParams;
use core::cmp::Ordering;
use core::ops::Range;

/// The files that a frame consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The frame; of a sparse frame, the file `chunks.b2frame`.
    Frame,
    /// A chunk's file in a sparse frame, by its number.
    Chunk(u32),
}

/// A range of bytes to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The file to read from.
    pub part: Part,
    /// The bytes to read. If the file ends earlier, the bytes that it has.
    pub range: Range<u64>,
}

/// Ordered by file, then by start.
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

/// A read operation without I/O: [`give`](Self::give) it the bytes that it [`ask`](Self::ask)s for until it asks no
/// more.
#[cfg(feature = "alloc")]
pub trait Conversation {
    /// The result.
    type Outcome;

    /// The bytes needed next, if any.
    fn ask(&self) -> Option<Request>;

    /// Takes the bytes that [`ask`](Self::ask) wanted, or fewer if the frame ends earlier.
    ///
    /// # Errors
    /// `Format`, `Unsupported` and `Limit` for what is read; `Argument` if nothing was asked for.
    fn give(&mut self, bytes: &[u8], dparams: &DParams) -> Result<()>;

    /// The result, once no more bytes are needed.
    ///
    /// # Errors
    /// `Argument` if something still is.
    fn finish(self) -> Result<Self::Outcome>;
}
