//! Frames without an index, put together from their chunks, sans I/O (FORMAT §7.2).

use super::super::opening::{first, longer};
use super::super::request::{Exchange, Part, Request, answered};
use super::super::wire::WireFrame;
use super::super::{Header, WireEntry};
use super::space::Space;
use super::{Entry, FrameEditor, FrameParams};
use crate::base::{ArgumentError, Error, Limits, Malformed, Result, Unsupported, saturating_times};
use crate::chunk::wire::EXTENDED_HEADER;
use crate::chunk::{Header as ChunkHeader, SpecialValue, is_chunk};
use alloc::vec::Vec;

/// The exchange that finds the chunks of a contiguous frame whose index is missing, such as one that ends early.
///
/// Chunks do not contain their numbers. They get them in the order in which they are stored, from the end of the header on. That is right
/// for a frame that was written once, from its first chunk to its last, if none of the chunks before is special: those are in the index
/// only. Chunks that are not found become uninitialised. Attributes are lost, since they follow the index.
#[derive(Debug)]
pub struct Recovery {
    limits: Limits,
    request: Option<Request>,
    /// The chunks that were found, once the header was read.
    walk: Option<Walk>,
}

/// A frame that a [`Recovery`] has put together.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Recovered {
    /// The frame, whose chunks are where they were. A commit writes its header, and an index and a trailer behind its chunks.
    pub frame: FrameEditor,
    /// The header of the old frame.
    pub header: Header,
    /// The number of chunks that were found.
    pub found: u64,
    /// Whether the numbers of these chunks are certain: no other chunk is missing.
    pub is_certain: bool,
    /// The end of the chunks in the file.
    pub end: u64,
}

#[derive(Debug)]
struct Walk {
    wire: WireFrame,
    header: Header,
    nchunks: u64,
    chunks: Vec<Entry>,
    /// The end of the last chunk.
    end: u64,
}

impl Recovery {
    /// Reads within these limits.
    pub fn new(limits: Limits) -> Self {
        Self { limits, request: Some(first()), walk: None }
    }
}

impl Walk {
    /// # Errors
    /// `Unsupported` for frames whose chunks cannot be found like this.
    fn new(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let (wire, header) = (WireFrame::parse(bytes)?, Header::parse(bytes, limits)?);
        if header.version < 2 || header.is_beta() {
            return Err(Unsupported::FrameVersion(header.version).into());
        }
        if header.sparse {
            return Err(Unsupported::SparseFrame.into());
        }
        if let Some(reference) = header.reference() {
            return Err(Unsupported::Reference(reference).into());
        }
        let nchunks = header.nchunks().ok_or(Unsupported::VariableChunks)?;
        // A commit has the index twice besides, plain and encoded.
        limits.allow_memory(saturating_times(nchunks, size_of::<Entry>() as u64 + 16))?;
        let end = header.header_len.into();
        Ok(Self { wire, header, nchunks, chunks: Vec::new(), end })
    }

    /// The last byte that is known to belong to the frame, and the header of a chunk behind it.
    fn request(&self) -> Request {
        Request { part: Part::Frame, range: self.end - 1..self.end + EXTENDED_HEADER as u64 }
    }

    /// Takes the bytes that were requested. Returns whether another chunk may follow.
    fn take(&mut self, bytes: &[u8]) -> Result<bool> {
        let Some((_, bytes)) = bytes.split_first() else {
            // The file ends within the last chunk.
            if let Some(cut) = self.chunks.pop() {
                self.end -= u64::from(cut.cbytes);
            }
            return Ok(false);
        };
        let nchunk = self.chunks.len() as u64;
        if nchunk == self.nchunks {
            return Ok(false);
        }
        let fits = |chunk: &ChunkHeader| u64::from(chunk.cbytes) <= self.header.index_start() - self.end;
        let chunk = ChunkHeader::parse(bytes).ok().filter(fits);
        let Some(chunk) = chunk.filter(|chunk| self.header.check_chunk(nchunk, chunk).is_ok()) else {
            return Ok(false);
        };
        let wire = WireEntry((self.end - u64::from(self.header.header_len)) as i64);
        self.chunks.push(Entry { wire, nbytes: chunk.nbytes, cbytes: chunk.cbytes, written: 0 });
        self.end += u64::from(chunk.cbytes);
        Ok(chunk.cbytes > 0)
    }

    /// # Errors
    /// `Format` if no chunk is whole, so that nothing is left.
    fn recovered(mut self) -> Result<Recovered> {
        let found = self.chunks.len() as u64;
        let is_certain = found == self.nchunks && self.end == self.header.index_start();
        if found == 0 && !is_certain {
            let name = "number of whole chunks";
            return Err(Error::format(Malformed::Mismatch { name, found, expected: self.nchunks }));
        }
        let missing = WireEntry::of_special(SpecialValue::Uninit).ok_or(ArgumentError::Unfinished)?;
        for nchunk in found..self.nchunks {
            let nbytes = self.header.sizes().chunk_nbytes(nchunk)?;
            self.chunks.push(Entry { wire: missing, nbytes, cbytes: 0, written: 0 });
        }
        let frame = FrameEditor {
            header: self.wire,
            metalayers: self.header.metalayers.clone(),
            chunks: self.chunks,
            header_len: self.header.header_len,
            space: Space::after(self.end),
            ..FrameEditor::create(&FrameParams::default())?
        };
        Ok(Recovered { frame, header: self.header, found, is_certain, end: self.end })
    }
}

impl Exchange for Recovery {
    type Outcome = Recovered;

    fn ask(&mut self) -> Result<&[Request]> {
        Ok(self.request.as_slice())
    }

    fn give(&mut self, answers: &[&[u8]]) -> Result<()> {
        let (request, bytes) = answered(&self.request, answers)?;
        let goes_on = match &mut self.walk {
            Some(walk) => walk.take(bytes)?,
            None if is_chunk(bytes) => return Err(Unsupported::FrameVersion(0).into()),
            None => {
                if let Some(longer) = longer(request, bytes, &self.limits)? {
                    self.request = Some(longer);
                    return Ok(());
                }
                self.walk = Some(Walk::new(bytes, &self.limits)?);
                true
            }
        };
        self.request = self.walk.as_ref().filter(|_| goes_on).map(Walk::request);
        Ok(())
    }

    fn finish(self) -> Result<Recovered> {
        self.walk.filter(|_| self.request.is_none()).ok_or(ArgumentError::Unfinished)?.recovered()
    }
}
