//! The metalayers that describe an array, in all their generations (FORMAT §8.2, §8.3, §13).

use super::wire::WireArray;
use crate::base::ArgumentError;
use crate::base::{Error, Extent, Limits, Result, SMALL, extent, wide};
use crate::chunk::Context;
use crate::frame::Header;
#[cfg(feature = "indexing")]
use crate::plan::View;
use crate::plan::{Dims, Grid, Index, Plan, Shape, dims};
#[cfg(feature = "alloc")]
use crate::{
    frame::Frame,
    plan::{Regions, ToSelection},
};
#[cfg(feature = "alloc")]
use alloc::string::String;

/// An n-dimensional array, as described by its frame's metalayer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub(super) grid: Grid,
    pub(super) chunkshape: Dims<u32>,
    /// Empty if chunks are not divided into n-dimensional blocks.
    pub(super) blockshape: Dims<u32>,
    #[cfg(feature = "alloc")]
    pub(super) dtype: Option<String>,
    pub(super) early_bitshuffle: bool,
}

/// An array, and its dtype as stored.
type Found<'a> = (Layout, Option<&'a [u8]>);

impl Layout {
    /// The array that one of these metalayers describes, and its dtype as stored.
    pub(crate) fn of_metalayers<'a>(
        header: &Header,
        b2nd: Option<&'a [u8]>,
        caterva: Option<&'a [u8]>,
        limits: &Limits,
    ) -> Result<Option<Found<'a>>> {
        let Some(content) = b2nd.or(caterva) else { return Ok(None) };
        let mut wire = WireArray::default();
        wire.read(content, b2nd.is_none(), limits)?;
        let WireArray { version, shape, chunkshape, blockshape, dtype, .. } = wire;
        let mut grid = Grid::new(header.typesize.into(), true);
        grid.shape = shape;
        let mut array = Self {
            grid,
            chunkshape,
            blockshape,
            #[cfg(feature = "alloc")]
            dtype: None,
            early_bitshuffle: false,
        };
        if b2nd.is_none() {
            array.adapt_to_caterva(version, header);
        }
        array.cut(header)?;
        Ok(Some((array, dtype.map(|dtype| dtype.text))))
    }

    /// Makes the grid and checks it against the chunk and block sizes of the frame.
    fn cut(&mut self, header: &Header) -> Result<()> {
        let extents = |lens: &Dims<u32>| {
            let mut extents: Dims<Extent> = dims(0, lens.len());
            extents.iter_mut().zip(lens).for_each(|(extent, len)| *extent = Extent::from(*len));
            extents
        };
        self.grid.chunk = extents(&self.chunkshape);
        self.grid.tile =
            if self.blockshape.is_empty() { self.grid.chunk.clone() } else { extents(&self.blockshape) };
        self.grid.check()?;
        // In the smallest build only the chunks themselves are checked, when they are read: its frames ship with the
        // program.
        let compares = cfg!(feature = "alloc") || !SMALL;
        if compares && !self.grid.is_empty() {
            agree("chunksize", header.chunksize, self.grid.padded_nbytes())?;
            if !self.blockshape.is_empty() {
                agree("blocksize", header.blocksize, self.grid.tile_nbytes() as Extent)?;
            }
        }
        let stored = extent(header.nbytes)?.checked_div(header.chunksize.into()).unwrap_or(0);
        if !header.is_variable() && self.grid.nchunks() > stored {
            return Err(Error::mismatch("nchunks", wide(stored), wide(self.grid.nchunks())));
        }
        Ok(())
    }

    /// Items along each axis.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// assert_eq!(array.layout().shape(), [12, 30, 40]);
    /// ```
    pub fn shape(&self) -> Shape<'_> {
        Shape::new(&self.grid.shape)
    }

    /// Items along each axis of a chunk.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// assert_eq!(array.layout().chunkshape(), [6, 30, 40]);
    /// ```
    pub fn chunkshape(&self) -> &[u32] {
        &self.chunkshape
    }

    /// Items along each axis of a block. `None` for Caterva before 0.4, whose chunks have no n-dimensional blocks.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// assert_eq!(array.layout().blockshape(), Some(&[3, 10, 20][..]));
    /// ```
    pub fn blockshape(&self) -> Option<&[u32]> {
        if self.blockshape.is_empty() && !self.chunkshape.is_empty() { None } else { Some(&self.blockshape) }
    }

    /// Bytes of an item.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// assert_eq!(array.layout().itemsize(), 4);
    /// ```
    pub fn itemsize(&self) -> u32 {
        self.grid.itemsize as u32
    }

    /// The grid of chunks and blocks.
    pub(crate) const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Facts about the array that decoding a chunk needs.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// assert_eq!(array.layout().context().itemsize, 4);
    /// ```
    pub fn context(&self) -> Context<'_> {
        Context {
            itemsize: self.itemsize(),
            blockshape: &self.blockshape,
            early_bitshuffle: self.early_bitshuffle,
        }
    }

    /// The array as a [`View`]: to be transposed, flipped, squeezed, or given more axes.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let plan = array.layout().view().transpose().plan(7)?;
    /// assert_eq!(plan.shape(), [30, 12]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "indexing")]
    pub fn view(&self) -> View {
        View::of_grid(&self.grid)
    }

    /// Like [`plan`](Self::plan), for borrowed indices.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(array.layout().plan_of(&[b2nd::Index::At(-1)])?.shape(), [30, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of planning.
    pub fn plan_of(&self, indices: &[Index]) -> Result<Plan> {
        Plan::new(&self.grid, indices)
    }
}

