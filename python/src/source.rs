//! Sources that Python reads: URLs, through fsspec.

use b2nd::ReadAt;
use b2nd::reading::Merge;
use b2nd::wire::{Part, Request};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Calls Python for ranges of bytes: `read([(start, stop), …])` gives the bytes of each range, or those that there are.
pub(crate) struct Remote {
    read: Py<PyAny>,
    /// Ranges that were read together, until they are asked for.
    waiting: Mutex<HashMap<Range<u64>, Vec<u8>>>,
}

impl Remote {
    pub(crate) fn new(read: Py<PyAny>) -> Self {
        Self { read, waiting: Mutex::default() }
    }

    fn get(&self, ranges: &[Range<u64>]) -> PyResult<Vec<Vec<u8>>> {
        Python::attach(|py| {
            let pairs: Vec<(u64, u64)> = ranges.iter().map(|range| (range.start, range.end)).collect();
            let answers: Vec<Bound<'_, PyBytes>> = self.read.bind(py).call1((pairs,))?.extract()?;
            let too_long = |(bytes, range): &(&Bound<'_, PyBytes>, &Range<u64>)| {
                bytes.as_bytes().len() as u64 > range.end - range.start
            };
            if let Some((bytes, Range { start, end })) = answers.iter().zip(ranges).find(too_long) {
                // Such as the whole file, which would be taken for the range.
                let len = bytes.as_bytes().len();
                let what =
                    format!("the server sent {len} bytes for those from {start} to {end}: it ignores ranges");
                return Err(PyOSError::new_err(what));
            }
            Ok(answers.iter().map(|bytes| bytes.as_bytes().to_vec()).collect())
        })
    }

    fn take(&self, range: &Range<u64>) -> Option<Vec<u8>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(range)
    }
}

impl ReadAt for Remote {
    type Error = PyErr;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> PyResult<&'b [u8]> {
        if request.part != Part::Frame || request.range.is_empty() {
            return Ok(&[]);
        }
        *buffer = match self.take(&request.range) {
            Some(bytes) => bytes,
            None => self.get(std::slice::from_ref(&request.range))?.pop().unwrap_or_default(),
        };
        let len = (request.range.end - request.range.start).min(buffer.len() as u64);
        Ok(&buffer[..len as usize])
    }

    /// Reads all at the same time.
    fn prefetch(&self, requests: &[Request]) -> PyResult<()> {
        let ranges: Vec<_> = requests.iter().map(|request| request.range.clone()).collect();
        if ranges.len() < 2 {
            return Ok(());
        }
        let answers = self.get(&ranges)?;
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting = ranges.into_iter().zip(answers).collect();
        Ok(())
    }

    fn merge(&self) -> Merge {
        Merge::NETWORK
    }
}
