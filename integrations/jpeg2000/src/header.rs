//! The headers of a codestream: what it takes to decode it is known, and bounded, before a decoder sees it.
//!
//! The names of fields in comments are those of ISO/IEC 15444-1, annex A.

use crate::reader::Reader;
use b2nd::codec::Corrupt;

const SOC: u16 = 0xff4f;
const CAP: u16 = 0xff50;
const SIZ: u16 = 0xff51;
const COD: u16 = 0xff52;
const COC: u16 = 0xff53;
const TLM: u16 = 0xff55;
const PLM: u16 = 0xff57;
const PLT: u16 = 0xff58;
const CPF: u16 = 0xff59;
const QCD: u16 = 0xff5c;
const QCC: u16 = 0xff5d;
const RGN: u16 = 0xff5e;
const COM: u16 = 0xff64;
const SOT: u16 = 0xff90;
const SOD: u16 = 0xff93;
const EOC: u16 = 0xffd9;

/// The bit of a code block's style that says that it is of High-Throughput JPEG 2000.
const HIGH_THROUGHPUT: u8 = 1 << 6;
/// The largest number of resolutions above the lowest.
const MAX_LEVELS: u8 = 32;

/// A codestream's image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    /// Samples in a row.
    pub(crate) width: u32,
    /// Rows.
    pub(crate) height: u32,
    /// Planes.
    pub(crate) components: u16,
    /// Bits per sample of each component.
    pub(crate) precision: u8,
    /// Whether it takes a decoder for High-Throughput JPEG 2000.
    pub(crate) high_throughput: bool,
}

impl Header {
    /// Reads the headers of a codestream and of all its tile-parts.
    ///
    /// # Errors
    /// The codestream is damaged, or not one that plugins of Blosc2 write: components that differ, signed samples, parts so small that
    /// their descriptions take more memory than the samples.
    pub(crate) fn read(codestream: &[u8]) -> Result<Self, Corrupt> {
        let mut reader = Reader(codestream);
        if reader.u16()? != SOC || reader.u16()? != SIZ {
            return Err(Corrupt);
        }
        let grid = Grid::read(segment(&mut reader)?)?;
        let mut coding = Coding::default();
        loop {
            let start = reader;
            match reader.u16()? {
                SOT => {
                    reader = tile_part(start, &grid, &mut coding)?;
                    if Reader(reader.0).u16()? == EOC {
                        break;
                    }
                }
                CAP | CPF | TLM | PLM => _ = segment(&mut reader)?,
                marker => parameters(marker, &mut reader, &grid, &mut coding)?,
            }
        }
        if coding.tiles != grid.tiles {
            return Err(Corrupt);
        }
        let Grid { width, height, components, precision, .. } = grid;
        Ok(Self { width, height, components, precision, high_throughput: coding.high_throughput })
    }

    /// The number of samples of a component.
    pub(crate) fn plane(&self) -> usize {
        // Both fit: the product with the components and their sizes is the length of a block.
        self.width as usize * self.height as usize
    }

    /// The number of bytes of the image if each sample has `size` of them, or `None` if that is no number of bytes.
    pub(crate) fn bytes(&self, size: usize) -> Option<usize> {
        let plane = (self.width as usize).checked_mul(self.height as usize)?;
        plane.checked_mul(self.components.into())?.checked_mul(size)
    }
}

/// The content of the segment of a marker.
fn segment<'a>(reader: &mut Reader<'a>) -> Result<Reader<'a>, Corrupt> {
    let len = reader.u16()?.checked_sub(2).ok_or(Corrupt)?;
    reader.take(len.into()).map(Reader)
}

/// How the samples are encoded, as far as the headers say that were read.
#[derive(Default)]
struct Coding {
    high_throughput: bool,
    /// Of the last COD; zero before it.
    layers: u16,
    /// Tiles that have begun.
    tiles: u64,
}

/// Reads the segment of a marker that may be in both the main header and that of a tile-part.
fn parameters(marker: u16, reader: &mut Reader<'_>, grid: &Grid, coding: &mut Coding) -> Result<(), Corrupt> {
    let mut segment = segment(reader)?;
    let precincts = match marker {
        COD => {
            let style = segment.u8()?;
            // The progression order.
            segment.u8()?;
            coding.layers = segment.u16()?;
            // The transformation of components.
            segment.u8()?;
            style & 1 != 0
        }
        COC => {
            // Ccoc, which has one byte up to 256 components.
            segment.take(if grid.components < 257 { 1 } else { 2 })?;
            segment.u8()? & 1 != 0
        }
        QCD | QCC | RGN | COM => return Ok(()),
        _ => return Err(Corrupt),
    };
    coding.high_throughput |= grid.coding_style(segment, precincts, coding.layers)?;
    Ok(())
}

