//! Decoding the blocks of one chunk as their bytes arrive.

use super::ahead::Ahead;
use super::block::{Context, EncodedBlock};
use super::head::Head;
use super::header::Body;
#[cfg(feature = "alloc")]
use super::kept::BlockKey;
use super::memory::{DecodeMemory, LentMemory, MemoryNeeds};
use super::part::{BlockPlanes, PartialDecode, Pick, Planes};
use crate::base::{ArgumentError, Result, buffer_len, slice_at};
use core::fmt;
use core::ops::Range;

/// Decodes blocks of one chunk.
///
/// [`read`](Self::read) brings them in the right order: the dictionary comes first, where the header says that there is
/// one, and then the first block, where DELTA is among the filters, since all others were XORed with it.
pub(crate) struct Blocks<'a, 's> {
    pub(super) head: &'a Head<'a>,
    pub(super) context: Context<'a>,
    pub(super) dict: &'a [u8],
    pub(super) memory: &'s mut dyn DecodeMemory,
    /// Length of this chunk's plain first block, once the memory holds it.
    first: Option<usize>,
    pub(super) ahead: Ahead,
}

impl fmt::Debug for Blocks<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blocks").field("head", self.head).finish_non_exhaustive()
    }
}

impl<'a, 's> Blocks<'a, 's> {
    /// A decoder for the chunk with this head. `dict` is the section that [`Spans::dict`](super::Spans::dict) names, and
    /// empty if it names none. The memory holds `first` plain bytes of the first block already.
    ///
    /// # Errors
    /// `Format` if the section is not a dictionary.
    pub(super) fn new(
        head: &'a Head<'a>,
        dict: &'a [u8],
        context: Context<'a>,
        first: Option<usize>,
        memory: &'s mut dyn DecodeMemory,
    ) -> Result<Self> {
        let dict = head.dictionary(dict, memory)?;
        Ok(Self { head, context, dict, memory, first, ahead: Ahead::NOTHING })
    }

    /// Block `nblock`, plain, from the bytes of [`Spans::with_shared`](super::Spans::with_shared).
    pub(crate) fn single(
        head: &'a Head<'a>,
        nblock: u32,
        [dict, first, own]: [&'a [u8]; 3],
        context: Context<'a>,
        memory: &'s mut dyn DecodeMemory,
    ) -> Result<&'s [u8]> {
        let mut decoder = Self::new(head, dict, context, None, memory)?;
        if nblock > 0 && decoder.needs_first() {
            decoder.give_first(first)?;
        }
        decoder.into_plain(nblock, own)
    }

