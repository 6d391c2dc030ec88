//! Where objects are: in which chunk, and in which of its blocks.

use crate::base::{Error, Limits, Malformed, Result};
use crate::frame::{Header, Trailer};
use crate::msgpack::Value;
use alloc::vec::Vec;

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

/// What the metalayers of a frame say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Description {
    pub(super) kind: Kind,
    pub(super) serializer: Serializer,
    is_batched: bool,
    /// Objects in each block of a batch but the last, if they are known.
    items_per_block: Option<u64>,
}

/// The batches of a sequence.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub(super) description: Description,
    nchunks: u64,
    /// Runs of batches of one length.
    batches: Vec<Batches>,
    /// The number of objects in all batches.
    len: u64,
}

/// Consecutive batches with `len` objects each.
#[derive(Debug, Clone, Copy)]
struct Batches {
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
pub(super) fn describe(header: &Header, limits: &Limits) -> Result<Option<Description>> {
    let read = |name| header.metalayer(name).map(|content| Value::parse(content, limits)).transpose();
    let (objects, batches) = (read("vlarray")?, read("batcharray")?);
    let Some(stored) = batches.as_ref().or(objects.as_ref()) else { return Ok(None) };
    let kind = if header.metalayer("listarray").is_some() {
        Kind::Lists
    } else if header.metalayer("ctable_varlen_scalar").is_some() {
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
pub(super) fn lengths(trailer: &Trailer, limits: &Limits) -> Result<Option<Vec<(u64, u64)>>> {
    let Some(layer) = trailer.vlmetalayers.iter().find(|layer| layer.name == b"_batch_array_metadata") else {
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

impl Layout {
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
            self.batches.push(Batches { first: batch, start, len });
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
