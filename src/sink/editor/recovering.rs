//! Frames without an index, put together in another sink.

use super::copy::lift;
use super::{Editor, Written};
use crate::base::Error;
use crate::chunk::DParams;
use crate::frame::{Part, Recovery, Request};
use crate::sink::WriteAt;
use crate::source::{ReadAt, ReadError, drive};
use alloc::vec::Vec;

/// The number of bytes to copy at a time.
const PIECE: u64 = 1 << 20;

/// How much of a frame was [recovered](Editor::recover).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// The number of chunks that were found.
    pub found: u64,
    /// The number of chunks that the frame had.
    pub nchunks: u64,
    /// Whether all chunks were found, so that each is in its place. Otherwise those that were found are in their places if all were
    /// written once and in order, and if no chunk before them was special, as one of zeros only: those were in the index only.
    pub is_certain: bool,
}

impl<S: WriteAt> Editor<S> {
    /// Copies the chunks of a frame that lost its index, such as a file that ends early, and writes another index. The chunks that are
    /// missing become uninitialised. Attributes are lost. [`Found`] says whether the places of chunks are certain.
    ///
    /// ```
    /// use b2nd::{Array, DParams, Editor, sink::Memory};
    /// let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let (mut editor, found) = Editor::recover(Memory::default(), &file[..20_000], DParams::default())?;
    /// editor.commit()?;
    /// assert_eq!((found.found, found.nchunks, found.is_certain), (1, 2, false));
    /// let (whole, cut) = (Array::from_source(&file[..])?, Array::from_source(editor.into_sink())?);
    /// assert_eq!(cut.read::<f32>((0, 20))?.as_slice(), whole.read::<f32>((0, 20))?.as_slice());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of reading and writing; `Format` if no chunk is whole; `Unsupported` for sparse frames, whose chunks have their numbers in their names, for chunks of
    /// different sizes, for references, and for frames of beta releases.
    pub fn recover<R>(mut sink: S, source: &R, dparams: DParams) -> Written<(Self, Found), S>
    where
        R: ReadAt + ?Sized,
        R::Error: Into<S::Error>,
    {
        let recovered = drive(source, Recovery::new(dparams.limits)).map_err(lift)?;
        let (mut at, mut buffer) = (u64::from(recovered.header.header_len), Vec::new());
        while at < recovered.end {
            let request = Request { part: Part::Frame, range: at..recovered.end.min(at + PIECE) };
            let bytes =
                source.read_at(&request, &mut buffer).map_err(|error| ReadError::Source(error.into()))?;
            // Another process may have made the file shorter: a gap would be taken for a chunk.
            let (expected, there) = ((request.range.end - at) as usize, bytes.len());
            if there < expected {
                return Err(Error::truncated(0, expected, there).shifted(at).into());
            }
            sink.write_at(Part::Frame, at, bytes).map_err(ReadError::Source)?;
            at = request.range.end;
        }
        let found = Found {
            found: recovered.found,
            nchunks: recovered.frame.nchunks(),
            is_certain: recovered.is_certain,
        };
        Ok((Self::of_frame(sink, recovered.header, recovered.frame, dparams)?, found))
    }
}
