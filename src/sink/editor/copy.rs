//! Copies of arrays and super-chunks. Chunks are copied without decoding where possible.

use super::{Editor, Written};
use crate::array::{ArrayParams, Layout};
use crate::base::{ArgumentError, Result as Checked};
use crate::chunk::CParams;
use crate::frame::{FrameParams, Header, Location};
use crate::plan::{ChunkTask, Plan, Selection};
use crate::sink::WriteAt;
use crate::source::{ReadAt, ReadError, Reader};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Converts an error of the other frame's source to one of the sink.
pub(super) fn lift<R, S>(error: ReadError<R>) -> ReadError<S>
where
    R: Into<S>,
{
    match error {
        ReadError::Source(error) => ReadError::Source(error.into()),
        ReadError::Blosc(error) => ReadError::Blosc(error),
    }
}

/// The placement of an array in a larger one.
pub(super) struct Placement<'p> {
    /// The position of its first item.
    pub(super) at: &'p [u64],
    /// An axis of length 1 that only the larger array has.
    pub(super) new_axis: Option<usize>,
}

impl Placement<'_> {
    /// Removes the entry of the new axis.
    fn drop_axis<T: Clone>(&self, axes: &[T]) -> Vec<T> {
        let kept = axes.iter().enumerate().filter(|(axis, _)| Some(*axis) != self.new_axis);
        kept.map(|(_, value)| value.clone()).collect()
    }

    /// Inserts a 1 for the new axis.
    fn with_axis(&self, mut axes: Vec<u64>) -> Vec<u64> {
        if let Some(axis) = self.new_axis {
            axes.insert(axis.min(axes.len()), 1);
        }
        axes
    }
}

impl<S: WriteAt> Editor<S> {
    /// Writes all items of another array with the same item size, from position `at` on. Chunks with the same boundaries and
    /// compression parameters are copied without decoding.
    ///
    /// ```
    /// # use b2nd::{DParams, Editor, Reader, array::ArrayParams, frame::FrameParams, sink::Memory};
    /// # let sample = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = Reader::open(&sample[..], DParams::default())?;
    /// let params = ArrayParams::of_type::<f32>(&[12, 30, 80]);
    /// let mut editor = Editor::create_array(Memory::default(), &params)?;
    /// editor.copy_from(&[0, 0, 40], &reader)?;
    /// assert_eq!(editor.get((0, 0, 40..))?, reader.get((0, 0))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the other array does not fit; errors of reading and writing.
    pub fn copy_from<R>(&mut self, at: &[u64], reader: &Reader<R>) -> Written<(), S>
    where
        R: ReadAt,
        R::Error: Into<S::Error>,
    {
        self.attempt(|editor| editor.copy_placed(&Placement { at, new_axis: None }, reader))
    }

