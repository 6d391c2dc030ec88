//! The buffer that answers are written to.

use crate::engine::Stop;
use crate::failure;
use alloc::vec::Vec;

/// The output buffer. Grows and is kept.
#[derive(Default)]
pub(crate) struct Output {
    buffer: Vec<u8>,
    len: usize,
}

impl Output {
    /// The answer.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    /// An answer of `len` bytes of anything, to be overwritten.
    pub(crate) fn reserve(&mut self, len: usize) -> &mut [u8] {
        if self.buffer.len() < len {
            self.buffer = Vec::new();
            self.buffer.resize(len, 0);
        }
        self.len = len;
        &mut self.buffer[..len]
    }

    /// An empty answer.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Goes on with `len` bytes of anything, to be overwritten.
    pub(crate) fn extend(&mut self, len: usize) -> &mut [u8] {
        let start = self.len;
        self.len += len;
        if self.buffer.len() < self.len {
            self.buffer.resize(self.len, 0);
        }
        &mut self.buffer[start..self.len]
    }

    /// Goes on with some bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.extend(bytes.len()).copy_from_slice(bytes);
    }

    /// Takes back the last bytes.
    #[cfg(feature = "reader")]
    pub(crate) fn cut(&mut self, len: usize) {
        self.len -= len;
    }

    /// Changes the number at byte `at`.
    #[cfg(feature = "reader")]
    pub(crate) fn put(&mut self, at: usize, number: f64) {
        self.buffer[at..at + 8].copy_from_slice(&number.to_le_bytes());
    }

    /// Goes on with numbers.
    pub(crate) fn numbers(&mut self, numbers: &[f64]) {
        let places = self.extend(8 * numbers.len()).as_chunks_mut().0;
        for (place, number) in places.iter_mut().zip(numbers) {
            *place = number.to_le_bytes();
        }
    }

    /// Goes on with numbers of four bytes.
    #[cfg(feature = "reader")]
    pub(crate) fn u32s<const N: usize>(&mut self, numbers: [u32; N]) {
        for number in numbers {
            self.push(&number.to_le_bytes());
        }
    }

    /// The status of a call; what it needs, or why it failed, becomes the answer.
    pub(crate) fn conclude(&mut self, result: Result<(), Stop>) -> u32 {
        let Err(stop) = result else { return 0 };
        self.clear();
        match stop {
            Stop::Need(range) => {
                // Of the frame itself: nothing but chunks is read of other files.
                self.numbers(&[-1.0, range.start as f64, range.end as f64]);
                1
            }
            Stop::Failed(error) => {
                failure::write(&error, self);
                2
            }
        }
    }
}
