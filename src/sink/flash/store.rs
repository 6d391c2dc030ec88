//! Records in a flash memory, and the memory in which they are put together.

use super::{Flash, Geometry, LogError};
use crate::base::{ArgumentError, Crc, Result, fill_at, put_at, slice_at, slice_mut_at};

/// Bytes of a record before its content: a checksum, the log's id, the record's sequence number, its kind and length.
pub(super) const HEAD: usize = 16;
/// The longest content of a record: its length has three bytes.
pub(super) const LONGEST: u32 = (1 << 24) - 1;
/// Bytes of a slot for a header.
pub(super) const SLOT: usize = 512;
/// Bytes at the end of a slot: seven numbers and a checksum of all before it.
pub(super) const TAIL: usize = 32;

/// Content of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A complete chunk.
    Chunk = 1,
    /// Rows of the next chunk.
    Rows,
    /// The end of a frame: its incomplete chunk, the index, the trailer. The checksum does not cover it, as only headers that were
    /// programmed afterwards refer to it.
    End,
}

/// The place of a record: its offset, a multiple of the unit, and its sequence number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) at: u32,
    pub(super) sequence: u32,
}

/// A record: where its content is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) len: u32,
}

/// A flash memory, and what is next to be programmed.
pub(super) struct Store<'a, F> {
    pub(super) flash: F,
    pub(super) geometry: Geometry,
    /// The id of the log, which tells its records from those of earlier logs.
    pub(super) id: u32,
    /// Where the staged bytes go.
    pub(super) next: Mark,
    /// Bytes that are not programmed yet: the first `staged`.
    pub(super) stage: &'a mut [u8],
    pub(super) staged: usize,
    /// Of the record that is staged.
    kind: Kind,
    failed: bool,
}

impl<'a, F: Flash> Store<'a, F> {
    pub(super) fn new(flash: F, stage: &'a mut [u8]) -> Result<Self> {
        let geometry = flash.geometry();
        let Geometry { len, page, unit } = geometry;
        let wrong = |name, value: u32| Err(ArgumentError::Parameter { name, value: value.into() }.into());
        if !page.is_power_of_two() {
            return wrong("page", page);
        }
        if !unit.is_power_of_two() || unit as usize > SLOT || unit > page {
            return wrong("unit", unit);
        }
        let area = page.max(SLOT as u32);
        if !len.is_multiple_of(page) || len > i32::MAX as u32 || len / 3 < area {
            return wrong("len", len);
        }
        if stage.len() < SLOT {
            return wrong("area", stage.len() as u32);
        }
        let next = Mark { at: 2 * area, sequence: 0 };
        Ok(Self { flash, geometry, id: 0, next, stage, staged: 0, kind: Kind::Rows, failed: false })
    }

    /// Where the second of the areas for headers begins. Each has a page, or more if pages are short.
    pub(super) fn second_area(&self) -> u32 {
        self.geometry.page.max(SLOT as u32)
    }

    /// Bytes that are left for records.
    pub(super) fn room(&self) -> u64 {
        u64::from(self.geometry.len.saturating_sub(self.next.at))
    }

    /// Goes on at this place.
    pub(super) const fn resume(&mut self, next: Mark) {
        self.next = next;
    }

