//! Parameters of new arrays.

use super::shapes::{check_dimensions, shapes};
use super::wire::{B2ND, CATERVA};
use super::{ByteOrder, Dtype, Element, Kind, Layout, WireArray, WireDtype};
use crate::base::{ArgumentError, Error, Extent, Limits, Malformed, Result, extent};
#[cfg(feature = "auto")]
use crate::chunk::Auto;
use crate::chunk::CParams;
use crate::codec::{Codec, Zfp};
use crate::filter::{Filter, MAX_FILTERS, Pipeline};
use crate::frame::{Frame, FrameParams, Metalayer};
use crate::msgpack::marker;
use crate::plan::Grid;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The parameters of a new array.
///
/// ```
/// use b2nd::array::ArrayParams;
/// use b2nd::{codec::Codec, filter};
/// let params = ArrayParams::of_type::<f32>(&[1000, 2000])
///     .with_chunks(&[100, 200])
///     .with_codec(Codec::ZSTD, 9)
///     .with_filters([filter::SHUFFLE, filter::BYTEDELTA]);
/// assert_eq!((params.dtype.as_str(), params.cparams.clevel), ("<f4", 9));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ArrayParams {
    /// Items along each axis, at most 16 axes.
    pub shape: Vec<u64>,
    /// The dtype in NumPy's notation.
    pub dtype: String,
    /// The chunk shape in items. By default, chunks have about 4 MiB.
    pub chunkshape: Option<Vec<u32>>,
    /// The block shape in items. By default, blocks have about 128 KiB and are longer along later axes.
    pub blockshape: Option<Vec<u32>>,
    /// Compression parameters. The array determines the type size and the block size.
    pub cparams: CParams,
    /// Choices by the data, as by [`Editor::set_auto`](crate::Editor::set_auto); nothing by default. For Caterva it
    /// is [compatible](Auto::compatible).
    #[cfg(feature = "auto")]
    pub auto: Option<Auto>,
    /// Whether the frame is sparse: a directory with a file per chunk.
    pub sparse: bool,
    /// Whether to write Caterva's metalayer, which has no dtype, instead of `b2nd`.
    pub caterva: bool,
    /// Additional metalayers for the header.
    pub metalayers: Vec<Metalayer>,
}

impl ArrayParams {
    /// Parameters for this shape and dtype, with defaults for everything else.
    ///
    /// ```
    /// let params = b2nd::array::ArrayParams::new(&[480, 640], "<u2");
    /// assert_eq!(params.chunkshape, None);
    /// ```
    #[must_use]
    pub fn new(shape: &[u64], dtype: &str) -> Self {
        Self {
            shape: shape.to_vec(),
            dtype: dtype.into(),
            chunkshape: None,
            blockshape: None,
            cparams: CParams::default(),
            #[cfg(feature = "auto")]
            auto: None,
            sparse: false,
            caterva: false,
            metalayers: Vec::new(),
        }
    }

    /// Parameters for this shape and a Rust type, with defaults for everything else.
    ///
    /// ```
    /// assert_eq!(b2nd::array::ArrayParams::of_type::<f32>(&[10]).dtype, "<f4");
    /// ```
    #[must_use]
    pub fn of_type<T: Element>(shape: &[u64]) -> Self {
        Self::new(shape, &T::dtype().to_string())
    }

    /// With chunks of this shape, in items.
    ///
    /// ```
    /// # use b2nd::array::ArrayParams;
    /// let params = ArrayParams::new(&[1000, 2000], "<f4").with_chunks(&[100, 200]);
    /// assert_eq!(params.chunkshape, Some(vec![100, 200]));
    /// ```
    #[must_use]
    pub fn with_chunks(self, shape: &[u32]) -> Self {
        Self { chunkshape: Some(shape.to_vec()), ..self }
    }

    /// With blocks of this shape, in items.
    ///
    /// ```
    /// # use b2nd::array::ArrayParams;
    /// let params = ArrayParams::new(&[1000, 2000], "<f4").with_blocks(&[10, 200]);
    /// assert_eq!(params.blockshape, Some(vec![10, 200]));
    /// ```
    #[must_use]
    pub fn with_blocks(self, shape: &[u32]) -> Self {
        Self { blockshape: Some(shape.to_vec()), ..self }
    }

