//! Where objects are: in which chunk, and in which of its blocks.

use crate::base::{ArgumentError, Error, Limits, Malformed, Result, Unsupported};
use crate::frame::Metalayer;
use crate::msgpack::Value;
use alloc::vec::Vec;
use core::ops::Range;

/// The kind of a sequence of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An ObjectArray: each object in a chunk of its own.
    Objects,
    /// A BatchArray: a batch of objects in each chunk.
    Batches,
    /// A ListArray: lists, or nil for missing ones.
    Lists,
    /// A column of variable-length strings, bytes, structures or objects.
    Scalars,
}

impl Kind {
    /// The tool's name for it.
    ///
    /// ```
    /// use b2nd::objects::Kind;
    /// assert_eq!(Kind::Batches.name(), "batches");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Objects => "objects",
            Self::Batches => "batches",
            Self::Lists => "lists",
            Self::Scalars => "scalars",
        }
    }
}

/// How objects are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Serializer {
    /// As MessagePack.
    MessagePack,
    /// Each block as an Arrow IPC stream with one record batch of one column.
    Arrow,
}

/// Facts in the metalayers of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Description {
    pub(super) kind: Kind,
    pub(super) serializer: Serializer,
    is_batched: bool,
    /// Objects in each block of a batch but the last, if they are known.
    pub(super) items_per_block: Option<u64>,
}

/// Where the objects of a sequence are, and how they are stored: what [`Objects`](super::Objects) knows without reading.
#[derive(Debug, Clone)]
pub struct Batches {
    pub(super) description: Description,
    nchunks: u64,
    /// Runs of batches of one length.
    batches: Vec<RunOfBatches>,
    /// The number of objects in all batches.
    len: u64,
}

/// Consecutive batches with `len` objects each.
#[derive(Debug, Clone, Copy)]
struct RunOfBatches {
    /// The number of the first batch, and the index of its first object.
    first: u64,
    start: u64,
    len: u64,
}

/// Appends `count` batches of `len` objects to runs of them.
pub(super) fn push(runs: &mut Vec<(u64, u64)>, count: u64, len: u64) {
    match runs.last_mut() {
        Some((batches, same)) if *same == len => *batches += count,
        _ => runs.push((count, len)),
    }
}

/// Reads the metalayers; `None` if the frame holds no objects.
pub(super) fn describe(metalayers: &[Metalayer], limits: &Limits) -> Result<Option<Description>> {
    let find = |name: &str| metalayers.iter().find(|layer| layer.name == name.as_bytes());
    let read = |name| find(name).map(|layer| Value::parse(&layer.content, limits)).transpose();
    let (objects, batches) = (read("vlarray")?, read("batcharray")?);
    let Some(stored) = batches.as_ref().or(objects.as_ref()) else { return Ok(None) };
    let kind = if find("listarray").is_some() {
        Kind::Lists
    } else if find("ctable_varlen_scalar").is_some() {
        Kind::Scalars
    } else if batches.is_some() {
        Kind::Batches
    } else {
        Kind::Objects
    };
    let serializer = match stored.get("serializer").and_then(Value::as_str) {
        Some("arrow") => Serializer::Arrow,
        Some("msgpack") | None => Serializer::MessagePack,
        Some(_) => return Err(Error::format(Malformed::Field { name: "serializer", value: 0 })),
    };
    let items_per_block = match stored.get("items_per_block") {
        Some(Value::Int(int)) => match u64::try_from(*int) {
            Ok(items @ 1..) => Some(items),
            _ => return Err(Error::format(Malformed::Field { name: "items_per_block", value: *int as i64 })),
        },
        _ => None,
    };
    Ok(Some(Description { kind, serializer, is_batched: batches.is_some(), items_per_block }))
}

/// The numbers of objects in batches, in runs of equal ones, if the trailer has them.
pub(super) fn lengths(attributes: &[Metalayer], limits: &Limits) -> Result<Option<Vec<(u64, u64)>>> {
    let Some(layer) = attributes.iter().find(|layer| layer.name == b"_batch_array_metadata") else {
        return Ok(None);
    };
    let value = layer.value(limits)?;
    let Some(lengths) = value.get("batch_lengths").and_then(Value::as_array) else { return Ok(None) };
    let wrong = || Error::format(Malformed::Field { name: "batch_lengths", value: 0 });
    let mut runs = Vec::new();
    for length in lengths {
        push(&mut runs, 1, length.as_u64().ok_or_else(wrong)?);
    }
    Ok(Some(runs))
}

impl Batches {
    /// The layout of the objects in a frame with these metalayers and `nchunks` chunks; `None` if it holds none.
    ///
    /// # Errors
    /// `Format` if the metalayers are damaged, `Unsupported` if the objects are stored as Arrow.
    pub fn read(
        metalayers: &[Metalayer],
        attributes: &[Metalayer],
        nchunks: u64,
        limits: &Limits,
    ) -> Result<Option<Self>> {
        let Some(description) = describe(metalayers, limits)? else { return Ok(None) };
        if description.serializer == Serializer::Arrow {
            return Err(Unsupported::ArrowObjects.into());
        }
        let mut layout = Self::new(description, nchunks);
        if layout.is_batched() && nchunks > 0 {
            let lengths = lengths(attributes, limits)?;
            let wrong = || Error::format(Malformed::Field { name: "batch_lengths", value: 0 });
            layout.set_lengths(&lengths.ok_or_else(wrong)?, nchunks)?;
        }
        Ok(Some(layout))
    }

