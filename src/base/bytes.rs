//! Reads and copies of bytes that check bounds, and tell instead of panicking.

use super::{ArgumentError, Error, Malformed, Result};
#[cfg(feature = "alloc")]
use alloc::string::String;
use core::cell::Cell;

/// The `N` bytes at `at`, or a `Format` error that names the offset.
pub(crate) fn array_at<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N]> {
    bytes
        .get(at..)
        .and_then(|rest| rest.first_chunk())
        .copied()
        .ok_or_else(|| Error::truncated(at, N, bytes.len()))
}

/// The `len` bytes at `at`.
pub(crate) fn slice_at(bytes: &[u8], at: usize, len: usize) -> Result<&[u8]> {
    at.checked_add(len)
        .and_then(|end| bytes.get(at..end))
        .ok_or_else(|| Error::truncated(at, len, bytes.len()))
}

/// The `len` bytes at `at`, to be changed.
pub(crate) fn slice_mut_at(bytes: &mut [u8], at: usize, len: usize) -> Result<&mut [u8]> {
    let available = bytes.len();
    let slice = at.checked_add(len).and_then(|end| bytes.get_mut(at..end));
    slice.ok_or_else(|| Error::truncated(at, len, available))
}

/// Sets `len` bytes at `at`. One function for all values, as firmware has a `memset` of its own for zeros.
#[inline(never)]
pub(crate) fn fill_at(bytes: &mut [u8], at: usize, len: usize, byte: u8) -> Result<()> {
    slice_mut_at(bytes, at, len).map(|bytes| bytes.fill(byte))
}

/// Copies bytes to those at `at`.
#[inline(never)]
pub(crate) fn put_at(bytes: &mut [u8], at: usize, src: &[u8]) -> Result<()> {
    copy(src, slice_mut_at(bytes, at, src.len())?)
}

/// Moves `len` bytes to other places among the same bytes.
pub(crate) fn move_within(bytes: &mut [u8], from: usize, to: usize, len: usize) -> Result<()> {
    let available = bytes.len();
    // Not `copy_within`, which may panic, and whose `memmove` is longer.
    let cells = Cell::from_mut(bytes).as_slice_of_cells();
    let part = |at: usize| cells.get(at..).and_then(|cells| cells.get(..len));
    let (Some(old), Some(new)) = (part(from), part(to)) else {
        return Err(Error::truncated(from.max(to), len, available));
    };
    let pairs = new.iter().zip(old);
    if from > to {
        pairs.for_each(|(new, old)| new.set(old.get()));
    } else if from < to {
        pairs.rev().for_each(|(new, old)| new.set(old.get()));
    }
    Ok(())
}

/// Copies bytes to as many others; a `Format` error if there are not as many.
pub(crate) fn copy(src: &[u8], dst: &mut [u8]) -> Result<()> {
    if src.len() != dst.len() {
        return Err(Error::truncated(0, dst.len(), src.len()));
    }
    dst.copy_from_slice(src);
    Ok(())
}

/// The bytes as text, with U+FFFD in place of invalid UTF-8.
#[cfg(feature = "alloc")]
#[inline(never)]
pub(crate) fn text(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push('\u{fffd}');
        }
    }
    text
}

/// The little-endian `i32` at `at`.
pub(crate) fn i32_le(bytes: &[u8], at: usize) -> Result<i32> {
    array_at(bytes, at).map(i32::from_le_bytes)
}

/// Checks that a buffer has `expected` bytes.
pub(crate) fn buffer_len(expected: usize, buffer: &[u8]) -> Result<()> {
    if buffer.len() == expected {
        return Ok(());
    }
    Err(ArgumentError::BufferLen { expected: expected as u64, actual: buffer.len() as u64 }.into())
}

impl Error {
    #[cold]
    pub(crate) fn truncated(at: usize, len: usize, available: usize) -> Self {
        let needed = (at as u64).saturating_add(len as u64);
        Self::format_at(Malformed::Truncated { needed, available: available as u64 }, at as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_stop_at_the_end() {
        let bytes = [1, 0, 0, 0, 9];
        assert_eq!(i32_le(&bytes, 0), Ok(1));
        assert_eq!(slice_at(&bytes, 4, 1), Ok(&bytes[4..]));
        let error = i32_le(&bytes, 2).unwrap_err();
        assert_eq!(error, Error::format_at(Malformed::Truncated { needed: 6, available: 5 }, 2));
        assert!(slice_at(&bytes, usize::MAX, 2).is_err());
    }
}
