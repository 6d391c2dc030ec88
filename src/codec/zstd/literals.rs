//! The literals section of a block.

use super::bits::little;
use super::streams;
use super::tables::InUse;
use crate::codec::Corrupt;

/// The header of a literals section.
pub(super) struct Literals {
    kind: Kind,
    /// Number of literals.
    pub(super) len: usize,
    /// Start of their bytes.
    start: usize,
    /// End of their bytes, and start of the sequences section.
    pub(super) end: usize,
    streams: u8,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Raw,
    Rle,
    Compressed,
    /// Compressed with the table of an earlier block.
    Treeless,
}

impl Literals {
    /// Parses the section at `at`.
    pub(super) fn parse(src: &[u8], at: usize) -> Result<Self, Corrupt> {
        let head = *src.get(at).ok_or(Corrupt)?;
        let size_format = head >> 2 & 3;
        let kind = [Kind::Raw, Kind::Rle, Kind::Compressed, Kind::Treeless][usize::from(head & 3)];
        let parsed = match kind {
            Kind::Raw | Kind::Rle => {
                let (bytes, from) = [(1, 3), (2, 4), (1, 3), (3, 4)][usize::from(size_format)];
                let len = (little(src, at, bytes)? >> from) as usize;
                let start = at + bytes;
                Self { kind, len, start, end: start + if kind == Kind::Raw { len } else { 1 }, streams: 0 }
            }
            Kind::Compressed | Kind::Treeless => {
                let (bytes, bits) = [(3, 10), (3, 10), (4, 14), (5, 18)][usize::from(size_format)];
                let sizes = little(src, at, bytes)? >> 4;
                let of = |shift: u32| (sizes >> shift) as usize & ((1 << bits) - 1);
                let start = at + bytes;
                let streams = if size_format == 0 { 1 } else { 4 };
                Self { kind, len: of(0), start, end: start + of(bits), streams }
            }
        };
        if parsed.end <= src.len() { Ok(parsed) } else { Err(Corrupt) }
    }

    /// Decodes the literals into `dst`, which has their length.
    pub(super) fn decode(&self, src: &[u8], tables: &mut InUse<'_>, dst: &mut [u8]) -> Result<(), Corrupt> {
        let src = src.get(..self.end).ok_or(Corrupt)?;
        let mut start = self.start;
        match self.kind {
            Kind::Raw => {
                dst.copy_from_slice(src.get(start..).ok_or(Corrupt)?);
                return Ok(());
            }
            Kind::Rle => {
                dst.fill(*src.get(start).ok_or(Corrupt)?);
                return Ok(());
            }
            Kind::Compressed => {
                let pairs = 8 * (src.len() - start) < 5 * self.len;
                start = tables.read_huffman(src, start, pairs)?;
            }
            Kind::Treeless => {}
        }
        let table = tables.huffman()?;
        if self.streams == 1 {
            if start >= src.len() { Err(Corrupt) } else { streams::one(table, src, start, dst) }
        } else {
            streams::four(table, src, start, dst)
        }
    }
}