    pub(super) fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), LogError<F::Error>> {
        self.flash.read(offset, dst).map_err(LogError::Flash)
    }

    /// Begins a record.
    pub(super) const fn begin(&mut self, kind: Kind) {
        (self.kind, self.staged) = (kind, HEAD);
    }

    /// Where bytes can be put behind those that are staged.
    pub(super) fn free(&mut self) -> &mut [u8] {
        self.stage.get_mut(self.staged..).unwrap_or_default()
    }

    /// Stages bytes, for which there is room.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<()> {
        put_at(self.stage, self.staged, bytes)?;
        self.staged += bytes.len();
        Ok(())
    }

    /// Completes the head of the record, of whose content so many bytes are staged.
    pub(super) fn seal(&mut self, len: u32, covered: usize) -> Result<()> {
        let record = slice_mut_at(self.stage, 0, HEAD + covered)?;
        let words = [self.id, self.next.sequence, len & LONGEST | (self.kind as u32) << 24];
        let (head, _) = record.as_chunks_mut();
        head.iter_mut().skip(1).zip(words).for_each(|(to, word)| *to = word.to_le_bytes());
        let crc = Crc::new().with(slice_at(record, 4, HEAD - 4 + covered)?).get();
        put_at(record, 0, &crc.to_le_bytes())
    }

    /// Programs a record that is staged as a whole. Returns the place of the next one.
    pub(super) fn end_record(&mut self) -> Result<Mark, LogError<F::Error>> {
        let len = self.staged - HEAD;
        self.seal(len as u32, len)?;
        self.end()
    }

    /// Programs what is staged, up to a whole unit. Returns the place of the next record.
    pub(super) fn end(&mut self) -> Result<Mark, LogError<F::Error>> {
        let len = self.staged.next_multiple_of(self.geometry.unit.max(1) as usize);
        fill_at(self.stage, self.staged, len - self.staged, 0xFF)?;
        self.program(len)?;
        self.next.sequence += 1;
        Ok(self.next)
    }

    /// Stages bytes of any length. Programs what is staged whenever there is no more room.
    pub(super) fn put(&mut self, mut bytes: &[u8]) -> Result<(), LogError<F::Error>> {
        while !bytes.is_empty() {
            // Whole units, since the stage has a multiple of them.
            let len = bytes.len().min(self.stage.len() - self.staged);
            let (now, later) = bytes.split_at(len);
            self.add(now)?;
            bytes = later;
            if self.staged == self.stage.len() {
                self.program(self.staged)?;
            }
        }
        Ok(())
    }

    /// Programs so many of the staged bytes, whole units, at `next`.
    fn program(&mut self, len: usize) -> Result<(), LogError<F::Error>> {
        if self.room() < len as u64 {
            return Err(LogError::Full);
        }
        self.program_at(self.next.at, len)?;
        self.next.at += len as u32;
        self.staged = 0;
        Ok(())
    }

    /// Programs so many of the staged bytes. Erases pages whose first byte is among them.
    pub(super) fn program_at(&mut self, at: u32, len: usize) -> Result<(), LogError<F::Error>> {
        if self.failed {
            return Err(LogError::Failed);
        }
        // Until all is programmed.
        self.failed = true;
        let page = self.geometry.page.max(1);
        let (mut at, mut bytes) = (at, slice_at(self.stage, 0, len)?);
        while !bytes.is_empty() {
            if at.is_multiple_of(page) {
                self.flash.erase(at).map_err(LogError::Flash)?;
            }
            let (now, later) = bytes.split_at(bytes.len().min((page - at % page) as usize));
            self.flash.program(at, now).map_err(LogError::Flash)?;
            at += now.len() as u32;
            bytes = later;
        }
        self.failed = false;
        Ok(())
    }

    /// The record at `mark` or, if none is there, at the next page, as after a power failure. `mark` goes on behind it, but
    /// not beyond `end`; without a record it stays at the next page.
    pub(super) fn next_record(
        &mut self,
        mark: &mut Mark,
        end: u32,
    ) -> Result<Option<Record>, LogError<F::Error>> {
        let page = mark.at.next_multiple_of(self.geometry.page.max(1));
        for at in [mark.at, page] {
            if at >= end.min(self.geometry.len) {
                break;
            }
            if let Some(record) = self.record(at, mark.sequence)? {
                let len = (HEAD as u32 + record.len).next_multiple_of(self.geometry.unit.max(1));
                *mark = Mark { at: at + len, sequence: mark.sequence + 1 };
                return Ok(Some(record));
            }
        }
        mark.at = page;
        Ok(None)
    }

    /// The record at an offset, if there is a whole one with this sequence number.
    fn record(&mut self, at: u32, sequence: u32) -> Result<Option<Record>, LogError<F::Error>> {
        let left = self.geometry.len - at;
        let mut head = [0; HEAD];
        if left < HEAD as u32 {
            return Ok(None);
        }
        self.read(at, &mut head)?;
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (kind, len) = (head[HEAD - 1], word(12) & LONGEST);
        if word(4) != self.id || word(8) != sequence || len > left - HEAD as u32 {
            return Ok(None);
        }
        let kind = match kind {
            1 => Kind::Chunk,
            2 => Kind::Rows,
            3 => Kind::End,
            _ => return Ok(None),
        };
        let start = at + HEAD as u32;
        let mut crc = Crc::new().with(&head[4..]);
        if kind != Kind::End {
            let (mut at, end, mut piece) = (start, start + len, [0; 64]);
            while at < end {
                let piece = &mut piece[..(end - at).min(64) as usize];
                self.read(at, piece)?;
                crc = crc.with(piece);
                at += piece.len() as u32;
            }
        }
        Ok((crc.get() == word(0)).then_some(Record { kind, start, len }))
    }
}
