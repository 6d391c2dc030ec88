//! The meaning of a chunk's header (FORMAT §3.1, §4).

use super::wire::{EXTENDED_HEADER, WireChunk, blosc2_flag, flag, flag2, offset};
use crate::base::{Error, Malformed, Result, Unsupported};
use crate::codec::Codec;
use crate::filter::{BITSHUFFLE, DELTA, Filter, MAX_FILTERS, Pipeline, SHUFFLE};

/// The largest block that the format allows, in bytes.
pub const MAX_BLOCKSIZE: u32 = 536_866_816;

/// Whether bytes that are no frame may be a chunk: they begin with a version of the chunk format, or the next.
///
/// ```
/// assert!(b2nd::chunk::is_chunk(&[5, 1]) && !b2nd::chunk::is_chunk(b"PK"));
/// ```
pub fn is_chunk(bytes: &[u8]) -> bool {
    matches!(bytes.first(), Some(1..=7))
}

/// A value that stands for all items of a chunk (FORMAT §4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum SpecialValue {
    /// Zero bytes.
    Zeros,
    /// NaN of 4 or 8 bytes.
    Nan,
    /// The value that follows the header, `width` bytes of it.
    Repeat {
        /// Bytes of the value: the item size, whatever the header's type size says.
        width: u32,
    },
    /// Never written; reads as zeros.
    Uninit,
}

/// Content after the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Body {
    /// The plain bytes.
    Memcpyed,
    /// Nothing, or one value.
    Special(SpecialValue),
    /// A table of block starts, then the blocks, all but the last of one length.
    Blocks,
    /// A table of block starts, then blocks that each say their length.
    VlBlocks,
}

/// A chunk's header, checked and put into one form for all versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Header {
    /// Version of the chunk format, 1 to 6.
    pub version: u8,
    /// Bytes of this header: 16 or 32.
    pub header_len: u32,
    /// Bytes of an item; 1 where an item has more than 255.
    pub typesize: u8,
    /// Bytes of the plain data.
    pub nbytes: u32,
    /// Bytes of a plain block, at most `nbytes`; 0 where blocks vary in length.
    pub blocksize: u32,
    /// Bytes of the chunk, header included.
    pub cbytes: u32,
    /// Blocks in the chunk.
    pub nblocks: u32,
    /// The codec.
    pub codec: Codec,
    /// The codec's parameter.
    pub codec_meta: u8,
    /// The filters.
    pub filters: Pipeline,
    /// Content after the header.
    pub body: Body,
    /// Whether whole blocks are cut into a stream for each byte of an item.
    pub split: bool,
    /// Whether a dictionary follows the table of block starts.
    pub uses_dict: bool,
}

impl Header {
    /// The header of a chunk that is one value and stored nowhere: only an entry of a frame's index.
    /// Sizes are in bytes.
    ///
    /// ```
    /// use b2nd::chunk::{Header, SpecialValue};
    /// assert_eq!(Header::of_special(SpecialValue::Zeros, 800, 8)?.nbytes, 800);
    /// assert!(Header::of_special(SpecialValue::Nan, 800, 1).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` for NaNs of a size that is not a float's.
    pub fn of_special(value: SpecialValue, nbytes: u32, typesize: u32) -> Result<Self> {
        if value == SpecialValue::Nan && !(matches!(typesize, 4 | 8) && nbytes.is_multiple_of(typesize)) {
            return Err(Error::format(Malformed::Field { name: "typesize", value: typesize.into() }));
        }
        Ok(Self {
            version: 5,
            header_len: 0,
            typesize: u8::try_from(typesize).unwrap_or(1),
            nbytes,
            blocksize: nbytes,
            cbytes: 0,
            nblocks: u32::from(nbytes > 0),
            codec: Codec::BLOSCLZ,
            codec_meta: 0,
            filters: Pipeline::default(),
            body: Body::Special(value),
            split: false,
            uses_dict: false,
        })
    }

    /// Compares the plain length with what the frame or the array gives the chunk.
    ///
    /// ```
    /// use b2nd::chunk::{Header, SpecialValue};
    /// let header = Header::of_special(SpecialValue::Zeros, 800, 8)?;
    /// assert!(header.check_nbytes(800).is_ok() && header.check_nbytes(801).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if they differ.
    pub fn check_nbytes(&self, expected: u64) -> Result<()> {
        let found = u64::from(self.nbytes);
        if found == expected { Ok(()) } else { Err(Error::mismatch("chunk nbytes", found, expected)) }
    }

