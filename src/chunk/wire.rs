//! The chunk header as it is stored (FORMAT §3.1, §4).

use crate::base::{Result, array_at, slice_at};
use crate::filter::MAX_FILTERS;

/// Bytes of the header that every chunk has.
pub const MIN_HEADER: usize = 16;
/// Bytes of the header of Blosc2.
pub const EXTENDED_HEADER: usize = 32;

/// Offsets of the fields, in bytes.
pub(super) mod offset {
    pub(crate) const VERSION: usize = 0;
    pub(crate) const VERSIONLZ: usize = 1;
    pub(crate) const FLAGS: usize = 2;
    pub(crate) const TYPESIZE: usize = 3;
    pub(crate) const NBYTES: usize = 4;
    pub(crate) const BLOCKSIZE: usize = 8;
    pub(crate) const CBYTES: usize = 12;
    pub(crate) const FILTERS: usize = 16;
    pub(crate) const CODEC: usize = 22;
    pub(crate) const CODEC_META: usize = 23;
    pub(crate) const FILTER_METAS: usize = 24;
    pub(crate) const FLAGS2: usize = 30;
    pub(crate) const BLOSC2_FLAGS: usize = 31;
}

/// Bits of [`WireChunk::flags`]. The three highest are the codec format.
pub(super) mod flag {
    pub(crate) const SHUFFLE: u8 = 0x01;
    pub(crate) const MEMCPYED: u8 = 0x02;
    pub(crate) const BITSHUFFLE: u8 = 0x04;
    pub(crate) const DELTA: u8 = 0x08;
    pub(crate) const DONT_SPLIT: u8 = 0x10;
    /// Blosc1 cannot set both bits, so they mark the extended header.
    pub(crate) const EXTENDED: u8 = SHUFFLE | BITSHUFFLE;
}

/// Bits of [`WireChunk::flags2`].
pub(super) mod flag2 {
    pub(crate) const VL_BLOCKS: u8 = 0x01;
}

/// Bits of [`WireChunk::blosc2_flags`]. Bits 4 to 6 are the kind of special value.
pub(super) mod blosc2_flag {
    pub(crate) const DICT: u8 = 0x01;
    pub(crate) const INSTRUMENTED: u8 = 0x80;
}

/// A chunk header, field by field as stored. Nothing is checked: [`Header`](super::Header) tells what the fields mean.
///
/// ```
/// use b2nd::wire::WireChunk;
/// let bytes = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0];
/// let header = WireChunk::parse(&bytes)?;
/// assert_eq!((header.version, header.nbytes, header.cbytes), (2, 8, 24));
/// assert_eq!(header.emit()[..header.len()], bytes);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WireChunk {
    /// Version of the chunk format.
    pub version: u8,
    /// Version of the codec's format; always 1 so far.
    pub versionlz: u8,
    /// Filters of Blosc1, kind of body, length of this header, codec format.
    pub flags: u8,
    /// Bytes of an item.
    pub typesize: u8,
    /// Bytes of the plain data.
    pub nbytes: i32,
    /// Bytes of a plain block; the number of blocks where these vary in length.
    pub blocksize: i32,
    /// Bytes of the chunk, header included.
    pub cbytes: i32,
    /// Filter ids by slot. This field and all that follow are in the extended header only, and 0 without it.
    pub filters: [u8; MAX_FILTERS],
    /// The codec's id; old releases leave 0.
    pub codec: u8,
    /// The codec's parameter.
    pub codec_meta: u8,
    /// Filter parameters by slot.
    pub filter_metas: [u8; MAX_FILTERS],
    /// Bit 0: blocks vary in length. Meaningful from version 6 on.
    pub flags2: u8,
    /// Dictionary, kind of special value, instrumented mode.
    pub blosc2_flags: u8,
}