    pub(super) fn copy_placed<R>(&mut self, placement: &Placement<'_>, reader: &Reader<R>) -> Written<(), S>
    where
        R: ReadAt,
        R::Error: Into<S::Error>,
    {
        let other = reader.layout().map_err(lift)?.ok_or(ArgumentError::NotAnArray)?;
        let array = self.must_be_array()?;
        if other.itemsize() != array.itemsize() {
            let (expected, actual) = (array.itemsize().into(), other.itemsize().into());
            return Err(ArgumentError::BufferLen { expected, actual }.into());
        }
        let shape = placement.with_axis(other.shape().to_vec());
        if shape.len() != array.shape().len() || placement.at.len() != shape.len() {
            return Err(ArgumentError::Dimensions { given: shape.len(), ndim: array.shape().len() }.into());
        }
        let ends = placement.at.iter().zip(&shape).map(|(at, len)| at.saturating_add(*len));
        let bounds: Vec<Range<u64>> =
            placement.at.iter().copied().zip(ends).map(|(at, end)| at..end).collect();
        for (axis, (bound, len)) in bounds.iter().zip(array.shape().iter()).enumerate() {
            if bound.end > len {
                return Err(ArgumentError::Index { axis, index: bound.end as i64, len }.into());
            }
        }
        let plan = self.plan_box(&bounds)?;
        let alike = self.is_alike(placement, reader, other)?;
        let copied = |plan: &Plan, task: &ChunkTask| alike && plan.covers(task);
        for task in plan.chunks().filter(|task| copied(&plan, task)) {
            let nchunk = self.source_chunk(placement, other, task.nchunk())?;
            self.copy_chunk(task.nchunk(), reader, nchunk)?;
        }
        let others = plan.chunks().filter(|task| !copied(&plan, task));
        self.write_tasks(&plan, others, None, &mut |place, items| {
            let selection = Selection::of_ranges(&placement.drop_axis(place));
            let plan = reader.plan(&selection).map_err(lift)?;
            reader.get_into(&plan, items).map_err(lift)
        })
    }

    /// Whether chunks can be copied without decoding: their shapes, boundaries and compression parameters are equal.
    fn is_alike<R: ReadAt>(
        &self,
        placement: &Placement<'_>,
        reader: &Reader<R>,
        other: &Layout,
    ) -> Checked<bool> {
        let array = self.must_be_array()?;
        let header = &reader.frame().header;
        let (axes, theirs) = (array.axes(), other.axes());
        let aligned =
            placement.at.iter().zip(&axes.chunkshape).all(|(at, chunk)| at.is_multiple_of((*chunk).into()));
        let long = placement.new_axis.is_some_and(|axis| axes.chunkshape[axis] != 1);
        let shapes = placement.drop_axis(&axes.chunkshape) == theirs.chunkshape
            && placement.drop_axis(&axes.blockshape) == theirs.blockshape;
        let compressed = compressed_alike(header, &self.cparams);
        Ok(self.choosing.is_none()
            && aligned
            && shapes
            && !long
            && compressed
            && !header.is_beta()
            && header.version > 0)
    }

    /// The chunk of the other array at the place of chunk `nchunk`.
    fn source_chunk(&self, placement: &Placement<'_>, other: &Layout, nchunk: u64) -> Checked<u64> {
        let array = self.must_be_array()?;
        let region = array.chunks().nth(nchunk as usize);
        let region = region.ok_or(ArgumentError::Chunk { index: nchunk, nchunks: self.frame.nchunks() })?;
        let axes = array.axes();
        let firsts = placement.at.iter().zip(&axes.chunkshape).map(|(at, chunk)| at / u64::from(*chunk));
        let position: Vec<u64> = region.position.iter().zip(firsts).map(|(at, first)| at - first).collect();
        let lens = other.shape().to_vec();
        let counts = lens
            .iter()
            .zip(&other.axes().chunkshape)
            .map(|(len, chunk)| len.div_ceil(u64::from(*chunk)))
            .collect::<Vec<_>>();
        let position = placement.drop_axis(&position);
        Ok(position.iter().zip(&counts).fold(0, |number, (at, count)| number * count + at))
    }

    /// Copies an encoded chunk to chunk `nchunk`, or appends it if that is the end.
    fn copy_chunk<R>(&mut self, nchunk: u64, reader: &Reader<R>, from: u64) -> Written<(), S>
    where
        R: ReadAt,
        R::Error: Into<S::Error>,
    {
        let inserts = nchunk == self.frame.nchunks();
        let info = reader.chunk_info(from).map_err(lift)?;
        if !inserts {
            self.learn(nchunk)?;
        }
        match info.location {
            Location::Special(value) if inserts => Ok(self.frame.fill(value, info.header.nbytes, 1)?),
            Location::Special(value) => Ok(self.frame.set_special(nchunk, value)?),
            Location::Stored { part, offset } => {
                let cbytes = info.header.cbytes.into();
                self.dparams.limits.allow_memory(cbytes)?;
                let mut buffer = Vec::new();
                let read = reader.read_part((part, offset), cbytes, &mut buffer);
                let bytes = reader.settled(read).map_err(lift)?;
                self.write_chunk(nchunk, bytes, inserts)
            }
        }
    }

    /// Copies the attributes of another frame.
    ///
    /// ```
    /// # use b2nd::{DParams, Editor, Reader, array::ArrayParams, frame::FrameParams, sink::Memory};
    /// # let sample = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = Reader::open(&sample[..], DParams::default())?;
    /// let mut editor = Editor::create(Memory::default(), &FrameParams::default())?;
    /// editor.copy_attrs(&reader)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of reading and of [`set_attr_bytes`](Self::set_attr_bytes).
    pub fn copy_attrs<R>(&mut self, reader: &Reader<R>) -> Written<(), S>
    where
        R: ReadAt,
        R::Error: Into<S::Error>,
    {
        let attributes = &reader.trailer().map_err(lift)?.attributes;
        self.attempt(|editor| {
            for metalayer in attributes {
                editor.frame.set_attr_bytes(&metalayer.name, &metalayer.content)?;
            }
            Ok(())
        })
    }

    /// Copies an array with other parameters, for example [those of the array](ArrayParams::of). The result is not committed
    /// yet.
    ///
    /// ```
    /// # use b2nd::{DParams, Editor, Reader, array::ArrayParams, frame::FrameParams, sink::Memory};
    /// # let sample = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = Reader::open(&sample[..], DParams::default())?;
    /// let params = ArrayParams::of_type::<f32>(&[12, 30, 40]).with_chunks(&[4, 30, 40]);
    /// let copy = Editor::copy_array(Memory::default(), &params, &reader)?;
    /// assert_eq!(copy.get(-1)?, reader.get(-1)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the shapes differ; errors of reading and writing.
    pub fn copy_array<R>(sink: S, params: &ArrayParams, reader: &Reader<R>) -> Written<Self, S>
    where
        R: ReadAt,
        R::Error: Into<S::Error>,
    {
        let mut editor = Self::create_array(sink, params)?;
        editor.copy_attrs(reader)?;
        editor.copy_from(&vec![0; params.shape.len()], reader)?;
        Ok(editor)
    }

    /// Copies a super-chunk with other parameters, chunk by chunk. The result is not committed yet.
    ///
    /// ```
    /// # use b2nd::{DParams, Editor, Reader, array::ArrayParams, frame::FrameParams, sink::Memory};
    /// # let sample = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let reader = Reader::open(&sample[..], DParams::default())?;
    /// let copy = Editor::copy_schunk(Memory::default(), &FrameParams::default(), &reader)?;
    /// assert_eq!(copy.chunk(1)?, reader.chunk(1)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of reading and writing.
    pub fn copy_schunk<R>(sink: S, params: &FrameParams, reader: &Reader<R>) -> Written<Self, S>
    where
        R: ReadAt,
        R::Error: Into<S::Error>,
    {
        let mut editor = Self::create(sink, params)?;
        editor.copy_attrs(reader)?;
        let header = &reader.frame().header;
        let alike = compressed_alike(header, &params.cparams) && header.version >= 2;
        for nchunk in 0..reader.nchunks().map_err(lift)? {
            if alike {
                editor.copy_chunk(nchunk, reader, nchunk)?;
            } else {
                editor.append_chunk(&reader.chunk(nchunk).map_err(lift)?)?;
            }
        }
        Ok(editor)
    }
}

/// Whether chunks of a frame are compressed as these parameters say.
fn compressed_alike(header: &Header, cparams: &CParams) -> bool {
    let theirs = (header.codec, header.codec_meta, header.clevel, header.filters);
    theirs == (cparams.codec, cparams.codec_meta, cparams.clevel, cparams.filters)
}