    /// Reads the header at the start of a chunk; bytes after it may be missing.
    ///
    /// ```
    /// use b2nd::chunk::{Body, Header};
    /// let bytes = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    /// assert_eq!(Header::parse(&bytes[..16])?.body, Body::Memcpyed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if fields cannot be so, `Unsupported` for versions, flags and codec formats of other times.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let wire = WireChunk::parse(bytes)?;
        let mut header = Self::common(&wire)?;
        if wire.len() == EXTENDED_HEADER {
            header.extended(&wire)?;
        } else {
            header.filters = filters_of_flags(wire.flags);
        }
        header.finish(&wire)?;
        Ok(header)
    }

    /// Fields of the extended header only.
    fn extended(&mut self, wire: &WireChunk) -> Result<()> {
        for (slot, filter) in self.filters.slots.iter_mut().enumerate() {
            *filter = Filter { id: wire.filters[slot], meta: wire.filter_metas[slot] };
        }
        if self.version <= 3 {
            // The alpha releases knew five slots and left the sixth as it was.
            self.filters.slots[MAX_FILTERS - 1] = Filter::default();
        }
        self.codec_meta = wire.codec_meta;
        if wire.blosc2_flags & blosc2_flag::INSTRUMENTED != 0 {
            return Err(Unsupported::Instrumented.into());
        }
        self.uses_dict = wire.blosc2_flags & blosc2_flag::DICT != 0;
        let flags2 = if self.version > 5 { wire.flags2 } else { 0 };
        if flags2 & !flag2::VL_BLOCKS != 0 {
            return Err(Unsupported::ChunkVersion(self.version).into());
        }
        let special = self.special(wire.blosc2_flags >> 4 & 7)?;
        if flags2 & flag2::VL_BLOCKS != 0 {
            self.body = self.vl_blocks(special)?;
        } else if let Some(special) = special {
            self.body = Body::Special(special);
        }
        Ok(())
    }

    /// Fields of both lengths of header.
    fn common(wire: &WireChunk) -> Result<Self> {
        let size = |name, value: i32, at| -> Result<u32> {
            u32::try_from(value).map_err(|_| Error::field(name, value.into(), at as u64))
        };
        let header = Self {
            version: wire.version,
            header_len: wire.len() as u32,
            typesize: wire.typesize,
            nbytes: size("nbytes", wire.nbytes, offset::NBYTES)?,
            blocksize: size("blocksize", wire.blocksize, offset::BLOCKSIZE)?,
            cbytes: size("cbytes", wire.cbytes, offset::CBYTES)?,
            nblocks: 0,
            codec: Codec::from_format(wire.flags >> 5, wire.codec)?,
            codec_meta: 0,
            filters: Pipeline::default(),
            body: if wire.flags & flag::MEMCPYED != 0 { Body::Memcpyed } else { Body::Blocks },
            split: wire.flags & flag::DONT_SPLIT == 0,
            uses_dict: false,
        };
        if header.version == 0 || header.version > 6 {
            return Err(Unsupported::ChunkVersion(header.version).into());
        }
        if header.typesize == 0 {
            return Err(Error::field("typesize", 0, offset::TYPESIZE as u64));
        }
        if header.cbytes < header.header_len {
            return Err(Error::field("cbytes", header.cbytes.into(), offset::CBYTES as u64));
        }
        Ok(header)
    }

    fn special(&self, kind: u8) -> Result<Option<SpecialValue>> {
        let wrong = || Error::field("special value", kind.into(), offset::BLOSC2_FLAGS as u64);
        let special = match kind {
            0 => return Ok(None),
            1 => SpecialValue::Zeros,
            2 if matches!(self.typesize, 4 | 8) => SpecialValue::Nan,
            3 => SpecialValue::Repeat { width: self.cbytes - self.header_len },
            4 => SpecialValue::Uninit,
            _ => return Err(wrong()),
        };
        let width = match special {
            SpecialValue::Nan => self.typesize.into(),
            SpecialValue::Repeat { width } => width,
            SpecialValue::Zeros | SpecialValue::Uninit => 1,
        };
        if width == 0 || !self.nbytes.is_multiple_of(width) {
            return Err(wrong());
        }
        Ok(Some(special))
    }

    /// Chunks of variable-length blocks keep their number of blocks where others have the block size.
    fn vl_blocks(&mut self, special: Option<SpecialValue>) -> Result<Body> {
        if special.is_some() || self.body == Body::Memcpyed {
            return Err(Error::field("flags2", flag2::VL_BLOCKS.into(), offset::FLAGS2 as u64));
        }
        self.nblocks = self.blocksize;
        self.blocksize = 0;
        self.split = false;
        Ok(Body::VlBlocks)
    }

    /// Counts the blocks and compares the sizes with each other.
    fn finish(&mut self, wire: &WireChunk) -> Result<()> {
        if self.body != Body::VlBlocks {
            if self.blocksize > MAX_BLOCKSIZE || (self.blocksize == 0 && self.nbytes > 0) {
                return Err(Error::field("blocksize", self.blocksize.into(), offset::BLOCKSIZE as u64));
            }
            self.blocksize = self.blocksize.min(self.nbytes);
            let typesize = u32::from(self.typesize);
            if self.body == Body::Blocks && (typesize..self.nbytes).contains(&self.blocksize) {
                // C-Blosc2 3 names the size that was asked for, and cuts blocks of whole items (FORMAT §11 B18).
                self.blocksize -= self.blocksize.checked_rem(typesize).unwrap_or(0);
            }
            self.nblocks = self
                .nbytes
                .checked_div(self.blocksize)
                .map_or(0, |whole| whole + u32::from(!self.nbytes.is_multiple_of(self.blocksize)));
        }
        if self.body == Body::Memcpyed && self.cbytes - self.header_len != self.nbytes {
            self.unmask_compressed(wire)?;
        }
        if matches!(self.body, Body::Memcpyed | Body::Special(_)) {
            // The reference leaves the flag on chunks that have no room for a dictionary (FORMAT §11 B3).
            self.uses_dict = false;
        }
        if self.table_end() > u64::from(self.cbytes) {
            return Err(Error::field("cbytes", self.cbytes.into(), offset::CBYTES as u64));
        }
        if self.version <= 2 {
            // Blosc 1.10 and older had no flag for this; they split by rule (FORMAT §3.2).
            let typesize = u32::from(self.typesize);
            self.split &= typesize <= 16 && self.blocksize >= 128 * typesize;
        }
        Ok(())
    }

    /// The reference marks some small chunks as copied that it has compressed with a dictionary at hand
    /// (FORMAT §11 B2). Their length gives them away.
    fn unmask_compressed(&mut self, wire: &WireChunk) -> Result<()> {
        let table = self.header_len + 4;
        if self.header_len as usize != EXTENDED_HEADER || self.nblocks != 1 || self.cbytes < table + 4 {
            return Err(Error::mismatch(
                "cbytes",
                self.cbytes.into(),
                u64::from(self.nbytes) + u64::from(self.header_len),
            ));
        }
        self.body = Body::Blocks;
        self.codec = Codec(wire.codec);
        self.split = false;
        Ok(())
    }

    /// Bytes up to the end of the table of block starts, or of the repeated value.
    ///
    /// ```
    /// # use b2nd::chunk::Header;
    /// # let bytes = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    /// // Copied bytes have no table: they follow the header.
    /// assert_eq!(Header::parse(&bytes)?.table_end(), 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn table_end(&self) -> u64 {
        let table = match self.body {
            Body::Blocks | Body::VlBlocks => u64::from(self.nblocks) * 4,
            Body::Special(SpecialValue::Repeat { width }) => width.into(),
            Body::Memcpyed | Body::Special(_) => 0,
        };
        u64::from(self.header_len) + table
    }
}

