//! What a selection takes of chunks: which bytes are needed, and decoding them.

use crate::engine::{Answer, Engine, Opened};
use crate::frame::{opened, special};
use crate::output::Output;
use crate::sections::{Sections, u32s};
use crate::whole::context;
use alloc::boxed::Box;
use b2nd::chunk::{Blocks, Body, Chunk, EXTENDED_HEADER, Head, Header, Scratch, Spans};
use b2nd::frame::{Part, Request};
use b2nd::plan::{ChunkTask, Plan};
use b2nd::{ArgumentError, Result, Selection, Unsupported};
use core::ops::Range;

/// The plan for a selection of the array's items, or of the super-chunk's.
fn planned(opened: &Opened, items: u32, selection: &Selection) -> Result<Plan> {
    match items {
        0 => match &opened.array {
            Ok(Some(array)) => array.plan(selection),
            Ok(None) => Err(ArgumentError::NotAnArray.into()),
            Err(error) => Err(error.clone()),
        },
        _ => match &opened.schunk {
            Ok(Some(schunk)) => schunk.plan(selection),
            Ok(None) => Err(Unsupported::VariableBlocks.into()),
            Err(error) => Err(error.clone()),
        },
    }
}

pub(crate) fn plan(engine: &mut Engine, items: u32) -> Result<Answer> {
    let Engine { input, output, opened, .. } = engine;
    output.clear();
    let opened = self::opened(opened)?;
    let plan = planned(opened, items, &input.sections().selection())?;
    let header = &opened.frame.header;
    let itemsize = match (&opened.array, &opened.schunk) {
        (Ok(Some(array)), _) if items == 0 => array.itemsize(),
        (_, Ok(Some(schunk))) => schunk.itemsize(),
        _ => header.typesize,
    };
    output.numbers([itemsize.into(), plan.nbytes() as f64, plan.shape().len() as f64]);
    output.numbers(plan.shape().iter().map(|&len| len as f64));
    output.numbers([plan.chunks().count() as f64]);
    // Where each chunk decides, the array's blocks are the best guess.
    let blocksize = if header.blocksize > 0 { header.blocksize } else { plan.tile_nbytes() as u32 };
    for task in plan.chunks() {
        let wanted = plan.blocks(&task, blocksize).count();
        let blocks = task.nbytes().div_ceil(blocksize.into());
        let head = EXTENDED_HEADER as u64 + 4 * blocks;
        let numbers = [task.nchunk(), task.nbytes(), wanted as u64, blocks, head];
        output.numbers(numbers.map(|number| number as f64));
    }
    Ok(Answer::Done)
}

pub(crate) fn wanted(engine: &mut Engine, items: u32, nchunk: u64) -> Result<Answer> {
    let Engine { input, output, opened, starts, .. } = engine;
    output.clear();
    let mut sections = input.sections();
    let plan = planned(self::opened(opened)?, items, &sections.selection())?;
    let Some(task) = plan.chunk(nchunk) else { return Ok(Answer::Done) };
    let bytes = sections.section();
    let head = match head(bytes, &plan, &task)? {
        Ok(head) => head,
        Err(need) => return Ok(need),
    };
    if head.header().body == Body::VlBlocks {
        output.u32s([0, head.header().cbytes]);
        return Ok(Answer::Done);
    }
    let spans = head.spans(starts);
    if let Some(Range { start, end }) = spans.dict() {
        output.u32s([start, end]);
    }
    for nblock in needed(&head, &plan, &task) {
        let Range { start, end } = spans.block(nblock)?;
        output.u32s([start, end]);
    }
    Ok(Answer::Done)
}

/// The blocks that a selection touches, and the first one where others refer to it.
fn needed<'p>(head: &Head<'_>, plan: &'p Plan, task: &'p ChunkTask) -> impl Iterator<Item = u32> + 'p {
    let header = head.header();
    let mut blocks = plan.blocks(task, header.blocksize).peekable();
    let refer = header.filters.contains(b2nd::filter::DELTA);
    let first = (refer && blocks.peek().is_some_and(|&nblock| nblock > 0)).then_some(0);
    let special = matches!(header.body, Body::Special(_));
    first.into_iter().chain(blocks).filter(move |_| !special)
}

/// The head of a chunk, or how many of its bytes that takes.
fn head<'a>(bytes: &'a [u8], plan: &Plan, task: &ChunkTask) -> Result<Result<Head<'a>, Answer>> {
    if bytes.len() < EXTENDED_HEADER && Header::parse(bytes).is_err() {
        return Ok(Err(need(0..EXTENDED_HEADER as u64)));
    }
    let header = Header::parse(bytes)?;
    if bytes.len() < header.table_end() as usize {
        return Ok(Err(need(0..header.table_end())));
    }
    let head = Head::parse(bytes)?.cut_into(plan.tile_nbytes() as u32);
    head.header().check_nbytes(task.nbytes())?;
    Ok(Ok(head))
}

