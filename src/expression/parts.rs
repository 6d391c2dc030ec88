//! How the items of an expression are divided for computing.

use crate::plan::Axis;
use alloc::vec::Vec;
use core::ops::Range;

/// Items of an operand that are read at a time.
const PIECE_ITEMS: u64 = 1 << 18;

/// The number of items of a selection.
pub(super) fn items_of(axes: &[Axis]) -> u64 {
    axes.iter().fold(1, |items: u64, axis| items.saturating_mul(axis.count))
}

/// Divides a selection into pieces. It is a stack of what is left, so that it can be left between two pieces.
#[derive(Debug, Default)]
pub(super) struct Walk<'c> {
    left: Vec<Part>,
    /// Lengths of the chunks and blocks that the pieces should keep whole.
    chunks: Option<&'c [u32]>,
    blocks: &'c [u32],
    /// Items of a piece at most, if that keeps a row of blocks whole.
    most: u64,
}

#[derive(Debug)]
enum Part {
    /// Items in any order: chunk by chunk, so that none is decoded twice, or in larger regions of one value.
    Region(Vec<Axis>),
    /// Items whose pieces follow each other in C order.
    Row(Vec<Axis>),
    Slabs(Slabs),
}

/// Parts along an axis, from `start` on.
#[derive(Debug)]
struct Slabs {
    axes: Vec<Axis>,
    at: usize,
    start: u64,
    thickness: u64,
    /// Whether each is a piece.
    are_pieces: bool,
}

/// Items that are computed together.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) axes: Vec<Axis>,
    /// Whether all have one value.
    pub(super) is_uniform: bool,
}

impl<'c> Walk<'c> {
    pub(super) const fn new(chunks: Option<&'c [u32]>, blocks: &'c [u32], most: u64) -> Self {
        Self { left: Vec::new(), chunks, blocks, most }
    }

    pub(super) fn begin_in_any_order(&mut self, axes: Vec<Axis>) {
        self.left = Vec::from([Part::Region(axes)]);
    }

    pub(super) fn begin_in_order(&mut self, axes: Vec<Axis>) {
        self.left = Vec::from([Part::Row(axes)]);
    }

    /// The next piece. `is_uniform` tells whether the items of a region have one value, as far as is known without reading them.
    pub(super) fn next<E>(
        &mut self,
        is_uniform: &mut dyn FnMut(&[Axis]) -> Result<bool, E>,
    ) -> Result<Option<Piece>, E> {
        while let Some(part) = self.left.pop() {
            let axes = match part {
                Part::Region(axes) if is_uniform(&axes)? => {
                    return Ok(Some(Piece { axes, is_uniform: true }));
                }
                Part::Region(axes) => {
                    match halves(&axes, self.chunks) {
                        Some([first, second]) => {
                            self.left.extend([Part::Region(second), Part::Region(first)]);
                        }
                        None => self.left.push(Part::Row(axes)),
                    }
                    continue;
                }
                Part::Row(axes) if items_of(&axes) == 0 => continue,
                Part::Row(axes) => match self.slabs(axes) {
                    Ok(slabs) => {
                        self.left.push(Part::Slabs(slabs));
                        continue;
                    }
                    Err(axes) => axes,
                },
                Part::Slabs(mut slabs) => {
                    let (axes, are_pieces) = (slabs.next(), slabs.are_pieces);
                    if slabs.start < slabs.axes[slabs.at].count {
                        self.left.push(Part::Slabs(slabs));
                    }
                    if !are_pieces {
                        self.left.push(Part::Row(axes));
                        continue;
                    }
                    axes
                }
            };
            let is_uniform = is_uniform(&axes)?;
            return Ok(Some(Piece { axes, is_uniform }));
        }
        Ok(None)
    }

