//! The meaning of the frame header (FORMAT §7.1), including that of beta releases (§7.5).

#[cfg(feature = "alloc")]
use super::metalayers::Metalayer;
use super::metalayers::Metalayers;
use super::wire::WireFrame;
use crate::base::Reference;
use crate::base::{Error, Limits, Result, Unsupported, extent};
use crate::chunk::Header as ChunkHeader;
use crate::chunk::SplitMode;
use crate::codec::Codec;
use crate::filter::{MAX_FILTERS, Pipeline};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The codec bits' escape value: the codec's id is in a field of its own.
pub(super) const USER_CODEC: u8 = 6;

/// The frame header: sizes, and the compression parameters for new chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Header {
    /// Version of the frame format, 1 to 3; 0 for a chunk on its own.
    pub version: u8,
    /// Whether chunks are files in a directory.
    pub sparse: bool,
    /// Bytes of this header, including metalayers.
    pub header_len: u32,
    /// Bytes of the frame; of a sparse frame, of its index file.
    pub frame_len: u64,
    /// Uncompressed bytes of all chunks.
    pub nbytes: u64,
    /// Compressed bytes of all chunks.
    pub cbytes: u64,
    /// Bytes per item; may exceed 255.
    pub typesize: u32,
    /// Uncompressed bytes per block; 0 if each chunk decides.
    pub blocksize: u32,
    /// Uncompressed bytes per chunk; 0 if chunks differ in size, or before there is one.
    pub chunksize: u32,
    /// The codec for new chunks.
    pub codec: Codec,
    /// The codec's parameter.
    pub codec_meta: u8,
    /// The compression level for new chunks, 0 to 9.
    pub clevel: u8,
    /// When blocks of new chunks are split into streams; `None` for beta releases. Releases before 2.5 did not record
    /// it and read as [`SplitMode::Always`].
    pub splitmode: Option<SplitMode>,
    /// The filters for new chunks. Version 1 does not record empty slots.
    pub filters: Pipeline,
    /// Whether new chunks use dictionaries.
    pub use_dict: bool,
    /// Whether the trailer holds attributes.
    pub has_attributes: bool,
    /// The metalayers, in order.
    #[cfg(feature = "alloc")]
    pub metalayers: Vec<Metalayer>,
    /// Whether the header has the layout of the beta releases.
    beta: bool,
}

impl Header {
    /// Like [`parse`](Self::parse), with the metalayers borrowed from `bytes`.
    pub(crate) fn parse_lent<'a>(bytes: &'a [u8], limits: &Limits) -> Result<(Self, Metalayers<'a>)> {
        let (wire, mut reader, bytes) = WireFrame::read(bytes)?;
        let version = wire.flags & 0x0f;
        if !(1..=3).contains(&version) {
            reader.fail(Unsupported::FrameVersion(version).into());
        }
        if wire.frame_type > 1 {
            reader.fail(Error::field("frame type", wire.frame_type.into(), 26));
        }
        if usize::from(wire.nfilters) > MAX_FILTERS {
            let at = if wire.beta { 65 } else { 70 };
            reader.fail(Error::field("number of filters", wire.nfilters.into(), at));
        }
        let header = Self::of_wire(&wire);
        if let Err(error) = header.check() {
            reader.fail(error);
        }
        Ok((header, Metalayers::new(reader, bytes, limits)?))
    }

    fn of_wire(wire: &WireFrame) -> Self {
        let [nbytes, cbytes, typesize, blocksize, chunksize, ..] = wire.numbers;
        let mut header = Self {
            version: wire.flags & 0x0f,
            sparse: wire.frame_type == 1,
            header_len: wire.header_len,
            frame_len: wire.frame_len,
            nbytes: nbytes as u64,
            cbytes: cbytes as u64,
            typesize: typesize as u32,
            blocksize: blocksize as u32,
            chunksize: chunksize.max(0) as u32,
            codec: Codec(wire.codec & 0x0f),
            codec_meta: 0,
            clevel: wire.codec >> 4,
            splitmode: if wire.beta { None } else { Some(SplitMode::of_bits(wire.splitmode)) },
            filters: Pipeline::default(),
            use_dict: false,
            has_attributes: wire.has_attributes,
            #[cfg(feature = "alloc")]
            metalayers: Vec::new(),
            beta: wire.beta,
        };
        let slots = header.filters.slots.iter_mut().take(wire.nfilters.into());
        for (filter, (&id, &meta)) in slots.zip(wire.filters.iter().zip(&wire.filter_metas)) {
            (filter.id, filter.meta) = (id, meta);
        }
        // Since 2.0.0 rc 1 the last of the eight slots hold other fields.
        if !wire.beta {
            if header.codec.0 == USER_CODEC {
                (header.codec, header.codec_meta) = (Codec(wire.filters[6]), wire.filters[7]);
            }
            header.use_dict = wire.filter_metas[6] & 1 != 0;
        }
        header
    }

    /// Checks the lengths against each other, so that later sums cannot overflow.
    fn check(&self) -> Result<()> {
        match u64::from(self.header_len).checked_add(self.stored()) {
            Some(end) if end <= self.frame_len && self.frame_len <= i64::MAX as u64 => {
                extent(self.nbytes).map(drop)
            }
            _ => Err(Error::field("frame length", self.frame_len as i64, 16)),
        }
    }

    /// Offset of the index within the frame.
    pub(crate) fn index_start(&self) -> u64 {
        u64::from(self.header_len) + self.stored()
    }

    /// The bytes after the chunks: the index and the trailer.
    ///
    /// ```
    /// # use b2nd::{Limits, frame::Header};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let header = Header::parse(&file, &Limits::default())?;
    /// assert!(header.end().start < header.end().end && header.end().end == header.frame_len);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn end(&self) -> core::ops::Range<u64> {
        self.index_start()..self.frame_len
    }

    /// Bytes of the chunks within the frame file.
    fn stored(&self) -> u64 {
        // A frame that lost all of its chunks may still count their bytes.
        if self.sparse || self.nbytes == 0 { 0 } else { self.cbytes }
    }

    /// Whether the header has the layout of the beta releases, whatever its version.
    ///
    /// ```
    /// # use b2nd::{Limits, frame::Header};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let header = Header::parse(&file, &Limits::default())?;
    /// assert!(!header.is_beta());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn is_beta(&self) -> bool {
        self.beta
    }

    /// Whether chunks have different sizes.
    ///
    /// ```
    /// # use b2nd::{Limits, frame::Header};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let header = Header::parse(&file, &Limits::default())?;
    /// assert!(!header.is_variable());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_variable(&self) -> bool {
        self.chunksize == 0 && self.nbytes > 0
    }
}

