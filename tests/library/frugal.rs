//! Which bytes are read: of a file only its header, of a selection only the blocks that hold its items.

use crate::common::numpy::{number, positions};
use crate::common::parts::Parts;
use crate::common::{Case, golden, sha256};
use alloc::collections::{BTreeMap, BTreeSet};
use b2nd::chunk::{Body, EXTENDED_HEADER, Header};
use b2nd::filter::DELTA;
use b2nd::frame::Location;
use b2nd::wire::{Part, Request};
use b2nd::{ReadAt, Reader, Selection};
use core::cell::RefCell;
use core::convert::Infallible;
use core::ops::Range;

/// Remembers what is read.
struct Recorder {
    parts: Parts,
    requests: RefCell<Vec<Request>>,
}

impl ReadAt for Recorder {
    type Error = Infallible;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Infallible> {
        self.requests.borrow_mut().push(request.clone());
        self.parts.read_at(request, buffer)
    }
}

impl Recorder {
    fn of(case: &Case) -> Self {
        Self { parts: Parts::of(case), requests: RefCell::default() }
    }
}

#[test]
fn opening_reads_the_header() {
    for case in golden().iter().filter(|case| case.error().is_none()) {
        let source = Recorder::of(case);
        let reader = Reader::open(&source, case.dparams()).expect("a good file");
        let requests = source.requests.borrow();
        assert_eq!(requests[0], Request { part: Part::Frame, range: 0..8 << 10 }, "{}", case.name);
        // Only the trailer of a beta tells how its chunks are to be read.
        let most = if reader.frame().header.is_beta() { 3 } else { 1 };
        assert!(requests.len() <= most, "{}: {requests:?}", case.name);
    }
}

#[test]
fn slices_read_their_blocks() {
    let (mut slices, mut blocks, mut skipped) = (0, 0, 0);
    for case in golden().iter().filter(|case| case.kind() == "array" && case.error().is_none()) {
        let source = Recorder::of(case);
        let reader = Reader::open(&source, case.dparams()).expect("a good file");
        reader.index().expect("a good file");
        for (text, digest) in case.slices() {
            let selection: Selection = text.parse().expect("a selection");
            source.requests.take();
            let items = reader.get(&selection).expect("a good file");
            assert_eq!(sha256(&items), digest, "{} [{text}]", case.name);
            let mut allowed = Allowed::default();
            allowed.selection(&reader, &source.parts, &selection);
            for request in source.requests.take() {
                assert!(
                    allowed.covers(&request),
                    "{} [{text}] reads {request:?}, allowed are {:?}",
                    case.name,
                    allowed.ranges
                );
            }
            slices += 1;
            blocks += allowed.blocks;
            skipped += allowed.skipped;
        }
    }
    assert!(skipped > 1000, "{slices} slices of {blocks} blocks, {skipped} others in the same chunks");
}

struct StoredChunk<'a> {
    part: Part,
    offset: u64,
    bytes: &'a [u8],
    /// Bytes of a block, by the array, and by the frame.
    tile: u64,
    meant: u64,
}

/// The ranges that may be read.
#[derive(Default)]
struct Allowed {
    ranges: Vec<(Part, Range<u64>)>,
    blocks: usize,
    skipped: usize,
}

impl Allowed {
    /// Goes through a selection item by item.
    fn selection(&mut self, reader: &Reader<&Recorder>, parts: &Parts, selection: &Selection) {
        let array = reader.layout().expect("a good array").expect("an array");
        let chunkshape: Vec<u64> = array.chunkshape().iter().copied().map(u64::from).collect();
        let blockshape = array.blockshape().unwrap_or(array.chunkshape());
        let blockshape: Vec<u64> = blockshape.iter().copied().map(u64::from).collect();
        let itemsize = u64::from(array.itemsize());
        let counts: Vec<u64> =
            array.shape().iter().zip(&chunkshape).map(|(len, chunk)| len.div_ceil((*chunk).max(1))).collect();
        let blocks: Vec<u64> = chunkshape
            .iter()
            .zip(&blockshape)
            .map(|(chunk, block)| chunk.div_ceil((*block).max(1)))
            .collect();
        let mut touched: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for item in positions(&selection.0, &array.shape()) {
            let apart = |cell: &[u64]| -> (Vec<u64>, Vec<u64>) {
                item.iter().zip(cell).map(|(at, cell)| (at / cell, at % cell)).unzip()
            };
            let (chunk, within) = apart(&chunkshape);
            let (block, within): (Vec<_>, Vec<_>) =
                within.iter().zip(&blockshape).map(|(at, cell)| (at / cell, at % cell)).unzip();
            let before = number(&block, &blocks) * blockshape.iter().product::<u64>();
            let start = (before + number(&within, &blockshape)) * itemsize;
            touched.entry(number(&chunk, &counts)).or_default().insert(start);
        }
        let tile = blockshape.iter().product::<u64>() * itemsize;
        for (nchunk, starts) in touched {
            let location = reader.index().expect("read before").locate(nchunk).expect("a good index");
            if let Location::Stored { part, offset } = location {
                let request = Request { part, range: offset..u64::MAX };
                let mut buffer = Vec::new();
                let Ok(bytes) = parts.read_at(&request, &mut buffer);
                let blocksize = u64::from(reader.frame().header.blocksize);
                let chunk = StoredChunk {
                    part,
                    offset,
                    bytes,
                    tile,
                    meant: if blocksize == 0 { tile } else { blocksize },
                };
                self.chunk(&chunk, &starts, itemsize);
            }
        }
    }

