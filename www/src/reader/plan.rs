//! The chunks that a selection touches, and estimates of the bytes that it needs.

use super::opened::{Opened, State, opened};
use super::ranges::Ranges;
use crate::call_error::CallError;
use crate::engine::Engine;
use alloc::vec::Vec;
use b2nd::chunk::EXTENDED_HEADER;
use b2nd::frame::Header;
use b2nd::plan::{ChunkTask, Plan};
use b2nd::reading::ChunkReading;
use b2nd::{ArgumentError, Result, Selection};
use core::ops::Range;

/// Uncompressed bytes that are decoded in one call. Larger chunks are cut into pieces.
const PIECE_BYTES: u64 = 8 << 20;

/// Plans a selection of the items of the array or of the super-chunk.
pub(crate) fn planned(opened: &Opened, items: u32, selection: &Selection) -> Result<Plan> {
    opened.contents(items)?.plan(&selection.0)
}

/// A part of a plan and the box of the result that it fills.
pub(crate) type PlannedBox = (Plan, Vec<Range<u64>>);

/// Calls `each` for the pieces of a chunk, with the number of touched blocks and of selected bytes. A chunk that is not cut is
/// piece −1.
pub(super) fn pieces(
    header: &Header,
    plan: &Plan,
    task: &ChunkTask,
    each: &mut dyn FnMut(i32, u64, u64),
) -> Result<()> {
    let blocksize = ChunkReading::expected_blocksize(header, plan);
    let pieces =
        if task.nbytes() > PIECE_BYTES { plan.pieces(task, blocksize, PIECE_BYTES) } else { Vec::new() };
    if pieces.len() < 2 {
        each(-1, plan.count_blocks(task, blocksize), plan.nbytes_of(task));
        return Ok(());
    }
    for (number, piece) in pieces.iter().enumerate() {
        let (part, _) = plan.part_within(piece)?;
        each(number as i32, part.count_blocks(task, blocksize), part.nbytes() as u64);
    }
    Ok(())
}

/// The part of the plan within a chunk, or within a piece of it.
pub(crate) fn part(opened: &Opened, plan: &Plan, task: &ChunkTask, piece: i32) -> Result<PlannedBox> {
    let Ok(number) = usize::try_from(piece) else { return plan.part(task) };
    let header = &opened.frame.header;
    match plan.pieces(task, ChunkReading::expected_blocksize(header, plan), PIECE_BYTES).get(number) {
        Some(piece) => plan.part_within(piece),
        None => Err(ArgumentError::NotAsked.into()),
    }
}

/// The number of blocks of a chunk and the length of its head, if the frame's header is right about the block size.
pub(super) fn expected(task: &ChunkTask, blocksize: u32) -> (u64, u64) {
    let blocks = task.nbytes().div_ceil(blocksize.into());
    (blocks, EXTENDED_HEADER as u64 + 4 * blocks)
}

pub(crate) fn plan(engine: &mut Engine, items: u32) -> Result<(), CallError> {
    let Engine { input, output, reader: State { opened, .. }, .. } = engine;
    output.clear();
    let opened = self::opened(opened)?;
    let plan = planned(opened, items, &input.sections().selection())?;
    let itemsize = opened.contents(items)?.itemsize();
    let nbytes = plan.shape().iter().fold(itemsize.into(), |nbytes: f64, len| nbytes * len as f64);
    let first = plan.chunks_from(0).next().map_or(f64::NAN, |task| task.nchunk() as f64);
    output.numbers(&[itemsize.into(), nbytes, plan.count_chunks() as f64, first]);
    for len in plan.shape().iter() {
        output.numbers(&[len as f64]);
    }
    Ok(())
}

/// Compressed bytes of a block that has only padding.
const MIN_BLOCK_BYTES: u64 = 8;
/// Above this number of blocks, all are assumed to have the same number of items.
const MAX_COUNTED_BLOCKS: u64 = 1 << 16;

/// Estimates the positions of the wanted blocks in a chunk of `extent` bytes, as if all items had the same compressed size and
/// blocks were in order.
pub(crate) fn guess(
    engine: &mut Engine,
    items: u32,
    nchunk: u64,
    piece: i32,
    extent: u64,
) -> Result<(), CallError> {
    let Engine { input, output, reader: State { opened, .. }, .. } = engine;
    output.clear();
    let opened = self::opened(opened)?;
    let plan = planned(opened, items, &input.sections().selection())?;
    let Some(task) = plan.chunk(nchunk) else { return Ok(()) };
    let blocksize = ChunkReading::expected_blocksize(&opened.frame.header, &plan);
    let (blocks, head) = expected(&task, blocksize);
    let items =
        |nblock| if blocks > MAX_COUNTED_BLOCKS { 1 } else { plan.block_items(&task, blocksize, nblock) };
    let all: u64 = if blocks > MAX_COUNTED_BLOCKS { blocks } else { (0..blocks).map(items).sum() };
    let each = extent.saturating_sub(head + blocks * MIN_BLOCK_BYTES) as f64 / all as f64;
    let (part, _) = part(opened, &plan, &task, piece)?;
    let mut ranges = Ranges::new(output);
    let (mut next, mut before) = (0, 0);
    for nblock in part.blocks(&task, blocksize).map(u64::from) {
        before += if blocks > MAX_COUNTED_BLOCKS { nblock - next } else { (next..nblock).map(items).sum() };
        let start = head + nblock * MIN_BLOCK_BYTES + (before as f64 * each) as u64;
        before += items(nblock);
        next = nblock + 1;
        let end = head + next * MIN_BLOCK_BYTES + (before as f64 * each) as u64;
        ranges.push(start as u32..end as u32);
    }
    Ok(())
}
