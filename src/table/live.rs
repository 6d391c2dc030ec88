//! Rows that were not deleted.

use super::Read;
use crate::base::{ArgumentError, Error, Malformed};
use crate::chunk::SpecialValue;
use crate::frame::{Location, Run};
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
    stretches: Vec<Stretch>,
    /// The number of rows in each piece of a chunk and those before it: for one chunk of each stretch with mixed chunks.
    ends: Vec<u32>,
    len: u64,
}

/// Consecutive chunks of the mask that are stored in one place, or nowhere. Each has the same rows.
#[derive(Debug, Clone)]
struct Stretch {
    /// The first stored row, and the stored rows of each chunk.
    start: u64,
    chunk: u64,
    /// The number of rows before, and in each chunk.
    before: u64,
    live: u64,
    /// Where [`Live::ends`] tells of one chunk's pieces.
    ends: Range<usize>,
}

impl<S> fmt::Debug for Live<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("stretches", &self.stretches).finish_non_exhaustive()
    }
}

/// Rows to read of a column: a range of stored rows, and which of them are there, counted from its start; `None` for all.
pub(super) type Window = (Range<u64>, Option<Vec<usize>>);

impl<S: ReadAt> Live<S> {
    /// Counts the rows of a mask.
    pub(super) fn new(mask: Reader<Member<S>>) -> Read<Self, S> {
        let wrong = || Error::format(Malformed::Field { name: "_valid_rows", value: 0 });
        let array = mask.layout()?.ok_or_else(wrong)?;
        let ([stored], [chunk]) = (array.shape().as_slice(), array.chunkshape()) else {
            return Err(wrong().into());
        };
        let (stored, chunk) = (*stored, u64::from(*chunk).max(1));
        if mask.contents()?.itemsize() != 1 {
            return Err(wrong().into());
        }
        let runs: Vec<Run> = mask.index()?.runs().collect();
        let mut live = Self { mask, stretches: Vec::new(), ends: Vec::new(), len: 0 };
        let (mut counted, mut covered) = (0, 0);
        for Run { chunks, location } in runs {
            // The last chunk may have fewer rows than others.
            let (first, end) =
                ((chunks.start * chunk).min(stored), chunks.end.saturating_mul(chunk).min(stored));
            let whole = (end - first) / chunk * chunk;
            let location = location?;
            for rows in [first..first + whole, first + whole..end] {
                if !rows.is_empty() {
                    live.stretch(rows.clone(), chunk.min(rows.end - rows.start), location, &mut counted)?;
                }
            }
            covered = end;
        }
        if covered < stored {
            return Err(Error::mismatch("rows of `_valid_rows`", covered, stored).into());
        }
        Ok(live)
    }

    /// Counts the rows of chunks that are stored in one place: those of the first.
    fn stretch(
        &mut self,
        rows: Range<u64>,
        chunk: u64,
        location: Location,
        counted: &mut u64,
    ) -> Read<(), S> {
        let begin = self.ends.len();
        let mut live = 0;
        if !matches!(location, Location::Special(SpecialValue::Zeros | SpecialValue::Uninit)) {
            // Counting takes as many steps.
            *counted += chunk;
            self.mask.limits().allow_memory(*counted)?;
            for start in (0..chunk).step_by(PIECE as usize) {
                let bits = self.bits(rows.start + start..rows.start + (start + PIECE).min(chunk))?;
                live += count(&bits);
                self.ends.push(live as u32);
            }
        }
        if live == 0 || live == chunk {
            self.ends.truncate(begin);
        }
        let ends = begin..self.ends.len();
        self.stretches.push(Stretch { start: rows.start, chunk, before: self.len, live, ends });
        self.len += (rows.end - rows.start) / chunk * live;
        Ok(())
    }

    /// The number of rows.
    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    /// Where a row is stored, and the rows from it on that are stored one after the other, none of them deleted.
    pub(super) fn straight(&self, row: u64) -> Option<(u64, Range<u64>)> {
        let nth = self.stretches.partition_point(|stretch| stretch.before <= row).checked_sub(1)?;
        let stretch = &self.stretches[nth];
        let end = self.stretches.get(nth + 1).map_or(self.len, |next| next.before);
        (stretch.live == stretch.chunk).then(|| (stretch.start + row - stretch.before, row..end))
    }

    /// Where rows are stored.
    pub(super) fn windows(&self, rows: &Range<u64>) -> Read<Vec<Window>, S> {
        if rows.start > rows.end || rows.end > self.len {
            let index = i64::try_from(rows.end).unwrap_or(i64::MAX).saturating_sub(1);
            return Err(ArgumentError::Index { axis: 0, index, len: self.len }.into());
        }
        let mut windows: Vec<Window> = Vec::new();
        let mut at = rows.start;
        while at < rows.end {
            let (window, next) = self.window(at..rows.end)?;
            at = next;
            match (windows.last_mut(), &window) {
                (Some((last, None)), (next, None)) if last.end == next.start => last.end = next.end,
                _ => windows.push(window),
            }
        }
        Ok(windows)
    }

    /// Where the first of some rows are stored, and the row that comes after these.
    fn window(&self, rows: Range<u64>) -> Read<(Window, u64), S> {
        // The last of those that begin there: the others have no rows.
        let nth = self.stretches.partition_point(|stretch| stretch.before <= rows.start) - 1;
        let stretch = &self.stretches[nth];
        let end = self.stretches.get(nth + 1).map_or(self.len, |next| next.before).min(rows.end);
        if stretch.live == stretch.chunk {
            let stored = |row: u64| stretch.start + row - stretch.before;
            return Ok(((stored(rows.start)..stored(end), None), end));
        }
        let nchunk = (rows.start - stretch.before) / stretch.live;
        // From here on, rows count from those of the chunk.
        let before = stretch.before + nchunk * stretch.live;
        let ends = &self.ends[stretch.ends.clone()];
        let from = rows.start - before;
        let piece = ends.partition_point(|end| u64::from(*end) <= from);
        let earlier = piece.checked_sub(1).map_or(0, |piece| u64::from(ends[piece]));
        let to = u64::from(ends[piece]).min(end - before);
        let first = piece as u64 * PIECE;
        let stored = stretch.start + nchunk * stretch.chunk;
        let piece = stored + first..stored + (first + PIECE).min(stretch.chunk);
        Ok((self.pick(piece, from - earlier..to - earlier)?, before + to))
    }

    /// Where some of the rows of a piece are stored.
    fn pick(&self, piece: Range<u64>, wanted: Range<u64>) -> Read<Window, S> {
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

/// The number of true bits, which are bytes. Counts in bytes as long as they can hold the sum, which takes a fraction of the time.
fn count(bits: &[u8]) -> u64 {
    let sum = |bits: &[u8]| bits.iter().map(|bit| u8::from(*bit != 0)).sum::<u8>();
    bits.chunks(usize::from(u8::MAX)).map(|bits| u64::from(sum(bits))).sum()
}
