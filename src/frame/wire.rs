//! The frame header as it is stored (FORMAT §7.1, §7.5).

#[cfg(feature = "alloc")]
use super::metalayers::{self, Metalayer};
use crate::base::{Error, Result, Unsupported, slice_at};
#[cfg(feature = "alloc")]
use crate::msgpack::Writer;
use crate::msgpack::{Reader, marker};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The first byte: a MessagePack array of 13 or 14 elements.
pub(super) mod fields {
    pub(crate) const CURRENT: u8 = 0x9e;
    pub(crate) const BETA: u8 = 0x9d;
    /// Beta 1, whose frames differ.
    pub(crate) const BETA1: u8 = 0x9b;
}

/// The bytes of every frame after the first one.
pub(super) const MAGIC: &[u8; 9] = b"\xa8b2frame\0";
/// A string of four bytes: flags, frame type, codec, split mode.
const FLAGS: u8 = 0xa4;
/// Offset of the frame's length, with its marker.
const FRAME_LEN: usize = 15;

/// Offsets of values, behind their markers.
pub(super) mod at {
    pub(crate) const FRAME_LEN: usize = super::FRAME_LEN + 1;
    pub(crate) const NBYTES: usize = 30;
    pub(crate) const CBYTES: usize = 39;
    pub(crate) const HAS_ATTRIBUTES: usize = 68;
}

/// A numeric field: its name, its marker, and its minimum.
type Number = (&'static str, u8, i64);
/// The numbers after the flags, in order.
const NUMBERS: [Number; 7] = [
    ("nbytes", marker::I64, 0),
    ("cbytes", marker::I64, 0),
    ("typesize", marker::I32, 1),
    ("blocksize", marker::I32, 0),
    // −1: unknown, as there are no chunks yet.
    ("chunksize", marker::I32, -1),
    ("nthreads (compression)", marker::I16, i64::MIN),
    ("nthreads (decompression)", marker::I16, i64::MIN),
];
/// The index of the number that beta releases lack.
const BLOCKSIZE: usize = 3;

/// A frame header, field by field as stored, without metalayers. [`Header`](super::Header) interprets it.
///
/// ```
/// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
/// use b2nd::{Limits, frame::Header, wire::WireFrame};
/// let wire = WireFrame::parse(&file)?;
/// let header = Header::parse(&file, &Limits::default())?;
/// let bytes = wire.emit(&header.metalayers);
/// assert_eq!(bytes, file[..header.header_len as usize]);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WireFrame {
    /// Whether the header has the 13 fields of beta releases, without `blocksize`.
    pub beta: bool,
    /// Bytes of the header, including metalayers.
    pub header_len: u32,
    /// Bytes of the frame.
    pub frame_len: u64,
    /// Bits 0 to 3: frame version; 4 and 5: width of offsets; 6: chunks differ in size; 7: blocks do.
    pub flags: u8,
    /// 0 for a contiguous frame, 1 for a sparse one.
    pub frame_type: u8,
    /// Codec in the low four bits, compression level in the high four.
    pub codec: u8,
    /// Split mode minus 1.
    pub splitmode: u8,
    /// `nbytes`, `cbytes`, `typesize`, `blocksize`, `chunksize`, and the number of threads for compression and
    /// decompression.
    pub numbers: [i64; 7],
    /// Whether the trailer has attributes.
    pub has_attributes: bool,
    /// Filter slots in use.
    pub nfilters: u8,
    /// Filter ids by slot. Since 2.0.0 rc 1 the last two hold the codec's id, if `codec` says so, and its parameter.
    pub filters: [u8; 8],
    /// Filter parameters by slot. Since 2.0.0 rc 1 bit 0 of the second last says that chunks have dictionaries.
    pub filter_metas: [u8; 8],
}

/// The length of a header that begins with `bytes`.
pub(crate) fn header_len(bytes: &[u8]) -> Result<u32> {
    let mut reader = Reader::new(bytes);
    let first = reader.byte();
    if !is_first(first) || reader.take(MAGIC.len()) != MAGIC {
        reader.fail(Error::format_at(crate::base::Malformed::Magic, 0));
    }
    if first == fields::BETA1 {
        reader.fail(Unsupported::BetaFrame.into());
    }
    let len = reader.field("header length", marker::I32, 0);
    if len > reader.field("frame length", marker::U64, 0) {
        reader.fail(Error::field("header length", len, 11));
    }
    reader.check()?;
    Ok(len as u32)
}

const fn is_first(byte: u8) -> bool {
    matches!(byte, fields::CURRENT | fields::BETA | fields::BETA1)
}

/// Whether a frame begins with these bytes.
///
/// ```
/// assert!(!b2nd::frame::is_frame(b"PK\x03\x04"));
/// ```
pub fn is_frame(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|&first| is_first(first)) && bytes[1..].starts_with(MAGIC)
}

