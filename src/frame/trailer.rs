//! The frame trailer: variable-length metalayers (FORMAT §7.3), or the usermeta of beta releases (§7.5).

use super::header::Header;
use super::metalayers::{self, Metalayer, Metalayers, Section};
use super::request::{Exchange, Part, Request, answered};
use crate::base::{ArgumentError, Error, Limits, Malformed, Result};
use crate::chunk::{Chunk, DParams};
use crate::msgpack::{Reader, Writer, marker};
use alloc::vec::Vec;

/// A MessagePack array of four elements. The first byte was different before beta 3.
const FIELDS: u8 = 0x94;
/// Bytes at the end of the frame that give the trailer's length: a `uint32`, then the fingerprint.
pub(super) const END: usize = 23;

/// A trailer as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireTrailer {
    /// The first byte.
    pub fields: u8,
    /// 1, or 0 before beta 3.
    pub version: u8,
    /// The metadata.
    pub content: WireContent,
    /// The kind of fingerprint, 0 for none, and its bytes.
    pub fingerprint: [u8; 17],
}

/// The variable part of a trailer. Contents are chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WireContent {
    /// The attributes.
    Metalayers(Vec<Metalayer>),
    /// The usermeta of beta releases.
    Usermeta(Vec<u8>),
}

impl WireTrailer {
    /// Bytes at the end of a frame that tell the length of its trailer.
    pub(super) const END: usize = END;

    /// The fingerprint of a frame after so many commits: of no kind, with their number in its last bytes (FORMAT §7.10).
    pub(super) fn fingerprint_of(commits: u64) -> [u8; 17] {
        let mut fingerprint = [0; 17];
        fingerprint[9..].copy_from_slice(&commits.to_be_bytes());
        fingerprint
    }

    /// The number of commits in such a fingerprint, 0 if it is of any kind.
    pub(super) fn commits(&self) -> u64 {
        let [kind, .., a, b, c, d, e, f, g, h] = self.fingerprint;
        if kind == 0 { u64::from_be_bytes([a, b, c, d, e, f, g, h]) } else { 0 }
    }

    /// The length of the trailer that ends with these [`END`](Self::END) bytes.
    pub(super) fn len(end: &[u8]) -> Result<u64> {
        let mut reader = Reader::new(end);
        let len = reader.int(marker::U32) as u64;
        reader.check().map(|()| len)
    }

    /// Parses a complete trailer. Offsets in errors count from its start.
    ///
    /// # Errors
    /// `Format`, and `Limit` for its length.
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let [fields, version] = reader.array();
        // This byte decides, not the frame's version (FORMAT §13.3).
        let content = if bytes.get(2) == Some(&marker::BIN32) {
            let content = reader.bin32(limits);
            reader.check()?;
            WireContent::Usermeta(content.to_vec())
        } else {
            WireContent::Metalayers(Metalayers::new(reader, bytes, limits)?.into_owned()?)
        };
        let fingerprint = bytes.last_chunk().copied().unwrap_or_default();
        Ok(Self { fields, version, content, fingerprint })
    }

    /// The trailer as it is stored.
    #[must_use]
    pub fn emit(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.raw(&[self.fields, self.version]);
        match &self.content {
            WireContent::Usermeta(content) => writer.bytes32(marker::BIN32, content),
            WireContent::Metalayers(list) => metalayers::emit(&mut writer, list, Section::Trailer),
        }
        writer.int(marker::U32, (writer.bytes.len() + END) as i64);
        writer.raw(&[marker::FIXEXT16]);
        writer.raw(&self.fingerprint);
        writer.bytes
    }
}

impl Default for WireTrailer {
    /// An empty trailer of the current format.
    fn default() -> Self {
        let content = WireContent::Metalayers(Vec::new());
        Self { fields: FIELDS, version: 1, content, fingerprint: [0; 17] }
    }
}

/// The trailer, with decompressed metalayers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Trailer {
    /// 1, or 0 before beta 3.
    pub version: u8,
    /// The attributes: variable-length metalayers. The usermeta of a beta release is one of that name.
    pub attributes: Vec<Metalayer>,
}

impl Trailer {
    /// Parses a complete trailer. Offsets in errors count from its start.
    ///
    /// ```
    /// use b2nd::{DParams, Limits, frame::{Header, Trailer}};
    /// // The last bytes of a trailer have its length.
    /// let trailer = [b"\x94\x01\x93\xcd\0\x06\xde\0\0\xdc\0\0\xce\0\0\0\x23\xd8", &[0; 17][..]].concat();
    /// assert!(Trailer::parse(&trailer, &DParams::default())?.attributes.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format`; `Unsupported` and `Limit` for what decompressing needs.
    pub fn parse(bytes: &[u8], dparams: &DParams) -> Result<Self> {
        let limits = &dparams.limits;
        let WireTrailer { version, content, .. } = WireTrailer::parse(bytes, limits)?;
        let mut attributes = match content {
            WireContent::Metalayers(metalayers) => metalayers,
            WireContent::Usermeta(content) if content.is_empty() => Vec::new(),
            WireContent::Usermeta(content) => [Metalayer { name: b"usermeta".into(), content }].into(),
        };
        let mut used = 0;
        for metalayer in &mut attributes {
            let chunk = Chunk::new(&metalayer.content)?;
            // Checked before allocating: a few bytes may claim two gigabytes.
            used += u64::from(chunk.header().nbytes);
            limits.allow_metadata(used)?;
            // Several may share their bytes.
            limits.allow_expansion(used, bytes.len() as u64)?;
            metalayer.content = super::plain(&chunk, dparams)?;
        }
        Ok(Self { version, attributes })
    }
}

