//! Chunks that others have written.

use super::{Editor, Written};
use crate::chunk::{EXTENDED_HEADER, Header as ChunkHeader};
use crate::frame::{Part, Request};
use crate::sink::WriteAt;
use alloc::vec::Vec;

impl<S: WriteAt> Editor<S> {
    /// Makes a file of a sparse array chunk `nchunk`. Returns the length that the file must have. The file is there until the next
    /// commit, which removes it if all items are equal.
    pub(in crate::sink) fn adopt(&mut self, nchunk: u64, file: u32) -> Written<u32, S> {
        let request = Request { part: Part::Chunk(file), range: 0..EXTENDED_HEADER as u64 };
        let mut buffer = Vec::new();
        let bytes = self.bytes(&request, &mut buffer)?;
        let header = ChunkHeader::parse(bytes).and_then(|header| {
            self.check_header(nchunk, &header)?;
            Ok(header)
        });
        let header = header.map_err(|error| error.in_chunk(nchunk))?;
        self.frame.adopt(nchunk, &header, file)?;
        Ok(header.cbytes)
    }
}
