//! Rows that are appended one after the other. They are collected until they fill a chunk, so that it is encoded once.

use super::batch::{Items, Worker};
use super::moves::STILL;
use super::{Editor, Written};
use crate::base::{ArgumentError, Result as Checked};
use crate::chunk::{CParams, Chunk};
use crate::filter::Pipeline;
use crate::plan::Plan;
use crate::sink::WriteAt;
use alloc::vec::Vec;
use core::ops::Range;

/// The maximum number of bytes of collected rows.
const MAX_COLLECTED_BYTES: u64 = 32 << 20;

/// Rows at the end of an array, which its chunks do not have yet. Without rows this is the end of rows that were appended.
#[derive(Debug)]
pub(super) struct Collected {
    axis: usize,
    /// The position of the first row.
    start: u64,
    /// Their items in C order.
    items: Vec<u8>,
}

impl<S: WriteAt> Editor<S> {
    /// Writes the rows that [`append`](Self::append) has collected. Every other change does so by itself, and so does a commit.
    ///
    /// ```
    /// # let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &b2nd::array::ArrayParams::of_type::<u8>(&[0]))?;
    /// editor.append(0, &[1, 2])?;
    /// editor.append(0, &[3])?;
    /// editor.flush()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of reading, encoding and writing. Then the rows stay collected.
    pub fn flush(&mut self) -> Written<(), S> {
        let Some(rows) = self.collected.take().filter(|rows| !rows.items.is_empty()) else { return Ok(()) };
        let done = self.attempt(|editor| {
            let new = editor.rows_box(&rows)?;
            let plan = editor.plan_box(&new)?;
            editor.write_last(&plan, Some(&rows.items), &mut |_, _| Ok(()))
        });
        if done.is_err() {
            self.collected = Some(rows);
        }
        done
    }

    /// Writes collected rows as the first step of a change.
    pub(super) fn write_rows(&mut self, rows: &Collected) -> Written<(), S> {
        if rows.items.is_empty() {
            return Ok(());
        }
        let plan = self.plan_box(&self.rows_box(rows)?)?;
        self.write_plan(&plan, &rows.items)
    }

    /// The box from the first of the rows to the end of the array.
    fn rows_box(&self, rows: &Collected) -> Checked<Vec<Range<u64>>> {
        let mut new: Vec<Range<u64>> = self.must_be_array()?.shape().iter().map(|len| 0..len).collect();
        new[rows.axis].start = rows.start;
        Ok(new)
    }

    /// Remembers that rows were written up to position `end` of an axis, so that those that follow are collected. They are not
    /// if they do not follow each other in C order, or if a codec or filter of the host might refuse them later.
    pub(super) fn expect_rows(&mut self, axis: usize, end: u64) {
        let CParams { codec, filters, registry, .. } = &self.cparams;
        let hosted = registry.get(*codec).is_some()
            || filters.slots.iter().any(|filter| registry.get_filter(filter.id).is_some());
        let follow = self.layout().is_some_and(|array| array.shape().iter().take(axis).all(|len| len == 1));
        if follow && !hosted {
            self.collected = Some(Collected { axis, start: end, items: Vec::new() });
        }
    }

    /// The rows that are written if these are collected up to `shape`: those that fill chunks. `None` if they cannot be collected.
    pub(super) fn collects(&self, axis: usize, shape: &[u64], items: &[u8]) -> Option<Range<u64>> {
        let fits = |rows: &&Collected| rows.axis == axis && items.len() as u64 <= MAX_COLLECTED_BYTES;
        let rows = self.collected.as_ref().filter(fits)?;
        let chunk = u64::from(self.layout()?.axes().chunkshape[axis]).max(1);
        let nbytes = (rows.items.len() + items.len()) as u64;
        let allowed = self.dparams.limits.memory.min(MAX_COLLECTED_BYTES);
        let complete = if nbytes > allowed { shape[axis] } else { shape[axis] / chunk * chunk };
        Some(rows.start..complete.max(rows.start))
    }

    /// Collects rows from position `at` of an axis on, if rows were appended there before. Those that fill chunks are written.
    /// Returns `None` if they cannot be collected.
    pub(super) fn collect(&mut self, axis: usize, shape: &[u64], items: &[u8]) -> Option<Written<(), S>> {
        let Range { start, end: complete } = self.collects(axis, shape, items)?;
        let mut rows = self.collected.take()?;
        let len = rows.items.len();
        let row = (len + items.len()) as u64 / (shape[axis] - start);
        let written = ((complete - start) * row).saturating_sub(len as u64) as usize;
        rows.items.extend_from_slice(&items[..written]);
        let done = self.attempt(|editor| {
            editor.reshape(shape, STILL)?;
            if complete == start {
                return Ok(());
            }
            editor.write_rows_of(axis, start..complete, &rows.items)
        });
        match done {
            Ok(()) => {
                if complete > start {
                    rows.items.clear();
                    rows.start = complete;
                }
                rows.items.extend_from_slice(&items[written..]);
            }
            Err(_) => rows.items.truncate(len),
        }
        self.collected = Some(rows);
        Some(done)
    }

    /// Whether there are collected rows of a chunk.
    pub(super) fn has_rows(&self, nchunk: u64) -> Checked<bool> {
        Ok(self.rows_plan()?.is_some_and(|(_, plan)| plan.chunk(nchunk).is_some()))
    }

    /// Encodes a chunk with its collected rows in `buffer`, without compression.
    pub(super) fn with_rows<'b>(&'b self, nchunk: u64, buffer: &'b mut Vec<u8>) -> Written<Chunk<'b>, S> {
        let (rows, plan) = self.rows_plan()?.ok_or(ArgumentError::NotAnArray)?;
        let nchunks = self.frame.nchunks();
        let task = plan.chunk(nchunk).ok_or(ArgumentError::Chunk { index: nchunk, nchunks })?;
        let cparams =
            CParams { clevel: 0, filters: Pipeline::default(), use_dict: false, ..self.cparams.clone() };
        let mut worker = Worker::new(&cparams, &self.dparams);
        worker.before = self.before(nchunk)?;
        worker.assemble(&plan, &task, self.context(), Items::All(&rows.items))?;
        worker.encode()?;
        *buffer = worker.chunk;
        Ok(Chunk::with_context(buffer, self.context())?)
    }

    pub(super) fn rows_plan(&self) -> Checked<Option<(&Collected, Plan)>> {
        let rows = self.collected.as_ref().filter(|rows| !rows.items.is_empty());
        rows.map(|rows| Ok((rows, self.plan_box(&self.rows_box(rows)?)?))).transpose()
    }
}
