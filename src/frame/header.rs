//! The frame's header (FORMAT §7.1), that of the betas included (§7.5).

#[cfg(feature = "alloc")]
use super::metalayers::Metalayer;
use super::metalayers::Metalayers;
use super::splitmode::SplitMode;
use crate::base::{Error, Limits, Malformed, Result, Unsupported, extent};
#[cfg(feature = "alloc")]
use crate::chunk::Header as ChunkHeader;
use crate::codec::Codec;
use crate::filter::{MAX_FILTERS, Pipeline};
use crate::msgpack::{Reader, marker};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// What follows the first byte, which tells how many fields there are.
const MAGIC: &[u8; 9] = b"\xa8b2frame\0";
const FIELDS: u8 = 0x9e;
const FIELDS_BETA: u8 = 0x9d;
const FIELDS_BETA1: u8 = 0x9b;
/// In the codec's four bits: the codec has a field of its own.
const USER_CODEC: u8 = 6;

/// Numbers of the header, their markers, and the least that they can be.
const SIZES: [(&str, u8, i64); 7] = [
    ("nbytes", marker::I64, 0),
    ("cbytes", marker::I64, 0),
    ("typesize", marker::I32, 1),
    ("blocksize", marker::I32, 0),
    // −1 stands for a size that is not yet known, for want of chunks.
    ("chunksize", marker::I32, -1),
    ("threads that wrote", marker::I16, i64::MIN),
    ("threads to read", marker::I16, i64::MIN),
];

/// Which of them betas have not.
const BLOCKSIZE: usize = 3;

/// What the header says of chunks: their sizes, and how they were made where each does not say for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Version of the frame format, 1 to 3; 0 for a chunk on its own.
    pub version: u8,
    /// Whether chunks are files of their own, in a directory.
    pub sparse: bool,
    /// Bytes of this header, metalayers included.
    pub header_len: u32,
    /// Bytes of the frame; of its index file if it is sparse.
    pub frame_len: u64,
    /// Bytes of all chunks, plain.
    pub nbytes: u64,
    /// Bytes of all chunks as stored.
    pub cbytes: u64,
    /// Bytes of an item; may be more than 255.
    pub typesize: u32,
    /// Bytes of a plain block; 0 if each chunk decides.
    pub blocksize: u32,
    /// Bytes of a plain chunk; 0 if the chunks differ, and while there is none.
    pub chunksize: u32,
    /// The codec for new chunks.
    pub codec: Codec,
    /// Its parameter.
    pub codec_meta: u8,
    /// The compression level for new chunks, 0 to 9.
    pub clevel: u8,
    /// When blocks of new chunks are cut into streams; `None` for betas. Releases before 2.5 did not record it
    /// and read as [`SplitMode::Always`].
    pub splitmode: Option<SplitMode>,
    /// The filters for new chunks. Version 1 does not record empty slots.
    pub filters: Pipeline,
    /// Whether new chunks are to have dictionaries.
    pub use_dict: bool,
    /// Whether the trailer holds variable-length metalayers.
    pub has_vlmetalayers: bool,
    /// The metalayers, in their order.
    #[cfg(feature = "alloc")]
    pub metalayers: Vec<Metalayer>,
    /// Whether the header has the fields of the betas.
    beta: bool,
}

/// The length of a header that begins with `bytes`.
pub(super) fn header_len(bytes: &[u8]) -> Result<u32> {
    let mut reader = Reader::new(bytes);
    let fields = reader.byte();
    if !matches!(fields, FIELDS | FIELDS_BETA | FIELDS_BETA1) || reader.take(9) != MAGIC {
        reader.fail(Error::format_at(Malformed::Magic, 0));
    }
    if fields == FIELDS_BETA1 {
        reader.fail(Unsupported::FrameVersion(4).into());
    }
    let len = reader.field("header length", marker::I32, 0);
    if len > reader.field("frame length", marker::U64, 0) {
        reader.fail(Error::field("header length", len, 11));
    }
    reader.check()?;
    Ok(len as u32)
}

/// Whether a frame begins with these bytes.
///
/// ```
/// assert!(!b2nd::frame::is_frame(b"PK\x03\x04"));
/// ```
pub fn is_frame(bytes: &[u8]) -> bool {
    matches!(bytes.first(), Some(&(FIELDS | FIELDS_BETA | FIELDS_BETA1))) && bytes[1..].starts_with(MAGIC)
}

