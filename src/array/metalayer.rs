//! The metalayers that describe an array, in all their generations (FORMAT §8.2, §8.3, §13).

use crate::base::{Error, Extent, Limits, Result, SMALL, extent, wide};
use crate::chunk::Context;
#[cfg(feature = "alloc")]
use crate::frame::Frame;
use crate::frame::Header;
use crate::msgpack::{Reader, marker};
#[cfg(feature = "alloc")]
use crate::plan::Selection;
use crate::plan::{Dims, Grid, Index, MAX_DIM, Plan, dims};
#[cfg(feature = "alloc")]
use alloc::string::String;

/// An n-dimensional array: the shapes that its frame's metalayer gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Array {
    grid: Grid,
    chunkshape: Dims<u32>,
    /// Empty where chunks are not cut into n-dimensional blocks.
    blockshape: Dims<u32>,
    #[cfg(feature = "alloc")]
    dtype: Option<String>,
    early_bitshuffle: bool,
}

/// An array and its dtype where that lies.
type Found<'a> = (Array, Option<&'a [u8]>);

impl Array {
    /// The array in a frame, or `None` if the frame is a plain super-chunk.
    ///
    /// # Errors
    /// `Format` if the metalayer is damaged or contradicts the frame.
    #[cfg(feature = "alloc")]
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

    /// The array that one of these metalayers describes, and its dtype where it lies.
    pub(crate) fn of_metalayers<'a>(
        header: &Header,
        b2nd: Option<&'a [u8]>,
        caterva: Option<&'a [u8]>,
        limits: &Limits,
    ) -> Result<Option<Found<'a>>> {
        let mut array = Self {
            grid: Grid::new(header.typesize.into(), true),
            chunkshape: Dims::new(),
            blockshape: Dims::new(),
            #[cfg(feature = "alloc")]
            dtype: None,
            early_bitshuffle: false,
        };
        let Some(content) = b2nd.or(caterva) else { return Ok(None) };
        let mut reader = Reader::new(content);
        let dtype = match b2nd {
            Some(_) => array.read_b2nd(&mut reader, limits),
            None => {
                array.read_caterva(&mut reader, header);
                None
            }
        };
        reader.check()?;
        array.cut(header)?;
        Ok(Some((array, dtype)))
    }

    /// Makes the grid of the shapes, which must be those of the frame's chunks and blocks.
    fn cut(&mut self, header: &Header) -> Result<()> {
        let extents = |lens: &Dims<u32>| -> Dims<Extent> { lens.iter().copied().map(Extent::from).collect() };
        self.grid.chunk = extents(&self.chunkshape);
        self.grid.tile =
            if self.blockshape.is_empty() { self.grid.chunk.clone() } else { extents(&self.blockshape) };
        self.grid.check()?;
        // What is read of frames that come with a program is compared with the chunks, and that will do.
        if !SMALL && !self.grid.is_empty() {
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
    pub fn shape(&self) -> &[Extent] {
        &self.grid.shape
    }

    /// Items of a chunk along each axis.
    pub fn chunkshape(&self) -> &[u32] {
        &self.chunkshape
    }

    /// Items of a block along each axis; `None` for arrays of Caterva before 0.4, whose chunks have none.
    pub fn blockshape(&self) -> Option<&[u32]> {
        if self.blockshape.is_empty() && !self.chunkshape.is_empty() { None } else { Some(&self.blockshape) }
    }

    /// Bytes of an item.
    pub fn itemsize(&self) -> u32 {
        self.grid.itemsize as u32
    }

    /// The dtype, as stored. It may contradict [`itemsize`](Self::itemsize): writers that do not know a dtype
    /// leave `|u1`, whatever the items are.
    #[cfg(feature = "alloc")]
    pub fn dtype(&self) -> Option<&str> {
        self.dtype.as_deref()
    }

    /// The grid of chunks and blocks.
    pub(crate) const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// What decoding needs to know of the array.
    pub fn context(&self) -> Context<'_> {
        Context {
            itemsize: self.itemsize(),
            blockshape: &self.blockshape,
            early_bitshuffle: self.early_bitshuffle,
        }
    }

    /// Plans how to read a part of the array.
    ///
    /// # Errors
    /// `Argument` if the selection does not fit, `Limit` if its size in bytes cannot even be counted.
    #[cfg(feature = "alloc")]
    pub fn plan(&self, selection: &Selection) -> Result<Plan> {
        self.plan_of(&selection.0)
    }

    /// The same for indices that somebody else keeps.
    ///
    /// # Errors
    /// Those of planning a selection.
    pub fn plan_of(&self, indices: &[Index]) -> Result<Plan> {
        Plan::new(&self.grid, indices)
    }
}