#[cfg(feature = "alloc")]
impl Header {
    /// Parses the header; `bytes` hold all of it.
    ///
    /// ```
    /// use b2nd::{Limits, frame::Header};
    /// let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let header = Header::parse(&file, &Limits::default())?;
    /// assert_eq!((header.typesize, header.frame_len), (4, file.len() as u64));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` for fields that cannot be so, `Unsupported` for other versions.
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let (mut header, metalayers) = Self::parse_lent(bytes, limits)?;
        header.metalayers = metalayers.into_owned()?;
        Ok(header)
    }

    /// The header of a hypothetical frame with only this chunk.
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
            has_attributes: false,
            metalayers: Vec::new(),
            beta: false,
        }
    }

    /// Chunks in the frame; `None` if they differ in size, so that only the index tells.
    ///
    /// ```
    /// # use b2nd::{Limits, frame::Header};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let header = Header::parse(&file, &Limits::default())?;
    /// assert_eq!(header.nchunks(), Some(header.nbytes.div_ceil(header.chunksize.into())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nchunks(&self) -> Option<u64> {
        match self.version {
            0 => Some(1),
            _ if self.is_variable() => None,
            _ => Some(self.sizes().nchunks()),
        }
    }

    /// The content of the metalayer with this name.
    ///
    /// ```
    /// # use b2nd::{Limits, frame::Header};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let header = Header::parse(&file, &Limits::default())?;
    /// assert!(header.metalayer("b2nd").is_some() && header.metalayer("other").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn metalayer(&self, name: &str) -> Option<&[u8]> {
        self.metalayers
            .iter()
            .find(|metalayer| metalayer.name == name.as_bytes())
            .map(|metalayer| &metalayer.content[..])
    }

    /// The kind of reference, if the frame's chunks do not hold its values.
    ///
    /// ```
    /// # use b2nd::{Limits, frame::Header};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let header = Header::parse(&file, &Limits::default())?;
    /// assert_eq!(header.reference(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reference(&self) -> Option<Reference> {
        Reference::METALAYERS.iter().find_map(|(name, kind)| Some(kind.told_by(self.metalayer(name)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{ErrorKind, Malformed};
    use alloc::vec::Vec;

    /// The corpus sample; its header has about 242 bytes, with two metalayers.
    const SAMPLE: &[u8] = include_bytes!("../../tests/golden/blosc2-4.14.1/sample.b2nd");
    /// A frame of beta 2, with usermeta; its header has no block size.
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
    fn reads_current_and_beta_releases() {
        let header = parse(SAMPLE).unwrap();
        assert_eq!((header.version, header.sparse, header.typesize), (2, false, 4));
        assert_eq!((header.nbytes, header.chunksize, header.blocksize), (57_600, 28_800, 2400));
        assert_eq!((header.codec, header.clevel, header.splitmode), (Codec::ZSTD, 9, Some(SplitMode::Auto)));
        let names: Vec<_> = header.metalayers.iter().map(|metalayer| &metalayer.name[..]).collect();
        assert_eq!(names, [&b"b2nd"[..], b"grid"]);

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
            assert!(matches!(short.unwrap_err().kind(), ErrorKind::Format(_)), "{len}");
        }
    }

    #[test]
    fn every_cut_is_noticed() {
        let len = parse(SAMPLE).unwrap().header_len as usize;
        for end in 0..len {
            assert!(
                matches!(parse(&SAMPLE[..end]).unwrap_err().kind(), ErrorKind::Format(_)),
                "cut to {end}"
            );
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
        assert_eq!(with(&[(0, 0x9b)]).unwrap_err(), Unsupported::BetaFrame.into());
        assert_eq!(with(&[(1, 0xa7)]).unwrap_err(), Error::format_at(Malformed::Magic, 0));
        assert_eq!(with(&[(29, 0xd2)]).unwrap_err(), Error::format_at(Malformed::Marker { found: 0xd2 }, 29));
        let tight = Limits { metadata: 40, ..Default::default() };
        assert!(matches!(Header::parse(SAMPLE, &tight).unwrap_err().kind(), ErrorKind::Limit(_)));
    }
}
