//! Decodes what a selection takes of chunks, and determines the bytes that this needs.

use super::frame::special;
use super::opened::{Opened, State, opened};
use super::plan::{part, planned};
use super::ranges::Ranges;
use super::whole::in_chunk;
use crate::engine::Engine;
use crate::sections::{Sections, f64s};
use crate::stop::{Stop, need};
use alloc::vec::Vec;
use b2nd::chunk::SpecialValue;
use b2nd::plan::{ChunkTask, Plan};
use b2nd::reading::ChunkReading;
use b2nd::{ArgumentError, Error, Scratch};
use core::cell::Cell;
use core::ops::Range;

pub(crate) fn wanted(engine: &mut Engine, items: u32, nchunk: u64, piece: i32) -> Result<(), Stop> {
    let Engine { input, output, reader: State { opened, starts }, .. } = engine;
    output.clear();
    let opened = self::opened(opened)?;
    let mut sections = input.sections();
    let plan = planned(opened, items, &sections.selection())?;
    let Some(task) = plan.chunk(nchunk) else { return Ok(()) };
    let (part, _) = part(opened, &plan, &task, piece)?;
    let reading = open(opened, &part, &task, sections.section())?;
    let mut ranges = Ranges::new(output);
    reading.ranges(starts)?.for_each(|range| ranges.push(range));
    Ok(())
}

/// Starts reading a chunk that begins with `bytes`. Needs more of it if its head is not complete.
fn open<'a>(
    opened: &'a Opened,
    plan: &'a Plan,
    task: &'a ChunkTask,
    bytes: &'a [u8],
) -> Result<ChunkReading<'a>, Stop> {
    ChunkReading::open(plan, task, opened.context(), bytes)?.map_err(|needed| need(0..needed))
}

/// Segments of a frame, or of the file of a chunk.
struct Segments<'a> {
    list: Vec<(u64, &'a [u8])>,
    /// The segment found last. The next lookup mostly finds it or the one after it.
    last: Cell<usize>,
}

impl<'a> Segments<'a> {
    fn new(starts: &'a [u8], bytes: Sections<'a>) -> Self {
        Self { list: f64s(starts).map(|start| start as u64).zip(bytes).collect(), last: Cell::new(0) }
    }

    /// The bytes from `start` on, of the segment that has most of them.
    fn head(&self, start: u64) -> &'a [u8] {
        let mut head = &[][..];
        for &(at, bytes) in &self.list {
            let found = start.checked_sub(at).and_then(|skipped| bytes.get(usize::try_from(skipped).ok()?..));
            if let Some(found) = found.filter(|found| found.len() > head.len()) {
                head = found;
            }
        }
        head
    }

    /// These bytes, if one segment has all of them.
    fn get(&self, start: u64, len: usize) -> Option<&'a [u8]> {
        let (before, after) = self.list.split_at(self.last.get());
        after.iter().chain(before).enumerate().find_map(|(k, (at, bytes))| {
            let skipped = usize::try_from(start.checked_sub(*at)?).ok()?;
            let found = bytes.get(skipped..)?.get(..len)?;
            self.last.set((self.last.get() + k) % self.list.len());
            Some(found)
        })
    }
}

/// A chunk, or a piece of one, to decode: its number, the number of the piece, and its location.
type Task = [f64; 3];

/// The piece of a chunk that follows the one before it along the last axis, and shares its box.
const JOINED: f64 = -2.0;

/// Decodes what a selection takes of some chunks, one after the other.
pub(crate) fn decode(engine: &mut Engine, items: u32) -> Result<(), Stop> {
    let Engine { scratch, input, output, reader: State { opened, starts }, dparams, .. } = engine;
    output.clear();
    let opened = self::opened(opened)?;
    let mut sections = input.sections();
    let plan = planned(opened, items, &sections.selection())?;
    let tasks: Vec<f64> = f64s(sections.section()).collect();
    let segments = Segments::new(sections.section(), sections);
    for tasks in tasks.as_chunks().0.chunk_by(|_, next: &Task| next[1] == JOINED) {
        let ([first, piece, _], [last, ..]) = (tasks[0], tasks[tasks.len() - 1]);
        let asked = |nchunk: f64| plan.chunk(nchunk as u64).ok_or(Error::from(ArgumentError::NotAsked));
        let mut chunk = asked(first)?;
        let (part, place) = match tasks {
            [_] => part(opened, &plan, &chunk, piece as i32)?,
            _ => plan.part_of_row(&chunk, &asked(last)?)?,
        };
        output.numbers(&[place.len(), part.nbytes()].map(|number| number as f64));
        for range in place {
            output.numbers(&[range.start, range.end - range.start].map(|number| number as f64));
        }
        let nbytes = dparams.limits.allow_memory(part.nbytes() as u64)?;
        // The next box is aligned.
        let out = &mut output.extend(nbytes.next_multiple_of(8))[..nbytes];
        for &[nchunk, _, location] in tasks {
            let decoder = ChunkDecoder { opened, part: &part, chunk: &chunk, segments: &segments, location };
            in_chunk(nchunk, decoder.run(scratch, starts, out))?;
            plan.advance(&mut chunk);
        }
    }
    Ok(())
}

/// Decodes what a part of the plan takes of one chunk.
struct ChunkDecoder<'a> {
    opened: &'a Opened,
    part: &'a Plan,
    chunk: &'a ChunkTask,
    segments: &'a Segments<'a>,
    location: f64,
}

impl ChunkDecoder<'_> {
    /// Decodes it to its place in `out`, the result of the part.
    fn run(&self, scratch: &mut Scratch, starts: &mut Vec<u32>, out: &mut [u8]) -> Result<(), Stop> {
        let Self { opened, part, chunk, segments, location } = *self;
        let base = if opened.frame.header.sparse { 0 } else { location as u64 };
        let reading = match special(location) {
            Some(SpecialValue::Zeros | SpecialValue::Uninit) => {
                // Decoding would fill whole blocks, which may be much longer.
                out.fill(0);
                return Ok(());
            }
            Some(value) => {
                let header = opened.frame.header.special_chunk(chunk.nchunk(), value)?;
                ChunkReading::of_special(part, chunk, opened.context(), header)?
            }
            None => open(opened, part, chunk, segments.head(base))?,
        };
        let mut needed = None;
        // If no segment has the bytes, the call needs them, and this error is dropped.
        let mut get = |range: Range<u32>| {
            segments.get(base + u64::from(range.start), range.len()).ok_or_else(|| {
                needed = Some(range);
                ArgumentError::NotAsked.into()
            })
        };
        let decoded = reading.decode(&mut get, starts, scratch, out);
        match needed {
            Some(range) => Err(need(range.start.into()..range.end.into())),
            None => Ok(decoded?),
        }
    }
}