impl Header {
    /// Reads the header; `bytes` hold all of it.
    ///
    /// # Errors
    /// `Format` for fields that cannot be so, `Unsupported` for other versions.
    #[cfg(feature = "alloc")]
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let (mut header, metalayers) = Self::parse_lent(bytes, limits)?;
        header.metalayers = metalayers.into_owned()?;
        Ok(header)
    }

    /// The same with the metalayers where they are, in `bytes`.
    pub(crate) fn parse_lent<'a>(bytes: &'a [u8], limits: &Limits) -> Result<(Self, Metalayers<'a>)> {
        let header_len = header_len(bytes)?;
        // Not the version: for a month, frames of version 2 had the fields of version 1 (FORMAT §20).
        let beta = bytes[0] == FIELDS_BETA;
        // May be shorter than what has been read of it.
        let bytes = crate::base::slice_at(bytes, 0, header_len as usize)?;
        let mut reader = Reader::at(bytes, 15);
        let frame_len = reader.int(marker::U64) as u64;
        reader.marker(0xa4);
        let [flags, frame_type, codec, splitmode] = reader.array();
        let version = flags & 0x0f;
        if !(1..=3).contains(&version) {
            reader.fail(Unsupported::FrameVersion(version).into());
        }
        if frame_type > 1 {
            reader.fail(Error::field("frame type", frame_type.into(), 26));
        }
        let mut numbers = [0; SIZES.len()];
        for (index, &(name, kind, least)) in SIZES.iter().enumerate() {
            if !(beta && index == BLOCKSIZE) {
                numbers[index] = reader.field(name, kind, least);
            }
        }
        let [nbytes, cbytes, typesize, blocksize, chunksize, ..] = numbers;
        let mut header = Self {
            version,
            sparse: frame_type == 1,
            header_len,
            frame_len,
            nbytes: nbytes as u64,
            cbytes: cbytes as u64,
            typesize: typesize as u32,
            blocksize: blocksize as u32,
            chunksize: chunksize.max(0) as u32,
            codec: Codec(codec & 0x0f),
            codec_meta: 0,
            clevel: codec >> 4,
            splitmode: if beta { None } else { Some(SplitMode::of_bits(splitmode)) },
            filters: Pipeline::default(),
            use_dict: false,
            has_vlmetalayers: false,
            #[cfg(feature = "alloc")]
            metalayers: Vec::new(),
            beta,
        };
        header.has_vlmetalayers = reader.bool();
        header.filters(&mut reader);
        if let Err(error) = header.check() {
            reader.fail(error);
        }
        Ok((header, Metalayers::new(reader, bytes, limits)?))
    }

    /// What the header of a frame would say that consists of nothing but this chunk.
    #[cfg(feature = "alloc")]
    pub(crate) fn of_chunk(chunk: &ChunkHeader) -> Self {
        Self {
            version: 0,
            sparse: false,
            header_len: 0,
            frame_len: chunk.cbytes.into(),
            nbytes: chunk.nbytes.into(),
            cbytes: chunk.cbytes.into(),
            typesize: chunk.typesize.into(),
            blocksize: chunk.blocksize,
            chunksize: chunk.nbytes,
            codec: chunk.codec,
            codec_meta: chunk.codec_meta,
            clevel: 0,
            splitmode: None,
            filters: chunk.filters,
            use_dict: chunk.uses_dict,
            has_vlmetalayers: false,
            metalayers: Vec::new(),
            beta: false,
        }
    }

    /// Of eight slots. Six of them came into use, so that there is room for more in those after the betas.
    fn filters(&mut self, reader: &mut Reader<'_>) {
        reader.marker(marker::FIXEXT16);
        let at = reader.position() as u64;
        let count = reader.byte();
        if usize::from(count) > MAX_FILTERS {
            reader.fail(Error::field("number of filters", count.into(), at));
        }
        let codes: [u8; 8] = reader.array();
        let metas: [u8; 8] = reader.array();
        let slots = self.filters.slots.iter_mut().take(count.into());
        for (filter, (&id, &meta)) in slots.zip(codes.iter().zip(&metas)) {
            (filter.id, filter.meta) = (id, meta);
        }
        if !self.beta {
            if self.codec.0 == USER_CODEC {
                (self.codec, self.codec_meta) = (Codec(codes[6]), codes[7]);
            }
            self.use_dict = metas[6] & 1 != 0;
        }
    }

    /// Compares the lengths with each other, so that sums of them cannot overflow later.
    fn check(&self) -> Result<()> {
        match u64::from(self.header_len).checked_add(self.stored()) {
            Some(end) if end <= self.frame_len && self.frame_len <= i64::MAX as u64 => {
                extent(self.nbytes).map(drop)
            }
            _ => Err(Error::field("frame length", self.frame_len as i64, 16)),
        }
    }

    /// The content of the metalayer with this name.
    #[cfg(feature = "alloc")]
    pub fn metalayer(&self, name: &str) -> Option<&[u8]> {
        self.metalayers
            .iter()
            .find(|metalayer| metalayer.name == name)
            .map(|metalayer| &metalayer.content[..])
    }

    /// Where the index of chunks begins in the frame.
    pub(crate) fn index_start(&self) -> u64 {
        u64::from(self.header_len) + self.stored()
    }

    /// Bytes of the chunks in the frame itself.
    fn stored(&self) -> u64 {
        // A frame that has lost all of its chunks may still count their bytes.
        if self.sparse || self.nbytes == 0 { 0 } else { self.cbytes }
    }

    /// Whether the header has the fields of the betas, whatever its version.
    pub const fn is_beta(&self) -> bool {
        self.beta
    }

    /// Whether chunks have different sizes.
    pub fn is_variable(&self) -> bool {
        self.chunksize == 0 && self.nbytes > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Blame;
    use alloc::vec::Vec;

    /// The sample of the corpus; its header is 242 bytes or so, with two metalayers.
    const SAMPLE: &[u8] = include_bytes!("../../tests/golden/blosc2-4.14.1/sample.b2nd");
    /// A frame of beta 2, with usermeta, whose header has no block size.
    const BETA: &[u8] = include_bytes!("../../tests/golden/early/b2-beta2-i8-delta-bitshuf-slots.b2frame");

    fn parse(bytes: &[u8]) -> Result<Header> {
        Header::parse(bytes, &Limits::default())
    }

    fn with(changes: &[(usize, u8)]) -> Result<Header> {
        let mut bytes = Vec::from(&SAMPLE[..400]);
        for &(at, value) in changes {
            bytes[at] = value;
        }
        parse(&bytes)
    }

    #[test]
    fn reads_today_and_the_betas() {
        let header = parse(SAMPLE).unwrap();
        assert_eq!((header.version, header.sparse, header.typesize), (2, false, 4));
        assert_eq!((header.nbytes, header.chunksize, header.blocksize), (57_600, 28_800, 2400));
        assert_eq!((header.codec, header.clevel, header.splitmode), (Codec::ZSTD, 9, Some(SplitMode::Auto)));
        let names: Vec<_> = header.metalayers.iter().map(|metalayer| metalayer.name.as_str()).collect();
        assert_eq!(names, ["b2nd", "grid"]);

        let beta = parse(BETA).unwrap();
        assert!(beta.is_beta());
        assert_eq!((beta.version, beta.typesize, beta.splitmode), (1, 8, None));
        let ids: Vec<_> = beta.filters.iter().map(|filter| filter.id).collect();
        assert_eq!(ids, [3, 2], "empty slots are not recorded");
    }

    #[test]
    fn every_short_length_is_noticed() {
        for len in 0..=88 {
            let short = with(&[(13, 0), (14, len)]);
            assert!(matches!(short.unwrap_err().blame(), Blame::Format(_)), "{len}");
        }
    }

    #[test]
    fn every_cut_is_noticed() {
        let len = parse(SAMPLE).unwrap().header_len as usize;
        for end in 0..len {
            assert!(matches!(parse(&SAMPLE[..end]).unwrap_err().blame(), Blame::Format(_)), "cut to {end}");
        }
    }

    #[test]
    fn refuses_what_cannot_be() {
        let wrong = |changes: &[(usize, u8)], name, value, at| {
            assert_eq!(with(changes).unwrap_err(), Error::field(name, value, at), "{changes:?}");
        };
        wrong(
            &[(11, 0x80)],
            "header length",
            i64::from(i32::MIN) + i64::from(with(&[]).unwrap().header_len),
            11,
        );
        wrong(&[(26, 2)], "frame type", 2, 26);
        wrong(&[(48, 0xff)], "typesize", -0xff_fffc, 48);
        wrong(&[(51, 0)], "typesize", 0, 48);
        wrong(&[(70, 7)], "number of filters", 7, 70);
        assert_eq!(with(&[(25, 0x19)]).unwrap_err(), Unsupported::FrameVersion(9).into());
        assert_eq!(with(&[(0, 0x9b)]).unwrap_err(), Unsupported::FrameVersion(4).into());
        assert_eq!(with(&[(1, 0xa7)]).unwrap_err(), Error::format_at(Malformed::Magic, 0));
        assert_eq!(with(&[(29, 0xd2)]).unwrap_err(), Error::format_at(Malformed::Marker { found: 0xd2 }, 29));
        let tight = Limits { metadata: 40, ..Default::default() };
        assert!(matches!(Header::parse(SAMPLE, &tight).unwrap_err().blame(), Blame::Limit(_)));
    }
}
