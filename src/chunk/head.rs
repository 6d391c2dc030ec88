//! The head of a chunk: its header and what must be read before any block can be found.

#[cfg_attr(feature = "small", path = "head/no_order.rs")]
mod order;

use super::header::{Body, Header};
use super::memory::DecodeMemory;
use super::wire::EXTENDED_HEADER;
use crate::base::{ArgumentError, Error, Result, i32_le, slice_at};
use crate::filter::DELTA;
#[cfg(feature = "alloc")]
use alloc::{collections::BinaryHeap, vec::Vec};
use core::ops::Range;
use order::Order;

/// Without an allocator starts are not sorted, and the compiler leaves out what searches them.
const ALLOC: bool = cfg!(feature = "alloc");

/// A chunk's header and its table of block starts, or its repeated value.
///
/// Holds only after [`Head::parse`] has seen that the whole table is there; the starts in it are checked one
/// by one as they are used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head<'a> {
    header: Header,
    /// Starts of the blocks, or the value of a chunk that repeats one.
    table: &'a [u8],
    order: Order,
}

impl<'a> Head<'a> {
    /// Reads the head at the start of `bytes`; what follows it may be missing.
    ///
    /// # Errors
    /// Errors of [`Header::parse`]; `Format` (truncated) if the table is not complete, where the error's
    /// `needed` says how many bytes the head has.
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self> {
        let header = Header::parse(bytes)?;
        let start = header.header_len as usize;
        let table = slice_at(bytes, start, header.table_end() as usize - start)?;
        let head = Self { header, table, order: Order::UNKNOWN };
        Ok(Self { order: Order::of(head.table_starts()), ..head })
    }

    /// How many bytes from the chunk's start it takes to [parse](Self::parse) its head, as far as `bytes` tell: more than
    /// these where some are missing.
    ///
    /// # Errors
    /// Errors of [`Header::parse`].
    pub(crate) fn needed(bytes: &[u8]) -> Result<u64> {
        match Header::parse(bytes) {
            Err(_) if bytes.len() < EXTENDED_HEADER => Ok(EXTENDED_HEADER as u64),
            header => header.map(|header| header.table_end()),
        }
    }

    /// How long the head of a chunk with `nbytes` plain bytes is, if its blocks have so many.
    pub(crate) fn expected_len(nbytes: u64, blocksize: u64) -> u64 {
        /// Longer ones are read once the chunk itself says so.
        const MAX_HEAD_BYTES: u64 = 64 << 10;
        /// The reference makes no smaller blocks.
        const LEAST_BLOCK: u64 = 32;
        (EXTENDED_HEADER as u64 + 4 * nbytes.div_ceil(blocksize.max(LEAST_BLOCK))).min(MAX_HEAD_BYTES)
    }

    /// The head of a chunk that the frame's index describes without storing it ([`Header::of_special`]).
    pub(crate) const fn of_special(header: Header) -> Self {
        Self { header, table: &[], order: Order::UNKNOWN }
    }

    /// The head of a chunk without compressed blocks, cut into blocks of another size. All else
    /// stays as it is.
    pub(crate) fn cut_into(mut self, blocksize: u32) -> Self {
        self.cut(blocksize);
        self
    }

    /// Cuts the chunk in place.
    pub(super) fn cut(&mut self, blocksize: u32) {
        if matches!(self.header.body, Body::Memcpyed | Body::Special(_)) && self.header.nbytes > 0 {
            let blocksize = blocksize.min(self.header.nbytes).max(1);
            self.header.blocksize = blocksize;
            self.header.nblocks = self.header.nbytes.div_ceil(blocksize);
        }
    }

    /// The header.
    pub(crate) const fn header(&self) -> &Header {
        &self.header
    }