fn need(range: Range<u64>) -> Answer {
    Answer::Need(Box::new(Request { part: Part::Frame, range }))
}

/// Parts of a chunk's bytes.
#[derive(Clone, Copy)]
struct Segments<'a> {
    starts: &'a [u8],
    bytes: Sections<'a>,
}

impl<'a> Segments<'a> {
    fn iter(&self) -> impl Iterator<Item = (u32, &'a [u8])> {
        u32s(self.starts).zip(self.bytes)
    }

    /// The longest segment from the chunk's start on.
    fn head(&self) -> &'a [u8] {
        let heads = self.iter().filter(|&(at, _)| at == 0).map(|(_, bytes)| bytes);
        heads.max_by_key(|bytes| bytes.len()).unwrap_or_default()
    }

    /// These bytes, which lie in one segment, or that they are needed.
    fn get(&self, Range { start, end }: Range<u32>) -> Result<&'a [u8], Answer> {
        let len = end.saturating_sub(start) as usize;
        let within = |(at, bytes): (u32, &'a [u8])| bytes.get(start.checked_sub(at)? as usize..)?.get(..len);
        let found = if len == 0 { Some(&[][..]) } else { self.iter().find_map(within) };
        found.ok_or(need(start.into()..end.into()))
    }
}

pub(crate) fn decode(engine: &mut Engine, items: u32, nchunk: u64, location: f64) -> Result<Answer> {
    let Engine { scratch, input, output, opened, starts, dparams } = engine;
    output.clear();
    let opened = self::opened(opened)?;
    let mut sections = input.sections();
    let whole = planned(opened, items, &sections.selection())?;
    let Some(task) = whole.chunk(nchunk) else { return Ok(Answer::Done) };
    let (part, place) = whole.part(&task)?;
    let task = part.chunk(nchunk).unwrap_or(task);
    let segments = Segments { starts: sections.section(), bytes: sections };
    let head = match special(location) {
        Some(value) => {
            let header = opened.frame.header.special_chunk(nchunk, value)?;
            header.check_nbytes(task.nbytes())?;
            Head::of_special(header).cut_into(part.tile_nbytes() as u32)
        }
        None => match head(segments.head(), &part, &task)? {
            Ok(head) => head,
            Err(need) => return Ok(need),
        },
    };
    output.numbers([place.len() as f64]);
    output.numbers(place.iter().flat_map(|range| [range.start as f64, (range.end - range.start) as f64]));
    let before = output.bytes().len();
    dparams.limits.allow_memory(part.nbytes() as u64)?;
    output.extend(part.nbytes());
    let job = Job { opened, plan: &part, task: &task, segments };
    if head.header().body == Body::VlBlocks {
        return job.whole(&head, scratch, output, before);
    }
    job.blocks(head, head.spans(starts), scratch, &mut output.bytes_mut()[before..])
}

/// What one call decodes.
struct Job<'a> {
    opened: &'a Opened,
    plan: &'a Plan,
    task: &'a ChunkTask,
    segments: Segments<'a>,
}

impl<'a> Job<'a> {
    /// Blocks one by one.
    fn blocks(
        &self,
        head: Head<'a>,
        spans: Spans<'_, '_>,
        scratch: &mut Scratch,
        out: &mut [u8],
    ) -> Result<Answer> {
        macro_rules! get {
            ($range:expr) => {
                match self.segments.get($range) {
                    Ok(bytes) => bytes,
                    Err(need) => return Ok(need),
                }
            };
        }
        let dict = match spans.dict() {
            Some(range) => get!(range),
            None => &[],
        };
        let mut decoder = Blocks::new(&head, dict, context(self.opened), scratch)?;
        for nblock in self.plan.blocks(self.task, head.header().blocksize) {
            if nblock > 0 && decoder.needs_first() {
                decoder.give_first(get!(spans.block(0)?))?;
            }
            let stored = !matches!(head.header().body, Body::Special(_));
            let bytes = if stored { get!(spans.block(nblock)?) } else { &[] };
            let range = head.plain_range(nblock);
            match self.plan.straight(self.task, range.clone()) {
                Some(place) => decoder.decode_into(nblock, bytes, &mut out[place])?,
                None => self.plan.place(self.task, range.start, decoder.decode(nblock, bytes)?, out),
            }
        }
        Ok(Answer::Done)
    }

    /// All blocks, where none can be found without those before it.
    fn whole(
        &self,
        head: &Head<'a>,
        scratch: &mut Scratch,
        output: &mut Output,
        before: usize,
    ) -> Result<Answer> {
        let bytes = match self.segments.get(0..head.header().cbytes) {
            Ok(bytes) => bytes,
            Err(need) => return Ok(need),
        };
        let plain = Chunk::with_context(bytes, context(self.opened))?.decode(scratch)?;
        self.plan.place(self.task, 0, &plain, &mut output.bytes_mut()[before..]);
        Ok(Answer::Done)
    }
}
