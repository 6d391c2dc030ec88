//! Which bytes of a chunk a read takes, and what comes of them; nothing here does I/O.

use crate::codec::{check_nbytes, failure};
use b2nd::chunk::{Body, Context, Header};
use b2nd::plan::{Index, Plan};
use b2nd::reading::ChunkReading;
use b2nd::{SChunk, Scratch};
use std::ops::Range;
use zarrs_codec::{ArrayBytesRaw, BytesRepresentation, CodecError};
use zarrs_storage::byte_range::{ByteRange, ByteRangeIterator, InvalidByteRangeError};

/// The first bytes of a chunk: its header and, once they are needed, the places of its blocks.
#[derive(Default, Clone)]
pub(crate) struct Head {
    bytes: Vec<u8>,
}

impl Head {
    /// The shortest header; that of Blosc2 is twice as long.
    const LEAST: u64 = 16;

    /// The header, or which bytes it still takes.
    pub(crate) fn header(&self) -> Result<Result<Header, ByteRange>, CodecError> {
        let len = self.bytes.len() as u64;
        match Header::parse(&self.bytes) {
            _ if len < Self::LEAST => Ok(Err(ByteRange::FromStart(len, Some(Self::LEAST - len)))),
            Err(_) if len < 2 * Self::LEAST => {
                Ok(Err(ByteRange::FromStart(len, Some(2 * Self::LEAST - len))))
            }
            header => header.map(Ok).map_err(failure),
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }
}

impl From<Vec<u8>> for Head {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes }
    }
}

/// The wanted part of a chunk, in some form.
pub(crate) trait Wanting {
    type Found;

    fn parts(&self) -> &Parts;

    /// Makes it of the plain bytes that each of the plans takes.
    fn found(&self, plain: Vec<Vec<u8>>) -> Result<Self::Found, CodecError>;
}

/// Parts of a chunk that are decoded.
pub(crate) struct Parts {
    header: Header,
    plans: Vec<Plan>,
    itemsize: u32,
    blockshape: Vec<u32>,
    /// Whether the chunk is short, or nearly all of its blocks are wanted: then one request brings it.
    pub(crate) whole: bool,
}

impl Parts {
    /// The requests of these plans, which take about `wanted` of `blocks` blocks.
    pub(crate) fn new(
        header: Header,
        plans: Vec<Plan>,
        context: Context<'_>,
        (wanted, blocks): (u64, u64),
    ) -> Self {
        let cbytes = Some(header.cbytes.into());
        let whole = ChunkReading::is_read_whole(cbytes, header.table_end(), wanted, blocks);
        Self { header, plans, itemsize: context.itemsize, blockshape: context.blockshape.to_vec(), whole }
    }

    /// Which bytes of the head are still missing.
    pub(crate) fn missing(&self, head: &Head) -> Option<ByteRange> {
        let end = if self.whole { self.header.cbytes.into() } else { self.header.table_end() };
        let len = head.bytes.len() as u64;
        (len < end).then(|| ByteRange::FromStart(len, Some(end - len)))
    }

    /// Which bytes to bring besides the head.
    pub(crate) fn places(&self, head: &Head) -> Result<Vec<Range<u64>>, CodecError> {
        let mut places = Vec::new();
        for plan in &self.plans {
            self.with_reading(head, plan, |reading| {
                let mut starts = Vec::new();
                let ranges = reading.ranges(&mut starts)?;
                places.extend(ranges.map(|range| range.start.into()..range.end.into()));
                Ok(())
            })?;
        }
        places.retain(|range: &Range<u64>| range.end > head.bytes.len() as u64);
        Ok(joined(places))
    }

