//! Opening of existing frames for changes.

use super::{Editor, Written};
use crate::array::Layout;
use crate::base::ArgumentError;
use crate::chunk::{CParams, DParams};
use crate::frame::{EditOpening, Frame, FrameEditor, FrameEnds, Header, SpaceSearch, UnusedSpace};
use crate::sink::WriteAt;
use crate::source::{Reader, drive};
use alloc::vec::Vec;

/// Runs of chunks of one size: the number of chunks, and the size.
type Sizes = Vec<(u64, u32)>;

impl<S: WriteAt> Editor<S> {
    /// Opens a frame to change it.
    ///
    /// ```
    /// use b2nd::{DParams, Editor, sink::Memory};
    /// let frame = Memory::from(std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?);
    /// let mut editor = Editor::open(frame, DParams::default())?;
    /// editor.set_attr("unit", "K")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of reading; `Unsupported` for frames of beta releases, single chunks, proxies and remote arrays, which can be copied
    /// but not changed, and for other references unless [`DParams::as_stored`] is set.
    pub fn open(sink: S, dparams: DParams) -> Written<Self, S> {
        let ends = drive(&sink, EditOpening::new(&dparams))?;
        let sizes = if ends.header.is_variable() {
            Reader::open(&sink, dparams.clone())?.chunk_sizes()?
        } else {
            uniform(&ends)
        };
        let mut editor = Self::of_ends(sink, ends, sizes, dparams)?;
        editor.find_space();
        Ok(editor)
    }

    /// Opens a frame with an array to change it. Programs that change only arrays do not contain code for chunks that differ in
    /// size.
    ///
    /// ```
    /// use b2nd::{DParams, Editor, sink::Memory};
    /// let frame = Memory::from(std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?);
    /// let mut editor = Editor::open_array(frame, DParams::default())?;
    /// editor.set_attr("unit", "K")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`open`](Self::open), and `Argument` if there is no array.
    pub fn open_array(sink: S, dparams: DParams) -> Written<Self, S> {
        let ends = drive(&sink, EditOpening::new(&dparams))?;
        let mut editor = Self::of_array(sink, ends, dparams)?;
        editor.find_space();
        Ok(editor)
    }

    /// Opens an array for programs that have read the ends of the frame themselves, with [`EditOpening`]. Only a sparse frame is read
    /// any further: its unused space is found by [`space_search`](Self::space_search).
    ///
    /// ```
    /// use b2nd::{DParams, Editor, sink::Memory, source, wire::EditOpening};
    /// let frame = Memory::from(std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?);
    /// let ends = source::drive(&frame, EditOpening::new(&DParams::default()))?;
    /// let editor = Editor::of_array(frame, ends, DParams::default())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`open_array`](Self::open_array).
    pub fn of_array(sink: S, ends: FrameEnds, dparams: DParams) -> Written<Self, S> {
        if ends.header.is_variable() {
            return Err(ArgumentError::NotAnArray.into());
        }
        let sizes = uniform(&ends);
        let editor = Self::of_ends(sink, ends, sizes, dparams)?;
        editor.must_be_array()?;
        Ok(editor)
    }

    fn of_ends(sink: S, ends: FrameEnds, sizes: Sizes, dparams: DParams) -> Written<Self, S> {
        let frame = FrameEditor::open(&ends.start, &ends.end, sizes.into_iter(), &dparams)?;
        Self::of_frame(sink, ends.header, frame, dparams)
    }

    /// An editor of a frame that has this header.
    pub(super) fn of_frame(
        sink: S,
        header: Header,
        frame: FrameEditor,
        dparams: DParams,
    ) -> Written<Self, S> {
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

    /// Finds the unused space of a frame that was just opened.
    fn find_space(&mut self) {
        // The frame can be changed without it.
        if let Ok(space) = drive(&self.sink, self.space_search()) {
            self.reuse(space);
        }
    }

    /// Searches for unused space of a frame that was opened with [`of_array`](Self::of_array), for [`reuse`](Self::reuse).
    ///
    /// ```
    /// # use b2nd::{DParams, Editor, sink::Memory, source, wire::EditOpening};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let ends = source::drive(&file[..], EditOpening::new(&DParams::default()))?;
    /// # let frame = Memory::from(file.clone());
    /// let mut editor = Editor::of_array(frame, ends, DParams::default())?;
    /// let space = source::drive(&file[..], editor.space_search())?;
    /// editor.reuse(space);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn space_search(&self) -> SpaceSearch {
        SpaceSearch::new(&self.frame)
    }

    /// Uses space for new chunks that the frame had not used when it was opened.
    ///
    /// ```
    /// # use b2nd::{DParams, Editor, sink::Memory, source, wire::EditOpening};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let ends = source::drive(&file[..], EditOpening::new(&DParams::default()))?;
    /// # let frame = Memory::from(file.clone());
    /// let mut editor = Editor::of_array(frame, ends, DParams::default())?;
    /// let space = source::drive(&file[..], editor.space_search())?;
    /// editor.reuse(space);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reuse(&mut self, space: UnusedSpace) {
        self.frame.reuse(space);
    }
}

/// The sizes of chunks that are equal except for the last one.
fn uniform(ends: &FrameEnds) -> Sizes {
    let (nbytes, chunksize) = (ends.header.nbytes, ends.header.chunksize);
    let size = u64::from(chunksize).max(1);
    Vec::from([(nbytes / size, chunksize), (u64::from(!nbytes.is_multiple_of(size)), (nbytes % size) as u32)])
}
