//! Batches: chunks that are brought by one request and decoded by one call.

use super::frame::special;
use super::opened::{Opened, State, opened};
use super::plan::{expected, pieces, planned};
use crate::call_error::CallError;
use crate::engine::Engine;
use crate::exchange::FRAME;
use crate::output::Output;
use crate::sections::f64s;
use alloc::vec::Vec;
use b2nd::Result;
use b2nd::plan::{ChunkTask, Plan};
use b2nd::reading::ChunkReading;
use core::ops::Range;

/// Chunks of an answer. It may have more, since it ends with a whole chunk.
const ANSWER_CHUNKS: u32 = 1 << 11;
/// Uncompressed bytes of the chunks of a batch.
const MAX_BATCH_BYTES: f64 = (1 << 20) as f64;
/// A chunk that is not stored takes as much time as so many bytes.
const UNSTORED_BYTES: u64 = 1 << 12;
/// A chunk takes no more bytes than its items and a header, if it is not known how many.
const HEADER_BYTES: u64 = 32;

/// Flags: chunks that follow each other in a row share a box; chunks that are not stored are passed over.
const JOIN: u32 = 1;
const STORED: u32 = 2;
/// The piece of a chunk that shares the box of the one before it.
pub(super) const JOINED: f64 = -2.0;

/// Groups the chunks that a selection touches into batches: those from chunk `from` on and before `end`, of which the input has the
/// first chunk, the location and the extent of each run.
pub(crate) fn batches(
    engine: &mut Engine,
    items: u32,
    from: u64,
    end: u64,
    flags: u32,
) -> Result<(), CallError> {
    let Engine { input, output, reader: State { opened, .. }, .. } = engine;
    output.clear();
    let opened = self::opened(opened)?;
    let mut sections = input.sections();
    let plan = planned(opened, items, &sections.selection())?;
    let runs: Vec<f64> = f64s(sections.section()).collect();
    output.numbers(&[f64::NAN]);
    let row = if flags & JOIN == 0 { 0 } else { plan.chunks_in_row() };
    let (batch, tasks, left) = ([0.0; column::WIDTH], Vec::new(), ANSWER_CHUNKS);
    let mut grouping = Grouping { opened, plan: &plan, row, batch, tasks, nbytes: 0.0, left, output };
    let next = grouping.take_all(runs.as_chunks().0, from..end, flags & STORED > 0)?;
    grouping.end();
    output.bytes_mut()[..8].copy_from_slice(&next.to_le_bytes());
    Ok(())
}

/// The columns of a batch, before the number, the piece and the location of each of its chunks.
mod column {
    /// The number of chunks.
    pub(super) const COUNT: usize = 0;
    /// Their bytes, by part, start and end; the end is 0 if none is stored.
    pub(super) const PART: usize = 1;
    pub(super) const START: usize = 2;
    pub(super) const END: usize = 3;
    /// 1 if these are all bytes of the chunks, 0 if they are the head of one.
    pub(super) const WHOLE: usize = 4;
    /// Wanted blocks of stored chunks.
    pub(super) const WANTED: usize = 5;
    /// Bytes of the result.
    pub(super) const TAKEN: usize = 6;
    /// Of the last chunk: uncompressed bytes, blocks, bytes up to what follows, bytes of the head.
    pub(super) const LAST: usize = 7;
    pub(super) const WIDTH: usize = 11;
}

/// Makes batches of chunks in their order.
struct Grouping<'a> {
    opened: &'a Opened,
    plan: &'a Plan,
    /// Chunks that make a row, of which those that follow each other share a box; 0 if each has its own.
    row: u64,
    /// The batch, and its chunks.
    batch: [f64; column::WIDTH],
    tasks: Vec<f64>,
    /// Its uncompressed bytes; infinite if it takes no more chunks.
    nbytes: f64,
    /// The number of chunks that the answer has room for.
    left: u32,
    output: &'a mut Output,
}