    /// The value that [`SpecialValue::Repeat`](super::SpecialValue::Repeat) repeats; empty for other chunks.
    pub(crate) fn value(&self) -> &'a [u8] {
        if matches!(self.header.body, Body::Special(_)) { self.table } else { &[] }
    }

    /// Where block `nblock` of a chunk with blocks of one length lies in the plain data, in bytes.
    pub(crate) fn plain_range(&self, nblock: u32) -> Range<usize> {
        let Header { blocksize, nbytes, .. } = self.header;
        let start = u64::from(nblock) * u64::from(blocksize);
        let end = (start + u64::from(blocksize)).min(nbytes.into());
        start as usize..end as usize
    }

    /// The plain length of block `nblock`, whose bytes begin with it where blocks vary in length.
    pub(super) fn plain_len(&self, nblock: u32, bytes: &[u8]) -> Result<usize> {
        let Header { body, nbytes, nblocks, .. } = self.header;
        if nblock >= nblocks {
            return Err(ArgumentError::Block { index: nblock.into(), nblocks: nblocks.into() }.into());
        }
        if body != Body::VlBlocks {
            return Ok(self.plain_range(nblock).len());
        }
        match i32_le(bytes, 0)? {
            len if u32::try_from(len).is_ok_and(|len| len <= nbytes) => Ok(len as usize),
            len => Err(Error::field("block length", len.into(), 0).in_block(nblock)),
        }
    }

    /// The most bytes that block `nblock` can take. Only blocks that vary in length tell that themselves.
    fn most_stored(&self, nblock: u32) -> usize {
        match self.header.body {
            Body::VlBlocks => usize::MAX,
            _ => {
                let nstreams = if self.header.split { usize::from(self.header.typesize) } else { 1 };
                // Their lengths, and what each may take beyond its share.
                nstreams * (4 + most_compressed(0)) + most_compressed(self.plain_range(nblock).len())
            }
        }
    }

    /// Where the bytes of block `nblock` start in the chunk; its end if the chunk holds no bytes for its blocks.
    ///
    /// # Errors
    /// `Format` if the table points outside of the chunk's body.
    pub(crate) fn start(&self, nblock: u32) -> Result<u32> {
        let Header { header_len, cbytes, body, .. } = self.header;
        match body {
            Body::Memcpyed => return Ok(header_len + self.plain_range(nblock).start as u32),
            Body::Special(_) => return Ok(cbytes),
            Body::Blocks | Body::VlBlocks => {}
        }
        let at = nblock as usize * 4;
        let start = i32_le(self.table, at)?;
        match u32::try_from(start) {
            Ok(start) if u64::from(start) >= self.header.table_end() && start < cbytes => Ok(start),
            _ => {
                Err(Error::field("bstart", start.into(), u64::from(header_len) + at as u64).in_block(nblock))
            }
        }
    }

    /// The chunk's dictionary, cut out of its section, which starts with the dictionary's length and may go on after
    /// it; empty if the chunk has none. The memory is for this chunk's blocks until the next dictionary.
    ///
    /// # Errors
    /// `Format` if the section is shorter than that.
    pub(super) fn dictionary<'d>(
        &self,
        section: &'d [u8],
        memory: &mut dyn DecodeMemory,
    ) -> Result<&'d [u8]> {
        const MAX_DICT: i32 = 32 << 10;
        memory.other_dictionary();
        if !self.header.uses_dict {
            return Ok(&[]);
        }
        let dict = match i32_le(section, 0) {
            Ok(len @ 1..=MAX_DICT) => slice_at(section, 4, len as usize),
            Ok(len) => Err(Error::field("dsize", len.into(), 0)),
            Err(error) => Err(error),
        };
        dict.map_err(|error| error.shifted(self.header.table_end()))
    }

    /// Whether all blocks refer to the first one.
    pub(super) fn refers_to_first(&self) -> bool {
        matches!(self.header.body, Body::Blocks | Body::VlBlocks) && self.header.filters.contains(DELTA)
    }

    /// The starts of the blocks as the table has them; none if there are no blocks to find.
    fn table_starts(&self) -> impl Iterator<Item = u32> + use<'a> {
        let is_table = matches!(self.header.body, Body::Blocks | Body::VlBlocks);
        let table: &[u8] = if is_table { self.table } else { &[] };
        table.as_chunks().0.iter().map(|start| u32::from_le_bytes(*start))
    }

    /// The first start behind `start` in a table that ascends.
    fn next_in_order(&self, start: u32) -> Option<u32> {
        let table = self.table.as_chunks().0;
        let next = table.partition_point(|other| u32::from_le_bytes(*other) <= start);
        table.get(next).map(|next| u32::from_le_bytes(*next))
    }

    /// Where blocks and the dictionary begin and end. If the starts are in no order, the whole table is searched for each block,
    /// which takes no memory.
    pub(crate) const fn starts(&self) -> Spans<'a, 'static> {
        Spans { head: *self, starts: None }
    }

    /// Where blocks and the dictionary begin and end, by `starts`, which a call of [`spans`](Self::spans) for this head has left.
    pub(crate) fn spans_in<'s>(&self, starts: &'s [u32]) -> Spans<'a, 's> {
        Spans { head: *self, starts: (!self.order.ascends()).then_some(starts) }
    }

    /// Where blocks and the dictionary begin and end. `starts` is memory to reuse, for those that are in no order.
    #[cfg(feature = "alloc")]
    pub(crate) fn spans<'s>(&self, starts: &'s mut Vec<u32>) -> Spans<'a, 's> {
        starts.clear();
        if !self.order.ascends() {
            starts.extend(self.table_starts());
            if !starts.is_sorted() {
                // The sort with the least code.
                *starts = BinaryHeap::from(core::mem::take(starts)).into_sorted_vec();
            }
        }
        self.spans_in(starts)
    }
}

/// Tells which bytes of a chunk a block takes. The format only says where each begins; they end where others
/// begin, since writers leave no gaps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spans<'a, 's> {
    head: Head<'a>,
    /// The table of block starts, sorted, unless it is in order itself: threads write blocks as they finish.
    starts: Option<&'s [u32]>,
}