    /// The chunk's head.
    pub(crate) const fn head(&self) -> &Head<'a> {
        self.head
    }

    /// Whether blocks other than the first refer to that one, and it is not there.
    pub(super) fn needs_first(&self) -> bool {
        self.first.is_none() && self.head.refers_to_first()
    }

    /// How long the first block is, once the memory holds it.
    pub(super) const fn first(&self) -> Option<usize> {
        self.first
    }

    /// Takes the bytes of the first block.
    ///
    /// # Errors
    /// Errors of [`decode_into`](Self::decode_into).
    #[inline(never)]
    pub(super) fn give_first(&mut self, bytes: &[u8]) -> Result<()> {
        let len = self.head.plain_len(0, bytes)?;
        let wants = MemoryNeeds { first: len, ..MemoryNeeds::block(self.head.header(), len) };
        self.allow(&wants, bytes)?;
        let LentMemory { work, first, .. } = self.memory.lend(wants)?;
        let block = EncodedBlock {
            head: self.head,
            context: &self.context,
            dict: self.dict,
            nblock: 0,
            bytes,
            first: None,
        };
        block.decode(first, work)?;
        self.first = Some(len);
        Ok(())
    }

    /// Decodes block `nblock` from `bytes`, which may go on after its end, into `dst`.
    ///
    /// # Errors
    /// `Argument` if `dst` has not the block's plain length or the first block is wanted before;
    /// `Format`, `Unsupported` and `Limit` for the data. Then `dst` holds nothing of use.
    pub(crate) fn decode_into(&mut self, nblock: u32, bytes: &[u8], dst: &mut [u8]) -> Result<()> {
        buffer_len(self.head.plain_len(nblock, bytes)?, dst)?;
        self.decode_to(nblock, bytes, None, Some(dst)).map(drop)
    }

    /// Decodes a block where those before it are plain already, so that the first need not be [given](Self::give_first).
    pub(super) fn decode_after(
        &mut self,
        before: &[u8],
        nblock: u32,
        bytes: &[u8],
        dst: &mut [u8],
    ) -> Result<()> {
        self.decode_to(nblock, bytes, Some(before), Some(dst)).map(drop)
    }

    /// Decodes block `nblock` from `bytes` and lends its plain bytes: those of a copied chunk from `bytes` itself.
    ///
    /// # Errors
    /// Errors of [`decode_into`](Self::decode_into).
    pub(crate) fn decode<'d>(&'d mut self, nblock: u32, bytes: &'d [u8]) -> Result<&'d [u8]> {
        if self.head.header().body == Body::Memcpyed {
            let len = self.head.plain_len(nblock, bytes)?;
            let (head, context, dict) = (self.head, &self.context, self.dict);
            let block = EncodedBlock { head, context, dict, nblock, bytes, first: None };
            return block.located(|| slice_at(bytes, 0, len));
        }
        #[cfg(feature = "alloc")]
        if let Some(len) = self.keepable(nblock, bytes)? {
            let key = key(self.head, &self.context, bytes, len);
            if !self.memory.keeps(&key) {
                self.decode_to(nblock, bytes, None, None)?;
                self.memory.keep(&key);
            }
            return Ok(self.memory.kept(len));
        }
        self.decode_to(nblock, bytes, None, None)
    }

    #[cfg(not(feature = "alloc"))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "as with an allocator")]
    const fn allow(&self, _: &MemoryNeeds, _: &[u8]) -> Result<()> {
        Ok(())
    }

    /// How block `nblock`, which is no variable-length block, can be decoded in part.
    pub(crate) fn partial(&self, nblock: u32, bytes: &[u8]) -> PartialDecode {
        let header = self.head.header();
        let len = self.head.plain_range(nblock).len();
        #[cfg(feature = "alloc")]
        if key(self.head, &self.context, bytes, len).is_whole()
            && matches!(self.keepable(nblock, bytes), Ok(Some(_)))
        {
            return PartialDecode::Whole;
        }
        #[cfg(not(feature = "alloc"))]
        let _ = bytes;
        PartialDecode::of(header, self.context.itemsize(header) as usize, len)
    }

    /// The first `needed` plain bytes of a block of a block that is decoded [from its start](PartialDecode::Start).
    pub(crate) fn decode_start<'d>(
        &'d mut self,
        nblock: u32,
        bytes: &'d [u8],
        needed: usize,
    ) -> Result<&'d [u8]> {
        let len = self.head.plain_len(nblock, bytes)?;
        let wants = MemoryNeeds { plain: len, ..MemoryNeeds::default() };
        self.allow(&wants, bytes)?;
        let LentMemory { work, plain, .. } = self.memory.lend(wants)?;
        let (head, context, dict) = (self.head, &self.context, self.dict);
        let block = EncodedBlock { head, context, dict, nblock, bytes, first: None };
        let mut codecs = work.codecs;
        block.decode_start(needed, plain, &mut codecs)
    }

    /// The bytes in the places of `pick` of a block that is made of these [planes](PartialDecode::Planes); to `dst`, if that is
    /// given and as long as this.
    pub(crate) fn decode_pick<'d>(
        &'d mut self,
        nblock: u32,
        bytes: &[u8],
        planes: &Planes,
        pick: &Pick,
        dst: Option<&'d mut [u8]>,
    ) -> Result<&'d [u8]> {
        let len = self.head.plain_range(nblock).len();
        let picked = pick.len() * planes.count;
        let (head, context, dict) = (self.head, &self.context, self.dict);
        let block = EncodedBlock { head, context, dict, nblock, bytes, first: None };
        let wants = MemoryNeeds {
            plain: if dst.is_some() { picked } else { 2 * picked },
            buffer: len / block.located(|| block.nstreams(len))?,
            ..MemoryNeeds::default()
        };
        self.allow(&wants, bytes)?;
        let LentMemory { work, plain, .. } = self.memory.lend(wants)?;
        let (picked, plain) = plain.split_at_mut(picked);
        let dst = dst.unwrap_or(plain);
        block.decode_pick(BlockPlanes { count: planes.count, len }, pick, work, picked, dst)?;
        Ok(dst)
    }

    /// The bytes `range` of a plain block, and no more than they take. It is no variable-length block.
    pub(crate) fn decode_range<'d>(
        &'d mut self,
        nblock: u32,
        bytes: &'d [u8],
        range: Range<usize>,
    ) -> Result<&'d [u8]> {
        let plain = match self.partial(nblock, bytes) {
            PartialDecode::Planes(planes) => {
                let start = range.start / planes.count;
                let pick = Pick::new(start, range.end.div_ceil(planes.count) - start);
                let picked = self.decode_pick(nblock, bytes, &planes, &pick, None)?;
                return slice_at(picked, range.start - start * planes.count, range.len());
            }
            PartialDecode::Start => self.decode_start(nblock, bytes, range.end)?,
            PartialDecode::Whole => self.decode(nblock, bytes)?,
        };
        slice_at(plain, range.start, range.len())
    }

    /// Decodes to `dst`, or else to the memory. Plain bytes `before` it serve as the first block.
    fn decode_to<'d>(
        &'d mut self,
        nblock: u32,
        bytes: &[u8],
        before: Option<&[u8]>,
        dst: Option<&'d mut [u8]>,
    ) -> Result<&'d [u8]> {
        if nblock > 0 && before.is_none() && self.needs_first() {
            return Err(ArgumentError::FirstBlock.into());
        }
        let len = self.head.plain_len(nblock, bytes)?;
        let wants = MemoryNeeds {
            first: self.first.unwrap_or(0),
            plain: if dst.is_some() { 0 } else { len },
            ..MemoryNeeds::block(self.head.header(), len)
        };
        // The first block is there already.
        self.allow(&MemoryNeeds { first: 0, ..wants }, bytes)?;
        let LentMemory { work, first, plain, .. } = self.ahead.lend(nblock, wants, self.memory)?;
        let first = if nblock > 0 { Some(before.unwrap_or(first)) } else { None };
        let dst = dst.unwrap_or(plain);
        let block =
            EncodedBlock { head: self.head, context: &self.context, dict: self.dict, nblock, bytes, first };
        block.decode(dst, work)?;
        Ok(dst)
    }

    /// Decodes a block, which is there for as long as the memory is lent.
    pub(super) fn into_plain(mut self, nblock: u32, bytes: &[u8]) -> Result<&'s [u8]> {
        #[cfg(feature = "alloc")]
        if let Some(len) = self.keepable(nblock, bytes)? {
            self.decode(nblock, bytes)?;
            return Ok(self.memory.kept(len));
        }
        let len = self.decode_to(nblock, bytes, None, None)?.len();
        let first = self.first.unwrap_or(0);
        Ok(self.memory.lend(MemoryNeeds { first, plain: len, ..MemoryNeeds::default() })?.plain)
    }
}

