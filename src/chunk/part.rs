//! Decoding part of a block.
//!
//! A shuffled block is a row of planes as long as each other, and what stands in one place of all of them makes up
//! some whole items. So the wanted places can be picked from every plane, and the filter be undone on these alone.
//! Streams that are stored need not be copied for that, and those of codecs that can stop early end with the last
//! place that is wanted.

use super::block::{EncodedBlock, StoredStream};
use super::header::{Body, Header};
use super::memory::{Codecs, Work};
use crate::base::{Result, SMALL, slice_at};
use crate::filter::{BITSHUFFLE, Filter, INT_TRUNC, SHUFFLE, TRUNC_PREC};
use crate::simd;

/// How the blocks of a chunk can be decoded in part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartialDecode {
    /// Not at all.
    Whole,
    /// From the start of the block up to the last byte that is wanted.
    Start,
    /// Plane by plane.
    Planes(Planes),
}

/// The planes that a filter has made of a block. One byte of each of them makes as many bytes of whole items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Planes {
    pub(crate) count: usize,
    /// Cost of transposing a byte.
    byte: u64,
}

impl Planes {
    pub(crate) fn of_bytes(typesize: usize) -> Self {
        Self { count: typesize, byte: 2 }
    }

    pub(crate) fn of_bits(typesize: usize) -> Self {
        Self { count: 8 * typesize, byte: 5 }
    }

    /// Estimated cost of copying `rows` of each plane and transposing them, in units of about 1/60 ns. It only has to tell
    /// thin selections from thick ones.
    pub(crate) fn cost(&self, rows: usize, row: usize) -> u64 {
        let each = match row {
            1 => 16,
            2..=32 => 48,
            _ => 200,
        };
        self.count as u64 * rows as u64 * (each + self.byte * row as u64)
    }
}

/// Loops that a part can have: one for each axis of an array.
const LOOPS: usize = 16;

/// Places in a plane: rows of them, picked by nested loops.
#[derive(Debug)]
pub(crate) struct Pick {
    start: usize,
    row: usize,
    /// From the innermost to the outermost.
    loops: heapless::Vec<Step, LOOPS, u8>,
}

/// How often, and how far from one to the next.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    count: usize,
    by: isize,
}

impl Pick {
    /// `row` places from `start` on.
    pub(crate) fn new(start: usize, row: usize) -> Self {
        Self { start, row, loops: heapless::Vec::new() }
    }

    /// Picks the same places `count` times, each `by` places after the last; false if there are too many such loops.
    pub(crate) fn repeat(&mut self, count: usize, by: isize) -> bool {
        match self.loops.last_mut() {
            None if by == self.row as isize => self.row *= count,
            Some(last) if by == last.by * last.count as isize => last.count *= count,
            _ => return self.loops.push(Step { count, by }).is_ok(),
        }
        true
    }

    /// Places in all.
    pub(crate) fn len(&self) -> usize {
        self.loops.iter().fold(self.row, |len, step| len * step.count)
    }

    /// The place after the last one.
    fn end(&self) -> usize {
        let reach = self.loops.iter().map(|step| (step.by * (step.count as isize - 1)).max(0) as usize);
        self.start + self.row + reach.sum::<usize>()
    }

    /// Copies the places of a plane to `out`, one after the other.
    pub(crate) fn copy(&self, plane: &[u8], out: &mut [u8]) {
        self.copy_loops(&self.loops, self.start, plane, out);
    }

    fn copy_loops(&self, loops: &[Step], at: usize, plane: &[u8], out: &mut [u8]) {
        match loops {
            [] => out.copy_from_slice(&plane[at..at + self.row]),
            [last] => self.copy_rows(*last, at, plane, out),
            [inner @ .., this] => {
                let len = out.len() / this.count;
                for (k, out) in out.chunks_exact_mut(len).enumerate() {
                    self.copy_loops(inner, at.wrapping_add_signed(this.by * k as isize), plane, out);
                }
            }
        }
    }

    fn copy_rows(&self, Step { by, .. }: Step, at: usize, plane: &[u8], out: &mut [u8]) {
        match (self.row, usize::try_from(by)) {
            (1, Ok(by)) => {
                for (to, from) in out.iter_mut().zip(plane[at..].iter().step_by(by)) {
                    *to = *from;
                }
            }
            (2..=16, _) => self.copy_short::<16>(by, at, plane, out),
            (17..=32, _) => self.copy_short::<32>(by, at, plane, out),
            _ => self.copy_short::<0>(by, at, plane, out),
        }
    }