impl Spans<'_, '_> {
    /// The bytes of block `nblock`, counted from the chunk's start, and no more than it can have.
    ///
    /// # Errors
    /// Errors of [`Head::start`].
    pub(crate) fn block(&self, nblock: u32) -> Result<Range<u32>> {
        let start = self.head.start(nblock)?;
        let Header { body, nblocks, .. } = self.head.header;
        match body {
            Body::Memcpyed => return Ok(start..start + self.head.plain_range(nblock).len() as u32),
            // Only these do not know their own length.
            Body::VlBlocks if nblock + 1 < nblocks => {
                let end = self.head.start(nblock + 1)?;
                return if start <= end { Ok(start..end) } else { Err(wrong_end(nblock, start, end)) };
            }
            _ => {}
        }
        let most = u32::try_from(self.head.most_stored(nblock)).unwrap_or(u32::MAX);
        Ok(start..self.next(start).min(start.saturating_add(most)))
    }

    /// Where the first block begins that begins behind `start`, or else the chunk ends.
    fn next(&self, start: u32) -> u32 {
        let cbytes = self.head.header.cbytes;
        let next = match self.starts {
            Some(starts) if ALLOC => starts.get(starts.partition_point(|&other| other <= start)).copied(),
            _ if self.head.order.ascends() => self.head.next_in_order(start),
            _ => self.head.table_starts().filter(|&other| other > start).min(),
        };
        next.map_or(cbytes, |next| next.min(cbytes))
    }

    /// The section with the dictionary, between the table and the first block, if the chunk has one.
    pub(crate) fn dict(&self) -> Option<Range<u32>> {
        let Header { uses_dict, .. } = self.head.header;
        let start = self.head.header.table_end() as u32;
        uses_dict.then(|| start..self.next(0).max(start))
    }

    /// The bytes of the dictionary, of the first block if block `nblock` refers to it, and of the block itself; empty where
    /// there are none.
    ///
    /// # Errors
    /// Errors of [`block`](Self::block).
    pub(crate) fn with_shared(&self, nblock: u32) -> Result<[Range<u32>; 3]> {
        let needs_first = nblock > 0 && self.head.refers_to_first();
        let first = if needs_first { self.block(0)? } else { 0..0 };
        Ok([self.dict().unwrap_or(0..0), first, self.block(nblock)?])
    }

    /// Bytes that blocks need besides their own: the dictionary, and the first block where others refer to it and
    /// nobody has it yet.
    ///
    /// # Errors
    /// Errors of [`block`](Self::block).
    pub(crate) fn shared(&self, has_first: bool) -> Result<impl Iterator<Item = Range<u32>>> {
        let first = if self.head.refers_to_first() && !has_first { Some(self.block(0)?) } else { None };
        Ok(self.dict().into_iter().chain(first))
    }
}

#[cold]
fn wrong_end(nblock: u32, start: u32, end: u32) -> Error {
    Error::field("bstart", end.into(), start.into()).in_block(nblock)
}

/// The most bytes that a stream of `len` plain ones takes. Writers leave a stream as it is where a codec does not make
/// it shorter, all but Blosc1 with Snappy; this is what any codec makes of bytes at worst.
pub(super) const fn most_compressed(len: usize) -> usize {
    64 + len + len / 6
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::vec;

    /// Four blocks of two bytes in a chunk of which the first three share a start.
    #[test]
    fn blocks_take_no_more_than_they_can() {
        let mut bytes = vec![5, 1, 0x15, 1, 8, 0, 0, 0, 2, 0, 0, 0, 0, 16, 0, 0];
        bytes.resize(EXTENDED_HEADER, 0);
        for start in [48u32, 48, 48, 4090] {
            bytes.extend(start.to_le_bytes());
        }
        let head = Head::parse(&bytes).unwrap();
        let mut starts = Vec::new();
        let spans = head.spans(&mut starts);
        let most = 48 + 4 + most_compressed(0) as u32 + most_compressed(2) as u32;
        assert_eq!(spans.block(0), Ok(48..most));
        assert_eq!(spans.block(2), Ok(48..most));
        assert_eq!(spans.block(3), Ok(4090..4096));
    }

    /// Tables of any starts, some of which threads have left in disorder, are the same with and without memory.
    #[test]
    fn blocks_end_where_others_begin_whoever_reads_them() {
        let mut state = 7u32;
        for _ in 0..if cfg!(miri) { 20 } else { 200 } {
            let mut bytes = vec![5, 1, 0x15, 1, 8, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0];
            bytes.resize(EXTENDED_HEADER, 0);
            for _ in 0..4 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                bytes.extend((40 + (state >> 24)).to_le_bytes());
            }
            let head = Head::parse(&bytes).unwrap();
            let mut starts = Vec::new();
            let spans = head.spans(&mut starts);
            for nblock in 0..4 {
                assert_eq!(head.starts().block(nblock), spans.block(nblock));
            }
            assert_eq!(head.starts().dict(), spans.dict());
        }
    }
}