#[cfg(feature = "alloc")]
impl<'a, 's> Blocks<'a, 's> {
    /// The plain length of a block that is worth keeping.
    fn keepable(&self, nblock: u32, bytes: &[u8]) -> Result<Option<usize>> {
        let header = self.head.header();
        let alone = self.memory.can_keep() && self.dict.is_empty() && !self.head.refers_to_first();
        let is_kept = |len: &usize| key(self.head, &self.context, bytes, *len).is_kept();
        let encoded = matches!(header.body, Body::Blocks | Body::VlBlocks);
        Ok(if alone && encoded { Some(self.head.plain_len(nblock, bytes)?).filter(is_kept) } else { None })
    }

    /// Checks that the memory may be filled from a block's bytes. What repeats a value needs none of them.
    pub(super) fn allow(&self, wants: &MemoryNeeds, bytes: &[u8]) -> Result<()> {
        match self.head.header().body {
            Body::Blocks | Body::VlBlocks => {
                let wanted = wants.first.max(wants.plain).max(wants.buffer);
                self.memory.allow_expansion(wanted, bytes.len())
            }
            _ => Ok(()),
        }
    }

    /// To be called before blocks are decoded one after the other that are wanted as wholes. There are codecs that
    /// decode the streams of both at once.
    pub(crate) fn look_ahead(&mut self, now: (u32, &[u8]), next: (u32, &[u8])) {
        let (head, context, dict) = (self.head, &self.context, self.dict);
        let block = |(nblock, bytes)| EncodedBlock { head, context, dict, nblock, bytes, first: None };
        self.ahead.decode([&block(now), &block(next)], self.first.unwrap_or(0), self.memory);
    }
}

/// The key of a block.
#[cfg(feature = "alloc")]
const fn key<'k>(head: &'k Head<'_>, context: &Context<'k>, bytes: &'k [u8], len: usize) -> BlockKey<'k> {
    let Context { itemsize, blockshape, early_bitshuffle } = *context;
    BlockKey { header: head.header(), itemsize, early_bitshuffle, blockshape, bytes, len }
}
