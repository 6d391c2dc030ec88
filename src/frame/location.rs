//! Where a chunk is, according to its index entry (FORMAT §7.2).

use super::header::Header;
use super::request::Part;
use crate::base::{Error, Malformed, Result};
use crate::chunk::SpecialValue;

/// Where a chunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Location {
    /// Not stored: all items have this value.
    Special(SpecialValue),
    /// Stored.
    Stored {
        /// The frame, or a chunk's file in a sparse frame.
        part: Part,
        /// Byte offset of the chunk in that part.
        offset: u64,
    },
}

/// An index entry as stored: a 64-bit number.
///
/// ```
/// use b2nd::wire::WireEntry;
/// use b2nd::chunk::SpecialValue;
/// let zeros = [0, 0, 0, 0, 0, 0, 0, 0x81];
/// assert_eq!(WireEntry::parse(zeros).special(), Some(SpecialValue::Zeros));
/// assert_eq!(WireEntry::of_special(SpecialValue::Zeros).map(WireEntry::emit), Some(zeros));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WireEntry(
    /// The offset of the chunk after the frame's header or, in a sparse frame, the number of its file. A negative
    /// number means that all items of the chunk have the same value.
    pub i64,
);

/// The highest byte of a special value's entry: the sign bit and a bit for each value. The other bytes are 0.
mod special {
    pub(super) const SIGN: u8 = 0x80;
    pub(super) const ZEROS: u8 = 0x01;
    pub(super) const NAN: u8 = 0x02;
    pub(super) const UNINIT: u8 = 0x04;
}

impl WireEntry {
    /// Parses the bytes of an entry.
    #[must_use]
    pub const fn parse(bytes: [u8; 8]) -> Self {
        Self(i64::from_le_bytes(bytes))
    }

    /// The entry as bytes.
    #[must_use]
    pub const fn emit(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }

    /// The value of a special chunk; `None` for a stored chunk and an unknown value.
    #[must_use]
    pub const fn special(self) -> Option<SpecialValue> {
        let kind = (self.0 >> 56) as u8;
        // In the reference's order of precedence.
        Some(match kind {
            kind if kind & special::SIGN == 0 => return None,
            kind if kind & special::ZEROS != 0 => SpecialValue::Zeros,
            kind if kind & special::UNINIT != 0 => SpecialValue::Uninit,
            kind if kind & special::NAN != 0 => SpecialValue::Nan,
            _ => return None,
        })
    }

    /// The entry of a special chunk; `None` for a repeated value, whose chunk is stored.
    #[must_use]
    pub const fn of_special(value: SpecialValue) -> Option<Self> {
        let kind = match value {
            SpecialValue::Zeros => special::ZEROS,
            SpecialValue::Nan => special::NAN,
            SpecialValue::Uninit => special::UNINIT,
            SpecialValue::Repeat { .. } => return None,
        };
        Some(Self::parse([0, 0, 0, 0, 0, 0, 0, special::SIGN | kind]))
    }

    /// The entry of a chunk at this location of a frame whose header has `header_len` bytes; `None` if no entry can
    /// express it.
    #[must_use]
    pub fn of_location(location: Location, header_len: u32) -> Option<Self> {
        let number = match location {
            Location::Special(value) => return Self::of_special(value),
            Location::Stored { part: Part::Chunk(file), .. } => file.into(),
            Location::Stored { part: Part::Frame, offset } => offset.checked_sub(header_len.into())?,
        };
        i64::try_from(number).ok().map(Self)
    }
}

/// Translates index entries to locations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkOffsets {
    sparse: bool,
    header_len: u32,
    /// End of the chunks.
    end: u64,
}

impl ChunkOffsets {
    pub(super) const fn of(header: &Header) -> Self {
        Self { sparse: header.sparse, header_len: header.header_len, end: header.frame_len }
    }

    /// For a contiguous frame of `frame_len` bytes.
    pub(crate) const fn of_file(header_len: u32, frame_len: u64) -> Self {
        Self { sparse: false, header_len, end: frame_len }
    }

    /// The location of chunk `nchunk`, which has this entry.
    ///
    /// # Errors
    /// `Format` if that is outside of the frame.
    pub(crate) fn locate(&self, nchunk: u64, entry: [u8; 8]) -> Result<Location> {
        let entry = WireEntry::parse(entry);
        self.place(entry).ok_or_else(|| {
            Error::format(Malformed::Field { name: "chunk offset", value: entry.0 }).in_chunk(nchunk)
        })
    }

    fn place(&self, entry: WireEntry) -> Option<Location> {
        let Ok(stored) = u64::try_from(entry.0) else {
            return entry.special().map(Location::Special);
        };
        if self.sparse {
            let part = Part::Chunk(u32::try_from(stored).ok()?);
            return Some(Location::Stored { part, offset: 0 });
        }
        let offset = stored.checked_add(self.header_len.into()).filter(|&offset| offset < self.end)?;
        Some(Location::Stored { part: Part::Frame, offset })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER_LEN: u32 = 0x92;

    /// The location that an entry means, and the entry emitted for that location.
    fn there_and_back(sparse: bool, entry: [u8; 8]) -> Option<(Location, [u8; 8])> {
        let offsets = ChunkOffsets { sparse, header_len: HEADER_LEN, end: 0x109 };
        let location = offsets.locate(0, entry).ok()?;
        Some((location, WireEntry::of_location(location, HEADER_LEN)?.emit()))
    }

    #[test]
    fn places_are_read_and_written() {
        let entry = [0x24, 0, 0, 0, 0, 0, 0, 0];
        let stored = Location::Stored { part: Part::Frame, offset: 0xb6 };
        assert_eq!(there_and_back(false, entry), Some((stored, entry)));
        let file = Location::Stored { part: Part::Chunk(0x24), offset: 0 };
        assert_eq!(there_and_back(true, entry), Some((file, entry)));
        assert_eq!(there_and_back(false, [0x77, 0, 0, 0, 0, 0, 0, 0]), None, "after the end");
        assert_eq!(there_and_back(true, [0, 0, 0, 0, 1, 0, 0, 0]), None, "no number of a file");
        assert_eq!(WireEntry::of_location(stored, 0xb7), None, "in the header");
    }

    #[test]
    fn values_are_read_and_written() {
        for (kind, value) in
            [(0x81, SpecialValue::Zeros), (0x82, SpecialValue::Nan), (0x84, SpecialValue::Uninit)]
        {
            let entry = [0, 0, 0, 0, 0, 0, 0, kind];
            assert_eq!(there_and_back(false, entry), Some((Location::Special(value), entry)));
        }
        assert_eq!(there_and_back(false, [0, 0, 0, 0, 0, 0, 0, 0x88]), None);
        assert_eq!(WireEntry::of_special(SpecialValue::Repeat { width: 1 }), None);
        assert_eq!(WireEntry(1).special(), None);
    }
}
