//! The blocks of a frame: they take sequences from a match finder, and end where the next sequence would make them too long.

use super::MAX_BLOCK_BYTES;
use super::codes::MIN_MATCH;
use super::fse::BIT;
use super::literals::Literals;
use super::sequences::SequenceEncoder;
use super::store::{Repeats, Store};
use crate::codec::matcher;
use alloc::boxed::Box;

/// Bits that a match takes about, besides those of the distance.
const MATCH_BITS: u32 = 8;

/// State that blocks share, and that the next block may use again.
pub(super) struct Workspace {
    pub(super) store: Store,
    literals: Literals,
    sequences: SequenceEncoder,
}

impl Workspace {
    pub(super) fn new() -> Box<Self> {
        Box::new(Self { store: Store::new(), literals: Literals::EMPTY, sequences: SequenceEncoder::new() })
    }

    /// Makes the next block use nothing of this one.
    fn forget(&mut self) {
        self.literals.known = false;
        self.sequences.forget();
    }

    /// Writes the content of a compressed block and returns its length; `None` if it does not fit.
    fn write(&mut self, dst: &mut [u8]) -> Option<usize> {
        let literals = self.literals.write(self.store.literals(), dst)?;
        Some(literals + self.sequences.write(&self.store.sequences, dst.get_mut(literals..)?)?)
    }
}

/// Blocks that are being written.
pub(super) struct Blocks<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    work: &'a mut Workspace,
    /// Where in `src` the block starts, and where in `dst`.
    start: usize,
    at: usize,
    /// The last offsets before the block.
    repeats: Repeats,
    /// The shortest match that gains, by the binary logarithm of its distance.
    least: [u32; 32],
}

impl<'a> Blocks<'a> {
    /// Blocks of `src[start..]`, to be written to `dst[at..]`. A literal takes `entropy` bits times [`BIT`].
    pub(super) fn new(
        src: &'a [u8],
        start: usize,
        dst: &'a mut [u8],
        at: usize,
        work: &'a mut Workspace,
        entropy: u32,
    ) -> Self {
        work.forget();
        work.store.clear();
        work.store.repeats = [1, 4, 8];
        let repeats = work.store.repeats;
        let least = core::array::from_fn(|log| (MATCH_BITS + log as u32) * BIT / entropy.max(1) + 1);
        Self { src, dst, work, start, at, repeats, least }
    }

    /// The last offsets.
    pub(super) const fn repeats(&self) -> Repeats {
        self.work.store.repeats
    }

    /// Writes what is left, with the last literals from `anchor` on, and returns the length of all.
    pub(super) fn finish(mut self, anchor: usize) -> Option<usize> {
        let (mut anchor, end) = (anchor, self.src.len());
        if end - self.start > MAX_BLOCK_BYTES {
            anchor = self.make_room(anchor, end, 0)?;
        }
        self.work.store.add_literals(self.src, anchor, end);
        self.write(end, true)?;
        Some(self.at)
    }

    /// Writes all of the stream as it is, and returns the length of all.
    pub(super) fn store(mut self) -> Option<usize> {
        let len = self.src.len() - self.start;
        let blocks = len.div_ceil(MAX_BLOCK_BYTES).max(1);
        if self.dst.len() < self.at + len + 3 * blocks {
            return None;
        }
        while self.start < self.src.len() {
            let end = self.src.len().min(self.start + MAX_BLOCK_BYTES);
            self.raw(end, end == self.src.len())?;
        }
        Some(self.at)
    }

    /// Ends the block at `anchor`, and those after it that have only literals, until the literals before `start` and `more`
    /// bytes fit. Returns where the block starts then.
    #[cold]
    fn make_room(&mut self, mut anchor: usize, start: usize, more: usize) -> Option<usize> {
        if anchor > self.start {
            self.write(anchor, false)?;
        }
        while start + more - anchor > MAX_BLOCK_BYTES {
            let end = start.min(anchor + MAX_BLOCK_BYTES);
            self.work.store.add_literals(self.src, anchor, end);
            self.write(end, false)?;
            anchor = end;
        }
        Some(anchor)
    }

