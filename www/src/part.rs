//! What a selection takes of chunks: which bytes are needed, and decoding them.

use crate::engine::{Engine, Opened, Stop, need};
use crate::frame::{opened, special};
use crate::sections::{Sections, u32s};
use crate::whole::context;
use b2nd::chunk::{Blocks, Body, Chunk, EXTENDED_HEADER, Head, Header, Scratch, Spans};
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
            Ok(None) => Err(Unsupported::VariableChunks.into()),
            Err(error) => Err(error.clone()),
        },
    }
}

pub(crate) fn plan(engine: &mut Engine, items: u32) -> Result<(), Stop> {
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
    for &len in plan.shape() {
        output.numbers([len as f64]);
    }
    output.numbers([plan.chunks().count() as f64]);
    // Where each chunk decides, the array's blocks are the best guess.
    let blocksize = if header.blocksize > 0 { header.blocksize } else { plan.tile_nbytes() as u32 };
    for task in plan.chunks() {
        let wanted = plan.blocks(&task, blocksize).count();
        let blocks = task.nbytes().div_ceil(blocksize.into());
        let head = EXTENDED_HEADER as u64 + 4 * blocks;
        for number in [task.nchunk(), task.nbytes(), wanted as u64, blocks, head] {
            output.numbers([number as f64]);
        }
    }
    Ok(())
}

pub(crate) fn wanted(engine: &mut Engine, items: u32, nchunk: u64) -> Result<(), Stop> {
    let Engine { input, output, opened, starts, .. } = engine;
    output.clear();
    let mut sections = input.sections();
    let plan = planned(self::opened(opened)?, items, &sections.selection())?;
    let Some(task) = plan.chunk(nchunk) else { return Ok(()) };
    let head = head(sections.section(), &plan, &task)?;
    let header = head.header();
    if header.body == Body::VlBlocks {
        output.u32s([0, header.cbytes]);
    }
    if !matches!(header.body, Body::Blocks | Body::Memcpyed) {
        return Ok(());
    }
    let spans = head.spans(starts);
    let mut push = |Range { start, end }| output.u32s([start, end]);
    spans.dict().map(&mut push);
    // The first block as well, where others refer to it.
    let mut refer = header.filters.contains(b2nd::filter::DELTA);
    for nblock in plan.blocks(&task, header.blocksize) {
        if refer && nblock > 0 {
            push(spans.block(0)?);
        }
        refer = false;
        push(spans.block(nblock)?);
    }
    Ok(())
}

/// The head of a chunk.
fn head<'a>(bytes: &'a [u8], plan: &Plan, task: &ChunkTask) -> Result<Head<'a>, Stop> {
    let header = match Header::parse(bytes) {
        Err(_) if bytes.len() < EXTENDED_HEADER => return Err(need(0..EXTENDED_HEADER as u64)),
        header => header?,
    };
    if (bytes.len() as u64) < header.table_end() {
        return Err(need(0..header.table_end()));
    }
    header.check_nbytes(task.nbytes())?;
    Ok(Head::parse(bytes)?.cut_into(plan.tile_nbytes() as u32))
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
        let mut head = &[][..];
        for (at, bytes) in self.iter() {
            if at == 0 && bytes.len() > head.len() {
                head = bytes;
            }
        }
        head
    }

    /// These bytes, which lie in one segment, or that they are needed.
    fn get(&self, Range { start, end }: Range<u32>) -> Result<&'a [u8], Stop> {
        let len = end.saturating_sub(start) as usize;
        if len == 0 {
            return Ok(&[]);
        }
        for (at, bytes) in self.iter() {
            let skipped = start.wrapping_sub(at) as usize;
            if let Some(found) = bytes.get(skipped..).and_then(|rest| rest.get(..len)) {
                return Ok(found);
            }
        }
        Err(need(start.into()..end.into()))
    }
}

pub(crate) fn decode(engine: &mut Engine, items: u32, nchunk: u64, location: f64) -> Result<(), Stop> {
    let Engine { scratch, input, output, opened, starts, dparams } = engine;
    output.clear();
    let opened = self::opened(opened)?;
    let mut sections = input.sections();
    let whole = planned(opened, items, &sections.selection())?;
    let Some(task) = whole.chunk(nchunk) else { return Ok(()) };
    let (plan, place) = whole.part(&task)?;
    let segments = Segments { starts: sections.section(), bytes: sections };
    let head = match special(location) {
        Some(value) => {
            let header = opened.frame.header.special_chunk(nchunk, value)?;
            header.check_nbytes(task.nbytes())?;
            Head::of_special(header).cut_into(plan.tile_nbytes() as u32)
        }
        None => head(segments.head(), &plan, &task)?,
    };
    output.numbers([place.len() as f64]);
    for range in place {
        output.numbers([range.start as f64]);
        output.numbers([(range.end - range.start) as f64]);
    }
    dparams.limits.allow_memory(plan.nbytes() as u64)?;
    let out = output.extend(plan.nbytes());
    let job = Job { opened, plan: &plan, task: &task, segments, head: &head };
    if head.header().body == Body::VlBlocks {
        job.whole(scratch, out)
    } else {
        job.blocks(head.spans(starts), scratch, out)
    }
}

/// What one call decodes.
struct Job<'a> {
    opened: &'a Opened,
    plan: &'a Plan,
    task: &'a ChunkTask,
    segments: Segments<'a>,
    head: &'a Head<'a>,
}

impl Job<'_> {
    /// Blocks one by one.
    fn blocks(&self, spans: Spans<'_, '_>, scratch: &mut Scratch, out: &mut [u8]) -> Result<(), Stop> {
        let dict = match spans.dict() {
            Some(range) => self.segments.get(range)?,
            None => &[],
        };
        let header = self.head.header();
        let mut decoder = Blocks::new(self.head, dict, context(self.opened), scratch)?;
        for nblock in self.plan.blocks(self.task, header.blocksize) {
            if nblock > 0 && decoder.needs_first() {
                decoder.give_first(self.segments.get(spans.block(0)?)?)?;
            }
            let stored = !matches!(header.body, Body::Special(_));
            let bytes = if stored { self.segments.get(spans.block(nblock)?)? } else { &[] };
            let range = self.head.plain_range(nblock);
            match self.plan.straight(self.task, range.clone()) {
                Some(place) => decoder.decode_into(nblock, bytes, &mut out[place])?,
                None => self.plan.place(self.task, range.start, decoder.decode(nblock, bytes)?, out),
            }
        }
        Ok(())
    }

    /// All blocks, where none can be found without those before it.
    fn whole(&self, scratch: &mut Scratch, out: &mut [u8]) -> Result<(), Stop> {
        let bytes = self.segments.get(0..self.head.header().cbytes)?;
        let plain = Chunk::with_context(bytes, context(self.opened))?.decode(scratch)?;
        self.plan.place(self.task, 0, &plain, out);
        Ok(())
    }
}