    /// Parts of a selection of about [`PIECE_ITEMS`]; the selection itself if it has no more. A row of blocks is one piece if it has no more
    /// than `most` items, so that its blocks are decoded once.
    fn slabs(&self, axes: Vec<Axis>) -> Result<Slabs, Vec<Axis>> {
        let Some(at) = axes.iter().position(|axis| axis.count > 1).filter(|_| items_of(&axes) > PIECE_ITEMS)
        else {
            return Err(axes);
        };
        let row = items_of(&axes[at + 1..]).max(1);
        let block = self.blocks.get(at).map_or(1, |block| u64::from(*block));
        let are_pieces = block > 1 && self.most / row >= block;
        let thickness = match PIECE_ITEMS / row {
            room if room >= block => room - room % block.max(1),
            _ if are_pieces => block,
            room => room.max(1),
        };
        Ok(Slabs { axes, at, start: 0, thickness, are_pieces })
    }
}

impl Slabs {
    fn next(&mut self) -> Vec<Axis> {
        let axis = &self.axes[self.at];
        let end = axis.count.min(self.start + self.thickness);
        let mut slab = self.axes.clone();
        slab[self.at] = axis.part(self.start..end);
        self.start = end;
        slab
    }
}

/// For each axis the distance of the places of neighbours in the result of a reduction: 0 where it is taken away.
pub(super) fn strides(shape: &[u64], reduced: &[bool]) -> Vec<usize> {
    let mut stride = 1;
    let of = |(len, reduced): (&u64, &bool)| {
        let own = if *reduced { 0 } else { stride };
        stride *= if *reduced { 1 } else { *len as usize };
        own
    };
    let mut strides: Vec<usize> = shape.iter().zip(reduced).rev().map(of).collect();
    strides.reverse();
    strides
}

/// The items of a batch as runs along the last axis: their numbers in the batch, the place of the first, and the distance of the places.
pub(super) fn runs(
    range: Range<u64>,
    piece: &[Axis],
    strides: &[usize],
) -> Vec<(Range<usize>, usize, usize)> {
    let Some((last, outer)) = piece.split_last() else { return Vec::from([(0..1, 0, 0)]) };
    let (len, step) = (last.count as usize, strides[piece.len() - 1]);
    let mut runs = Vec::new();
    let range = range.start as usize..range.end as usize;
    let mut at = range.start;
    while at < range.end {
        let end = range.end.min(at - at % len + len);
        let mut row = at / len;
        let mut place = last.coordinate((at % len) as u64) as usize * step;
        for (axis, stride) in outer.iter().zip(strides).rev() {
            let count = axis.count as usize;
            place += axis.coordinate((row % count) as u64) as usize * stride;
            row /= count;
        }
        runs.push((at - range.start..end - range.start, place, step));
        at = end;
    }
    runs
}

/// The axes of a piece that a reduction keeps, the others with their first item, and the number of items that each item of it stands for.
pub(super) fn kept(piece: &[Axis], strides: &[usize]) -> (u64, Vec<Axis>) {
    let mut times: u64 = 1;
    let of = |(axis, stride): (&Axis, &usize)| {
        if *stride > 0 {
            return axis.clone();
        }
        times = times.saturating_mul(axis.count);
        axis.part(0..axis.count.min(1))
    };
    let kept = piece.iter().zip(strides).map(of).collect();
    (times, kept)
}

/// A region of more than [`PIECE_ITEMS`] in two, of whole chunks if these are known, so that few ranges of chunks in C order have all of
/// them.
fn halves(region: &[Axis], chunks: Option<&[u32]>) -> Option<[Vec<Axis>; 2]> {
    let len = |at: usize| chunks.and_then(|lens| lens.get(at)).map_or(1, |len| u64::from(*len).max(1));
    let is_small = items_of(region) <= PIECE_ITEMS;
    let at = (0..region.len()).find(|at| region[*at].count > len(*at)).filter(|_| !is_small)?;
    let (axis, len) = (&region[at], len(at));
    let middle = axis.count.div_ceil(len) / 2 * len;
    Some([0..middle, middle..axis.count].map(|range| {
        let mut half = region.to_vec();
        half[at] = axis.part(range);
        half
    }))
}