    /// Takes a sequence that does not fit into the block. Matches that do not fit into any are split.
    #[cold]
    fn split(&mut self, anchor: usize, mut start: usize, dist: usize, len: usize) -> Option<()> {
        // No part may be too short for a match.
        let least = MIN_MATCH as usize;
        let end = start + len;
        let mut anchor = self.make_room(anchor, start, len.min(2 * least))?;
        loop {
            let (left, room) = (end - start, self.start + MAX_BLOCK_BYTES - start);
            let part = if left > room && left < room + least { room - least } else { left.min(room) };
            self.work.store.push(self.src, anchor, start, dist, part);
            start += part;
            if start == end {
                return Some(());
            }
            self.write(start, false)?;
            anchor = start;
        }
    }

    /// Writes the block that ends at `end`: as compressed, one byte repeated, or as it is.
    fn write(&mut self, end: usize, last: bool) -> Option<()> {
        let plain = self.src.get(self.start..end)?;
        let room = self.dst.get_mut(self.at + 3..)?;
        if let Some(byte) = repeated(plain) {
            *room.first_mut()? = byte;
            return self.end(Kind::Repeated, end, 1, last);
        }
        let less = room.len().min(plain.len().saturating_sub(1));
        match self.work.write(&mut room[..less]) {
            Some(len) => self.end(Kind::Compressed, end, len, last),
            None => self.raw(end, last),
        }
    }

    /// Writes the block that ends at `end` as it is.
    fn raw(&mut self, end: usize, last: bool) -> Option<()> {
        let plain = self.src.get(self.start..end)?;
        self.dst.get_mut(self.at + 3..)?.get_mut(..plain.len())?.copy_from_slice(plain);
        self.end(Kind::Raw, end, plain.len(), last)
    }

    /// Writes the header of the block that ends at `end` and whose content takes `len` bytes. Begins the next block.
    fn end(&mut self, kind: Kind, end: usize, len: usize, last: bool) -> Option<()> {
        let size = if matches!(kind, Kind::Compressed) { len } else { end - self.start };
        let head = u32::from(last) | (kind as u32) << 1 | (size as u32) << 3;
        self.dst.get_mut(self.at..self.at + 3)?.copy_from_slice(&head.to_le_bytes()[..3]);
        if matches!(kind, Kind::Compressed) {
            self.repeats = self.work.store.repeats;
        } else {
            // The decoder sees neither tables nor offsets of this block.
            self.work.forget();
            self.work.store.repeats = self.repeats;
        }
        self.work.store.clear();
        self.at += 3 + len;
        self.start = end;
        Some(())
    }
}

/// Kinds of blocks, as headers have them.
#[derive(Clone, Copy)]
enum Kind {
    Raw,
    Repeated,
    Compressed,
}

/// The byte that a block consists of, if it is only one.
fn repeated(plain: &[u8]) -> Option<u8> {
    let (first, rest) = plain.split_first()?;
    (plain[..rest.len()] == *rest).then_some(*first)
}

impl matcher::Sequences for Blocks<'_> {
    #[inline(always)]
    fn rules(&self) -> matcher::Rules {
        // The whole stream could be the window; this is what the chains have links for.
        matcher::Rules { recent: true, hashed: 6, patience: 4, ..matcher::Rules::within(super::LINKS - 1) }
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn least(&self, dist: usize) -> usize {
        if dist as u32 == self.work.store.repeats[0] {
            0
        } else {
            self.least[dist.ilog2() as usize & 31] as usize
        }
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn recent(&self) -> [usize; 2] {
        let [first, second, _] = self.work.store.repeats;
        [first as usize, second as usize]
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sequence(&mut self, anchor: usize, start: usize, dist: usize, len: usize) -> Option<()> {
        if start + len - self.start > MAX_BLOCK_BYTES {
            return self.split(anchor, start, dist, len);
        }
        self.work.store.push(self.src, anchor, start, dist, len);
        Some(())
    }
}