impl Grouping<'_> {
    /// Takes the touched ones of these chunks, as many as there is room for. Returns the next chunk; NaN after the last.
    fn take_all(
        &mut self,
        runs: &[[f64; 3]],
        Range { mut start, end }: Range<u64>,
        stored: bool,
    ) -> Result<f64> {
        let plan = self.plan;
        'from: loop {
            for task in plan.chunks_from(start) {
                let nchunk = task.nchunk();
                if nchunk >= end || self.left == 0 {
                    return Ok(nchunk as f64);
                }
                let after = runs.partition_point(|[first, ..]| *first <= nchunk as f64);
                let [_, location, extent] = *runs.get(after.wrapping_sub(1)).unwrap_or(&[f64::NAN; 3]);
                if special(nchunk, location)?.is_none() || !stored {
                    self.take(&task, location, extent)?;
                } else if let Some(next) = runs[after..].iter().find(|run| run[1] >= 0.0 || run[1].is_nan()) {
                    // Passes over a long run in one step.
                    start = next[0] as u64;
                    continue 'from;
                } else {
                    return Ok(end as f64);
                }
            }
            return Ok(f64::NAN);
        }
    }

    /// Takes a chunk, in pieces if it is long. `extent` is 0 if it is unknown.
    fn take(&mut self, task: &ChunkTask, location: f64, extent: f64) -> Result<()> {
        let header = &self.opened.frame.header;
        let (blocks, head) = expected(task, ChunkReading::expected_blocksize(header, self.plan));
        let (nchunk, nbytes, stored) = (task.nchunk(), task.nbytes(), location >= 0.0);
        let extent = match stored {
            false => 0,
            true if extent > 0.0 => extent as u64,
            true => nbytes + HEADER_BYTES,
        };
        pieces(header, self.plan, task, &mut |piece, wanted, taken| {
            let known = (!header.sparse).then_some(extent);
            let whole = !stored || ChunkReading::is_read_whole(known, head, wanted, blocks);
            let alone = !whole || stored && (piece >= 0 || header.sparse);
            let plain = if stored { nbytes } else { taken.max(UNSTORED_BYTES) } as f64;
            let apart = stored && self.batch[column::END] > 0.0 && self.batch[column::END] != location;
            if alone || apart || self.nbytes + plain > MAX_BATCH_BYTES {
                self.end();
            }
            self.nbytes += if alone { f64::INFINITY } else { plain };
            let joined = stored && piece < 0 && self.joins(nchunk);
            self.tasks.extend([nchunk as f64, if joined { JOINED } else { piece.into() }, location]);
            let batch = &mut self.batch;
            batch[column::COUNT] += 1.0;
            batch[column::WHOLE] = f64::from(u8::from(whole));
            batch[column::TAKEN] += taken as f64;
            batch[column::LAST..]
                .copy_from_slice(&[nbytes, blocks, extent, head].map(|number| number as f64));
            if stored {
                if batch[column::END] == 0.0 {
                    let start = if header.sparse { 0.0 } else { location };
                    batch[column::PART] = if header.sparse { location } else { FRAME };
                    batch[column::START] = start;
                    batch[column::END] = start;
                }
                batch[column::END] += if whole { extent } else { head } as f64;
                batch[column::WANTED] += wanted as f64;
            }
            self.left = self.left.saturating_sub(1);
        })
    }

    /// Whether a chunk follows the last one of the batch in its row.
    fn joins(&self, nchunk: u64) -> bool {
        let in_row = nchunk.checked_rem(self.row).is_some_and(|column| column > 0);
        let last = self.tasks.last_chunk();
        in_row
            && last.is_some_and(|&[last, piece, at]| last + 1.0 == nchunk as f64 && piece < 0.0 && at >= 0.0)
    }

    /// Ends the batch.
    fn end(&mut self) {
        if !self.tasks.is_empty() {
            self.output.numbers(&self.batch);
            self.output.numbers(&self.tasks);
        }
        self.batch.fill(0.0);
        self.tasks.clear();
        self.nbytes = 0.0;
    }
}