/// Reads the trailer, sans I/O.
#[derive(Debug)]
pub struct TrailerReading<'d> {
    dparams: &'d DParams,
    /// Upper bound of the trailer's length.
    room: u64,
    /// Of the end of the frame, until there is a trailer.
    request: Option<Request>,
    trailer: Option<Trailer>,
}

impl<'d> TrailerReading<'d> {
    /// The trailer of the frame with this header.
    pub fn new(header: &Header, dparams: &'d DParams) -> Self {
        /// The first request. Most trailers fit.
        const GUESS: u64 = 4 << 10;
        let room = header.frame_len - header.index_start();
        let range = header.frame_len - GUESS.min(room)..header.frame_len;
        Self { dparams, room, request: Some(Request { part: Part::Frame, range }), trailer: None }
    }
}

impl Exchange for TrailerReading<'_> {
    type Outcome = Trailer;

    fn ask(&mut self) -> Result<&[Request]> {
        Ok(self.request.as_slice())
    }

    fn give(&mut self, answers: &[&[u8]]) -> Result<()> {
        let (Request { range, .. }, bytes) = answered(&self.request, answers)?;
        let (start, frame_len) = (range.start, range.end);
        let asked = frame_len - start;
        if (bytes.len() as u64) < asked {
            let available = start + bytes.len() as u64;
            return Err(Error::format(Malformed::Truncated { needed: frame_len, available }));
        }
        let end = bytes.len().saturating_sub(END);
        let mut reader = Reader::at(bytes, end);
        let len = reader.int(marker::U32) as u64;
        reader.check().map_err(|error| error.shifted(start))?;
        if len < END as u64 || len > self.room {
            return Err(Error::field("trailer length", len as i64, frame_len - 22));
        }
        if len > asked {
            let range = frame_len - self.dparams.limits.allow_metadata(len)? as u64..frame_len;
            self.request = Some(Request { part: Part::Frame, range });
            return Ok(());
        }
        let trailer = Trailer::parse(&bytes[(asked - len) as usize..], self.dparams);
        self.trailer = Some(trailer.map_err(|error| error.shifted(frame_len - len))?);
        self.request = None;
        Ok(())
    }

    fn finish(self) -> Result<Trailer> {
        self.trailer.ok_or(ArgumentError::Unfinished.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;

    const SAMPLE: &[u8] = include_bytes!("../../tests/golden/blosc2-4.14.1/sample.b2nd");

    /// Reads the trailer of a frame through requests.
    fn read(bytes: &[u8], dparams: &DParams) -> Result<Trailer> {
        let mut reading = TrailerReading::new(&Header::parse(bytes, &Limits::default())?, dparams);
        while let [Request { range, .. }] = reading.ask()? {
            let range = range.start as usize..range.end as usize;
            reading.give(&[&bytes[range]])?;
        }
        reading.finish()
    }

    #[test]
    fn is_read_and_written() {
        let empty = b"\x94\x01\x93\xcd\0\x06\xde\0\0\xdc\0\0\xce\0\0\0\x23\
            \xd8\0\0\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f";
        let one = b"\x94\x01\x93\xcd\0\x0d\xde\0\x01\xa1v\xd2\0\0\0\x13\xdc\0\x01\xc6\0\0\0\x02\x05\x06\
            \xce\0\0\0\x31\xd8\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
        let beta2 = b"\x0d\0\xc6\0\0\0\x02\x05\x06\xce\0\0\0\x20\xd8\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
        let parse = |bytes| WireTrailer::parse(bytes, &Limits::default()).unwrap();
        let metalayer = Metalayer { name: b"v".to_vec(), content: [5, 6].to_vec() };
        let cases = [
            (&empty[..], WireContent::Metalayers(Vec::new())),
            (one, WireContent::Metalayers([metalayer].into())),
            (beta2, WireContent::Usermeta([5, 6].to_vec())),
        ];
        for (bytes, content) in cases {
            let trailer = parse(bytes);
            assert_eq!((&trailer.content, &trailer.emit()[..]), (&content, bytes));
        }
        assert_eq!(parse(empty).fingerprint, core::array::from_fn(|at| at.saturating_sub(1) as u8));
        assert_eq!((parse(beta2).fields, parse(beta2).version), (0x0d, 0));
        assert_eq!(parse(&WireTrailer::default().emit()), WireTrailer::default());
    }

    #[test]
    fn reads_variable_length_metalayers() {
        let trailer = read(SAMPLE, &DParams::default()).unwrap();
        let title = &trailer.attributes[0];
        assert_eq!((title.name(), &title.content[1..]), ("title".into(), &b"Temperature over a hill"[..]));
        assert_eq!((trailer.version, trailer.attributes.len()), (1, 3));
    }

    #[test]
    fn a_length_that_cannot_be_is_refused() {
        for len in [0u32, 22, 0xffff_ffff] {
            let mut bytes = Vec::from(SAMPLE);
            let at = bytes.len() - 22;
            bytes[at..at + 4].copy_from_slice(&len.to_be_bytes());
            let error = read(&bytes, &DParams::default()).unwrap_err();
            assert_eq!(error, Error::field("trailer length", len.into(), at as u64));
        }
    }

    #[test]
    fn metadata_is_limited() {
        let limits = Limits { metadata: 20, ..Default::default() };
        let dparams = DParams { limits, ..DParams::default() };
        assert!(matches!(read(SAMPLE, &dparams).unwrap_err().kind(), ErrorKind::Limit(_)));
    }
}
