//! What a selection takes of chunks: which bytes are needed, and decoding them.

use crate::engine::{Engine, Opened, Stop, need};
use crate::frame::{opened, special};
use crate::output::Output;
use crate::plan::{Ranges, part, planned};
use crate::sections::{Sections, f64s};
use crate::whole::in_chunk;
use alloc::vec::Vec;
use b2nd::chunk::SpecialValue;
use b2nd::fetch::ChunkReading;
use b2nd::plan::{ChunkTask, Plan};
use b2nd::{ArgumentError, DParams, Error, Scratch};
use core::cell::Cell;
use core::ops::Range;

pub(crate) fn wanted(engine: &mut Engine, items: u32, nchunk: u64, piece: i32) -> Result<(), Stop> {
    let Engine { input, output, opened, starts, .. } = engine;
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

/// What a plan takes of the chunk that begins with `bytes`, or how many bytes more it takes to tell.
fn open<'a>(
    opened: &'a Opened,
    plan: &'a Plan,
    task: &'a ChunkTask,
    bytes: &'a [u8],
) -> Result<ChunkReading<'a>, Stop> {
    ChunkReading::open(plan, task, opened.context(), bytes)?.map_err(|needed| need(0..needed))
}

/// Bytes of a frame, or of a chunk's own file.
struct Segments<'a> {
    list: Vec<(u64, &'a [u8])>,
    /// The one that was found last. The next one is wanted next, mostly.
    last: Cell<usize>,
}

impl<'a> Segments<'a> {
    fn new(starts: &'a [u8], bytes: Sections<'a>) -> Self {
        Self { list: f64s(starts).map(|start| start as u64).zip(bytes).collect(), last: Cell::new(0) }
    }

    /// The bytes from `start` on of the segment that has most of them.
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

    /// These bytes, if they lie in one segment.
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

/// Decodes what a selection takes of some chunks, one after the other.
pub(crate) fn decode(engine: &mut Engine, items: u32) -> Result<(), Stop> {
    let Engine { scratch, input, output, opened, starts, dparams } = engine;
    output.clear();
    let opened = self::opened(opened)?;
    let mut sections = input.sections();
    let plan = planned(opened, items, &sections.selection())?;
    let tasks = sections.section().as_chunks::<24>().0;
    let segments = Segments::new(sections.section(), sections);
    for numbers in tasks {
        let [nchunk, piece, location] = numbers.as_chunks().0 else { continue };
        let [nchunk, piece, location] = [nchunk, piece, location].map(|number| f64::from_le_bytes(*number));
        let task = plan.chunk(nchunk as u64).ok_or_else(|| Stop::Failed(ArgumentError::NotAsked.into()))?;
        let decoder = PartDecoder { opened, plan: &plan, task: &task, segments: &segments, location };
        in_chunk(nchunk, decoder.run(piece as i32, scratch, output, starts, dparams))?;
    }
    Ok(())
}

/// What is decoded of one chunk.
struct PartDecoder<'a> {
    opened: &'a Opened,
    plan: &'a Plan,
    task: &'a ChunkTask,
    segments: &'a Segments<'a>,
    location: f64,
}

impl PartDecoder<'_> {
    /// Goes on with the box of the result that this fills, and with its items.
    fn run(
        &self,
        piece: i32,
        scratch: &mut Scratch,
        output: &mut Output,
        starts: &mut Vec<u32>,
        dparams: &DParams,
    ) -> Result<(), Stop> {
        let (part, place) = part(self.opened, self.plan, self.task, piece)?;
        let reading = match special(self.location) {
            Some(value) => {
                let header = self.opened.frame.header.special_chunk(self.task.nchunk(), value)?;
                ChunkReading::of_special(&part, self.task, self.opened.context(), header)?
            }
            None => open(self.opened, &part, self.task, self.segments.head(self.base()))?,
        };
        output.numbers([place.len(), part.nbytes()].map(|number| number as f64));
        for range in place {
            output.numbers([range.start, range.end - range.start].map(|number| number as f64));
        }
        let nbytes = dparams.limits.allow_memory(part.nbytes() as u64)?;
        // What follows is aligned.
        let (out, _) = output.extend(nbytes.next_multiple_of(8)).split_at_mut(nbytes);
        if matches!(special(self.location), Some(SpecialValue::Zeros | SpecialValue::Uninit)) {
            // Blocks may be much longer than what is wanted of them.
            out.fill(0);
            return Ok(());
        }
        let mut needed = None;
        let decoded = reading.decode(&mut |range| self.get(range, &mut needed), starts, scratch, out);
        match needed {
            Some(range) => Err(need(range.start.into()..range.end.into())),
            None => Ok(decoded?),
        }
    }

    /// Where the chunk begins, as segments count.
    fn base(&self) -> u64 {
        if self.opened.frame.header.sparse { 0 } else { self.location as u64 }
    }

    /// Bytes of the chunk, which lie in one segment; if not, these are needed, and the error does not matter.
    fn get(&self, range: Range<u32>, needed: &mut Option<Range<u32>>) -> Result<&[u8], Error> {
        let found = self.segments.get(self.base() + u64::from(range.start), range.len());
        found.ok_or_else(|| {
            *needed = Some(range);
            ArgumentError::NotAsked.into()
        })
    }
}
