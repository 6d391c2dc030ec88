//! Where the samples of an image are in a block.

use crate::header::Header;
use b2nd::codec::{Corrupt, Stream};

/// How a plugin of the reference lays out a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Axes are rows, columns and components, of which those of one item may be missing, and axes of one item may come first. A
    /// sample takes all bits of an item.
    Interleaved,
    /// Axes are components, columns and rows, but the items are in the order of the samples. Items have four bytes.
    #[cfg(feature = "htj2k")]
    Planar,
}

impl Layout {
    /// Checks that the image fills a block of `len` bytes with its shape.
    pub(crate) fn fits(self, header: &Header, stream: &Stream<'_>, len: usize) -> Result<(), Corrupt> {
        let Header { width, height, components, precision, .. } = *header;
        let (axes, size) = match self {
            Self::Interleaved if precision == 8 || precision == 16 => {
                ([height, width, components.into()], usize::from(precision / 8))
            }
            Self::Interleaved => return Err(Corrupt),
            #[cfg(feature = "htj2k")]
            Self::Planar => ([components.into(), width, height], 4),
        };
        let shaped = |shape: &[u32]| shape.iter().copied().filter(|&len| len != 1).collect::<Vec<_>>();
        // Chunks that are read without their array have no shape.
        let same = stream.blockshape.is_empty() || shaped(stream.blockshape) == shaped(&axes);
        if stream.typesize == size && header.bytes(size) == Some(len) && same { Ok(()) } else { Err(Corrupt) }
    }

    /// Writes the samples of all components to a block that they fit.
    pub(crate) fn write(self, planes: &[Vec<u16>], precision: u8, dst: &mut [u8]) {
        match self {
            Self::Interleaved if precision <= 8 => interleave(planes, dst, |sample| [sample as u8]),
            Self::Interleaved => interleave(planes, dst, u16::to_le_bytes),
            #[cfg(feature = "htj2k")]
            Self::Planar => {
                let (items, _) = dst.as_chunks_mut();
                for (item, &sample) in items.iter_mut().zip(planes.iter().flatten()) {
                    *item = u32::from(sample).to_le_bytes();
                }
            }
        }
    }
}

/// Writes the samples at each place, one of each plane, side by side.
pub(crate) fn interleave<const N: usize>(planes: &[Vec<u16>], dst: &mut [u8], item: impl Fn(u16) -> [u8; N]) {
    let (items, _) = dst.as_chunks_mut();
    for (component, plane) in planes.iter().enumerate() {
        let places = items.iter_mut().skip(component).step_by(planes.len());
        for (place, &sample) in places.zip(plane) {
            *place = item(sample);
        }
    }
}
