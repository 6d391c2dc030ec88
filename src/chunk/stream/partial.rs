//! Blocks of which parts have arrived, and the chunks that they become.

use super::packet::{Kind, PacketHeader};
use crate::base::{Error, Result, array_at};
use crate::chunk::header::{Body, Header};
use crate::chunk::view::Chunk;
use crate::chunk::wire::{EXTENDED_HEADER, WireChunk, flag};
use crate::chunk::{Context, Scratch};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The axes of a block at most.
const MAX_DIM: u8 = 16;

/// The parts of a block, or of a description.
#[derive(Debug)]
pub(super) struct Partial {
    kind: Kind,
    short: bool,
    /// By their offsets.
    parts: BTreeMap<u16, Vec<u8>>,
    len: usize,
    /// The length of all parts, once the last one is there.
    end: Option<usize>,
}

impl Partial {
    pub(super) fn new(header: &PacketHeader) -> Self {
        let PacketHeader { kind, short, .. } = *header;
        Self { kind, short, parts: BTreeMap::new(), len: 0, end: None }
    }

    /// Takes a part. False if it is there already, or is none of this block.
    pub(super) fn take(&mut self, header: &PacketHeader, payload: &[u8]) -> bool {
        let is_new = (header.kind, header.short) == (self.kind, self.short)
            && !(header.last && self.end.is_some())
            && !self.parts.contains_key(&header.offset);
        if is_new {
            self.parts.insert(header.offset, payload.to_vec());
            self.len += payload.len();
            if header.last {
                self.end = Some(usize::from(header.offset) + payload.len());
            }
        }
        is_new
    }

    /// All parts, if none is missing.
    pub(super) fn bytes(&self) -> Option<Vec<u8>> {
        if self.end != Some(self.len) {
            return None;
        }
        let mut bytes = Vec::with_capacity(self.len);
        for (&offset, part) in &self.parts {
            if usize::from(offset) != bytes.len() {
                return None;
            }
            bytes.extend_from_slice(part);
        }
        Some(bytes)
    }

    /// Whether all parts are there.
    pub(super) fn is_complete(&self) -> bool {
        self.end == Some(self.len)
    }
}

/// The header that all blocks of a stream share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Description {
    header: WireChunk,
    /// Items along each axis of a block, for filters that need them.
    blockshape: Vec<u32>,
}

impl Description {
    /// Of the payload of a description.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self> {
        let mut wire = WireChunk::parse(bytes)?;
        // It has no chunk yet: room for a table, and for a block.
        wire.cbytes = (EXTENDED_HEADER + 8) as i32;
        let header = Header::parse(&wire.emit())?;
        let wrong =
            |name, value: u32| Err(Error::format(crate::Malformed::Field { name, value: value.into() }));
        if wire.len() != EXTENDED_HEADER || header.body != Body::Blocks || header.uses_dict {
            return wrong("flags", wire.flags.into());
        }
        if header.nbytes == 0 || header.nbytes != header.blocksize || header.nbytes > u16::MAX.into() {
            return wrong("blocksize", header.nbytes);
        }
        if !header.nbytes.is_multiple_of(header.typesize.into()) {
            return wrong("typesize", header.typesize.into());
        }
        let (shape, rest) = bytes[EXTENDED_HEADER..].as_chunks();
        if !rest.is_empty() || shape.len() > usize::from(MAX_DIM) {
            return wrong("description", bytes.len() as u32);
        }
        Ok(Self { header: wire, blockshape: shape.iter().map(|len| u32::from_le_bytes(*len)).collect() })
    }

    pub(super) const fn typesize(&self) -> usize {
        self.header.typesize as usize
    }

    /// Items of a block, unless it is a short one.
    pub(super) fn items(&self, block: &Partial) -> Option<u64> {
        (!block.short).then(|| self.header.nbytes as u64 / u64::from(self.header.typesize))
    }

    /// Decodes a block.
    pub(super) fn decode(&self, partial: &Partial, scratch: &mut Scratch) -> Result<Vec<u8>> {
        let bytes = partial.bytes().ok_or_else(|| Error::truncated(0, partial.len, partial.len))?;
        let (nbytes, body) = match partial.short {
            true => (u16::from_le_bytes(array_at(&bytes, 0)?).into(), &bytes[2..]),
            false => (self.header.nbytes, &bytes[..]),
        };
        if nbytes > self.header.nbytes || nbytes == 0 || !(nbytes as usize).is_multiple_of(self.typesize()) {
            return Err(Error::field("nbytes", nbytes.into(), 0));
        }
        let chunk = self.chunk(partial.kind, nbytes, body);
        let context = Context { blockshape: &self.blockshape, ..Context::default() };
        Chunk::with_context(&chunk, context)?.decode(scratch)
    }

    /// The chunk of one block with this body.
    fn chunk(&self, kind: Kind, nbytes: i32, body: &[u8]) -> Vec<u8> {
        let table: &[u8] = match kind {
            Kind::Split | Kind::Whole => &((EXTENDED_HEADER + 4) as u32).to_le_bytes(),
            _ => &[],
        };
        let cbytes = (EXTENDED_HEADER + table.len() + body.len()) as i32;
        let mut wire = WireChunk { nbytes, blocksize: nbytes, cbytes, ..self.header };
        match kind {
            Kind::Whole => wire.flags |= flag::DONT_SPLIT,
            Kind::Copied => wire.flags |= flag::MEMCPYED,
            Kind::Zeros => wire.blosc2_flags = 1 << 4,
            Kind::Nan => wire.blosc2_flags = 2 << 4,
            Kind::Repeat => wire.blosc2_flags = 3 << 4,
            Kind::Split | Kind::Description | Kind::Count => {}
        }
        [&wire.emit()[..], table, body].concat()
    }
}
