//! How the items of an expression are divided for computing.

use super::PIECE_ITEMS;
use crate::plan::Axis;
use alloc::vec::Vec;
use core::ops::Range;

/// The number of items of a selection.
pub(super) fn items_of(axes: &[Axis]) -> u64 {
    axes.iter().fold(1, |items: u64, axis| items.saturating_mul(axis.count))
}

/// Divides a selection into pieces whose items follow each other in C order, of about [`PIECE_ITEMS`]. A row of blocks is one piece if it
/// has no more than `most` items, so that its blocks are decoded once.
pub(super) fn divide<E>(
    axes: &[Axis],
    blocks: &[u32],
    most: u64,
    take: &mut dyn FnMut(&[Axis]) -> Result<(), E>,
) -> Result<(), E> {
    let Some(at) = axes.iter().position(|axis| axis.count > 1).filter(|_| items_of(axes) > PIECE_ITEMS)
    else {
        return if items_of(axes) == 0 { Ok(()) } else { take(axes) };
    };
    let row = items_of(&axes[at + 1..]).max(1);
    let block = blocks.get(at).map_or(1, |block| u64::from(*block));
    let is_whole = block > 1 && most / row >= block;
    let thickness = match PIECE_ITEMS / row {
        room if room >= block => room - room % block.max(1),
        _ if is_whole => block,
        room => room.max(1),
    };
    let mut piece = axes.to_vec();
    let mut start = 0;
    while start < axes[at].count {
        let count = thickness.min(axes[at].count - start);
        piece[at] = axes[at].part(start..start + count);
        if is_whole {
            take(&piece)?
        } else {
            divide(&piece, blocks, most, take)?
        }
        start += count;
    }
    Ok(())
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

/// A region of whole chunks in two, so that few ranges of chunks in C order have all of them; without chunks, one of more than
/// [`PIECE_ITEMS`].
pub(super) fn halves(region: &[Axis], chunks: Option<&[u32]>) -> Option<[Vec<Axis>; 2]> {
    let len = |at: usize| chunks.and_then(|lens| lens.get(at)).map_or(1, |len| u64::from(*len).max(1));
    let is_small = items_of(region) <= if chunks.is_some() { 1 } else { PIECE_ITEMS };
    let at = (0..region.len()).find(|at| region[*at].count > len(*at)).filter(|_| !is_small)?;
    let (axis, len) = (&region[at], len(at));
    let middle = axis.count.div_ceil(len) / 2 * len;
    Some([0..middle, middle..axis.count].map(|range| {
        let mut half = region.to_vec();
        half[at] = axis.part(range);
        half
    }))
}
