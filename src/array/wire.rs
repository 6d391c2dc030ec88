//! The content of the metalayers `b2nd` and `caterva` as it is stored (FORMAT §8.2, §8.3).

use crate::base::{Error, Extent, Limits, Result, Unsupported, extent};
#[cfg(feature = "alloc")]
use crate::msgpack::Writer;
use crate::msgpack::{Reader, marker};
use crate::plan::{Dims, MAX_DIM, ROOM, Shape, dims};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The first byte of `b2nd`: a MessagePack array of seven elements.
pub(super) const B2ND: u8 = 0x97;
/// The first byte of `caterva`: a MessagePack array of five elements.
pub(super) const CATERVA: u8 = 0x95;
/// The first byte in Caterva 0.1: three elements, without version and block shape.
const CATERVA_0_1: u8 = 0x93;

/// The marker of a MessagePack array. Its low bits are the length.
const LIST: u8 = 0x90;

/// The content of a `b2nd` or `caterva` metalayer, field by field. [`Layout`](super::Layout) interprets it.
///
/// ```
/// use b2nd::{Limits, wire::WireArray};
/// let bytes = b"\x97\0\x01\x91\xd3\0\0\0\0\0\0\0\x03\x91\xd2\0\0\0\x02\x91\xd2\0\0\0\x02\0\xdb\0\0\0\x03<i2";
/// let array = WireArray::parse_b2nd(bytes, &Limits::default())?;
/// assert_eq!((array.chunkshape(), array.blockshape()), (&[2][..], &[2][..]));
/// assert_eq!(array.dtype.map(|dtype| dtype.text), Some(&b"<i2"[..]));
/// # #[cfg(feature = "alloc")]
/// assert_eq!(array.emit(), bytes);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WireArray<'a> {
    /// The first byte: a MessagePack array of 7 elements in `b2nd`, of 5 in `caterva`, of 3 in Caterva 0.1.
    pub fields: u8,
    /// The version, always 0. `None` for Caterva 0.1, which has no block shape either.
    pub version: Option<u8>,
    pub(super) shape: Dims<Extent>,
    pub(super) chunkshape: Dims<u32>,
    pub(super) blockshape: Dims<u32>,
    /// The dtype. `caterva` has none.
    pub dtype: Option<WireDtype<'a>>,
}

/// A dtype as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WireDtype<'a> {
    /// The kind of dtype: 0 for NumPy.
    pub format: u8,
    /// The MessagePack marker before it: 0xdb, a string.
    pub marker: u8,
    /// The dtype.
    pub text: &'a [u8],
}

impl<'a> WireArray<'a> {
    /// Parses the content of a `b2nd` metalayer. Ignores trailing bytes.
    ///
    /// # Errors
    /// `Format` for other markers, negative lengths and more than 16 dimensions, `Limit` for the length of the dtype.
    pub fn parse_b2nd(content: &'a [u8], limits: &Limits) -> Result<Self> {
        let mut array = Self::default();
        array.read(content, false, limits).map(|()| array)
    }

    /// Parses the content of a `caterva` metalayer of any release.
    ///
    /// # Errors
    /// Errors of [`parse_b2nd`](Self::parse_b2nd).
    pub fn parse_caterva(content: &'a [u8]) -> Result<Self> {
        let mut array = Self::default();
        array.read(content, true, &Limits::default()).map(|()| array)
    }

    /// Like the above, in place.
    pub(super) fn read(&mut self, content: &'a [u8], caterva: bool, limits: &Limits) -> Result<()> {
        let mut reader = Reader::new(content);
        self.fields = reader.byte();
        if caterva && !matches!(self.fields, CATERVA | CATERVA_0_1) {
            reader.wrong(self.fields);
        }
        if !(caterva && self.fields == CATERVA_0_1) {
            self.version = Some(reader.byte());
        }
        self.read_shapes(&mut reader);
        if !caterva && reader.left() > 0 {
            let format = reader.byte();
            let (marker, text) = reader.bytes32(limits);
            self.dtype = Some(WireDtype { format, marker, text });
        }
        reader.check()
    }

    /// The number of dimensions, then shape, chunk shape and, except in Caterva 0.1, block shape.
    fn read_shapes(&mut self, reader: &mut Reader<'_>) {
        let at = reader.position() as u64;
        let ndim = usize::from(reader.byte());
        if ndim > ROOM {
            reader.fail(if ndim > MAX_DIM {
                Error::field("ndim", ndim as i64, at)
            } else {
                Unsupported::Dimensions(ndim as u8).into()
            });
        }
        let list = list(ndim);
        reader.marker(list);
        self.shape = dims(0, ndim);
        for len in self.shape.iter_mut() {
            let known = extent(reader.field("shape", marker::I64, 0) as u64);
            *len = known.unwrap_or_else(|error| {
                reader.fail(error);
                0
            });
        }
        reader.marker(list);
        self.chunkshape = dims(0, ndim);
        for len in self.chunkshape.iter_mut() {
            *len = reader.field("chunkshape", marker::I32, 0) as u32;
        }
        if self.version.is_some() {
            reader.marker(list);
            self.blockshape = dims(0, ndim);
            for len in self.blockshape.iter_mut() {
                // May be uninitialized memory, even negative; that is harmless as long as it is not used.
                *len = reader.int(marker::I32) as u32;
            }
        }
    }