    /// The number of objects.
    pub fn len(&self) -> u64 {
        self.starts(self.nchunks)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The batches in which some objects are, each with the indices of all its objects. Each is a chunk.
    ///
    /// # Errors
    /// `Argument` if the range exceeds the sequence.
    pub fn batches(&self, range: Range<u64>) -> Result<impl Iterator<Item = (u64, Range<u64>)> + '_> {
        if range.start > range.end || range.end > self.len() {
            let index = i64::try_from(range.end).unwrap_or(i64::MAX).saturating_sub(1);
            return Err(ArgumentError::Index { axis: 0, index, len: self.len() }.into());
        }
        let mut at = range.start;
        Ok(core::iter::from_fn(move || {
            let nbatch = (at < range.end).then(|| self.batch_of(at))?;
            let batch = self.starts(nbatch)..self.starts(nbatch + 1);
            at = batch.end;
            Some((nbatch, batch))
        }))
    }

    /// All objects of a batch, from the bytes of its chunk. The file has `stored` bytes of it; `used` counts the memory that objects
    /// take.
    ///
    /// # Errors
    /// `Format` if the bytes are not the objects that the batch should have, `Limit` if they take more memory than the limits allow.
    pub fn objects(
        &self,
        nbatch: u64,
        mut bytes: &[u8],
        stored: u64,
        limits: &Limits,
        used: &mut u64,
    ) -> Result<Vec<Value>> {
        let limits = super::object_limits(limits);
        let inside = |error: Error| error.in_chunk(nbatch);
        if !self.is_batched() {
            return Ok([Value::parse_stored(bytes, stored, &limits, used).map_err(inside)?].into());
        }
        let mut objects = Vec::new();
        while !bytes.is_empty() {
            let block = Value::parse_first(&mut bytes, stored, &limits, used).map_err(inside)?;
            let Value::Array(block) = block else { return Err(super::wrong("list of objects", 0, nbatch)) };
            if !self.fits(nbatch, objects.len() as u64, block.len() as u64) {
                return Err(super::wrong("objects in a block", block.len() as i64, nbatch));
            }
            objects.extend(block);
        }
        let expected = self.starts(nbatch + 1) - self.starts(nbatch);
        match objects.len() as u64 {
            found if found == expected => Ok(objects),
            found => Err(inside(Error::mismatch("objects in a batch", found, expected))),
        }
    }

    pub(super) const fn new(description: Description, nchunks: u64) -> Self {
        Self { description, nchunks, batches: Vec::new(), len: 0 }
    }

    pub(super) const fn is_batched(&self) -> bool {
        self.description.is_batched
    }

    pub(super) const fn nbatches(&self) -> u64 {
        self.nchunks
    }

    /// Takes the numbers of objects in batches, in runs: how many batches, and how many objects in each of them.
    pub(super) fn set_lengths(&mut self, lengths: &[(u64, u64)], nchunks: u64) -> Result<()> {
        let (mut batch, mut start) = (0u64, 0u64);
        for &(count, len) in lengths {
            let too_many = || Error::format(Malformed::Field { name: "batch_lengths", value: len as i64 });
            self.batches.push(RunOfBatches { first: batch, start, len });
            start = len.checked_mul(count).and_then(|more| start.checked_add(more)).ok_or_else(too_many)?;
            batch = batch.saturating_add(count);
        }
        self.len = start;
        if batch == nchunks { Ok(()) } else { Err(Error::mismatch("batch_lengths", batch, nchunks)) }
    }

    /// The index of the first object of each batch; for the number of batches, that of all objects.
    pub(super) fn starts(&self, nbatch: u64) -> u64 {
        if !self.is_batched() {
            return nbatch;
        }
        let run = self.batches.partition_point(|run| run.first <= nbatch).checked_sub(1);
        match run.map(|run| self.batches[run]) {
            Some(run) if nbatch < self.nchunks => run.start + (nbatch - run.first) * run.len,
            _ => self.len,
        }
    }

    /// The first batch after `nbatch` that may have another number of objects.
    pub(super) fn next_length(&self, nbatch: u64) -> u64 {
        let run = self.batches.partition_point(|run| run.first <= nbatch);
        self.batches.get(run).map_or(self.nchunks, |run| run.first)
    }

    /// The batch of an object that exists.
    pub(super) fn batch_of(&self, index: u64) -> u64 {
        if !self.is_batched() {
            return index;
        }
        // The last of those that begin there: the others are empty.
        let run = self.batches.partition_point(|run| run.start <= index).saturating_sub(1);
        self.batches.get(run).map_or(0, |run| run.first + (index - run.start) / run.len.max(1))
    }

    /// The block with an object of a batch, or one before it, and the number of objects before that block.
    pub(super) fn first_block(&self, index: u64) -> (u32, u64) {
        let Some(items) = self.description.items_per_block else { return (0, 0) };
        let nblock = u32::try_from(index / items).unwrap_or(u32::MAX);
        (nblock, u64::from(nblock) * items)
    }

    /// Whether the block after `before` objects of a batch can have `len` of them.
    pub(super) fn fits(&self, nbatch: u64, before: u64, len: u64) -> bool {
        let left = (self.starts(nbatch + 1) - self.starts(nbatch)).saturating_sub(before);
        let is_full = self.description.items_per_block.is_none_or(|items| len == items);
        len > 0 && len <= left && (is_full || len == left)
    }
}