    /// Copies `N` bytes for each row, of which the next overwrites what is too much, where there is room: asking
    /// for just as many takes longer than the copy.
    fn copy_short<const N: usize>(&self, by: isize, at: usize, plane: &[u8], out: &mut [u8]) {
        let mut from = at;
        for to in (0..out.len()).step_by(self.row) {
            let wide = plane[from..].first_chunk::<N>().zip(out[to..].first_chunk_mut::<N>());
            match wide {
                Some((from, to)) if N > 0 => *to = *from,
                _ => out[to..to + self.row].copy_from_slice(&plane[from..from + self.row]),
            }
            from = from.wrapping_add_signed(by);
        }
    }
}

impl PartialDecode {
    /// How blocks of `len` plain bytes can be decoded in part.
    pub(super) fn of(header: &Header, itemsize: usize, len: usize) -> Self {
        if SMALL {
            return Self::Whole;
        }
        let typesize = usize::from(header.typesize);
        if header.body != Body::Blocks || itemsize != typesize || !len.is_multiple_of(typesize) {
            return Self::Whole;
        }
        let mut filters =
            header.filters.iter().filter(|filter| ![TRUNC_PREC, INT_TRUNC].contains(&filter.id));
        match (filters.next(), filters.next()) {
            (None, _) if !header.split => Self::Start,
            (Some(Filter { id: SHUFFLE, meta }), None) if [0, header.typesize].contains(&meta) => {
                Self::Planes(Planes::of_bytes(typesize))
            }
            // What is left after the last eight items stays where it is, and then planes differ in length.
            (Some(Filter { id: BITSHUFFLE, .. }), None) if (len / typesize).is_multiple_of(8) => {
                Self::Planes(Planes::of_bits(typesize))
            }
            _ => Self::Whole,
        }
    }
}

/// A plain block as planes of equal length.
#[derive(Clone, Copy)]
pub(super) struct BlockPlanes {
    pub(super) count: usize,
    /// The bytes of all of them.
    pub(super) len: usize,
}

impl<'a> EncodedBlock<'a> {
    /// Decodes what stands in the places of `pick`, for as many as fill `dst`. `picked` is room for as many bytes as `dst` has.
    pub(super) fn decode_pick(
        &self,
        planes: BlockPlanes,
        pick: &Pick,
        work: Work<'_>,
        picked: &mut [u8],
        dst: &mut [u8],
    ) -> Result<()> {
        let typesize = usize::from(self.head.header().typesize);
        self.located(|| self.pick_planes(planes, pick, work, picked))?;
        if planes.count == typesize {
            simd::unshuffle(typesize, picked, dst);
        } else {
            simd::bitunshuffle(typesize, picked, dst);
        }
        Ok(())
    }

    fn pick_planes(&self, planes: BlockPlanes, pick: &Pick, work: Work<'_>, picked: &mut [u8]) -> Result<()> {
        let nstreams = self.nstreams(planes.len)?;
        let stream_len = planes.len / nstreams;
        let needed = if nstreams.get() == planes.count { pick.end() } else { stream_len };
        let Work { buffer, mut codecs, .. } = work;
        let mut at = 0;
        for picked in picked.chunks_exact_mut(picked.len() / nstreams) {
            let (stored, next) = self.stored(at, stream_len)?;
            at = next;
            let stream = match stored {
                StoredStream::Fill(byte) => {
                    picked.fill(byte);
                    continue;
                }
                StoredStream::Plain(stream) => stream,
                StoredStream::Packed { src, at } => {
                    self.unpack_start(src, buffer, needed, &mut codecs)
                        .map_err(|error| error.shifted(at as u64))?;
                    &*buffer
                }
            };
            for (plane, picked) in
                stream.chunks_exact(planes.len / planes.count).zip(picked.chunks_exact_mut(pick.len()))
            {
                pick.copy(plane, picked);
            }
        }
        Ok(())
    }

    /// The first `needed` bytes, at least, of an unfiltered block of `len` bytes; in `buffer` if they must be decoded.
    pub(super) fn decode_start<'d>(
        &self,
        needed: usize,
        buffer: &'d mut [u8],
        codecs: &mut Codecs<'_>,
    ) -> Result<&'d [u8]>
    where
        'a: 'd,
    {
        self.located(|| {
            match self.stored(0, buffer.len())?.0 {
                StoredStream::Fill(byte) => buffer.fill(byte),
                StoredStream::Plain(stream) => return slice_at(stream, 0, needed),
                StoredStream::Packed { src, at } => {
                    self.unpack_start(src, buffer, needed, codecs)
                        .map_err(|error| error.shifted(at as u64))?;
                }
            }
            Ok(&buffer[..needed])
        })
    }
}