    /// The content as it is stored.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn emit(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.raw(&[self.fields]);
        writer.raw(self.version.as_slice());
        writer.raw(&[self.shape.len() as u8]);
        let list = list(self.shape.len());
        writer.raw(&[list]);
        self.shape.iter().for_each(|&len| writer.int(marker::I64, len as i64));
        writer.raw(&[list]);
        self.chunkshape.iter().for_each(|&len| writer.int(marker::I32, len.into()));
        if self.version.is_some() {
            writer.raw(&[list]);
            self.blockshape.iter().for_each(|&len| writer.int(marker::I32, len.into()));
        }
        if let Some(WireDtype { format, marker, text }) = self.dtype {
            writer.raw(&[format]);
            writer.bytes32(marker, text);
        }
        writer.bytes
    }

    /// Items along each axis.
    pub fn shape(&self) -> Shape<'_> {
        Shape::new(&self.shape)
    }

    /// Items along each axis of a chunk.
    pub fn chunkshape(&self) -> &[u32] {
        &self.chunkshape
    }

    /// Items along each axis of a block. Not valid in Caterva before 0.4: 0.1 leaves it empty, 0.2 wrote uninitialized
    /// memory.
    pub fn blockshape(&self) -> &[u32] {
        &self.blockshape
    }
}

/// The marker of a list with a number for each axis.
///
/// For 16 dimensions the reference writes an invalid marker: 0x90 + 16 (FORMAT §11 B14).
const fn list(ndim: usize) -> u8 {
    LIST.wrapping_add(ndim as u8)
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::vec;

    /// An array with two axes: 5 × 6, chunks of 3 × 4, blocks of 2 × 2.
    const SHAPES: &[u8] = b"\x02\
        \x92\xd3\0\0\0\0\0\0\0\x05\xd3\0\0\0\0\0\0\0\x06\
        \x92\xd2\0\0\0\x03\xd2\0\0\0\x04";
    const BLOCKS: &[u8] = b"\x92\xd2\0\0\0\x02\xd2\0\0\0\x02";

    fn dims_of(array: &WireArray<'_>) -> [Vec<u64>; 3] {
        let wide = |lens: &[u32]| lens.iter().map(|&len| len.into()).collect();
        [array.shape.to_vec(), wide(&array.chunkshape), wide(&array.blockshape)]
    }

    #[test]
    fn b2nd_is_read_and_written() {
        let bytes = [b"\x97\0", SHAPES, BLOCKS, b"\0\xdb\0\0\0\x03<f4"].concat();
        let array = WireArray::parse_b2nd(&bytes, &Limits::default()).unwrap();
        assert_eq!((array.fields, array.version), (0x97, Some(0)));
        assert_eq!(dims_of(&array), [[5, 6], [3, 4], [2, 2]]);
        assert_eq!(array.dtype, Some(WireDtype { format: 0, marker: 0xdb, text: b"<f4" }));
        assert_eq!(array.emit(), bytes);

        let without = &bytes[..bytes.len() - 9];
        let array = WireArray::parse_b2nd(without, &Limits::default()).unwrap();
        assert_eq!((array.dtype, array.emit()), (None, without.to_vec()));
    }

    #[test]
    fn caterva_is_read_and_written() {
        // Any other number of elements is refused.
        let later = [b"\x95\0", SHAPES, BLOCKS].concat();
        let array = WireArray::parse_caterva(&later).unwrap();
        assert_eq!((dims_of(&array), array.version), ([vec![5, 6], vec![3, 4], vec![2, 2]], Some(0)));
        assert_eq!(array.emit(), later);

        let first = [b"\x93", SHAPES].concat();
        let array = WireArray::parse_caterva(&first).unwrap();
        assert_eq!((dims_of(&array), array.version), ([vec![5, 6], vec![3, 4], vec![]], None));
        assert_eq!(array.emit(), first);

        let other = [b"\x94", SHAPES].concat();
        assert!(WireArray::parse_caterva(&other).is_err());
    }

    #[test]
    fn garbage_for_a_block_shape_is_kept() {
        let bytes = [b"\x95\0", SHAPES, b"\x92\xd2\xff\xff\xff\xfe\xd2\0\0\0\xd3"].concat();
        let array = WireArray::parse_caterva(&bytes).unwrap();
        assert_eq!((array.blockshape(), array.emit()), (&[u32::MAX - 1, 0xd3][..], bytes.clone()));
    }

    #[test]
    fn sixteen_axes_have_a_marker_that_is_none() {
        let lens = |marker: u8, bytes: usize| {
            let len = [&[marker][..], &vec![0; bytes - 1], &[1]].concat();
            [vec![0xa0], len.repeat(16)].concat()
        };
        let bytes = [&[0x97, 0, 16][..], &lens(0xd3, 8), &lens(0xd2, 4), &lens(0xd2, 4)].concat();
        let array = WireArray::parse_b2nd(&bytes, &Limits::default()).unwrap();
        assert_eq!((array.shape.len(), array.emit()), (16, bytes.clone()));
    }
}