    /// With this codec and its level, from 0, which copies, to 10.
    ///
    /// ```
    /// # use b2nd::{array::ArrayParams, codec::Codec};
    /// let params = ArrayParams::new(&[1000, 2000], "<f4").with_codec(Codec::LZ4, 5);
    /// assert_eq!(params.cparams.codec, Codec::LZ4);
    /// ```
    #[must_use]
    pub fn with_codec(mut self, codec: Codec, level: u8) -> Self {
        (self.cparams.codec, self.cparams.clevel) = (codec, level);
        self
    }

    /// With ZFP in this mode, and without filters.
    ///
    /// ```
    /// use b2nd::{Editor, Selection, array::ArrayParams, codec::Zfp, sink::Memory};
    /// let params = ArrayParams::of_type::<f64>(&[100, 200]).with_zfp(Zfp::Accuracy(-3));
    /// let mut editor = Editor::create_array(Memory::default(), &params)?;
    /// let values: Vec<f64> = (0..20_000).map(|n| f64::from(n % 200).sin()).collect();
    /// editor.write(.., &values)?;
    /// let read = editor.read::<f64>(..)?;
    /// assert!(read.as_slice().iter().zip(&values).all(|(read, value)| (read - value).abs() <= 1e-3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_zfp(self, mode: Zfp) -> Self {
        Self { cparams: self.cparams.with_zfp(mode), ..self }
    }

    /// With these filters, in the order in which they are applied; at most [`MAX_FILTERS`].
    ///
    /// ```
    /// # use b2nd::{array::ArrayParams, filter};
    /// let params = ArrayParams::new(&[1000, 2000], "<f4").with_filters([filter::BITSHUFFLE]);
    /// assert!(params.cparams.filters.contains(filter::BITSHUFFLE));
    /// let plain = params.with_filters([0; 0]);
    /// assert!(!plain.cparams.filters.contains(filter::BITSHUFFLE));
    /// ```
    #[must_use]
    pub fn with_filters<const N: usize>(mut self, filters: [impl Into<Filter>; N]) -> Self {
        const { assert!(N <= MAX_FILTERS, "more filters than a pipeline has slots") }
        self.cparams.filters = Pipeline::default();
        let slots = &mut self.cparams.filters.slots[MAX_FILTERS - N..];
        slots.iter_mut().zip(filters).for_each(|(slot, filter)| *slot = filter.into());
        self
    }

    /// With what is chosen by the data.
    ///
    /// ```
    /// # use b2nd::{array::ArrayParams, chunk::Auto};
    /// let params = ArrayParams::new(&[1000, 2000], "<f4").with_auto(Auto::default());
    /// assert_eq!(params.auto, Some(Auto::default()));
    /// ```
    #[cfg(feature = "auto")]
    #[must_use]
    pub fn with_auto(self, auto: Auto) -> Self {
        Self { auto: Some(auto), ..self }
    }

    /// With a sparse frame: a directory with a file per chunk.
    ///
    /// ```
    /// # use b2nd::array::ArrayParams;
    /// assert!(ArrayParams::new(&[1000, 2000], "<f4").with_sparse_frame().sparse);
    /// ```
    #[must_use]
    pub fn with_sparse_frame(self) -> Self {
        Self { sparse: true, ..self }
    }

    /// The parameters of an existing array, for a copy of it.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let params = b2nd::array::ArrayParams::of(array.reader().frame(), array.layout())?;
    /// assert_eq!(params.chunkshape, Some(vec![6, 30, 40]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if its frame has invalid compression parameters.
    pub fn of(frame: &Frame, array: &Layout) -> Result<Self> {
        let header = &frame.header;
        let known = |metalayer: &&Metalayer| must_be_free(&metalayer.name).is_ok();
        let lens = |lens: &[u32]| Some(lens.to_vec()).filter(|lens| !lens.contains(&0));
        let void = || Dtype::void(array.itemsize() as usize).to_string();
        Ok(Self {
            shape: array.shape().to_vec(),
            dtype: array.dtype().map_or_else(void, String::from),
            chunkshape: lens(array.chunkshape()),
            blockshape: array.blockshape().and_then(lens),
            cparams: CParams::of_frame(header)?,
            #[cfg(feature = "auto")]
            auto: None,
            sparse: header.sparse,
            caterva: header.metalayer("b2nd").is_none(),
            metalayers: header.metalayers.iter().filter(known).cloned().collect(),
        })
    }

    /// Choices by the data.
    #[cfg(feature = "auto")]
    pub(crate) fn auto(&self) -> Option<Auto> {
        self.auto.map(|auto| Auto { compatible: auto.compatible || self.caterva, ..auto })
    }

    /// Refuses ZFP for other values than it takes. Caterva has no dtype, and the reference looks for none there.
    fn check_codec(&self, dtype: &Dtype) -> Result<()> {
        let codec = self.cparams.codec;
        let are_floats = matches!(dtype.kind(), Kind::Float) && matches!(dtype.itemsize(), 4 | 8);
        let little = dtype.byte_order() == ByteOrder::Little;
        if codec.is_zfp()
            && self.cparams.registry.get(codec).is_none()
            && !(are_floats && little && !self.caterva)
        {
            return Err(ArgumentError::NotFloats(codec.0).into());
        }
        Ok(())
    }

    /// Creates the array, and the parameters of its frame.
    ///
    /// # Errors
    /// `Format` and `Unsupported` for the dtype; `Argument` for shapes of different dimensions or lengths of 0, for a metalayer that
    /// would describe the array, and for TRUNC_PREC and ZFP of other items than floats; `Format` if chunks would be too large.
    pub(crate) fn frame(&self) -> Result<(Layout, FrameParams)> {
        self.metalayers.iter().try_for_each(|metalayer| must_be_free(&metalayer.name))?;
        let dtype = Dtype::parse(&self.dtype, &Limits::default())?;
        let itemsize = u32::try_from(dtype.itemsize()).unwrap_or(0);
        if itemsize == 0 {
            return Err(Error::format(Malformed::Field { name: "typesize", value: 0 }));
        }
        // Caterva has no dtype.
        let are_floats = matches!(dtype.kind(), Kind::Float | Kind::Void);
        self.cparams.filters.check_items(are_floats, dtype.itemsize())?;
        self.check_codec(&dtype)?;
        let (chunkshape, blockshape) =
            shapes(&self.shape, itemsize, self.chunkshape.as_deref(), self.blockshape.as_deref())?;
        let normal = dtype.text();
        let text = normal.as_bytes();
        let wire = WireArray {
            fields: if self.caterva { CATERVA } else { B2ND },
            version: Some(0),
            shape: self.shape.iter().map(|&len| extent(len)).collect::<Result<_>>()?,
            chunkshape: chunkshape.iter().copied().collect(),
            blockshape: blockshape.iter().copied().collect(),
            dtype: (!self.caterva).then_some(WireDtype { format: 0, marker: marker::STR32, text }),
        };
        let array = Layout::of_wire(itemsize, &wire)?;
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

/// Fails for the names of the metalayers that describe an array: with another content nobody could open the frame.
pub(crate) fn must_be_free(name: &[u8]) -> Result<()> {
    let wrong = ArgumentError::Parameter { name: "number of metalayers b2nd and caterva", value: 2 };
    if matches!(name, b"b2nd" | b"caterva") { Err(wrong.into()) } else { Ok(()) }
}

impl Layout {
    /// An array of such chunks, whatever they are stored in. Without a block shape their items are in C order.
    pub(crate) fn of_chunks(
        shape: &[u64],
        chunkshape: &[u32],
        blockshape: Option<&[u32]>,
        itemsize: u32,
    ) -> Result<Self> {
        let blocks = blockshape.unwrap_or(chunkshape);
        check_dimensions(shape.len(), [chunkshape, blocks])?;
        if itemsize == 0 {
            return Err(Error::format(Malformed::Field { name: "typesize", value: 0 }));
        }
        let wire = WireArray {
            shape: shape.iter().map(|&len| extent(len)).collect::<Result<_>>()?,
            chunkshape: chunkshape.iter().copied().collect(),
            blockshape: blocks.iter().copied().collect(),
            ..WireArray::default()
        };
        let mut array = Self::of_wire(itemsize, &wire)?;
        if blockshape.is_none() {
            array.blockshape.clear();
        }
        Ok(array)
    }

    /// Creates the array that this metalayer describes, for a new frame.
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
