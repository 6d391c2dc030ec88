//! The array that is logged, from the header of a frame.

use super::store::{LONGEST, SLOT, TAIL};
use crate::array::Layout;
use crate::base::{ArgumentError, Limits, Result, Unsupported};
use crate::chunk::CParams;
use crate::frame::{EMPTY_TRAILER, Header};

/// Facts in a frame's header that the logger needs.
#[derive(Debug, Clone)]
pub(super) struct LogLayout {
    pub(super) header_len: u32,
    /// Where in the header the number of rows is.
    pub(super) rows_at: usize,
    /// Bytes of a row.
    pub(super) row_len: u32,
    /// Bytes of a chunk.
    pub(super) chunk_len: u32,
    pub(super) cparams: CParams,
}

impl LogLayout {
    /// # Errors
    /// `Argument` if this is no header of an array, if it is too long for a slot, or if chunks or blocks are not made of whole rows; `Format` and
    /// `Unsupported` for the header.
    #[inline(never)]
    pub(super) fn parse(bytes: &[u8]) -> Result<Self> {
        let (header, mut metalayers) = Header::parse_lent(bytes, &Limits::default())?;
        if header.is_beta() {
            return Err(Unsupported::BetaFrame.into());
        }
        if header.sparse {
            return Err(Unsupported::SparseFrame.into());
        }
        let content = loop {
            if let (b"b2nd", content) = metalayers.next().ok_or(ArgumentError::NotAnArray)?? {
                break content;
            }
        };
        let found = Layout::of_metalayers(&header, Some(content), None, &Limits::default())?;
        let (array, _) = found.ok_or(ArgumentError::NotAnArray)?;
        let (chunk_len, row_len) = lengths(&array, &header)?;
        if header.header_len as usize > SLOT - TAIL - EMPTY_TRAILER.len() {
            return wrong("header length", header.header_len);
        }
        // Three bytes, the list's marker and the integer's come before.
        let rows_at = content.as_ptr() as usize - bytes.as_ptr() as usize + 5;
        let cparams = CParams::of_frame(&header)?;
        Ok(Self { header_len: header.header_len, rows_at, row_len, chunk_len, cparams })
    }

    /// Rows of a chunk.
    pub(super) const fn chunk_rows(&self) -> u32 {
        match self.chunk_len.checked_div(self.row_len) {
            Some(rows) => rows,
            None => 0,
        }
    }
}

/// Bytes of a chunk and of a row, if chunks and blocks are made of whole rows.
fn lengths(array: &Layout, header: &Header) -> Result<(u32, u32)> {
    let (chunk, block, shape) = (array.chunkshape(), array.blockshape().unwrap_or_default(), array.shape());
    let (Some((&rows, chunk)), Some((&block_rows, block))) = (chunk.split_first(), block.split_first())
    else {
        return Err(ArgumentError::NotAnArray.into());
    };
    let mut row_len = u64::from(header.typesize);
    for (axis, (&chunk, &block)) in chunk.iter().zip(block).enumerate() {
        if chunk != block || shape.get(axis + 1) != Some(chunk.into()) {
            return wrong("chunkshape", chunk);
        }
        // Shapes have been checked.
        row_len *= u64::from(chunk);
    }
    if block_rows == 0 || !rows.is_multiple_of(block_rows) {
        return wrong("blockshape", block_rows);
    }
    let chunk_len = row_len * u64::from(rows);
    if chunk_len != u64::from(header.chunksize) || chunk_len == 0 || chunk_len > u64::from(LONGEST / 2) {
        return wrong("chunksize", header.chunksize);
    }
    Ok((header.chunksize, row_len as u32))
}

fn wrong<T>(name: &'static str, value: u32) -> Result<T> {
    Err(ArgumentError::Parameter { name, value: value.into() }.into())
}
