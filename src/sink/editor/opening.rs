//! Opening of existing frames for changes.

use super::{Editor, Written};
use crate::array::Array;
use crate::base::ArgumentError;
use crate::chunk::{CParams, DParams};
use crate::frame::{FrameEditor, IndexReading, Opening, Part, Request, WireTrailer};
use crate::sink::WriteAt;
use crate::source::{ReadError, Reader, converse};
use alloc::vec::Vec;
use core::ops::Range;

/// Runs of chunks of one size: the number of chunks, and the size.
type Sizes = Vec<(u64, u32)>;

impl<S: WriteAt> Editor<S> {
    /// Opens a frame to change it.
    ///
    /// # Errors
    /// Errors of reading; `Unsupported` for frames of beta releases and for single chunks, which can be copied but not changed.
    pub fn open(sink: S, dparams: DParams) -> Written<Self, S> {
        Self::open_with(sink, dparams, |sink, dparams| Reader::open(sink, dparams.clone())?.chunk_sizes())
    }

    /// Opens a frame with an array to change it. Programs that change only arrays do not contain code for chunks that differ in
    /// size.
    ///
    /// # Errors
    /// As for [`open`](Self::open), and `Argument` if there is no array.
    pub fn open_array(sink: S, dparams: DParams) -> Written<Self, S> {
        let editor = Self::open_with(sink, dparams, |_, _| Err(ArgumentError::NotAnArray.into()))?;
        editor.must_be_array()?;
        Ok(editor)
    }

    /// Opens a frame. `sizes` reads the sizes of chunks that differ.
    fn open_with(
        sink: S,
        dparams: DParams,
        sizes: impl FnOnce(&S, &DParams) -> Result<Sizes, ReadError<S::Error>>,
    ) -> Written<Self, S> {
        let limits = &dparams.limits;
        let frame = converse(&sink, &dparams, Opening::default())?;
        let header = &frame.header;
        let index = converse(&sink, &dparams, IndexReading::new(header))?;
        let sizes = match header.is_variable() {
            true => sizes(&sink, &dparams)?,
            false => uniform(header.nbytes, header.chunksize),
        };
        let mut buffer = Vec::new();
        let mut read = |range: Range<u64>| -> Written<Vec<u8>, S> {
            let bytes = sink.read_at(&Request { part: Part::Frame, range }, &mut buffer);
            Ok(bytes.map_err(ReadError::Source)?.to_vec())
        };
        let end = header.frame_len;
        let len = WireTrailer::len(&read(end.saturating_sub(WireTrailer::END)..end)?)?;
        let start = end.saturating_sub(limits.allow_metadata(len)? as u64);
        let trailer = WireTrailer::parse(&read(start..end)?, limits).map_err(|error| error.shifted(start))?;
        let bytes = read(0..header.header_len.into())?;
        let frame_editor = FrameEditor::open(&bytes, &index, trailer, sizes.into_iter(), limits)?;
        let array = Array::of_frame(&frame, limits)?;
        let mut cparams = CParams::of_frame(header)?;
        if let Some(array) = &array {
            cparams.blockshape = array.blockshape().unwrap_or_default().to_vec();
            cparams.blocksize = array.sizes().map_or(0, |(_, blocksize)| blocksize);
        }
        let mut editor = Self {
            sink,
            dparams,
            cparams,
            frame: frame_editor,
            array,
            workers: Vec::new(),
            choosing: None,
            #[cfg(feature = "auto")]
            is_new: false,
            failed: false,
        };
        // The frame records only the sum of their lengths.
        if editor.frame.is_sparse() {
            editor.learn_all()?;
        }
        Ok(editor)
    }
}

/// The sizes of chunks that are equal except for the last one.
fn uniform(nbytes: u64, chunksize: u32) -> Sizes {
    let size = u64::from(chunksize).max(1);
    Vec::from([(nbytes / size, chunksize), (u64::from(!nbytes.is_multiple_of(size)), (nbytes % size) as u32)])
}