#[cfg(feature = "alloc")]
impl Layout {
    /// The array in a frame, or `None` if the frame is a plain super-chunk.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let layout = b2nd::Layout::of_frame(reader.frame(), reader.limits())?;
    /// assert_eq!(layout.as_ref(), reader.layout()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if the metalayer is damaged or contradicts the frame.
    pub fn of_frame(frame: &Frame, limits: &Limits) -> Result<Option<Self>> {
        let header = &frame.header;
        let (b2nd, caterva) = (header.metalayer("b2nd"), header.metalayer("caterva"));
        let found = Self::of_metalayers(header, b2nd, caterva, limits)?;
        Ok(found.map(|(mut array, dtype)| {
            array.dtype = dtype.map(crate::base::text);
            array.early_bitshuffle |= frame.early_bitshuffle();
            array
        }))
    }

    /// The dtype, as stored. It may contradict [`itemsize`](Self::itemsize): writers that do not know the dtype write
    /// `|u1`.
    ///
    /// ```
    /// # let array = b2nd::Array::open("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
    /// assert_eq!(array.layout().dtype(), Some("<f4"));
    /// ```
    pub fn dtype(&self) -> Option<&str> {
        self.dtype.as_deref()
    }

    /// The chunks, in the order of their numbers.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let array = reader.layout()?.expect("an array");
    /// assert_eq!((array.shape().to_vec(), array.chunkshape()), (vec![12, 30, 40], &[6, 30, 40][..]));
    /// let chunk = array.chunks().last().expect("a chunk");
    /// assert_eq!((chunk.number, &chunk.position[..], chunk.items[0].clone()), (1, &[1, 0, 0][..], 6..12));
    /// let values = reader.read::<f32>(&chunk.selection())?;
    /// assert_eq!(values.shape(), [6, 30, 40]);
    /// # Ok(()) }
    /// ```
    pub fn chunks(&self) -> Regions {
        self.grid.chunks()
    }

    /// The blocks of chunk `nchunk` that hold items. Those that are all padding are left out, so that the numbers may
    /// have gaps. Where [`blockshape`](Self::blockshape) is `None` the chunk counts as one block.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// # let array = reader.layout()?.expect("an array");
    /// for block in array.blocks(1)? {
    ///     let values = reader.read::<f32>(&block.selection())?;
    ///     assert_eq!(values.shape(), block.shape());
    /// }
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk.
    pub fn blocks(&self, nchunk: u64) -> Result<Regions> {
        let nchunks = self.grid.nchunks();
        self.grid.tiles(nchunk).ok_or_else(|| ArgumentError::Chunk { index: nchunk, nchunks }.into())
    }

    /// Plans how to read a part of the array.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let plan = reader.layout()?.expect("an array").plan((-1, .., 5..7))?;
    /// assert_eq!(plan.shape(), [30, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the selection does not fit, `Limit` if its size in bytes cannot even be counted.
    pub fn plan(&self, selection: impl ToSelection) -> Result<Plan> {
        self.plan_of(&selection.to_selection()?.0)
    }
}

/// Compares a size computed from the shapes with the frame's, which is 0 where unknown.
fn agree(name: &'static str, frame: u32, shapes: Extent) -> Result<()> {
    if frame == 0 || Extent::from(frame) == shapes {
        return Ok(());
    }
    Err(Error::mismatch(name, frame.into(), wide(shapes)))
}

impl Layout {
    /// Completes the array by what only Caterva's metalayers say, and corrects what they say wrongly.
    fn adapt_to_caterva(&mut self, version: Option<u8>, header: &Header) {
        if version.is_none() {
            self.early_bitshuffle = true;
        } else if header.is_beta() && !self.blocks_fit(header) {
            // There were no blocks before 0.4; 0.2 wrote uninitialized memory in their place.
            self.early_bitshuffle = self.blockshape.iter().any(|&len| len != 0);
            self.blockshape = Dims::new();
        }
    }

    /// Whether the block shape is plausible: chunks are padded to whole blocks.
    fn blocks_fit(&self, header: &Header) -> bool {
        let mut nbytes = u64::from(header.typesize);
        for (&chunk, &block) in self.chunkshape.iter().zip(&self.blockshape) {
            if block == 0 || block > chunk {
                return false;
            }
            nbytes *= u64::from(chunk).next_multiple_of(block.into());
            // Stops early, so that the product cannot overflow.
            if nbytes > u64::from(header.chunksize) {
                return false;
            }
        }
        nbytes == u64::from(header.chunksize)
    }
}
