//! Frames in the log: headers in slots, and the ends of frames in records.

use super::layout::LogLayout;
use super::store::{HEAD, Kind, Mark, SLOT, Store, TAIL};
use super::{Flash, LogError, Logger};
use crate::base::{Crc, Result, array_at, fill_at, put_at, slice_at, slice_mut_at};
use crate::chunk::{EXTENDED_HEADER, copied_header, special_value};
use crate::frame::{EMPTY_TRAILER, WireEntry, patch_sizes};

/// The newest commit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Commit {
    /// The log's id.
    pub(super) id: u32,
    /// Commits before it, in all logs of this memory.
    number: u32,
    /// Where its header is.
    pub(super) slot: u32,
    /// The slot for the next commit.
    pub(super) next: u32,
    /// Rows of the frame.
    pub(super) rows: u64,
    /// Complete chunks of the frame.
    pub(super) nchunks: u32,
    /// Where its index has their entries, and the offset that these count from.
    entries: u32,
    base: u32,
    /// Behind the last complete chunk.
    pub(super) tail: Mark,
}

impl Commit {
    /// The commit of no rows, as if all records came after it, of which the first is at `start`.
    #[cfg(feature = "alloc")]
    pub(super) const fn without_rows(self, start: Mark) -> Self {
        Self { rows: 0, nchunks: 0, tail: start, ..self }
    }

    fn emit(&self, end: &mut [u8; TAIL]) {
        let rows = self.rows as u32;
        let fields =
            [self.id, self.number, rows, self.nchunks, self.entries, self.tail.at, self.tail.sequence];
        for (to, field) in end.as_chunks_mut().0.iter_mut().zip(fields) {
            *to = field.to_le_bytes();
        }
    }
}

impl<F: Flash> Store<'_, F> {
    /// Reads a slot to the stage.
    pub(super) fn load_slot(&mut self, slot: u32) -> Result<(), LogError<F::Error>> {
        self.flash.read(slot, slice_mut_at(self.stage, 0, SLOT)?).map_err(LogError::Flash)
    }

    /// The newest commit. The next one goes to the other area, as slots behind the newest header may be damaged.
    pub(super) fn newest(&mut self) -> Result<Option<Commit>, LogError<F::Error>> {
        let second = self.second_area();
        let mut newest: Option<Commit> = None;
        for slot in (0..2 * second).step_by(SLOT) {
            self.load_slot(slot)?;
            let next = if slot < second { second } else { 0 };
            if let Some(commit) = self.commit_in_stage(slot, next)
                && newest.is_none_or(|newest| newest.number < commit.number)
            {
                newest = Some(commit);
            }
        }
        self.id = newest.map_or(0, |newest| newest.id);
        Ok(newest)
    }

    /// The commit in a slot that has been read.
    fn commit_in_stage(&self, slot: u32, next: u32) -> Option<Commit> {
        let bytes: &[u8; SLOT] = self.stage.first_chunk()?;
        let words = bytes.as_chunks::<4>().0;
        let word = |at: usize| u32::from_le_bytes(words[at]);
        let first = (SLOT - TAIL) / 4;
        if word(SLOT / 4 - 1) != Crc::new().with(&bytes[..SLOT - 4]).get() {
            return None;
        }
        Some(Commit {
            id: word(first),
            number: word(first + 1),
            slot,
            next,
            rows: word(first + 2).into(),
            nchunks: word(first + 3),
            entries: word(first + 4),
            base: slot + u32::from_be_bytes(*bytes[11..].first_chunk()?),
            tail: Mark { at: word(first + 5), sequence: word(first + 6) },
        })
    }

    /// Programs a slot with the bytes that are staged.
    fn program_slot(&mut self, commit: &Commit, len: usize) -> Result<(), LogError<F::Error>> {
        let bytes = slice_mut_at(self.stage, 0, SLOT)?;
        fill_at(bytes, len, SLOT - len, 0xFF)?;
        if let Some(end) = bytes.last_chunk_mut() {
            commit.emit(end);
        }
        let crc = Crc::new().with(slice_at(bytes, 0, SLOT - 4)?).get();
        put_at(bytes, SLOT - 4, &crc.to_le_bytes())?;
        self.staged = 0;
        self.program_at(commit.slot, SLOT)
    }

    /// The slot behind one that has been programmed.
    fn slot_after(&self, slot: u32) -> u32 {
        let (next, second) = (slot + SLOT as u32, self.second_area());
        if next >= 2 * second { 0 } else { next }
    }

    /// Makes a new log, without rows.
    pub(super) fn create(
        &mut self,
        layout: &LogLayout,
        template: &[u8],
    ) -> Result<Commit, LogError<F::Error>> {
        let old = self.newest()?;
        let (slot, number) = old.map_or((0, 0), |old| (old.next, old.number + 1));
        if old.is_none() {
            // Records of a log that lost its headers could count as those of this one.
            for page in
                (2 * self.second_area()..self.geometry.len).step_by(self.geometry.page.max(1) as usize)
            {
                self.flash.erase(page).map_err(LogError::Flash)?;
            }
        }
        self.id += 1;
        let (id, base, next) = (self.id, slot + layout.header_len, self.slot_after(slot));
        let commit =
            Commit { id, number, slot, next, rows: 0, nchunks: 0, entries: 0, base, tail: self.next };
        put_at(self.stage, 0, slice_at(template, 0, layout.header_len as usize)?)?;
        self.program_empty(layout, &commit)?;
        Ok(commit)
    }

    /// Programs the header that is staged, as that of a frame without chunks, whose trailer follows it.
    fn program_empty(&mut self, layout: &LogLayout, commit: &Commit) -> Result<(), LogError<F::Error>> {
        let end = layout.header_len as usize + EMPTY_TRAILER.len();
        self.patch(layout, 0, [end as u64, 0, 0])?;
        put_at(self.stage, layout.header_len as usize, &EMPTY_TRAILER)?;
        self.program_slot(commit, end)
    }

    /// Changes the lengths in the header that is staged: those of the frame, its items and its chunks.
    fn patch(&mut self, layout: &LogLayout, rows: u64, sizes: [u64; 3]) -> Result<()> {
        let header = slice_mut_at(self.stage, 0, layout.header_len as usize)?;
        put_at(header, layout.rows_at, &rows.to_be_bytes())?;
        patch_sizes(header, sizes)
    }
}