/// Chunks with the short header name their filters by flags; each has its fixed slot.
fn filters_of_flags(flags: u8) -> Pipeline {
    let mut pipeline = Pipeline::default();
    if flags & flag::DELTA != 0 {
        pipeline.slots[MAX_FILTERS - 2].id = DELTA;
    }
    if flags & flag::SHUFFLE != 0 {
        pipeline.slots[MAX_FILTERS - 1].id = SHUFFLE;
    } else if flags & flag::BITSHUFFLE != 0 {
        pipeline.slots[MAX_FILTERS - 1].id = BITSHUFFLE;
    }
    pipeline
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, Malformed};

    /// A chunk of LZ4: no filter, type size 1, 32 bytes (FORMAT §4).
    const LZ4: [u8; 32] = [
        5, 1, 0x35, 1, 0x20, 0, 0, 0, 0x20, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
        0, 0,
    ];

    fn with(changes: &[(usize, u8)]) -> Result<Header> {
        let mut bytes = LZ4;
        for &(at, value) in changes {
            bytes[at] = value;
        }
        Header::parse(&bytes)
    }

    #[test]
    fn reads_the_example() {
        let header = with(&[]).unwrap();
        assert_eq!((header.version, header.header_len, header.typesize), (5, 32, 1));
        assert_eq!((header.nbytes, header.blocksize, header.cbytes, header.nblocks), (32, 32, 64, 1));
        assert_eq!((header.codec, header.body, header.split), (Codec::LZ4, Body::Blocks, false));
        assert_eq!(header.filters, Pipeline::default());
    }

    #[test]
    fn copied_chunks_keep_their_codec_bits() {
        let header = with(&[(2, 0x97)]).unwrap();
        assert_eq!((header.codec, header.body), (Codec::ZSTD, Body::Memcpyed));
    }

    #[test]
    fn copied_chunks_of_another_length_are_compressed_ones() {
        let header = with(&[(2, 0x07), (12, 41)]).unwrap();
        assert_eq!((header.codec, header.body), (Codec::LZ4, Body::Blocks));
        assert!(with(&[(2, 0x07), (12, 33)]).is_err());
    }

    #[test]
    fn a_blocksize_beyond_nbytes_is_clamped() {
        assert_eq!(with(&[(9, 1)]).unwrap().blocksize, 32);
    }

    #[test]
    fn wide_values_repeat() {
        let header = with(&[(12, 48), (31, 0x30)]).unwrap();
        assert_eq!(header.body, Body::Special(SpecialValue::Repeat { width: 16 }));
        assert!(with(&[(12, 32), (31, 0x30)]).is_err());
        assert!(with(&[(12, 32 + 5), (31, 0x30)]).is_err());
    }

    #[test]
    fn refuses_what_cannot_be() {
        let wrong = |changes: &[(usize, u8)], name, value, at| {
            assert_eq!(with(changes).unwrap_err(), Error::field(name, value, at), "{changes:?}");
        };
        wrong(&[(3, 0)], "typesize", 0, 3);
        wrong(&[(7, 0x80)], "nbytes", -0x7fff_ffe0, 4);
        wrong(&[(8, 0)], "blocksize", 0, 8);
        wrong(&[(12, 31)], "cbytes", 31, 12);
        wrong(&[(12, 35)], "cbytes", 35, 12);
        wrong(&[(31, 0x20)], "special value", 2, 31);
        wrong(&[(31, 0x50)], "special value", 5, 31);
        wrong(&[(0, 6), (30, 1), (31, 0x10)], "flags2", 1, 30);
        assert_eq!(with(&[(0, 7)]).unwrap_err(), Unsupported::ChunkVersion(7).into());
        assert_eq!(with(&[(0, 6), (30, 2)]).unwrap_err(), Unsupported::ChunkVersion(6).into());
        assert!(matches!(with(&[(2, 0xb5)]).unwrap_err().kind(), ErrorKind::Unsupported(_)));
        assert_eq!(with(&[(31, 0x80)]).unwrap_err(), Unsupported::Instrumented.into());
        let short = Header::parse(&LZ4[..20]).unwrap_err();
        assert_eq!(short, Error::format_at(Malformed::Truncated { needed: 32, available: 20 }, 0));
    }

    #[test]
    fn blosc1_splits_by_rule() {
        let mut bytes = [2, 1, 0x01, 8, 0, 4, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0];
        assert!(Header::parse(&bytes).unwrap().split, "128 items of 8 bytes");
        bytes[3] = 9;
        assert!(!Header::parse(&bytes).unwrap().split, "fewer than 128 items in a block");
        bytes[3] = 17;
        assert!(!Header::parse(&bytes).unwrap().split, "items of more than 16 bytes");
    }
}
