//! Decodes what a selection takes of chunks, and determines the bytes that this needs.

use super::batches::JOINED;
use super::frame::special;
use super::opened::{Opened, State, opened};
use super::plan::{part, planned};
use super::ranges::Ranges;
use crate::call_error::CallError;
use crate::engine::Engine;
use crate::exchange::FRAME;
use crate::output::Output;
use crate::sections::{Sections, f64s};
use alloc::vec::Vec;
use b2nd::chunk::SpecialValue;
use b2nd::plan::{ChunkTask, Plan};
use b2nd::reading::ChunkReading;
use b2nd::{ArgumentError, Error, FormatError, Malformed, Result, Scratch};
use core::cell::Cell;
use core::ops::Range;

pub(crate) fn wanted(
    engine: &mut Engine,
    items: u32,
    (nchunk, piece): (u64, i32),
    location: f64,
) -> Result<(), CallError> {
    let Engine { input, output, reader: State { opened, starts }, .. } = engine;
    output.clear();
    let opened = self::opened(opened)?;
    let mut sections = input.sections();
    let plan = planned(opened, items, &sections.selection())?;
    let Some(task) = plan.chunk(nchunk) else { return Ok(()) };
    let (part, _) = part(opened, &plan, &task, piece)?;
    let base = base(opened, location);
    let segments = Segments::new([(base, sections.section())].into(), sections);
    let reading = open(opened, (&part, &task), &segments, base);
    let reading = reading.map_err(|error| segments.stop(error, (opened, location), output))?;
    let mut ranges = Ranges::new(output);
    reading.ranges(starts)?.for_each(|range| ranges.push(range));
    Ok(())
}

/// Where a chunk begins in its part.
const fn base(opened: &Opened, location: f64) -> u64 {
    if opened.frame.header.sparse { 0 } else { location as u64 }
}

/// Starts reading a chunk.
fn open<'a, 's: 'a>(
    opened: &'a Opened,
    (plan, task): (&'a Plan, &'a ChunkTask),
    segments: &Segments<'s>,
    base: u64,
) -> Result<ChunkReading<'a>> {
    let mut bytes = segments.head(base);
    loop {
        match ChunkReading::open(plan, task, opened.context(), bytes)? {
            Ok(reading) => return Ok(reading),
            Err(needed) => bytes = segments.answer(base..base + needed)?,
        }
    }
}

/// Segments of a frame, or of the file of a chunk, and answers that have what they lack.
struct Segments<'a> {
    list: Vec<(u64, &'a [u8])>,
    /// The segment found last. The next lookup mostly finds it or the one after it.
    last: Cell<usize>,
    answers: Cell<Sections<'a>>,
    /// A mark that no answer has.
    missing: Cell<Option<Range<u64>>>,
}

impl<'a> Segments<'a> {
    fn new(list: Vec<(u64, &'a [u8])>, answers: Sections<'a>) -> Self {
        Self { list, last: Cell::default(), answers: Cell::new(answers), missing: Cell::default() }
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

    /// These bytes, from one segment or one answer that has all of them.
    fn get(&self, range: Range<u64>) -> Result<&'a [u8]> {
        let (before, after) = self.list.split_at(self.last.get());
        let found = after.iter().chain(before).enumerate().find_map(|(k, (at, bytes))| {
            let skipped = usize::try_from(range.start.checked_sub(*at)?).ok()?;
            let found = bytes.get(skipped..)?.get(..(range.end - range.start) as usize)?;
            self.last.set((self.last.get() + k) % self.list.len());
            Some(found)
        });
        found.map_or_else(|| self.answer(range), Ok)
    }

    /// The next answer. Without it the call needs this range, and the error ends it.
    #[inline(never)]
    fn answer(&self, range: Range<u64>) -> Result<&'a [u8]> {
        let mut answers = self.answers.get();
        let Some(bytes) = answers.next() else {
            self.missing.set(Some(range));
            return Err(ArgumentError::NotAsked.into());
        };
        self.answers.set(answers);
        let available = range.start + bytes.len() as u64;
        if available < range.end {
            let what = Malformed::Truncated { needed: range.end, available };
            return Err(FormatError { what, offset: None, chunk: None, block: None }.into());
        }
        Ok(bytes)
    }

