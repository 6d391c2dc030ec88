//! Where a chunk is, by its entry in the index (FORMAT §7.2).

#[cfg(feature = "alloc")]
use super::header::Header;
use super::request::Part;
use crate::base::{Error, Malformed, Result};
use crate::chunk::SpecialValue;

/// Where a chunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// Nowhere: all of its items have this value.
    Special(SpecialValue),
    /// At an offset of a part of the frame.
    Stored {
        /// The frame, or a file of a sparse one.
        part: Part,
        /// Byte offset of the chunk in that part.
        offset: u64,
    },
}

/// What the entries of an index count from, and to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Places {
    sparse: bool,
    header_len: u32,
    /// First byte after the chunks.
    end: u64,
}

impl Places {
    #[cfg(feature = "alloc")]
    pub(super) const fn of(header: &Header) -> Self {
        Self { sparse: header.sparse, header_len: header.header_len, end: header.frame_len }
    }

    /// Those of a frame that is one file, of so many bytes.
    pub(crate) const fn of_file(header_len: u32, frame_len: u64) -> Self {
        Self { sparse: false, header_len, end: frame_len }
    }

    /// Where chunk `nchunk` is, of which this is the entry.
    ///
    /// # Errors
    /// `Format` if that is outside of the frame.
    pub(crate) fn locate(&self, nchunk: u64, entry: [u8; 8]) -> Result<Location> {
        let offset = i64::from_le_bytes(entry);
        self.place(offset).ok_or_else(|| {
            Error::format(Malformed::Field { name: "chunk offset", value: offset }).in_chunk(nchunk)
        })
    }

    fn place(&self, offset: i64) -> Option<Location> {
        let Ok(stored) = u64::try_from(offset) else {
            // The top byte says which value; the reference asks in this order.
            let kind = (offset >> 56) as u8;
            return Some(Location::Special(match kind {
                kind if kind & 1 != 0 => SpecialValue::Zeros,
                kind if kind & 4 != 0 => SpecialValue::Uninit,
                kind if kind & 2 != 0 => SpecialValue::Nan,
                _ => return None,
            }));
        };
        if self.sparse {
            let part = Part::Chunk(u32::try_from(stored).ok()?);
            return Some(Location::Stored { part, offset: 0 });
        }
        let offset = stored.checked_add(self.header_len.into()).filter(|&offset| offset < self.end)?;
        Some(Location::Stored { part: Part::Frame, offset })
    }
}