    /// The bytes that the plans take, out of these.
    pub(crate) fn decode(
        &self,
        head: &Head,
        places: &[Range<u64>],
        brought: &[ArrayBytesRaw<'_>],
    ) -> Result<Vec<Vec<u8>>, CodecError> {
        let mut scratch = Scratch::default();
        let mut plain = Vec::with_capacity(self.plans.len());
        for plan in &self.plans {
            let mut out = vec![0; plan.nbytes()];
            self.with_reading(head, plan, |reading| {
                let mut get = |range: Range<u32>| Ok(found(head, places, brought, range));
                reading.decode(&mut get, &mut Vec::new(), &mut scratch, &mut out)
            })?;
            plain.push(out);
        }
        Ok(plain)
    }

    fn with_reading(
        &self,
        head: &Head,
        plan: &Plan,
        then: impl FnOnce(&ChunkReading<'_>) -> b2nd::Result<()>,
    ) -> Result<(), CodecError> {
        let context = Context { itemsize: self.itemsize, blockshape: &self.blockshape, ..Context::default() };
        let Some(task) = plan.chunks().next() else { return Ok(()) };
        let reading = ChunkReading::open(plan, &task, context, &head.bytes).map_err(failure)?;
        let reading = reading.map_err(|_| "the head of the chunk is cut short")?;
        then(&reading).map_err(failure)
    }
}

/// Ranges of the plain bytes of a chunk.
pub(crate) struct Wanted {
    ranges: Vec<Range<u64>>,
    /// Whole blocks with all of that, disjoint and in order.
    runs: Vec<Range<u64>>,
    parts: Parts,
}

impl Wanted {
    pub(crate) fn new(
        header: Header,
        ranges: ByteRangeIterator<'_>,
        expected: BytesRepresentation,
    ) -> Result<Self, CodecError> {
        let nbytes = u64::from(header.nbytes);
        check_nbytes(nbytes, expected)?;
        let within = |range: ByteRange| match range {
            ByteRange::FromStart(start, len) => {
                start.checked_add(len.unwrap_or(0)).is_some_and(|end| end <= nbytes)
            }
            ByteRange::Suffix(len) => len <= nbytes,
        };
        let ranges = ranges
            .map(|range| {
                if within(range) {
                    Ok(range.to_range(nbytes))
                } else {
                    Err(InvalidByteRangeError::new(range, nbytes))
                }
            })
            .collect::<Result<Vec<_>, _>>()?;
        let unit = unit(&header);
        let blocks = ranges
            .iter()
            .filter(|range| !range.is_empty())
            .map(|range| range.start / unit * unit..range.end.next_multiple_of(unit).min(nbytes));
        let runs = joined(blocks.collect());
        let bytes = SChunk::of_chunk(&header).map_err(failure)?;
        let bound = |at: u64| Some(at as i64);
        let plan = |run: &Range<u64>| Index::Range { start: bound(run.start), stop: bound(run.end), step: 1 };
        let plans =
            runs.iter().map(|run| bytes.plan_of(&[plan(run)]).map_err(failure)).collect::<Result<_, _>>()?;
        let wanted = runs.iter().map(|run| (run.end - run.start).div_ceil(unit)).sum();
        let parts = Parts::new(header, plans, bytes.context(), (wanted, nbytes.div_ceil(unit)));
        Ok(Self { ranges, runs, parts })
    }
}

impl Wanting for Wanted {
    type Found = Vec<ArrayBytesRaw<'static>>;

    fn parts(&self) -> &Parts {
        &self.parts
    }

    fn found(&self, plain: Vec<Vec<u8>>) -> Result<Self::Found, CodecError> {
        let part = |range: &Range<u64>| {
            let Some(run) = self.runs.partition_point(|run| run.start <= range.start).checked_sub(1) else {
                return Vec::new();
            };
            let start = self.runs[run].start;
            plain[run].get(at(&(range.start - start..range.end - start))).unwrap_or_default().to_vec()
        };
        Ok(self.ranges.iter().map(|range| part(range).into()).collect())
    }
}

/// Bytes that are decoded at once: a block, or some of the bytes that are stored as they are.
fn unit(header: &Header) -> u64 {
    const COPIED: u64 = 4096;
    if header.body == Body::Blocks { u64::from(header.blocksize).max(1) } else { COPIED }
}

/// The bytes of a range, of the head or of what was brought; fewer where they are not there, which decoders refuse.
fn found<'a>(
    head: &'a Head,
    places: &[Range<u64>],
    brought: &'a [ArrayBytesRaw<'_>],
    range: Range<u32>,
) -> &'a [u8] {
    let range = u64::from(range.start)..u64::from(range.end);
    if let Some(bytes) = head.bytes.get(at(&range)) {
        return bytes;
    }
    let Some(place) = places.partition_point(|place| place.start <= range.start).checked_sub(1) else {
        return &[];
    };
    let start = places[place].start;
    brought
        .get(place)
        .and_then(|bytes| bytes.get(at(&(range.start - start..range.end - start))))
        .unwrap_or_default()
}

fn at(range: &Range<u64>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// The ranges in order, those that overlap or touch as one.
fn joined(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.dedup_by(|next, last| {
        let touches = next.start <= last.end;
        if touches {
            last.end = last.end.max(next.end);
        }
        touches
    });
    ranges
}