impl WireChunk {
    /// Reads the header at the start of `bytes`, 16 or 32 of them.
    ///
    /// # Errors
    /// `Format` if there are fewer.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let flags = array_at::<MIN_HEADER>(bytes, 0)?[offset::FLAGS];
        let mut fields = [0; EXTENDED_HEADER];
        let len = header_len(flags);
        fields[..len].copy_from_slice(slice_at(bytes, 0, len)?);
        Ok(Self {
            version: fields[offset::VERSION],
            versionlz: fields[offset::VERSIONLZ],
            flags,
            typesize: fields[offset::TYPESIZE],
            nbytes: i32::from_le_bytes(part(&fields, offset::NBYTES)),
            blocksize: i32::from_le_bytes(part(&fields, offset::BLOCKSIZE)),
            cbytes: i32::from_le_bytes(part(&fields, offset::CBYTES)),
            filters: part(&fields, offset::FILTERS),
            codec: fields[offset::CODEC],
            codec_meta: fields[offset::CODEC_META],
            filter_metas: part(&fields, offset::FILTER_METAS),
            flags2: fields[offset::FLAGS2],
            blosc2_flags: fields[offset::BLOSC2_FLAGS],
        })
    }

    /// The header as it is stored, in the first [`len`](Self::len) of these bytes.
    #[must_use]
    pub fn emit(&self) -> [u8; EXTENDED_HEADER] {
        let mut fields = [0; EXTENDED_HEADER];
        let mut put = |at: usize, bytes: &[u8]| fields[at..at + bytes.len()].copy_from_slice(bytes);
        put(offset::VERSION, &[self.version]);
        put(offset::VERSIONLZ, &[self.versionlz]);
        put(offset::FLAGS, &[self.flags]);
        put(offset::TYPESIZE, &[self.typesize]);
        put(offset::NBYTES, &self.nbytes.to_le_bytes());
        put(offset::BLOCKSIZE, &self.blocksize.to_le_bytes());
        put(offset::CBYTES, &self.cbytes.to_le_bytes());
        put(offset::FILTERS, &self.filters);
        put(offset::CODEC, &[self.codec]);
        put(offset::CODEC_META, &[self.codec_meta]);
        put(offset::FILTER_METAS, &self.filter_metas);
        put(offset::FLAGS2, &[self.flags2]);
        put(offset::BLOSC2_FLAGS, &[self.blosc2_flags]);
        fields
    }

    /// Bytes of the header: 16 or 32, by its flags.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a header is never empty")]
    pub const fn len(&self) -> usize {
        header_len(self.flags)
    }
}

const fn header_len(flags: u8) -> usize {
    if flags & flag::EXTENDED == flag::EXTENDED { EXTENDED_HEADER } else { MIN_HEADER }
}

#[inline]
fn part<const N: usize>(fields: &[u8; EXTENDED_HEADER], at: usize) -> [u8; N] {
    fields[at..].first_chunk().copied().unwrap_or([0; N])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte another one, but the flags.
    const EXTENDED: [u8; 32] = [
        5, 1, 0x95, 8, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
        27, 28, 29, 30, 31,
    ];

    #[test]
    fn fields_are_where_they_belong() {
        let header = WireChunk::parse(&EXTENDED).unwrap();
        assert_eq!((header.version, header.versionlz, header.flags, header.typesize), (5, 1, 0x95, 8));
        assert_eq!((header.nbytes, header.blocksize, header.cbytes), (0x0706_0504, 0x0b0a_0908, 0x0f0e_0d0c));
        assert_eq!((header.filters, header.codec, header.codec_meta), ([16, 17, 18, 19, 20, 21], 22, 23));
        assert_eq!(
            (header.filter_metas, header.flags2, header.blosc2_flags),
            ([24, 25, 26, 27, 28, 29], 30, 31)
        );
        assert_eq!((header.emit(), header.len()), (EXTENDED, 32));
    }

    #[test]
    fn the_short_header_ends_early() {
        let mut bytes = EXTENDED;
        bytes[offset::FLAGS] = flag::SHUFFLE;
        let header = WireChunk::parse(&bytes[..16]).unwrap();
        assert_eq!((header.len(), header.filters, header.blosc2_flags), (16, [0; 6], 0));
        assert_eq!(header.emit()[..16], bytes[..16]);
        assert!(WireChunk::parse(&bytes[..15]).is_err());
        assert!(WireChunk::parse(&EXTENDED[..31]).is_err());
    }
}
