//! The calls about a chunk. Their first sections are the array and the selection.

use super::segments::{Segments, truncated};
use crate::call_error::CallError;
use crate::engine::Engine;
use crate::sections::{Sections, f64s};
use alloc::vec::Vec;
use b2nd::plan::{ChunkTask, Plan};
use b2nd::reading::Merge;
use b2nd::zarr::Chunks;
use b2nd::{ArgumentError, Error, Result};
use core::ops::Range;

/// The chunks of an array and a selection of its items.
struct Selected {
    chunks: Chunks,
    shape: Vec<u64>,
    chunkshape: Vec<u32>,
    plan: Plan,
}

impl Selected {
    /// Reads the next two sections. The numbers of the array are `ndim`, the bytes of an item, whether there are blocks, then the
    /// lengths of the array, of chunks and, if there are any, of blocks.
    fn new(sections: &mut Sections<'_>) -> Result<Self> {
        let mut numbers = f64s(sections.section());
        let mut next = || numbers.next().unwrap_or_default();
        let (ndim, itemsize, has_blocks) = (next() as usize, next() as u32, next() != 0.0);
        let shape: Vec<u64> = numbers.by_ref().take(ndim).map(|len| len as u64).collect();
        let mut lens = || -> Vec<u32> { numbers.by_ref().take(ndim).map(|len| len as u32).collect() };
        let (chunkshape, blockshape) = (lens(), lens());
        let chunks = if has_blocks {
            Chunks::in_blocks(&shape, &chunkshape, &blockshape, itemsize)?
        } else {
            Chunks::in_c_order(&shape, &chunkshape, itemsize)?
        };
        let plan = chunks.plan_of(&sections.selection().0)?;
        Ok(Self { chunks, shape, chunkshape, plan })
    }

    /// A chunk that the selection touches, its part of the plan, and the box of the result that this fills.
    fn part(&self, nchunk: u64) -> Result<(ChunkTask, Plan, Vec<Range<u64>>)> {
        let task = self.plan.chunk(nchunk).ok_or(Error::from(ArgumentError::NotAsked))?;
        let (part, ranges) = self.plan.part(&task)?;
        Ok((task, part, ranges))
    }

    /// Where a chunk is in the grid of chunks.
    fn position(&self, mut nchunk: u64) -> Vec<f64> {
        let mut position: Vec<f64> = Vec::with_capacity(self.shape.len());
        for (len, chunk) in self.shape.iter().zip(&self.chunkshape).rev() {
            let count = len.div_ceil(u64::from(*chunk).max(1)).max(1);
            position.push((nchunk % count) as f64);
            nchunk /= count;
        }
        position.reverse();
        position
    }
}

pub(super) fn plan(engine: &mut Engine) -> Result<(), CallError> {
    let Engine { input, output, .. } = engine;
    output.clear();
    let selected = Selected::new(&mut input.sections())?;
    let shape: Vec<f64> = selected.plan.shape().iter().map(|len| len as f64).collect();
    output.numbers(&[shape.len() as f64]);
    output.numbers(&shape);
    for task in selected.plan.chunks() {
        output.numbers(&[task.nchunk() as f64]);
        output.numbers(&selected.position(task.nchunk()));
    }
    Ok(())
}

pub(super) fn requests(engine: &mut Engine, nchunk: u64) -> Result<(), CallError> {
    let Engine { input, output, .. } = engine;
    output.clear();
    let mut sections = input.sections();
    let selected = Selected::new(&mut sections)?;
    let (task, part, _) = selected.part(nchunk)?;
    let first = sections.section();
    // A second head is as long as it was asked to be, unless the chunk ends there.
    let longer = sections.next();
    let head = longer.unwrap_or(first);
    let requests = selected.chunks.requests(&part, &task, head, &Merge::NETWORK);
    match requests.map_err(|error| error.in_chunk(nchunk))? {
        Ok(requests) => {
            requests.iter().for_each(|range| output.numbers(&[range.start, range.end].map(|at| at as f64)));
            Ok(())
        }
        Err(needed) if longer.is_some() => Err(truncated(needed, head.len() as u64).in_chunk(nchunk).into()),
        Err(needed) => {
            output.numbers(&[-1.0, 0.0, needed as f64]);
            Err(CallError::Need)
        }
    }
}

pub(super) fn part(engine: &mut Engine, nchunk: u64, unit: usize) -> Result<(), CallError> {
    let Engine { scratch, input, output, dparams, .. } = engine;
    output.clear();
    let mut sections = input.sections();
    let selected = Selected::new(&mut sections)?;
    let (task, part, ranges) = selected.part(nchunk)?;
    let segments = Segments::new(sections);
    let mut decode = || {
        let head = segments.head();
        let reading =
            selected.chunks.open(&part, &task, head)?.map_err(|needed| segments.truncated(needed))?;
        let nbytes = dparams.limits.allow_memory(part.nbytes() as u64)?;
        let out = output.push_box(&ranges, nbytes);
        reading.decode(&mut |range| segments.get(range), &mut Vec::new(), scratch, out)?;
        if unit > 1 {
            out.chunks_exact_mut(unit).for_each(<[u8]>::reverse);
        }
        Ok(())
    };
    Ok(decode().map_err(|error: Error| error.in_chunk(nchunk))?)
}

pub(super) fn place(engine: &mut Engine, nchunk: u64) -> Result<(), CallError> {
    let Engine { input, output, dparams, .. } = engine;
    output.clear();
    let mut sections = input.sections();
    let selected = Selected::new(&mut sections)?;
    let (task, part, ranges) = selected.part(nchunk)?;
    let plain = sections.section();
    if plain.len() as u64 != task.nbytes() {
        return Err(CallError::Failed(Error::from(ArgumentError::NotAsked).in_chunk(nchunk)));
    }
    let nbytes = dparams.limits.allow_memory(part.nbytes() as u64)?;
    Ok(part.place(&task, 0, plain, output.push_box(&ranges, nbytes))?)
}
