//! Rows that were not deleted.

use super::Read;
use crate::base::{ArgumentError, Error, Limits, Malformed};
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
    rows: LiveRows,
}

/// Which of the stored rows of a table are there: what is known of its mask without reading.
#[derive(Debug, Clone)]
pub struct LiveRows {
    stretches: Vec<Stretch>,
    /// The number of rows in each piece of a chunk and those before it: for one chunk of each stretch with mixed chunks.
    ends: Vec<u32>,
    len: u64,
}

/// Where some rows are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spot {
    /// These stored rows.
    Rows(Range<u64>),
    /// Some of these stored rows: the bits of the mask for them tell which ([`LiveRows::pick`]).
    Piece {
        /// The stored rows.
        stored: Range<u64>,
        /// Which of those of them that are there.
        wanted: Range<u64>,
    },
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
    /// Where [`LiveRows::ends`] tells of one chunk's pieces.
    ends: Range<usize>,
}

impl<S> fmt::Debug for Live<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("rows", &self.rows).finish_non_exhaustive()
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
        let runs = mask.index()?.runs().map(|Run { chunks, location }| {
            let none = matches!(location?, Location::Special(SpecialValue::Zeros | SpecialValue::Uninit));
            Ok((chunks, none))
        });
        let runs = runs.collect::<Result<Vec<_>, Error>>()?;
        let count = |piece| Read::<_, S>::Ok(LiveRows::count(&bits(&mask, piece)?));
        let rows = LiveRows::new(stored, chunk, runs, mask.limits(), count)?;
        Ok(Self { mask, rows })
    }

    /// The number of rows.
    pub(super) const fn len(&self) -> u64 {
        self.rows.len()
    }

    /// Where a row is stored, and the rows from it on that are stored one after the other, none of them deleted.
    pub(super) fn straight(&self, row: u64) -> Option<(u64, Range<u64>)> {
        self.rows.straight(row)
    }

    /// Ranges of stored rows that rows are in, which are known without reading.
    pub(super) fn around(&self, rows: Range<u64>) -> Result<Vec<Range<u64>>, Error> {
        let stored = |spot| match spot {
            Spot::Rows(stored) | Spot::Piece { stored, .. } => stored,
        };
        Ok(self.rows.spots(rows)?.into_iter().map(stored).collect())
    }

    /// Where rows are stored.
    pub(super) fn windows(&self, rows: &Range<u64>) -> Read<Vec<Window>, S> {
        let mut windows: Vec<Window> = Vec::new();
        for spot in self.rows.spots(rows.clone())? {
            let window = match spot {
                Spot::Rows(range) => (range, None),
                Spot::Piece { stored, wanted } => {
                    let (range, picked) = LiveRows::pick(&bits(&self.mask, stored.clone())?, wanted);
                    (stored.start + range.start..stored.start + range.end, picked)
                }
            };
            match (windows.last_mut(), &window) {
                (Some((last, None)), (next, None)) if last.end == next.start => last.end = next.end,
                _ => windows.push(window),
            }
        }
        Ok(windows)
    }
}

impl<S: ReadAt> Live<S> {
    /// Where rows are stored, which ascend: windows of a few blocks at most, with those that are wanted.
    pub(super) fn windows_at(&self, rows: &[u64]) -> Read<Vec<Window>, S> {
        /// Rows that are read although they are not wanted, and rows of a window at most.
        const GAP: u64 = 1 << 12;
        const MAX_ROWS: u64 = 1 << 16;
        let mut windows = Vec::new();
        for near in rows.chunk_by(|a, b| b - a < GAP && a / MAX_ROWS == b / MAX_ROWS) {
            let (Some(first), Some(last)) = (near.first(), near.last()) else { continue };
            let mut wanted = near.iter().map(|row| row - first).peekable();
            let mut before = 0;
            for (range, live) in self.windows(&(*first..last.saturating_add(1)))? {
                let count = live.as_ref().map_or(range.end - range.start, |live| live.len() as u64);
                let mut picked = Vec::new();
                while let Some(row) = wanted.next_if(|row| *row < before + count) {
                    let nth = (row - before) as usize;
                    picked.push(live.as_ref().map_or(nth, |live| live[nth]));
                }
                before += count;
                if !picked.is_empty() {
                    windows.push((range, Some(picked)));
                }
            }
        }
        Ok(windows)
    }
}

fn bits<S: ReadAt>(mask: &Reader<Member<S>>, rows: Range<u64>) -> Read<Vec<u8>, S> {
    mask.get(Selection::of_ranges(&[rows]))
}

impl LiveRows {
    /// Stored rows whose live ones are counted together.
    pub const PIECE: u64 = PIECE;

