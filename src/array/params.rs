//! What a new array is to be.

use super::shapes::shapes;
use super::{Array, Dtype, Element, WireArray, WireDtype};
use crate::base::{Error, Extent, Limits, Malformed, Result, extent};
use crate::chunk::CParams;
use crate::frame::{Frame, FrameParams, Metalayer};
use crate::plan::Grid;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The parameters of a new array.
///
/// ```
/// use b2nd::array::ArrayParams;
/// use b2nd::codec::Codec;
/// let mut params = ArrayParams::new(&[1000, 2000], "<f4");
/// params.chunkshape = Some(vec![100, 200]);
/// params.cparams.codec = Codec::LZ4;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArrayParams {
    /// Items along each axis, at most 16 axes.
    pub shape: Vec<u64>,
    /// The dtype, as NumPy writes it.
    pub dtype: String,
    /// Items of a chunk along each axis. By default, chunks have about 4 MiB.
    pub chunkshape: Option<Vec<u32>>,
    /// Items of a block along each axis. By default, blocks have about 128 KiB, and are
    /// longer along later axes.
    pub blockshape: Option<Vec<u32>>,
    /// How chunks are compressed. The type size and the block size follow from the array.
    pub cparams: CParams,
    /// Whether chunks are files in a directory.
    pub sparse: bool,
    /// Whether the metalayer is that of Caterva, which has no dtype, instead of `b2nd`.
    pub caterva: bool,
    /// More metalayers for the header.
    pub metalayers: Vec<Metalayer>,
}

impl ArrayParams {
    /// An array of this shape and dtype, everything else by default.
    #[must_use]
    pub fn new(shape: &[u64], dtype: &str) -> Self {
        Self {
            shape: shape.to_vec(),
            dtype: dtype.into(),
            chunkshape: None,
            blockshape: None,
            cparams: CParams::default(),
            sparse: false,
            caterva: false,
            metalayers: Vec::new(),
        }
    }

    /// An array of this shape for values of a Rust type.
    ///
    /// ```
    /// assert_eq!(b2nd::array::ArrayParams::of_type::<f32>(&[10]).dtype, "<f4");
    /// ```
    #[must_use]
    pub fn of_type<T: Element>(shape: &[u64]) -> Self {
        Self::new(shape, &T::dtype().to_string())
    }

    /// The parameters of an array that exists, for a copy of it.
    ///
    /// # Errors
    /// `Argument` for parameters of its frame that no chunk can have.
    pub fn of(frame: &Frame, array: &Array) -> Result<Self> {
        let header = &frame.header;
        let known = |metalayer: &&Metalayer| !matches!(&metalayer.name[..], b"b2nd" | b"caterva");
        let lens = |lens: &[u32]| Some(lens.to_vec()).filter(|lens| !lens.contains(&0));
        let void = || Dtype::void(array.itemsize() as usize).to_string();
        Ok(Self {
            shape: array.shape().to_vec(),
            dtype: array.dtype().map_or_else(void, String::from),
            chunkshape: lens(array.chunkshape()),
            blockshape: array.blockshape().and_then(lens),
            cparams: CParams::of_frame(header)?,
            sparse: header.sparse,
            caterva: header.metalayer("b2nd").is_none(),
            metalayers: header.metalayers.iter().filter(known).cloned().collect(),
        })
    }

    /// The array, and the frame for it.
    ///
    /// # Errors
    /// `Format` and `Unsupported` for the dtype; `Argument` for shapes of different dimensions or lengths of 0; `Format` if chunks
    /// would be too large.
    pub(crate) fn frame(&self) -> Result<(Array, FrameParams)> {
        let dtype = Dtype::parse(&self.dtype, &Limits::default())?;
        let itemsize = u32::try_from(dtype.itemsize()).unwrap_or(0);
        if itemsize == 0 {
            return Err(Error::format(Malformed::Field { name: "typesize", value: 0 }));
        }
        let (chunkshape, blockshape) =
            shapes(&self.shape, itemsize, self.chunkshape.as_deref(), self.blockshape.as_deref())?;
        let normal = dtype.to_string();
        let text = normal.as_bytes();
        let wire = WireArray {
            fields: if self.caterva { 0x95 } else { 0x97 },
            version: Some(0),
            shape: self.shape.iter().map(|&len| extent(len)).collect::<Result<_>>()?,
            chunkshape: chunkshape.iter().copied().collect(),
            blockshape: blockshape.iter().copied().collect(),
            dtype: (!self.caterva).then_some(WireDtype { format: 0, marker: 0xdb, text }),
        };
        let array = Array::of_wire(itemsize, &wire)?;
        let mut metalayers = Vec::from([Metalayer {
            name: if self.caterva { "caterva" } else { "b2nd" }.into(),
            content: wire.emit(),
        }]);
        metalayers.extend(self.metalayers.iter().cloned());
        let mut cparams = self.cparams.clone();
        (cparams.typesize, cparams.blockshape) = (itemsize, blockshape);
        let (chunksize, blocksize) = array.sizes()?;
        cparams.blocksize = blocksize;
        Ok((array, FrameParams { cparams, chunksize, sparse: self.sparse, metalayers }))
    }
}

impl Array {
    /// The array that this metalayer describes, in a frame that is made for it.
    pub(super) fn of_wire(itemsize: u32, wire: &WireArray<'_>) -> Result<Self> {
        let lens = |lens: &[u32]| lens.iter().copied().map(Extent::from).collect();
        let mut grid = Grid::new(itemsize.into(), true);
        grid.shape = wire.shape.clone();
        grid.chunk = lens(&wire.chunkshape);
        grid.tile = lens(&wire.blockshape);
        grid.check()?;
        Ok(Self {
            grid,
            chunkshape: wire.chunkshape.clone(),
            blockshape: wire.blockshape.clone(),
            dtype: wire.dtype.map(|dtype| crate::base::text(dtype.text)),
            early_bitshuffle: false,
        })
    }
}
