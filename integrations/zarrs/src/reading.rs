//! Which bytes of a chunk a read takes, and what comes of them; nothing here does I/O.

use crate::codec::{check_nbytes, decode, failure};
use b2nd::chunk::{Body, Header};
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

/// What is wanted of a chunk.
pub(crate) struct Wanted {
    header: Header,
    ranges: Vec<Range<u64>>,
    /// Whole blocks with all of that, disjoint and in order.
    runs: Vec<Range<u64>>,
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
        let blocksize = unit(&header);
        let blocks = ranges.iter().filter(|range| !range.is_empty()).map(|range| {
            range.start / blocksize * blocksize..range.end.next_multiple_of(blocksize).min(nbytes)
        });
        let runs = joined(blocks.collect());
        Ok(Self { header, ranges, runs })
    }

    /// Whether the chunk is short, or nearly all of its blocks are wanted: then one request brings it.
    pub(crate) fn is_whole(&self) -> bool {
        let Header { nbytes, cbytes, .. } = self.header;
        let units = |nbytes: u64| nbytes.div_ceil(unit(&self.header));
        let wanted = self.runs.iter().map(|run| units(run.end - run.start)).sum();
        ChunkReading::is_read_whole(
            Some(cbytes.into()),
            self.header.table_end(),
            wanted,
            units(nbytes.into()),
        )
    }

    /// The whole chunk as it is stored.
    pub(crate) fn everything(&self) -> ByteRange {
        ByteRange::FromStart(0, Some(self.header.cbytes.into()))
    }

    /// What is wanted of the stored chunk.
    pub(crate) fn of_everything<'a>(
        &self,
        bytes: &[u8],
        expected: BytesRepresentation,
    ) -> Result<Vec<ArrayBytesRaw<'a>>, CodecError> {
        let plain = decode(bytes, expected)?;
        Ok(self.ranges.iter().map(|range| plain[at(range)].to_vec().into()).collect())
    }

    /// Which bytes of the head are still missing.
    pub(crate) fn missing(&self, head: &Head) -> Option<ByteRange> {
        let (len, end) = (head.bytes.len() as u64, self.header.table_end());
        (len < end).then(|| ByteRange::FromStart(len, Some(end - len)))
    }

    /// Which bytes to bring besides the head.
    pub(crate) fn places(&self, head: &Head) -> Result<Vec<Range<u64>>, CodecError> {
        let mut places = Vec::new();
        for run in &self.runs {
            self.with_reading(head, run, |reading, _| {
                let mut starts = Vec::new();
                let ranges = reading.ranges(&mut starts)?;
                places.extend(ranges.map(|range| range.start.into()..range.end.into()));
                Ok(())
            })?;
        }
        places.retain(|range: &Range<u64>| range.end > head.bytes.len() as u64);
        Ok(joined(places))
    }

    /// What is wanted, of the bytes at these places.
    pub(crate) fn decode<'a>(
        &self,
        head: &Head,
        places: &[Range<u64>],
        brought: &[ArrayBytesRaw<'_>],
    ) -> Result<Vec<ArrayBytesRaw<'a>>, CodecError> {
        let mut scratch = Scratch::default();
        let mut plain = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            plain.push(self.with_reading(head, run, |reading, plan| {
                let mut out = vec![0; plan.nbytes()];
                let mut get = |range: Range<u32>| Ok(found(head, places, brought, range));
                reading.decode(&mut get, &mut Vec::new(), &mut scratch, &mut out)?;
                Ok(out)
            })?);
        }
        let part = |range: &Range<u64>| {
            let Some(run) = self.runs.partition_point(|run| run.start <= range.start).checked_sub(1) else {
                return Vec::new();
            };
            let start = self.runs[run].start;
            plain[run].get(at(&(range.start - start..range.end - start))).unwrap_or_default().to_vec()
        };
        Ok(self.ranges.iter().map(|range| part(range).into()).collect())
    }

    fn with_reading<T>(
        &self,
        head: &Head,
        run: &Range<u64>,
        then: impl FnOnce(&ChunkReading<'_>, &Plan) -> b2nd::Result<T>,
    ) -> Result<T, CodecError> {
        let bytes = SChunk::of_chunk(&self.header).map_err(failure)?;
        let bound = |at: u64| Some(at as i64);
        let index = Index::Range { start: bound(run.start), stop: bound(run.end), step: 1 };
        let plan = bytes.plan_of(&[index]).map_err(failure)?;
        let task = plan.chunks().next().ok_or("a chunk without items")?;
        let reading = ChunkReading::open(&plan, &task, bytes.context(), &head.bytes).map_err(failure)?;
        let reading = reading.map_err(|_| "the head of the chunk is cut short")?;
        then(&reading, &plan).map_err(failure)
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
