//! The output buffer.

use alloc::vec::Vec;
#[cfg(any(feature = "expression", feature = "reader", feature = "zarr"))]
use core::ops::Range;

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

    /// The bytes of the output, to be changed.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.buffer[..self.len]
    }

    /// Resizes the output to `len` bytes, which the caller overwrites.
    #[cfg(any(feature = "chunks", feature = "encode"))]
    pub(crate) fn reserve(&mut self, len: usize) -> &mut [u8] {
        if self.buffer.len() < len {
            self.buffer = Vec::new();
            self.buffer.resize(len, 0);
        }
        self.len = len;
        self.bytes_mut()
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
        &mut self.bytes_mut()[start..]
    }

    /// Appends a box of a result: its place, and `nbytes` bytes that the caller overwrites. The next box is aligned.
    #[cfg(any(feature = "expression", feature = "reader", feature = "zarr"))]
    pub(crate) fn push_box(&mut self, place: &[Range<u64>], nbytes: usize) -> &mut [u8] {
        self.numbers(&[place.len(), nbytes].map(|number| number as f64));
        for range in place {
            self.numbers(&[range.start, range.end - range.start].map(|number| number as f64));
        }
        &mut self.extend(nbytes.next_multiple_of(8))[..nbytes]
    }

    /// Appends bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.extend(bytes.len()).copy_from_slice(bytes);
    }

    /// Removes the last bytes.
    #[cfg(any(feature = "frames", feature = "encode"))]
    pub(crate) fn cut(&mut self, len: usize) {
        self.len -= len;
    }

    /// Appends numbers.
    pub(crate) fn numbers(&mut self, numbers: &[f64]) {
        let places = self.extend(8 * numbers.len()).as_chunks_mut().0;
        for (place, number) in places.iter_mut().zip(numbers) {
            *place = number.to_le_bytes();
        }
    }
}
