//! Sequences of objects: values of any type and length, as python-blosc2 stores them in super-chunks (FORMAT §10.1).
//!
//! [`Objects`] reads ObjectArray, BatchArray, ListArray and the columns of variable-length values of tables. An object is decoded
//! with the others in its block, or alone in its chunk; nothing else is read. [`Extension`] interprets objects of types that
//! MessagePack does not have, [`Tensor`] an array that was packed into a super-chunk, and [`origin`] tells what a reference
//! refers to.

#[cfg(feature = "arrow")]
mod arrow;
mod extension;
mod frames;
mod layout;
mod origin;
mod tensor;

#[cfg(feature = "arrow")]
pub(crate) use arrow::values_of;
pub use extension::Extension;
pub use frames::unpack_frames;
pub use layout::{Batches, Kind, Serializer};
pub use origin::origin;
pub use tensor::Tensor;

use crate::base::{ArgumentError, Error, ErrorKind, Limits, Malformed, Unsupported};
use crate::frame::{Location, Run};
use crate::msgpack::Value;
use crate::source::{ReadAt, ReadError, Reader};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::ops::Range;

type Read<T, S> = Result<T, ReadError<<S as ReadAt>::Error>>;

/// A sequence of objects.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b")?)?;
/// for object in objects.range(0..2)? {
///     println!("{object:?}");
/// }
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Objects<S> {
    reader: Reader<S>,
    layout: Batches,
}

impl<S: ReadAt> Objects<S> {
    /// The objects in a frame. Reads the lengths of batches. Only if the frame does not have them, all batches are decoded.
    ///
    /// ```
    /// let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b")?)?;
    /// assert_eq!(objects.len(), 71);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Unsupported` if the frame holds none, `Format` if its metalayers are damaged, and errors of reading.
    pub fn open(reader: Reader<S>) -> Read<Self, S> {
        let header = &reader.frame().header;
        let description =
            layout::describe(&header.metalayers, reader.limits())?.ok_or(Unsupported::NoObjects)?;
        let nchunks = reader.nchunks()?;
        let mut objects = Self { layout: Batches::new(description, nchunks), reader };
        if objects.layout.is_batched() {
            let lengths = layout::lengths(&objects.reader.trailer()?.attributes, objects.reader.limits())?;
            let lengths = lengths.map_or_else(|| objects.count(), Ok)?;
            objects.layout.set_lengths(&lengths, nchunks)?;
        }
        Ok(objects)
    }

    /// Whether a frame holds objects, and which kind of sequence.
    ///
    /// ```
    /// # use b2nd::objects::{Kind, Objects};
    /// assert_eq!(Objects::kind_of(&b2nd::open("tests/golden/objects/001.b2b")?)?, Some(Kind::Batches));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if the metalayers are damaged.
    pub fn kind_of(reader: &Reader<S>) -> Read<Option<Kind>, S> {
        Ok(layout::describe(&reader.frame().header.metalayers, reader.limits())?
            .map(|description| description.kind))
    }

    /// The kind of sequence.
    ///
    /// ```
    /// # let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b").unwrap()).unwrap();
    /// assert_eq!(objects.kind(), b2nd::objects::Kind::Batches);
    /// ```
    pub const fn kind(&self) -> Kind {
        self.layout.description.kind
    }

    /// Objects in each block of a batch but the last, if they are known.
    #[cfg(feature = "write")]
    pub(crate) const fn block_len(&self) -> Option<u64> {
        self.layout.description.items_per_block
    }

    /// The number of objects in each batch; `None` if each object is in a chunk of its own.
    #[cfg(feature = "write")]
    pub(crate) fn batch_lens(&self) -> Option<Vec<u64>> {
        let len = |batch| self.layout.starts(batch + 1) - self.layout.starts(batch);
        self.layout.is_batched().then(|| (0..self.layout.nbatches()).map(len).collect())
    }

    /// How objects are stored.
    ///
    /// ```
    /// # let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b").unwrap()).unwrap();
    /// assert_eq!(objects.serializer(), b2nd::objects::Serializer::MessagePack);
    /// ```
    pub const fn serializer(&self) -> Serializer {
        self.layout.description.serializer
    }