/// Compares a size that the shapes make with the frame's, which is 0 where it is not known.
fn agree(name: &'static str, frame: u32, shapes: Extent) -> Result<()> {
    if frame == 0 || Extent::from(frame) == shapes {
        return Ok(());
    }
    Err(Error::mismatch(name, frame.into(), wide(shapes)))
}

/// Reading metalayers.
impl Array {
    /// Hands back the dtype.
    fn read_b2nd<'a>(&mut self, reader: &mut Reader<'a>, limits: &Limits) -> Option<&'a [u8]> {
        // Neither the number of fields nor the version has ever told anything.
        reader.take(2);
        self.read_shapes(reader, 3);
        if reader.left() == 0 {
            return None;
        }
        // The kind of dtype: 0 is NumPy's.
        reader.byte();
        Some(reader.bin32(limits))
    }

    fn read_caterva(&mut self, reader: &mut Reader<'_>, header: &Header) {
        match reader.byte() {
            0x93 => {
                self.early_bitshuffle = true;
                self.read_shapes(reader, 2);
            }
            0x95 => {
                reader.byte();
                self.read_shapes(reader, 3);
                if header.is_beta() && !self.blocks_fit(header) {
                    // Before 0.4 there were no blocks; 0.2 left memory's garbage in their place.
                    self.early_bitshuffle = self.blockshape.iter().any(|&len| len != 0);
                    self.blockshape = Dims::new();
                }
            }
            found => reader.wrong(found),
        }
    }

    /// Whether the block shape is one, judged by the chunks, which are padded to whole blocks.
    fn blocks_fit(&self, header: &Header) -> bool {
        let mut nbytes = u64::from(header.typesize);
        for (&chunk, &block) in self.chunkshape.iter().zip(&self.blockshape) {
            if block == 0 || block > chunk {
                return false;
            }
            nbytes *= u64::from(chunk).next_multiple_of(block.into());
            // It will not get smaller, and must not overflow.
            if nbytes > u64::from(header.chunksize) {
                return false;
            }
        }
        nbytes == u64::from(header.chunksize)
    }

    /// The number of dimensions and then shape, chunkshape and, if `count` is 3, blockshape.
    fn read_shapes(&mut self, reader: &mut Reader<'_>, count: usize) {
        let at = reader.position() as u64;
        let ndim = usize::from(reader.byte());
        if ndim > MAX_DIM {
            reader.fail(Error::field("ndim", ndim as i64, at));
        }
        // For 16 dimensions the reference writes a marker that is none: 0x90 + 16 (FORMAT §11 B14).
        let array = 0x90_u8.wrapping_add(ndim as u8);
        reader.marker(array);
        self.grid.shape = dims(0, ndim);
        for len in self.grid.shape.iter_mut() {
            let known = extent(reader.field("shape", marker::I64, 0) as u64);
            *len = known.unwrap_or_else(|error| {
                reader.fail(error);
                0
            });
        }
        reader.marker(array);
        self.chunkshape = dims(0, ndim);
        for len in self.chunkshape.iter_mut() {
            *len = reader.field("chunkshape", marker::I32, 0) as u32;
        }
        if count == 3 {
            reader.marker(array);
            self.blockshape = dims(0, ndim);
            for len in self.blockshape.iter_mut() {
                // Garbage may be negative here, which is no matter if it is not used.
                *len = reader.int(marker::I32) as u32;
            }
        }
    }
}