/// Reads the header of the tile-part at `start`, and returns what follows the tile-part.
fn tile_part<'a>(start: Reader<'a>, grid: &Grid, coding: &mut Coding) -> Result<Reader<'a>, Corrupt> {
    let mut reader = start;
    reader.u16()?;
    let mut sot = segment(&mut reader)?;
    // Isot.
    if u64::from(sot.u16()?) >= grid.tiles {
        return Err(Corrupt);
    }
    let len = match sot.u32()? {
        // Psot: the last tile-part may have no length; it ends where EOC begins.
        0 => start.0.len().checked_sub(2).ok_or(Corrupt)?,
        len => len as usize,
    };
    // TPsot: the number of the tile-part in its tile.
    coding.tiles += u64::from(sot.u8()? == 0);
    loop {
        match reader.u16()? {
            SOD => break,
            PLT => _ = segment(&mut reader)?,
            marker => parameters(marker, &mut reader, grid, coding)?,
        }
    }
    // The header ends before its tile-part does.
    let header = start.0.len() - reader.0.len();
    reader.take(len.checked_sub(header).ok_or(Corrupt)?)?;
    Ok(reader)
}

/// How the image is divided into tiles.
struct Grid {
    width: u32,
    height: u32,
    components: u16,
    precision: u8,
    /// The size of the largest tile.
    tile: [u32; 2],
    tiles: u64,
}

impl Grid {
    /// Reads SIZ.
    fn read(mut siz: Reader<'_>) -> Result<Self, Corrupt> {
        // Rsiz.
        siz.u16()?;
        let mut pair = || Ok([siz.u32()?, siz.u32()?]);
        // (X|Y)siz, (X|Y)Osiz, (X|Y)Tsiz, (X|Y)TOsiz.
        let [end, start, step, origin] = [pair()?, pair()?, pair()?, pair()?];
        let axis = |axis: usize| {
            let size = end[axis].checked_sub(start[axis]).filter(|&size| size > 0).ok_or(Corrupt)?;
            let span = end[axis].checked_sub(origin[axis]).ok_or(Corrupt)?;
            if step[axis] == 0 || origin[axis] > start[axis] {
                return Err(Corrupt);
            }
            Ok((size, step[axis].min(span), u64::from(span.div_ceil(step[axis]))))
        };
        let ((width, columns, across), (height, rows, down)) = (axis(0)?, axis(1)?);
        let components = siz.u16()?;
        let first = siz.take(3)?;
        // Ssiz: unsigned, up to 16 bits; XRsiz, YRsiz: all samples are there.
        let &[precision @ 0..16, 1, 1] = first else { return Err(Corrupt) };
        for _ in 1..components {
            if siz.take(3)? != first {
                return Err(Corrupt);
            }
        }
        let tiles = across.checked_mul(down).filter(|&tiles| tiles <= 65_535).ok_or(Corrupt)?;
        Ok(Self { width, height, components, precision: precision + 1, tile: [columns, rows], tiles })
    }

    /// Reads SPcod or SPcoc, which have sizes of precincts if `precincts`, and tells whether code blocks are of High-Throughput JPEG 2000.
    fn coding_style(&self, mut segment: Reader<'_>, precincts: bool, layers: u16) -> Result<bool, Corrupt> {
        let levels = segment.u8()?;
        if levels > MAX_LEVELS || layers == 0 {
            return Err(Corrupt);
        }
        // The size of code blocks.
        segment.u16()?;
        let style = segment.u8()?;
        // The transformation.
        segment.u8()?;
        let mut parts = 0_u64;
        for level in (0..=levels).rev() {
            let size = if precincts { segment.u8()? } else { 0xff };
            // A precinct more, as tiles begin anywhere.
            let along = |len: u32, bits: u8| (u64::from(len) >> level >> bits) + 2;
            parts = parts.saturating_add(along(self.tile[0], size & 15) * along(self.tile[1], size >> 4));
        }
        // Decoders describe each part in each layer.
        let parts = parts.saturating_mul(self.tiles).saturating_mul(layers.into());
        if parts > u64::from(self.width) * u64::from(self.height) / 8 + 4096 {
            return Err(Corrupt);
        }
        Ok(style & HIGH_THROUGHPUT != 0)
    }
}