    /// The frame.
    ///
    /// ```
    /// # let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b")?)?;
    /// assert_eq!(objects.reader().nchunks()?, objects.nbatches());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn reader(&self) -> &Reader<S> {
        &self.reader
    }

    /// The number of objects.
    ///
    /// ```
    /// # let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b").unwrap()).unwrap();
    /// assert_eq!(objects.len(), 71);
    /// ```
    pub fn len(&self) -> u64 {
        self.layout.len()
    }

    /// Whether there are none.
    ///
    /// ```
    /// # let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b").unwrap()).unwrap();
    /// assert!(!objects.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of batches, each in a chunk. Without batches, each object is in a chunk of its own.
    ///
    /// ```
    /// # let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b").unwrap()).unwrap();
    /// assert_eq!(objects.nbatches(), 5);
    /// ```
    pub const fn nbatches(&self) -> u64 {
        self.layout.nbatches()
    }

    /// The indices of the objects of a batch.
    ///
    /// ```
    /// # let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b")?)?;
    /// assert_eq!(objects.batch(0)?, 0..11);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such batch.
    pub fn batch(&self, nbatch: u64) -> Result<Range<u64>, Error> {
        let nchunks = self.nbatches();
        if nbatch >= nchunks {
            return Err(ArgumentError::Chunk { index: nbatch, nchunks }.into());
        }
        Ok(self.layout.starts(nbatch)..self.layout.starts(nbatch + 1))
    }

    /// The object at an index.
    ///
    /// ```
    /// # let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b")?)?;
    /// assert_eq!(objects.get(2)?.as_u64(), Some(u64::MAX));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`range`](Self::range).
    pub fn get(&self, index: u64) -> Read<Value, S> {
        let mut objects = self.range(index..index.saturating_add(1))?;
        Ok(objects.pop().ok_or_else(|| self.out_of_bounds(index))?)
    }

    /// The objects in a range of indices. Each block is decoded once.
    ///
    /// ```
    /// # let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b")?)?;
    /// assert_eq!(objects.range(3..5)?.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the range exceeds the sequence, `Unsupported` if the objects are stored as Arrow and the feature `arrow` is off
    /// (see [`payload`](Self::payload)) or MessagePack has no such type, `Limit` if they take more than the limits allow, and what is wrong with the data.
    pub fn range(&self, range: Range<u64>) -> Read<Vec<Value>, S> {
        self.range_counted(range, &mut 0)
    }

    /// [`range`](Self::range) for objects that are some of many: `used` counts the memory of all.
    pub(crate) fn range_counted(&self, range: Range<u64>, used: &mut u64) -> Read<Vec<Value>, S> {
        if range.start > range.end || range.end > self.len() {
            return Err(self.out_of_bounds(range.end.saturating_sub(1)).into());
        }
        let (mut objects, mut at) = (Vec::new(), range.start);
        while at < range.end {
            let nbatch = self.layout.batch_of(at);
            let (start, end) = (self.layout.starts(nbatch), self.layout.starts(nbatch + 1).min(range.end));
            self.of_batch(nbatch, at - start..end - start, used, &mut objects)?;
            at = end;
        }
        Ok(objects)
    }

    /// The stored bytes of block `nblock` of a batch: a MessagePack list of objects, or an Arrow IPC stream with one record
    /// batch. Without batches, the only block is the object's MessagePack.
    ///
    /// ```
    /// # let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b")?)?;
    /// assert_eq!(objects.payload(0, 0)?.len(), 481);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such batch or block, `Limit` if the batch has far more bytes than are stored, and what is wrong
    /// with the data.
    pub fn payload(&self, nbatch: u64, nblock: u32) -> Read<Vec<u8>, S> {
        self.check_expansion(nbatch)?;
        if self.layout.is_batched() { self.reader.block(nbatch, nblock) } else { self.reader.chunk(nbatch) }
    }

    /// The number of blocks of a batch.
    ///
    /// ```
    /// # let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b")?)?;
    /// assert_eq!(objects.nblocks(0)?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such batch, and what is wrong with the chunk.
    pub fn nblocks(&self, nbatch: u64) -> Read<u32, S> {
        Ok(if self.layout.is_batched() { self.reader.chunk_info(nbatch)?.header.nblocks } else { 1 })
    }

    /// Appends some objects of a batch.
    fn of_batch(&self, nbatch: u64, wanted: Range<u64>, used: &mut u64, out: &mut Vec<Value>) -> Read<(), S> {
        let limits = object_limits(self.reader.limits());
        if !self.layout.is_batched() {
            let stored = self.check_expansion(nbatch)?;
            let bytes = self.payload(nbatch, 0)?;
            out.push(parse((&bytes, stored), &limits, used, nbatch)?);
            return Ok(());
        }
        let (mut nblock, mut at) = self.layout.first_block(wanted.start);
        while at < wanted.end {
            let block = self.block(nbatch, nblock, &limits, used);
            let block = block.map_err(|error| blame_batch(error, nbatch, at, wanted.end))?;
            let len = block.len() as u64;
            let part = wanted.start.saturating_sub(at).min(len)..(wanted.end - at).min(len);
            if !self.layout.fits(nbatch, at, len) {
                return Err(wrong("objects in a block", len as i64, nbatch).into());
            }
            out.extend(block.into_iter().take(part.end as usize).skip(part.start as usize));
            (nblock, at) = (nblock + 1, at + len);
        }
        Ok(())
    }

    /// All objects of a block.
    fn block(&self, nbatch: u64, nblock: u32, limits: &Limits, used: &mut u64) -> Read<Vec<Value>, S> {
        if self.serializer() == Serializer::Arrow {
            #[cfg(feature = "arrow")]
            return self.arrow_block(nbatch, nblock, limits, used);
            #[cfg(not(feature = "arrow"))]
            return Err(Unsupported::ArrowObjects.into());
        }
        let stored = self.check_expansion(nbatch)?;
        match parse((&self.payload(nbatch, nblock)?, stored), limits, used, nbatch)? {
            Value::Array(objects) => Ok(objects),
            _ => Err(wrong("list of objects", 0, nbatch).into()),
        }
    }

    /// Counts the objects of all batches, in runs of batches of one length. What is stored in one place is counted once.
    fn count(&self) -> Read<Vec<(u64, u64)>, S> {
        let limits = object_limits(self.reader.limits());
        let (mut runs, mut counted) = (Vec::new(), BTreeMap::new());
        for Run { chunks, location, .. } in self.reader.index()?.runs() {
            let nbatch = chunks.start;
            let place = match location? {
                Location::Stored { part, offset } => Some((part, offset)),
                Location::Special(_) => None,
            };
            let len = match place.and_then(|place| counted.get(&place).copied()) {
                Some(len) => len,
                None => {
                    let blocks = 0..self.nblocks(nbatch)?;
                    let count = |nblock| Ok(self.block(nbatch, nblock, &limits, &mut 0)?.len() as u64);
                    let len = blocks.map(count).sum::<Read<u64, S>>()?;
                    counted.extend(place.map(|place| (place, len)));
                    len
                }
            };
            layout::push(&mut runs, chunks.end - chunks.start, len);
        }
        Ok(runs)
    }

    /// Checks that a chunk does not have more bytes than the limits allow for those that are stored, and returns how many these
    /// are.
    fn check_expansion(&self, nbatch: u64) -> Read<u64, S> {
        let header = self.reader.chunk_info(nbatch)?.header;
        let stored = u64::from(header.cbytes);
        let allowed = self.reader.limits().allow_expansion(header.nbytes.into(), stored);
        Ok(allowed.map(|()| stored).map_err(|error| error.in_chunk(nbatch))?)
    }

    /// The batch of an object.
    ///
    /// ```
    /// # let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b")?)?;
    /// assert_eq!(objects.batch_of(12)?, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such object.
    pub fn batch_of(&self, index: u64) -> Result<u64, Error> {
        if index < self.len() { Ok(self.layout.batch_of(index)) } else { Err(self.out_of_bounds(index)) }
    }

    /// Decodes all objects, those that are stored in one place once.
    ///
    /// ```
    /// # let objects = b2nd::objects::Objects::open(b2nd::open("tests/golden/objects/001.b2b")?)?;
    /// objects.verify()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`range`](Self::range).
    pub fn verify(&self) -> Read<(), S> {
        let mut seen = BTreeSet::new();
        for Run { chunks, location, .. } in self.reader.index()?.runs() {
            let place = match location? {
                Location::Stored { part, offset } => Some((part, offset)),
                Location::Special(_) => None,
            };
            let mut nbatch = chunks.start;
            while nbatch < chunks.end {
                let batch = self.batch(nbatch)?;
                if seen.insert((place, batch.end - batch.start)) {
                    self.range(batch)?;
                }
                nbatch = self.layout.next_length(nbatch).min(chunks.end);
            }
        }
        Ok(())
    }

    fn out_of_bounds(&self, index: u64) -> Error {
        let index = i64::try_from(index).unwrap_or(i64::MAX);
        ArgumentError::Index { axis: 0, index, len: self.len() }.into()
    }
}

/// Objects are data, not metadata.
const fn object_limits(limits: &Limits) -> Limits {
    Limits { metadata: limits.memory, ..*limits }
}

/// The batch is to blame if it ends before all its objects, not the caller.
fn blame_batch<E>(error: ReadError<E>, nbatch: u64, found: u64, expected: u64) -> ReadError<E> {
    match error {
        ReadError::Blosc(error)
            if matches!(error.kind(), ErrorKind::Argument(ArgumentError::Block { .. })) =>
        {
            Error::mismatch("objects in a batch", found, expected).in_chunk(nbatch).into()
        }
        other => other,
    }
}

fn wrong(name: &'static str, value: i64, nchunk: u64) -> Error {
    Error::format(Malformed::Field { name, value }).in_chunk(nchunk)
}

fn parse(
    (bytes, stored): (&[u8], u64),
    limits: &Limits,
    used: &mut u64,
    nchunk: u64,
) -> Result<Value, Error> {
    Value::parse_stored(bytes, stored, limits, used).map_err(|error| error.in_chunk(nchunk))
}
