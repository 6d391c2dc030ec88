//! One attempt to read everything that a damaged file still has.

use crate::common::parts::Parts;
use crate::meter;
use b2nd::array::Dtype;
use b2nd::chunk::Chunk;
use b2nd::frame::Location;
use b2nd::wire::Request;
use b2nd::{DParams, ErrorKind, Limits, ReadAt, ReadError, Reader, Scratch, Selection};
use core::convert::Infallible;

pub(crate) const LIMITS: Limits =
    Limits { memory: 16 << 20, metadata: 1 << 20, expansion: 16 << 20, depth: 32 };

/// Memory that a call may take besides: the tables of zstd and zlib decoders, vectors that have grown by doubling.
pub(crate) const BESIDES: usize = 1 << 20;

/// Chunks of a file that are read one by one.
const CHUNKS: u64 = 8;

/// Reads everything once and keeps to the rules: no blame on the caller, no memory beyond the limits.
pub(crate) struct Attempt<'a> {
    pub(crate) dparams: DParams,
    /// A selection that fits the undamaged file.
    pub(crate) slice: &'a Selection,
    /// Whether to look for stale bytes as well, which takes twice as long.
    pub(crate) twice: bool,
}

impl Attempt<'_> {
    /// One call, under supervision.
    fn call<T, E: Into<ReadError<Infallible>>>(
        &self,
        what: &str,
        call: impl FnOnce() -> Result<T, E>,
    ) -> Option<T> {
        let (result, peak) = meter::peak(|| call().map_err(Into::into));
        assert!(peak <= LIMITS.memory as usize + BESIDES, "{what} took {peak} bytes");
        match result {
            Err(ReadError::Blosc(error)) if matches!(error.kind(), ErrorKind::Argument(_)) => {
                panic!("{what} blames the caller: {error}")
            }
            result => result.ok(),
        }
    }

    pub(crate) fn run(&self, source: &Parts) {
        let dparams = self.dparams.clone();
        let Some(reader) = self.call("open", || Reader::open(source, dparams)) else { return };
        let array = self.call("array", || reader.layout()).flatten();
        if let Some(text) = array.and_then(b2nd::Layout::dtype) {
            self.call("dtype", || Dtype::parse(text, &LIMITS));
        }
        let trailer = self.call("trailer", || reader.trailer());
        let attributes = trailer.map_or(&[][..], |trailer| &trailer.attributes);
        for metalayer in reader.frame().header.metalayers.iter().chain(attributes) {
            self.call("metalayer", || metalayer.value(&LIMITS));
        }
        let nchunks = self.call("index", || reader.index()).map_or(0, b2nd::frame::ChunkIndex::nchunks);
        let schunk = self.call("schunk", || reader.schunk());
        self.get(&reader, &Selection::all());
        let shape = array.map(|array| array.shape().to_vec()).or(schunk.map(|schunk| vec![schunk.len()]));
        if shape.is_some_and(|shape| self.slice.shape(&shape).is_ok()) {
            self.get(&reader, self.slice);
        }
        for nchunk in (0..nchunks).take(CHUNKS as usize) {
            self.chunk(&reader, nchunk, source);
        }
    }

    /// Decodes into buffers of different content: none of it may remain.
    fn get(&self, reader: &Reader<&Parts>, selection: &Selection) {
        let Some(plan) = self.call("plan", || reader.plan(selection)) else { return };
        plan.tile_nbytes();
        if !self.twice || plan.nbytes() as u64 > LIMITS.memory {
            self.call("get", || reader.get(selection));
            return;
        }
        let read = |fill| {
            let mut out = vec![fill; plan.nbytes()];
            self.call("get_into", || reader.get_into(&plan, &mut out)).map(|()| out)
        };
        assert!(read(0xaa) == read(0x55), "stale bytes in {selection:?}");
    }

    fn chunk(&self, reader: &Reader<&Parts>, nchunk: u64, source: &Parts) {
        let plain = self.call("chunk", || reader.chunk(nchunk));
        let (true, Some(plain)) = (self.twice, plain) else { return };
        let Ok(Location::Stored { part, offset }) = reader.index().expect("read before").locate(nchunk)
        else {
            return;
        };
        let mut buffer = Vec::new();
        let Ok(bytes) = source.read_at(&Request { part, range: offset..u64::MAX }, &mut buffer);
        let context = match reader.layout() {
            Ok(Some(array)) => array.context(),
            _ => b2nd::chunk::Context { itemsize: reader.frame().header.typesize, ..Default::default() },
        };
        let context = b2nd::chunk::Context {
            early_bitshuffle: context.early_bitshuffle
                || self.dparams.early_bitshuffle
                || reader.frame().early_bitshuffle(),
            ..context
        };
        let mut out = vec![0xaa; plain.len()];
        let mut scratch = Scratch::new(&self.dparams);
        let chunk = Chunk::with_context(bytes, context);
        let decoded = chunk.and_then(|chunk| chunk.decode_into(&mut out, &mut scratch));
        assert!(decoded.is_ok() && out == plain, "stale bytes in chunk {nchunk}");
    }
}
