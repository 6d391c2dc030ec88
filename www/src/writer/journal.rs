//! A sink without I/O. It keeps what is to be written, and needs the bytes that it reads to be given first.

use crate::stop::{Stop, need};
use alloc::sync::Arc;
use alloc::vec::Vec;
use b2nd::sink::WriteAt;
use b2nd::source::ReadAt;
use b2nd::wire::{Part, Request, Revision, Step};
use b2nd::{Error, Unsupported};
use core::mem::take;
use core::ops::Range;
use spin::Mutex;

/// A journal; its clones are the same one.
#[derive(Clone, Default)]
pub(crate) struct Journal(Arc<Mutex<Entries>>);

#[derive(Default)]
struct Entries {
    /// Ranges that were asked for, which may end behind the file, with their bytes; sorted by their start.
    known: Vec<(Range<u64>, Vec<u8>)>,
    steps: Vec<Step>,
}

impl Journal {
    /// Gives bytes from the start of the range on.
    pub(crate) fn know(&self, range: Range<u64>, bytes: &[u8]) {
        let known = &mut self.0.lock().known;
        let at = known.partition_point(|(other, _)| other.start <= range.start);
        known.insert(at, (range, bytes.to_vec()));
    }

    /// Forgets the steps of a call that must be repeated.
    pub(crate) fn rewind(&self) {
        self.0.lock().steps.clear();
    }

    /// Takes the steps. The file changes now, so that nothing of it is known any longer.
    pub(crate) fn finish(&self) -> Vec<Step> {
        let mut entries = self.0.lock();
        entries.known.clear();
        take(&mut entries.steps)
    }

    fn push(&mut self, step: Step) -> Result<(), Stop> {
        self.0.lock().steps.push(step);
        Ok(())
    }
}

impl Entries {
    /// Known bytes, or those of one write.
    fn find(&self, Range { start, end }: &Range<u64>) -> Option<&[u8]> {
        let within = |at: u64, bytes: &[u8]| at <= *start && *end <= at + bytes.len() as u64;
        let written = self.steps.iter().rev().find_map(|step| match step {
            Step::Write { offset, bytes, .. } if within(*offset, bytes) => Some((*offset, &bytes[..])),
            _ => None,
        });
        let known = || {
            let before = &self.known[..self.known.partition_point(|(range, _)| range.start <= *start)];
            let (range, bytes) = before.last()?;
            (*end <= range.end).then_some((range.start, &bytes[..]))
        };
        let (at, bytes) = written.or_else(known)?;
        let len = bytes.len() as u64;
        Some(&bytes[(start - at).min(len) as usize..(end - at).min(len) as usize])
    }
}

/// Chunks are read and written as a whole, and none is written over another within a call.
impl ReadAt for Journal {
    type Error = Stop;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Stop> {
        if request.part != Part::Frame {
            return Err(Stop::Failed(Unsupported::SparseFrame.into()));
        }
        let entries = self.0.lock();
        let found = entries.find(&request.range).ok_or_else(|| need(request.range.clone()))?;
        buffer.clear();
        buffer.extend_from_slice(found);
        Ok(buffer)
    }
}

impl WriteAt for Journal {
    fn write_at(&mut self, part: Part, offset: u64, bytes: &[u8]) -> Result<(), Stop> {
        self.push(Step::Write { part, offset, bytes: bytes.to_vec() })
    }

    /// JavaScript compares, once for all that is written before the next wait.
    fn compare(&mut self, revision: &Revision) -> Result<bool, Stop> {
        let steps = &mut self.0.lock().steps;
        let is_compared = steps.iter().rev().take_while(|step| **step != Step::Sync);
        if !is_compared.into_iter().any(|step| matches!(step, Step::Compare(_))) {
            steps.push(Step::Compare(revision.clone()));
        }
        Ok(true)
    }

    fn replace(&mut self, _: &[u8]) -> Result<(), Stop> {
        Err(sparse())
    }

    fn sync(&mut self) -> Result<(), Stop> {
        self.push(Step::Sync)
    }

    fn truncate(&mut self, len: u64) -> Result<(), Stop> {
        self.push(Step::Truncate(len))
    }

    fn remove(&mut self, _: &dyn Fn(u32) -> bool) -> Result<(), Stop> {
        Err(sparse())
    }

    fn successor(&self) -> Result<Self, Stop> {
        Ok(Self::default())
    }

    fn publish(&mut self) -> Result<(), Stop> {
        Ok(())
    }
}

fn sparse() -> Stop {
    Stop::Failed(Error::from(Unsupported::SparseFrame))
}
