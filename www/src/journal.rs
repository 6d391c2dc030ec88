//! A sink without I/O. It keeps what is to be written, and has the bytes that a change reads.

use alloc::sync::Arc;
use alloc::vec::Vec;
use b2nd::sink::{Prepared, WriteAt};
use b2nd::source::{ReadAt, ReadError};
use b2nd::wire::{Part, Request, Revision, Step};
use b2nd::{ArgumentError, Error, Result, Unsupported};
use core::mem::take;
use spin::Mutex;

/// The error of a change whose sink is a journal.
pub(crate) fn error(error: ReadError<Error>) -> Error {
    match error {
        ReadError::Source(error) | ReadError::Blosc(error) => error,
    }
}

/// A journal; its clones are the same one.
#[derive(Clone, Default)]
pub(crate) struct Journal(Arc<Mutex<Entries>>);

#[derive(Default)]
struct Entries {
    prepared: Prepared,
    steps: Vec<Step>,
}

impl Journal {
    /// Begins a change, which reads this.
    pub(crate) fn begin(&self, prepared: Prepared) {
        *self.0.lock() = Entries { prepared, steps: Vec::new() };
    }

    /// Takes the steps of the change.
    pub(crate) fn finish(&self) -> Vec<Step> {
        take(&mut *self.0.lock()).steps
    }

    fn push(&mut self, step: Step) -> Result<()> {
        self.0.lock().steps.push(step);
        Ok(())
    }
}

impl Entries {
    /// The bytes of one write, or prepared ones.
    fn find(&self, request: &Request) -> Option<&[u8]> {
        let core::ops::Range { start, end } = request.range;
        let written = self.steps.iter().rev().find_map(|step| match step {
            Step::Write { offset, bytes, .. } if *offset <= start && end <= offset + bytes.len() as u64 => {
                Some(&bytes[(start - offset) as usize..(end - offset) as usize])
            }
            _ => None,
        });
        written.or_else(|| self.prepared.find(request))
    }
}

/// Chunks are read and written as a whole, and none is written over another within a change.
impl ReadAt for Journal {
    type Error = Error;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8]> {
        if request.part != Part::Frame {
            return Err(Unsupported::SparseFrame.into());
        }
        buffer.clear();
        buffer.extend_from_slice(self.0.lock().find(request).ok_or(ArgumentError::NotAsked)?);
        Ok(buffer)
    }
}

impl WriteAt for Journal {
    fn write_at(&mut self, part: Part, offset: u64, bytes: &[u8]) -> Result<()> {
        self.push(Step::Write { part, offset, bytes: bytes.to_vec() })
    }

    /// JavaScript compares, once for all that is written before the next wait.
    fn compare(&mut self, revision: &Revision) -> Result<bool> {
        let steps = &mut self.0.lock().steps;
        let is_compared = steps.iter().rev().take_while(|step| **step != Step::Sync);
        if !is_compared.into_iter().any(|step| matches!(step, Step::Compare(_))) {
            steps.push(Step::Compare(revision.clone()));
        }
        Ok(true)
    }

    fn replace(&mut self, _: &[u8]) -> Result<()> {
        Err(Unsupported::SparseFrame.into())
    }

    fn sync(&mut self) -> Result<()> {
        self.push(Step::Sync)
    }

    fn truncate(&mut self, len: u64) -> Result<()> {
        self.push(Step::Truncate(len))
    }

    fn remove(&mut self, _: &dyn Fn(u32) -> bool) -> Result<()> {
        Err(Unsupported::SparseFrame.into())
    }

    fn successor(&self) -> Result<Self> {
        Ok(Self::default())
    }

    fn publish(&mut self) -> Result<()> {
        Ok(())
    }
}