    /// Counts the rows of a mask for `stored` rows in chunks of `chunk`. `runs` are its chunks in order: those that are stored in one
    /// place, and whether they have no rows. `count` counts those in a piece of the stored rows.
    ///
    /// # Errors
    /// Errors of `count`; `Format` if chunks are missing, `Limit` if more rows are to be counted than memory has bytes.
    pub fn new<E: From<Error>>(
        stored: u64,
        chunk: u64,
        runs: impl IntoIterator<Item = (Range<u64>, bool)>,
        limits: &Limits,
        mut count: impl FnMut(Range<u64>) -> Result<u64, E>,
    ) -> Result<Self, E> {
        let mut live = Self { stretches: Vec::new(), ends: Vec::new(), len: 0 };
        let (chunk, mut counted, mut covered) = (chunk.max(1), 0, 0);
        for (chunks, none) in runs {
            // The last chunk may have fewer rows than others.
            let row = |nchunk: u64| nchunk.saturating_mul(chunk).min(stored);
            let (first, end) = (row(chunks.start), row(chunks.end).max(row(chunks.start)));
            let whole = (end - first) / chunk * chunk;
            for rows in [first..first + whole, first + whole..end] {
                if rows.is_empty() {
                    continue;
                }
                let chunk = chunk.min(rows.end - rows.start);
                if !none {
                    // Counting takes as many steps.
                    counted += chunk;
                    limits.allow_memory(counted)?;
                }
                live.stretch(rows, chunk, none, &mut count)?;
            }
            covered = end;
        }
        if covered < stored {
            return Err(Error::mismatch("rows of `_valid_rows`", covered, stored).into());
        }
        Ok(live)
    }

    /// Counts the rows of chunks that are stored in one place: those of the first.
    fn stretch<E>(
        &mut self,
        rows: Range<u64>,
        chunk: u64,
        none: bool,
        count: &mut impl FnMut(Range<u64>) -> Result<u64, E>,
    ) -> Result<(), E> {
        let begin = self.ends.len();
        let mut live = 0;
        if !none {
            for start in (0..chunk).step_by(PIECE as usize) {
                live += count(rows.start + start..rows.start + (start + PIECE).min(chunk))?;
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
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where a row is stored, and the rows from it on that are stored one after the other, none of them deleted.
    fn straight(&self, row: u64) -> Option<(u64, Range<u64>)> {
        let nth = self.stretches.partition_point(|stretch| stretch.before <= row).checked_sub(1)?;
        let stretch = &self.stretches[nth];
        let end = self.stretches.get(nth + 1).map_or(self.len, |next| next.before);
        (stretch.live == stretch.chunk).then(|| (stretch.start + row - stretch.before, row..end))
    }

    /// Where rows are stored, in order.
    ///
    /// # Errors
    /// `Argument` if the range exceeds the table.
    pub fn spots(&self, rows: Range<u64>) -> Result<Vec<Spot>, Error> {
        if rows.start > rows.end || rows.end > self.len {
            let index = i64::try_from(rows.end).unwrap_or(i64::MAX).saturating_sub(1);
            return Err(ArgumentError::Index { axis: 0, index, len: self.len }.into());
        }
        let mut spots: Vec<Spot> = Vec::new();
        let mut at = rows.start;
        while at < rows.end {
            let (spot, next) = self.spot(at..rows.end);
            at = next;
            match (spots.last_mut(), &spot) {
                (Some(Spot::Rows(last)), Spot::Rows(next)) if last.end == next.start => last.end = next.end,
                _ => spots.push(spot),
            }
        }
        Ok(spots)
    }

    /// Where the first of some rows are stored, and the row that comes after these.
    fn spot(&self, rows: Range<u64>) -> (Spot, u64) {
        // The last of those that begin there: the others have no rows.
        let nth = self.stretches.partition_point(|stretch| stretch.before <= rows.start) - 1;
        let stretch = &self.stretches[nth];
        let end = self.stretches.get(nth + 1).map_or(self.len, |next| next.before).min(rows.end);
        if stretch.live == stretch.chunk {
            let stored = |row: u64| stretch.start + row - stretch.before;
            return (Spot::Rows(stored(rows.start)..stored(end)), end);
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
        let stored = stored + first..stored + (first + PIECE).min(stretch.chunk);
        (Spot::Piece { stored, wanted: from - earlier..to - earlier }, before + to)
    }

    /// Which rows are wanted of a piece of the stored rows, by the bits of the mask for it: a range, and those in it that are there,
    /// counted from its start; `None` for all.
    pub fn pick(bits: &[u8], wanted: Range<u64>) -> (Range<u64>, Option<Vec<usize>>) {
        let live = bits.iter().enumerate().filter(|(_, bit)| **bit != 0).map(|(at, _)| at);
        let mut picked: Vec<usize> = live.take(wanted.end as usize).skip(wanted.start as usize).collect();
        // None, if the file changed since it was opened.
        let (Some(&first), Some(&last)) = (picked.first(), picked.last()) else { return (0..0, None) };
        picked.iter_mut().for_each(|at| *at -= first);
        let is_whole = picked.len() == last + 1 - first;
        (first as u64..last as u64 + 1, (!is_whole).then_some(picked))
    }

    /// The number of rows that are there in a piece, by the bits of the mask for it, which are bytes. Counts in bytes as long as they
    /// can hold the sum, which takes a fraction of the time.
    pub fn count(bits: &[u8]) -> u64 {
        let sum = |bits: &[u8]| bits.iter().map(|bit| u8::from(*bit != 0)).sum::<u8>();
        bits.chunks(usize::from(u8::MAX)).map(|bits| u64::from(sum(bits))).sum()
    }
}
