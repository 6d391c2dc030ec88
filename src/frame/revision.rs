//! The identity of a committed state of a frame (FORMAT §7.10).

use super::header::Header;
use super::request::{Part, Request};
use super::trailer;
use alloc::vec::Vec;

/// A committed state of a frame: its header and the end of its trailer, which counts commits.
///
/// Compare the header before the trailer. If both are still there, the state was the committed one when the header was read, so
/// that all that was read before belongs to it: the header is written after the rest of a commit, and only the next commit
/// writes over what this one has released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// The bytes of the header.
    pub header: Vec<u8>,
    /// The last bytes of the trailer.
    pub end: Vec<u8>,
    frame_len: u64,
}

impl Revision {
    /// The state with this header and these last bytes of the trailer.
    pub(super) const fn new(header: Vec<u8>, end: Vec<u8>, frame_len: u64) -> Self {
        Self { header, end, frame_len }
    }

    /// The bytes of a frame that identify its state: the header, then the end of the trailer. `None` for a chunk on its own, which
    /// no editor changes.
    pub fn places(header: &Header) -> Option<[Request; 2]> {
        let places = places(header.header_len.into(), header.frame_len);
        (header.version > 0).then_some(places)
    }

    /// Where [`header`](Self::header) and [`end`](Self::end) are.
    pub fn requests(&self) -> [Request; 2] {
        places(self.header.len() as u64, self.frame_len)
    }

    /// The state of the frame with this header, whose [places](Self::places) have these bytes.
    pub fn of(header: &Header, bytes: [Vec<u8>; 2]) -> Self {
        let [start, end] = bytes;
        Self::new(start, end, header.frame_len)
    }
}

fn places(header_len: u64, frame_len: u64) -> [Request; 2] {
    let end = frame_len.saturating_sub(trailer::END as u64)..frame_len;
    [0..header_len, end].map(|range| Request { part: Part::Frame, range })
}
