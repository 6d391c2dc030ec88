//! Changes as values, and what they read of the frame: for programs whose sink cannot read, which bring it before.

use super::{Editor, Written};
use crate::base::{ArgumentError, Limits, Result as Checked};
use crate::chunk::{EXTENDED_HEADER, Header as ChunkHeader};
use crate::frame::{Exchange, FrameEditor, Location, Request};
use crate::plan::{Plan, Selection};
use crate::sink::WriteAt;
use alloc::borrow::Cow;
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::mem::take;
use core::ops::Range;

/// A change of an array, as a value.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Change<'a> {
    /// [`Editor::put_chunk`].
    Chunk(u64, &'a [u8]),
    /// [`Editor::set`].
    Set(Selection, &'a [u8]),
    /// [`Editor::resize`].
    Resize(Vec<u64>),
    /// [`Editor::append`].
    Append(usize, &'a [u8]),
    /// [`Editor::set_metalayer`]; without a content [`Editor::remove_metalayer`].
    Metalayer(Cow<'a, str>, Option<Cow<'a, [u8]>>),
    /// [`Editor::set_attr_bytes`]; without a content [`Editor::remove_attr`].
    Attr(Cow<'a, str>, Option<Cow<'a, [u8]>>),
    /// [`Editor::commit_in_place`]. If the frame [needs to be moved](FrameEditor::needs_move), only [`Editor::flush`], after which
    /// the lengths of all chunks are known.
    Commit,
    /// [`Editor::flush`], after which the lengths of all chunks are known: [`FrameEditor::moved`] then has no unused space.
    Compact,
}

impl<S: WriteAt> Editor<S> {
    /// Makes a change.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[4]))?;
    /// editor.make(&b2nd::sink::Change::Resize(vec![6]))?;
    /// assert_eq!(editor.get(..)?, [0; 6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the method that makes it.
    pub fn make(&mut self, change: &Change<'_>) -> Written<(), S> {
        match change {
            Change::Chunk(nchunk, chunk) => self.put_chunk(*nchunk, chunk),
            Change::Set(selection, items) => self.set(selection, items),
            Change::Resize(shape) => self.resize(shape),
            Change::Append(axis, items) => self.append(*axis, items),
            Change::Metalayer(name, Some(content)) => self.set_metalayer(name, content),
            Change::Metalayer(name, None) => self.remove_metalayer(name).map(drop),
            Change::Attr(name, Some(content)) => self.set_attr_bytes(name, content),
            Change::Attr(name, None) => {
                self.remove_attr(name);
                Ok(())
            }
            Change::Commit if !self.frame.needs_move() => self.commit_in_place(),
            Change::Commit | Change::Compact => {
                self.learn_all()?;
                self.flush()
            }
        }
    }

    /// Begins to read what a change needs. Once the sink has that, [`make`](Self::make) reads nothing else.
    ///
    /// ```
    /// use b2nd::array::ArrayParams;
    /// use b2nd::sink::{Change, Editor, Memory};
    /// use b2nd::source::drive;
    /// let mut editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<u8>(&[8]))?;
    /// editor.set(":", &[1, 1, 2, 3, 5, 8, 13, 21])?;
    /// editor.commit()?;
    /// let file = editor.into_sink();
    /// let editor = Editor::open(file.clone(), b2nd::DParams::default())?;
    /// let change = Change::Set("3".parse()?, &[4]);
    /// let read = drive(&file, editor.preparing(&change)?)?;
    /// assert_eq!(read.requests().count(), 1, "the chunk");
    /// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`make`](Self::make) that are known already.
    pub fn preparing(&self, change: &Change<'_>) -> Checked<Preparing<'_>> {
        let mut reads = Preparing::new(&self.frame, &self.dparams.limits);
        match change {
            Change::Metalayer(..) | Change::Attr(..) => {}
            Change::Append(axis, items) => self.appending(*axis, items, &mut reads)?,
            change => {
                self.writing_rows(&mut reads)?;
                match change {
                    Change::Chunk(nchunk, _) => reads.replaced.push(*nchunk),
                    Change::Set(selection, _) => reads.written(&self.must_be_array()?.plan(selection)?),
                    Change::Resize(shape) => self.resizing(shape, &mut reads)?,
                    Change::Commit if !self.frame.needs_move() => {}
                    _ => reads.replaced.extend(0..self.frame.nchunks()),
                }
            }
        }
        reads.ask_heads()?;
        Ok(reads)
    }

    /// Asks for all that writing the collected rows reads.
    fn writing_rows(&self, reads: &mut Preparing<'_>) -> Checked<()> {
        if let Some((_, plan)) = self.rows_plan()? {
            reads.written(&plan);
        }
        Ok(())
    }

    fn appending(&self, axis: usize, items: &[u8], reads: &mut Preparing<'_>) -> Checked<()> {
        let at = self.len_of(axis)?;
        let shape = self.longer(axis, items)?;
        if shape[axis] == at {
            return Ok(());
        }
        match self.collects(axis, &shape, items) {
            Some(rows) if rows.is_empty() => Ok(()),
            Some(rows) => self.growing(axis, rows.start, &shape, reads),
            None => {
                self.writing_rows(reads)?;
                self.growing(axis, at, &shape, reads)
            }
        }
    }

    /// Asks for all that a change of the shape reads: chunks that lose items or get more, and the lengths of those that are lost.
    fn resizing(&self, shape: &[u64], reads: &mut Preparing<'_>) -> Checked<()> {
        let array = self.must_be_array()?;
        let old: Vec<Range<u64>> = array.shape().iter().map(|len| 0..len).collect();
        if shape.len() != old.len() || self.frame.nchunks() == 0 {
            return Ok(());
        }
        let stay = array.chunks_within(shape);
        for axis in 0..old.len() {
            let len = old[axis].end;
            self.growing(axis, len, shape, reads)?;
            if let Some(rest) = array.rest_of_chunk(axis, shape[axis]) {
                self.writing_box(&stay, axis, rest.start..rest.end.min(len), reads)?;
            }
            self.writing_box(&old, axis, stay[axis].end..len, reads)?;
        }
        Ok(())
    }

    /// The chunks that get items behind position `at` of an axis that grows from there.
    fn growing(&self, axis: usize, at: u64, shape: &[u64], reads: &mut Preparing<'_>) -> Checked<()> {
        let array = self.must_be_array()?;
        if self.frame.nchunks() == 0 || shape[axis] <= at || array.rest_of_chunk(axis, at).is_none() {
            return Ok(());
        }
        let stay: Vec<Range<u64>> =
            array.shape().iter().zip(shape).map(|(old, &new)| 0..old.min(new)).collect();
        // What is in these chunks stays, so that none is written as a whole.
        let covered = reads.replaced.len();
        self.writing_box(&stay, axis, at - 1..at, reads)?;
        reads.changed.extend(reads.replaced.drain(covered..));
        Ok(())
    }

    /// Asks for all that writing a box reads, whose range along an axis is another.
    fn writing_box(
        &self,
        ranges: &[Range<u64>],
        axis: usize,
        range: Range<u64>,
        reads: &mut Preparing<'_>,
    ) -> Checked<()> {
        let mut ranges = ranges.to_vec();
        ranges[axis] = range;
        if ranges.iter().all(|range| !range.is_empty()) {
            reads.written(&self.plan_box(&ranges)?);
        }
        Ok(())
    }
}

/// The exchange that reads what a [`Change`] needs: lengths of chunks that it replaces, and chunks that it changes in part.
#[derive(Debug)]
pub struct Preparing<'e> {
    frame: &'e FrameEditor,
    limits: &'e Limits,
    /// Chunks of which only the length is needed, and those of which all is.
    replaced: Vec<u64>,
    changed: Vec<u64>,
    /// Whether chunks are asked for, no longer their headers.
    asks_chunks: bool,
    requests: Vec<Request>,
    known: Prepared,
}

/// The bytes that a change reads: the headers of chunks, and whole chunks, each in order.
#[derive(Debug, Clone, Default)]
pub struct Prepared {
    heads: Vec<(Request, Vec<u8>)>,
    chunks: Vec<(Request, Vec<u8>)>,
}

impl Prepared {
    /// The requests that were answered.
    pub fn requests(&self) -> impl Iterator<Item = &Request> {
        self.heads.iter().chain(&self.chunks).map(|(request, _)| request)
    }

    /// These bytes, if they were read. There are fewer if the part ends earlier.
    pub fn find(&self, wanted: &Request) -> Option<&[u8]> {
        let place = |request: &Request| (request.part, request.range.start);
        [&self.chunks, &self.heads].into_iter().find_map(|list| {
            let before = list.partition_point(|(request, _)| place(request) <= place(wanted));
            let (request, bytes) = list[..before].last()?;
            let contains = request.part == wanted.part && wanted.range.end <= request.range.end;
            let at = |offset: u64| (offset - request.range.start).min(bytes.len() as u64) as usize;
            contains.then(|| &bytes[at(wanted.range.start)..at(wanted.range.end)])
        })
    }
}

impl<'e> Preparing<'e> {
    fn new(frame: &'e FrameEditor, limits: &'e Limits) -> Self {
        let (replaced, changed, requests) = (Vec::new(), Vec::new(), Vec::new());
        Self { frame, limits, replaced, changed, asks_chunks: false, requests, known: Prepared::default() }
    }

    /// Takes the chunks to which a plan is written.
    fn written(&mut self, plan: &Plan) {
        for task in plan.chunks() {
            let chunks = if plan.covers(&task) { &mut self.replaced } else { &mut self.changed };
            chunks.push(task.nchunk());
        }
    }

    /// Asks for the headers of chunks whose lengths are unknown.
    fn ask_heads(&mut self) -> Checked<()> {
        self.replaced.extend(&self.changed);
        for nchunk in take(&mut self.replaced) {
            if self.frame.chunk_cbytes(nchunk)?.is_none() {
                self.ask_start(nchunk, EXTENDED_HEADER as u64)?;
            }
        }
        self.sort();
        if self.requests.is_empty() { self.ask_chunks() } else { Ok(()) }
    }

    /// Puts the requests in order, each once.
    fn sort(&mut self) {
        if !self.requests.is_sorted() {
            // The sort with the least code.
            self.requests = BinaryHeap::from(take(&mut self.requests)).into_sorted_vec();
        }
        self.requests.dedup();
    }

    fn ask_chunks(&mut self) -> Checked<()> {
        self.asks_chunks = true;
        for nchunk in take(&mut self.changed) {
            let cbytes = match (self.frame.chunk_cbytes(nchunk)?, self.frame.locate(nchunk)?) {
                (None, Location::Stored { part, offset }) => {
                    let request = Request { part, range: offset..offset + EXTENDED_HEADER as u64 };
                    let header = ChunkHeader::parse(self.known.find(&request).unwrap_or_default());
                    header.map_err(|error| error.in_chunk(nchunk))?.cbytes
                }
                (known, _) => known.unwrap_or_default(),
            };
            let len = self.limits.allow_memory(cbytes.into())? as u64;
            self.ask_start(nchunk, len)?;
        }
        self.sort();
        Ok(())
    }

    /// Asks for so many bytes of a stored chunk, unless they are known.
    fn ask_start(&mut self, nchunk: u64, len: u64) -> Checked<()> {
        if let Location::Stored { part, offset } = self.frame.locate(nchunk)? {
            let request = Request { part, range: offset..offset + len };
            if self.known.find(&request).is_none() {
                self.requests.push(request);
            }
        }
        Ok(())
    }
}

impl Exchange for Preparing<'_> {
    type Outcome = Prepared;

    fn ask(&mut self) -> Checked<&[Request]> {
        Ok(&self.requests)
    }

    fn give(&mut self, answers: &[&[u8]]) -> Checked<()> {
        if answers.len() != self.requests.len() || answers.is_empty() {
            return Err(ArgumentError::NotAsked.into());
        }
        let list = if self.asks_chunks { &mut self.known.chunks } else { &mut self.known.heads };
        for (request, bytes) in take(&mut self.requests).into_iter().zip(answers) {
            list.push((request, bytes.to_vec()));
        }
        if self.asks_chunks { Ok(()) } else { self.ask_chunks() }
    }

    fn finish(self) -> Checked<Prepared> {
        if self.requests.is_empty() { Ok(self.known) } else { Err(ArgumentError::Unfinished.into()) }
    }
}
