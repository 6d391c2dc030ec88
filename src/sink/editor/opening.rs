//! Opening of existing frames for changes.

use super::{Editor, Written};
use crate::array::Layout;
use crate::base::{ArgumentError, Unsupported};
use crate::chunk::{CParams, DParams, is_chunk};
use crate::frame::{Frame, FrameEditor, Header, Part, Request, header_len};
use crate::sink::WriteAt;
use crate::source::{ReadError, Reader};
use alloc::vec::Vec;
use core::ops::Range;

/// The first request. Nearly all headers fit.
const GUESS: u64 = 8 << 10;

/// Runs of chunks of one size: the number of chunks, and the size.
type Sizes = Vec<(u64, u32)>;

impl<S: WriteAt> Editor<S> {
    /// Opens a frame to change it.
    ///
    /// # Errors
    /// Errors of reading; `Unsupported` for frames of beta releases, single chunks, proxies and remote arrays, which can be copied
    /// but not changed, and for other references unless [`DParams::as_stored`] is set.
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
        let (header, frame) = read_frame(&sink, &dparams, sizes)?;
        let opened = Frame { header, trailer: None };
        let array = Layout::of_frame(&opened, &dparams.limits)?;
        let mut cparams = CParams::of_frame(&opened.header)?;
        if let Some(array) = &array {
            cparams.blockshape = array.blockshape().unwrap_or_default().to_vec();
            cparams.blocksize = array.sizes().map_or(0, |(_, blocksize)| blocksize);
        }
        let mut editor = Self {
            sink,
            dparams,
            cparams,
            frame,
            array,
            workers: Vec::new(),
            choosing: None,
            collected: None,
            is_new: false,
            failed: None,
        };
        // The frame records only the sum of their lengths.
        if editor.frame.is_sparse() {
            editor.learn_all()?;
        }
        Ok(editor)
    }
}

/// Reads the header, and what follows the chunks.
fn read_frame<S: WriteAt>(
    sink: &S,
    dparams: &DParams,
    sizes: impl FnOnce(&S, &DParams) -> Result<Sizes, ReadError<S::Error>>,
) -> Written<(Header, FrameEditor), S> {
    let (mut bytes, mut end) = (Vec::new(), Vec::new());
    let read = |range: Range<u64>, buffer: &mut Vec<u8>| -> Written<(), S> {
        let mut other = Vec::new();
        let bytes = sink.read_at(&Request { part: Part::Frame, range }, &mut other);
        buffer.clear();
        buffer.extend_from_slice(bytes.map_err(ReadError::Source)?);
        Ok(())
    };
    read(0..GUESS, &mut bytes)?;
    if is_chunk(&bytes) {
        return Err(Unsupported::FrameVersion(0).into());
    }
    let len = u64::from(header_len(&bytes)?);
    if len > GUESS {
        dparams.limits.allow_metadata(len)?;
        read(0..len, &mut bytes)?;
    }
    let header = Header::parse(&bytes, &dparams.limits)?;
    dparams.limits.allow_memory(header.end().end - header.end().start)?;
    read(header.end(), &mut end)?;
    let sizes = match header.is_variable() {
        true => sizes(sink, dparams)?,
        false => uniform(header.nbytes, header.chunksize),
    };
    let frame = FrameEditor::open(&bytes, &end, sizes.into_iter(), dparams)?;
    Ok((header, frame))
}

/// The sizes of chunks that are equal except for the last one.
fn uniform(nbytes: u64, chunksize: u32) -> Sizes {
    let size = u64::from(chunksize).max(1);
    Vec::from([(nbytes / size, chunksize), (u64::from(!nbytes.is_multiple_of(size)), (nbytes % size) as u32)])
}
