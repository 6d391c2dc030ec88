//! The output buffer.

use crate::engine::Stop;
use crate::failure;
use alloc::vec::Vec;

/// The output buffer. It grows and is reused.
#[derive(Default)]
pub(crate) struct Output {
    buffer: Vec<u8>,
    len: usize,
}

impl Output {
    /// The bytes of the output.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    /// Resizes the output to `len` bytes, which the caller overwrites.
    pub(crate) fn reserve(&mut self, len: usize) -> &mut [u8] {
        if self.buffer.len() < len {
            self.buffer = Vec::new();
            self.buffer.resize(len, 0);
        }
        self.len = len;
        &mut self.buffer[..len]
    }

    /// Empties the output.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends `len` bytes, which the caller overwrites.
    pub(crate) fn extend(&mut self, len: usize) -> &mut [u8] {
        let start = self.len;
        self.len += len;
        if self.buffer.len() < self.len {
            self.buffer.resize(self.len, 0);
        }
        &mut self.buffer[start..self.len]
    }

    /// Appends bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.extend(bytes.len()).copy_from_slice(bytes);
    }

    /// Removes the last bytes.
    #[cfg(any(feature = "reader", feature = "encode"))]
    pub(crate) fn cut(&mut self, len: usize) {
        self.len -= len;
    }

    /// Replaces the number at byte `at`.
    #[cfg(feature = "reader")]
    pub(crate) fn put(&mut self, at: usize, number: f64) {
        self.buffer[at..at + 8].copy_from_slice(&number.to_le_bytes());
    }

    /// Appends numbers.
    pub(crate) fn numbers(&mut self, numbers: &[f64]) {
        let places = self.extend(8 * numbers.len()).as_chunks_mut().0;
        for (place, number) in places.iter_mut().zip(numbers) {
            *place = number.to_le_bytes();
        }
    }

    /// Appends `u32` numbers.
    #[cfg(feature = "reader")]
    pub(crate) fn u32s<const N: usize>(&mut self, numbers: [u32; N]) {
        for number in numbers {
            self.push(&number.to_le_bytes());
        }
    }

    /// Returns the status of a call. The output of one that fails is the error, or the range that it needs.
    pub(crate) fn conclude(&mut self, result: Result<(), Stop>) -> u32 {
        let Err(stop) = result else { return 0 };
        self.clear();
        match stop {
            Stop::Need(range) => {
                // −1 is the frame. Other files contain only chunks, whose calls ignore the part.
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