impl WireFrame {
    /// Parses the header at the start of `bytes`, which hold all of it.
    ///
    /// # Errors
    /// `Format` for what is no frame and for numbers that cannot be, `Unsupported` for frames of beta 1.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let (header, mut reader, _) = Self::read(bytes)?;
        reader.check().map(|()| header)
    }

    /// Like [`parse`](Self::parse). Also returns a reader positioned before the metalayers, and the bytes of the
    /// header. The reader keeps the first error.
    // Inlined, the result is nowhere copied.
    #[inline(always)]
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, Reader<'_>, &[u8])> {
        let header_len = header_len(bytes)?;
        // Decides by the layout, not the version: for a month, frames of version 2 had the fields of version 1
        // (FORMAT §13.3).
        let beta = bytes.first() == Some(&fields::BETA);
        // The header may be shorter than `bytes`.
        let bytes = slice_at(bytes, 0, header_len as usize)?;
        let mut reader = Reader::at(bytes, FRAME_LEN);
        let frame_len = reader.int(marker::U64) as u64;
        reader.marker(FLAGS);
        let [flags, frame_type, codec, splitmode] = reader.array();
        let mut index = 0;
        let numbers = NUMBERS.map(|(name, kind, least)| {
            index += 1;
            if beta && index - 1 == BLOCKSIZE { 0 } else { reader.field(name, kind, least) }
        });
        let has_attributes = reader.bool();
        reader.marker(marker::FIXEXT16);
        let nfilters = reader.byte();
        let (filters, filter_metas) = (reader.array(), reader.array());
        let header = Self {
            beta,
            header_len,
            frame_len,
            flags,
            frame_type,
            codec,
            splitmode,
            numbers,
            has_attributes,
            nfilters,
            filters,
            filter_metas,
        };
        Ok((header, reader, bytes))
    }

    /// The header as stored, with these metalayers. Writes [`header_len`](Self::header_len) unchanged.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn emit(&self, metalayers: &[Metalayer]) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.raw(&[if self.beta { fields::BETA } else { fields::CURRENT }]);
        writer.raw(MAGIC);
        writer.int(marker::I32, self.header_len.into());
        writer.int(marker::U64, self.frame_len as i64);
        writer.raw(&[FLAGS, self.flags, self.frame_type, self.codec, self.splitmode]);
        for (index, (&(_, kind, _), &number)) in NUMBERS.iter().zip(&self.numbers).enumerate() {
            if !(self.beta && index == BLOCKSIZE) {
                writer.int(kind, number);
            }
        }
        writer.bool(self.has_attributes);
        writer.raw(&[marker::FIXEXT16, self.nfilters]);
        writer.raw(&self.filters);
        writer.raw(&self.filter_metas);
        metalayers::emit(&mut writer, metalayers, metalayers::Section::Header);
        writer.bytes
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::base::Limits;
    use crate::frame::Header;

    /// The header of a sparse frame with one metalayer, "m" with the content 5.
    const CURRENT: [u8; 110] = *b"\x9e\xa8b2frame\0\
        \xd2\0\0\0\x6e\xcf\0\0\0\0\0\0\x01\x09\xa4\x12\x01\x95\x02\
        \xd3\0\0\0\0\0\0\0\x08\xd3\0\0\0\0\0\0\0\x24\xd2\0\0\0\x02\xd2\0\0\0\x04\xd2\xff\xff\xff\xff\
        \xd1\0\x03\xd1\xff\xfe\xc3\xd8\x06\x01\0\0\0\0\x02\x07\x08\x09\0\0\0\0\0\x0a\x0b\
        \x93\xcd\0\x0e\xde\0\x01\xa1m\xd2\0\0\0\x68\xdc\0\x01\xc6\0\0\0\x01\x05";

    #[test]
    fn every_field_is_read_and_written() {
        let wire = WireFrame::parse(&CURRENT).unwrap();
        let expected = WireFrame {
            beta: false,
            header_len: 110,
            frame_len: 265,
            flags: 0x12,
            frame_type: 1,
            codec: 0x95,
            splitmode: 2,
            numbers: [8, 36, 2, 4, -1, 3, -2],
            has_attributes: true,
            nfilters: 6,
            filters: [1, 0, 0, 0, 0, 2, 7, 8],
            filter_metas: [9, 0, 0, 0, 0, 0, 10, 11],
        };
        assert_eq!(wire, expected);
        let header = Header::parse(&CURRENT, &Limits::default()).unwrap();
        assert_eq!(
            (&header.metalayers[0].name[..], &header.metalayers[0].content[..]),
            (&b"m"[..], &[5][..])
        );
        assert_eq!(wire.emit(&header.metalayers), CURRENT);
    }

    #[test]
    fn beta_releases_have_no_block_size() {
        // Without the block size, and without the metalayer.
        let parts = [&CURRENT[..52], &CURRENT[57..91], &[0xde, 0, 0, 0xdc, 0, 0][..]];
        let mut bytes = parts.concat();
        (bytes[0], bytes[14], bytes[85]) = (fields::BETA, 92, 7);
        let wire = WireFrame::parse(&bytes).unwrap();
        assert_eq!((wire.beta, wire.numbers), (true, [8, 36, 2, 0, -1, 3, -2]));
        assert_eq!(wire.emit(&[]), bytes);
    }
}