    /// Why a call ends: it has failed, or needs what is missing.
    #[inline(never)]
    fn stop(&self, error: Error, (opened, location): (&Opened, f64), output: &mut Output) -> CallError {
        let Some(Range { start, end }) = self.missing.take() else { return error.into() };
        let part = if opened.frame.header.sparse { location } else { FRAME };
        output.clear();
        output.numbers(&[part, start as f64, end as f64]);
        CallError::Need
    }
}

/// A chunk, or a piece of one, to decode: its number, the number of the piece, and its location.
type Task = [f64; 3];

/// Decodes what a selection takes of some chunks, one after the other.
pub(crate) fn decode(engine: &mut Engine, items: u32) -> Result<(), CallError> {
    let Engine { scratch, input, output, reader: State { opened, starts }, dparams, .. } = engine;
    output.clear();
    let opened = self::opened(opened)?;
    let mut sections = input.sections();
    let plan = planned(opened, items, &sections.selection())?;
    let tasks: Vec<f64> = f64s(sections.section()).collect();
    let starts_of = f64s(sections.section()).map(|start| start as u64);
    let segments = Segments::new(starts_of.zip(&mut sections).collect(), sections);
    for tasks in tasks.as_chunks().0.chunk_by(|_, next: &Task| next[1] == JOINED) {
        let ([first, piece, _], [last, ..]) = (tasks[0], tasks[tasks.len() - 1]);
        let asked = |nchunk: f64| plan.chunk(nchunk as u64).ok_or(Error::from(ArgumentError::NotAsked));
        let mut chunk = asked(first)?;
        let (part, ranges) = match tasks {
            [_] => part(opened, &plan, &chunk, piece as i32)?,
            _ => plan.part_of_row(&chunk, &asked(last)?)?,
        };
        let out = output.push_box(&ranges, dparams.limits.allow_memory(part.nbytes() as u64)?);
        for &[nchunk, _, location] in tasks {
            let decoder = ChunkDecoder { opened, part: &part, chunk: &chunk, segments: &segments, location };
            if let Err(error) = decoder.run(scratch, starts, out) {
                return Err(segments.stop(error.in_chunk(nchunk as u64), (opened, location), output));
            }
            plan.advance(&mut chunk);
        }
    }
    Ok(())
}

/// Decodes what a part of the plan takes of one chunk.
struct ChunkDecoder<'a, 's> {
    opened: &'a Opened,
    part: &'a Plan,
    chunk: &'a ChunkTask,
    segments: &'a Segments<'s>,
    location: f64,
}

impl ChunkDecoder<'_, '_> {
    /// Decodes it to its place in `out`, the result of the part.
    fn run(&self, scratch: &mut Scratch, starts: &mut Vec<u32>, out: &mut [u8]) -> Result<()> {
        let Self { opened, part, chunk, segments, location } = *self;
        let base = base(opened, location);
        let reading = match special(chunk.nchunk(), location)? {
            Some(SpecialValue::Zeros | SpecialValue::Uninit) => {
                // Decoding would fill whole blocks, which may be much longer.
                out.fill(0);
                return Ok(());
            }
            Some(value) => {
                let header = opened.frame.header.special_chunk(chunk.nchunk(), value)?;
                ChunkReading::of_special(part, chunk, opened.context(), header)?
            }
            None => open(opened, (part, chunk), segments, base)?,
        };
        let mut get =
            |range: Range<u32>| segments.get(base + u64::from(range.start)..base + u64::from(range.end));
        reading.decode(&mut get, starts, scratch, out)
    }
}