    /// Its head, what all blocks refer to, and the blocks with items that start at `starts`.
    fn chunk(&mut self, chunk: &StoredChunk<'_>, starts: &BTreeSet<u64>, itemsize: u64) {
        let StoredChunk { part, offset, bytes, tile, meant } = *chunk;
        let header = Header::parse(bytes).expect("a good chunk");
        let (header_len, cbytes) = (u64::from(header.header_len), u64::from(header.cbytes));
        let mut allow =
            |range: Range<u64>| self.ranges.push((part, offset + range.start..offset + range.end));
        // What follows the head may come along: the frame only says how large blocks are meant to be.
        let table = u64::from(header.nbytes).div_ceil(meant).max(header.nblocks.into()) * 4;
        allow(0..EXTENDED_HEADER as u64 + table);
        let blocksize = match header.body {
            // The latter hold one value at most.
            Body::VlBlocks | Body::Special(_) => return allow(0..cbytes),
            // Copied bytes can be cut anyhow.
            Body::Memcpyed => u64::from(header.nbytes).min(tile),
            Body::Blocks => header.blocksize.into(),
        };
        let reach = starts.iter().flat_map(|start| start / blocksize..=(start + itemsize - 1) / blocksize);
        let mut wanted: BTreeSet<u64> = reach.collect();
        self.blocks += wanted.len();
        self.skipped += u64::from(header.nbytes).div_ceil(blocksize) as usize - wanted.len();
        if header.body == Body::Memcpyed {
            return wanted.iter().for_each(|nblock| {
                let end = ((nblock + 1) * blocksize).min(header.nbytes.into());
                allow(header_len + nblock * blocksize..header_len + end);
            });
        }
        if header.filters.contains(DELTA) && wanted.last().is_some_and(|&last| last > 0) {
            wanted.insert(0);
        }
        let table = header_len..header_len + 4 * u64::from(header.nblocks);
        let bstarts = bytes[table.start as usize..table.end as usize].as_chunks().0;
        let bstarts: Vec<u64> = bstarts.iter().map(|bytes| u32::from_le_bytes(*bytes).into()).collect();
        // Writers leave no gaps: a block ends where another begins.
        let end = |start| bstarts.iter().copied().filter(|&next| next > start).min().unwrap_or(cbytes);
        if header.uses_dict {
            allow(table.end..end(0));
        }
        for nblock in wanted {
            let start = bstarts[nblock as usize];
            allow(start..end(start));
        }
    }

    /// Whether all bytes of a request may be read.
    fn covers(&self, request: &Request) -> bool {
        let Range { mut start, end } = request.range.clone();
        while start < end {
            let reach =
                self.ranges.iter().filter(|(part, range)| *part == request.part && range.contains(&start));
            match reach.map(|(_, range)| range.end).max() {
                Some(next) => start = next,
                None => return false,
            }
        }
        true
    }
}

/// 4096 blocks that are stored in one place.
#[test]
fn a_place_is_read_once() {
    let start = 32 + 4 * 4096_u32;
    let mut chunk = vec![5, 1, 0x15, 1];
    for size in [4096 * 32, 32, start + 36] {
        chunk.extend(u32::to_le_bytes(size));
    }
    chunk.extend([0; 16]);
    (0..4096).for_each(|_| chunk.extend(start.to_le_bytes()));
    chunk.extend([32, 0, 0, 0]);
    chunk.extend([7; 32]);
    let parts = Parts(vec![(Part::Frame, chunk)]);
    let source = Recorder { parts, requests: RefCell::default() };
    let reader = Reader::open(&source, b2nd::DParams::default()).expect("a chunk");
    source.requests.take();
    assert_eq!(reader.get(Selection::all()).expect("a good chunk"), vec![7; 4096 * 32]);
    assert!(source.requests.take().len() <= 3);
    reader.verify(0).expect("a good chunk");
    assert!(source.requests.take().len() <= 4);
}
