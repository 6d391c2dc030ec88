//! Rows that were not deleted.

use super::Read;
use crate::base::{ArgumentError, Error, Malformed};
use crate::plan::Selection;
use crate::source::{ReadAt, Reader};
use crate::store::Member;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// Stored rows whose live ones are counted together.
const PIECE: u64 = 1 << 16;

/// Maps the rows of a table to those that are stored, of which some are deleted.
pub(super) struct Live<S> {
    mask: Reader<Member<S>>,
    stored: u64,
    /// The number of rows in each piece of the mask and those before.
    ends: Vec<u64>,
}

impl<S> fmt::Debug for Live<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("stored", &self.stored).finish_non_exhaustive()
    }
}

/// Rows to read of a column: a range of stored rows, and which of them are there, counted from its start; `None` for all.
pub(super) type Window = (Range<u64>, Option<Vec<usize>>);

impl<S: ReadAt> Live<S> {
    /// Counts the rows of a mask.
    pub(super) fn new(mask: Reader<Member<S>>) -> Read<Self, S> {
        let wrong = || Error::format(Malformed::Field { name: "_valid_rows", value: 0 });
        let shape = mask.array()?.ok_or_else(wrong)?.shape();
        let [stored] = *shape.as_slice() else { return Err(wrong().into()) };
        if mask.contents()?.itemsize() != 1 {
            return Err(wrong().into());
        }
        // Counting takes as many steps.
        mask.limits().allow_memory(stored)?;
        let mut live = Self { mask, stored, ends: Vec::new() };
        let mut end = 0;
        for start in (0..stored).step_by(PIECE as usize) {
            let bits = live.bits(start..(start + PIECE).min(stored))?;
            end += bits.iter().filter(|bit| **bit != 0).count() as u64;
            live.ends.push(end);
        }
        Ok(live)
    }

    /// The number of rows.
    pub(super) fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Where rows are stored.
    pub(super) fn windows(&self, rows: &Range<u64>) -> Read<Vec<Window>, S> {
        if rows.start > rows.end || rows.end > self.len() {
            let index = i64::try_from(rows.end).unwrap_or(i64::MAX).saturating_sub(1);
            return Err(ArgumentError::Index { axis: 0, index, len: self.len() }.into());
        }
        let mut windows: Vec<Window> = Vec::new();
        let mut at = rows.start;
        while at < rows.end {
            let piece = self.ends.partition_point(|end| *end <= at);
            let first = piece as u64 * PIECE;
            let before = piece.checked_sub(1).map_or(0, |before| self.ends[before]);
            let (wanted, piece) = (
                at - before..rows.end.min(self.ends[piece]) - before,
                first..(first + PIECE).min(self.stored),
            );
            at = before + wanted.end;
            let window = self.window(piece, wanted)?;
            match (windows.last_mut(), &window) {
                (Some((last, None)), (next, None)) if last.end == next.start => last.end = next.end,
                _ => windows.push(window),
            }
        }
        Ok(windows)
    }

    /// Where some of the rows of a piece are stored.
    fn window(&self, piece: Range<u64>, wanted: Range<u64>) -> Read<Window, S> {
        let nth = (piece.start / PIECE) as usize;
        let count = self.ends[nth] - nth.checked_sub(1).map_or(0, |before| self.ends[before]);
        if count == piece.end - piece.start {
            return Ok((piece.start + wanted.start..piece.start + wanted.end, None));
        }
        let bits = self.bits(piece.clone())?;
        let live = bits.iter().enumerate().filter(|(_, bit)| **bit != 0).map(|(at, _)| at);
        let mut picked: Vec<usize> = live.take(wanted.end as usize).skip(wanted.start as usize).collect();
        // None, if the file changed since it was opened.
        let (Some(&first), Some(&last)) = (picked.first(), picked.last()) else { return Ok((0..0, None)) };
        let window = piece.start + first as u64..piece.start + last as u64 + 1;
        picked.iter_mut().for_each(|at| *at -= first);
        let is_whole = picked.len() as u64 == window.end - window.start;
        Ok((window, (!is_whole).then_some(picked)))
    }

    fn bits(&self, rows: Range<u64>) -> Read<Vec<u8>, S> {
        self.mask.get(&Selection::of_ranges(&[rows]))
    }
}