impl<F: Flash> Logger<'_, F> {
    /// Programs the end of a frame of all rows, and then its header.
    pub(super) fn program_frame(&mut self, slot: u32) -> Result<(), LogError<F::Error>> {
        let base = slot + self.layout.header_len;
        if self.rows() == 0 {
            let next = self.store.slot_after(slot);
            let commit = Commit { number: self.commit.number + 1, slot, next, base, ..self.commit };
            self.store.load_slot(self.commit.slot)?;
            self.store.program_empty(&self.layout, &commit)?;
            self.commit = commit;
            return Ok(());
        }
        let start = self.store.next.at;
        let nchunks = self.nchunks + u32::from(self.fill > 0);
        self.store.begin(Kind::End);
        let (mut partial, mut last) = (0, None);
        if self.fill > 0 {
            fill_at(self.plain, self.fill, self.plain.len() - self.fill, 0)?;
            partial = self.encode()? as u32;
            let [flags] = array_at(self.store.stage, HEAD + EXTENDED_HEADER - 1)?;
            last = Some(entry(flags, start + HEAD as u32 - base));
        }
        let index = start + HEAD as u32 + partial;
        let index_header = copied_header(8, 8 * nchunks);
        let len = partial + index_header.len() as u32 + 8 * nchunks + EMPTY_TRAILER.len() as u32;
        if self.store.room() < u64::from(len) + (HEAD + SLOT) as u64 {
            return Err(LogError::Full);
        }
        self.store.seal(len, 0)?;
        self.store.put(&index_header)?;
        self.put_entries(base, start)?;
        if let Some(last) = last {
            self.store.put(&last.emit())?;
        }
        self.store.put(&EMPTY_TRAILER)?;
        self.store.end()?;
        self.store.load_slot(self.commit.slot)?;
        let nbytes = u64::from(nchunks) * u64::from(self.layout.chunk_len);
        let frame_len = index + len - partial - slot;
        let rows = self.rows();
        self.store.patch(&self.layout, rows, [frame_len.into(), nbytes, (index - base).into()])?;
        let commit = Commit {
            id: self.commit.id,
            number: self.commit.number + 1,
            slot,
            next: self.store.slot_after(slot),
            rows,
            nchunks: self.nchunks,
            entries: index + index_header.len() as u32,
            base,
            tail: self.tail,
        };
        self.store.program_slot(&commit, self.layout.header_len as usize)?;
        self.commit = commit;
        Ok(())
    }

    /// Stages the index entries of all complete chunks: those of the last commit, and those of the records since.
    fn put_entries(&mut self, base: u32, end: u32) -> Result<(), LogError<F::Error>> {
        let moved = i64::from(self.commit.base) - i64::from(base);
        for n in 0..self.commit.nchunks {
            let mut entry = [0; 8];
            self.store.read(self.commit.entries + 8 * n, &mut entry)?;
            let WireEntry(at) = WireEntry::parse(entry);
            let entry = WireEntry(if at < 0 { at } else { at + moved });
            self.store.put(&entry.emit())?;
        }
        let mut mark = self.commit.tail;
        while let Some(record) = self.store.next_record(&mut mark, end)? {
            if record.kind == Kind::Chunk {
                let mut flags = [0];
                self.store.read(record.start + EXTENDED_HEADER as u32 - 1, &mut flags)?;
                self.store.put(&entry(flags[0], record.start - base).emit())?;
            }
        }
        Ok(())
    }
}

/// The index entry of a chunk, whose header ends with `flags`. The reference does not read zeros and NaNs that are stored
/// (FORMAT §11 B9).
fn entry(flags: u8, offset: u32) -> WireEntry {
    let special = match special_value(flags) {
        Some(value) => WireEntry::of_special(value),
        None => None,
    };
    special.unwrap_or(WireEntry(offset.into()))
}
