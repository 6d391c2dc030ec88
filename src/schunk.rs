//! Super-chunks: the items of a frame in one dimension, whatever the shape of its array (FORMAT §7.2).

use crate::base::{Error, times};
use crate::base::{Extent, Result, extent, wide};
use crate::chunk::Context;
use crate::frame::Header;
#[cfg(feature = "alloc")]
use crate::plan::ToSelection;
use crate::plan::{Grid, Index, Plan, dims};

/// The items of a frame, in one dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SChunk {
    grid: Grid,
    typesize: u32,
}

impl SChunk {
    /// The items of a frame whose chunks have the same size; `None` if their sizes must be read first.
    ///
    /// ```
    /// # use b2nd::{Limits, frame::Header};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let header = Header::parse(&file, &Limits::default())?;
    /// use b2nd::SChunk;
    /// assert!(SChunk::of_header(&header)?.is_some_and(|items| items.itemsize() == 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if chunks cannot be so large.
    pub fn of_header(header: &Header) -> Result<Option<Self>> {
        if header.is_variable() {
            return Ok(None);
        }
        let nbytes = extent(header.nbytes)?;
        let (typesize, chunksize) = (Extent::from(header.typesize), Extent::from(header.chunksize));
        let even = nbytes.is_multiple_of(typesize) && chunksize.is_multiple_of(typesize);
        let itemsize = if even { typesize.max(1) } else { 1 };
        let mut grid = Grid::new(itemsize, false);
        grid.shape = dims(nbytes / itemsize, 1);
        grid.chunk = dims(chunksize / itemsize, 1);
        grid.tile = grid.chunk.clone();
        grid.check()?;
        Ok(Some(Self { grid, typesize: header.typesize }))
    }

    /// The items of a frame whose chunks have these sizes: runs of (number of chunks, bytes per chunk).
    ///
    /// ```
    /// # use b2nd::{Limits, frame::Header};
    /// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let header = Header::parse(&file, &Limits::default())?;
    /// use b2nd::SChunk;
    /// let count = header.nchunks().expect("chunks of one size");
    /// assert_eq!(SChunk::of_sizes(&header, &[(count, header.chunksize)])?.itemsize(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if they are more or less than the frame says.
    #[cfg(feature = "alloc")]
    pub fn of_sizes(header: &Header, sizes: &[(u64, u32)]) -> Result<Self> {
        let typesize = u64::from(header.typesize);
        let even = sizes.iter().all(|&(_, size)| u64::from(size).is_multiple_of(typesize));
        let itemsize = if even { typesize } else { 1 };
        let runs = sizes.iter().map(|&(count, size)| (count, u64::from(size) / itemsize));
        let grid = Grid::of_runs(runs, itemsize)?;
        match times(grid.shape[0], itemsize) {
            Some(nbytes) if nbytes == header.nbytes => Ok(Self { grid, typesize: header.typesize }),
            found => Err(Error::mismatch("nbytes", header.nbytes, found.unwrap_or(u64::MAX))),
        }
    }

    /// The bytes of a chunk on its own, as one chunk of items of one byte.
    ///
    /// ```
    /// use b2nd::{SChunk, Scratch, chunk::Header, reading::ChunkReading};
    /// // Eight copied bytes: a Blosc1 header, then the data.
    /// let chunk = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 10, 11, 12, 13, 14, 15, 16, 17];
    /// let bytes = SChunk::of_chunk(&Header::parse(&chunk)?)?;
    /// let plan = bytes.plan("2:5")?;
    /// let task = plan.chunks().next().expect("one chunk");
    /// let reading = ChunkReading::open(&plan, &task, bytes.context(), &chunk)?.expect("its head");
    /// let mut out = [0; 3];
    /// let mut get = |range: core::ops::Range<u32>| Ok(&chunk[range.start as usize..range.end as usize]);
    /// reading.decode(&mut get, &mut Vec::new(), &mut Scratch::default(), &mut out)?;
    /// assert_eq!(out, [12, 13, 14]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// None that a header can cause.
    #[cfg(feature = "alloc")]
    pub fn of_chunk(header: &crate::chunk::Header) -> Result<Self> {
        /// Of copied bytes no more are taken than such pieces.
        const PIECE_BYTES: u64 = 4096;
        let mut grid = Grid::of_runs([(1, u64::from(header.nbytes))].into_iter(), 1)?;
        if header.body == crate::chunk::Body::Memcpyed {
            grid.tile = dims(grid.chunk[0].min(PIECE_BYTES), 1);
        }
        Ok(Self { grid, typesize: 0 })
    }

    /// Number of items.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let items = reader.schunk()?;
    /// // All items, with those of the padding.
    /// assert!(items.len() >= 12 * 30 * 40);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn len(&self) -> u64 {
        wide(self.grid.shape[0])
    }

    /// Whether there are no items.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let items = reader.schunk()?;
    /// assert!(!items.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes per item: the frame's type size, or 1 if the size of some chunk is not a multiple of it.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let items = reader.schunk()?;
    /// assert_eq!(items.itemsize(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn itemsize(&self) -> u32 {
        self.grid.itemsize as u32
    }

    /// The grid of chunks and blocks.
    pub(crate) const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Facts that decoding a chunk needs.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let items = reader.schunk()?;
    /// assert_eq!(items.context().itemsize, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn context(&self) -> Context<'static> {
        Context { itemsize: self.typesize, ..Context::default() }
    }

    /// Plans how to read some of the items.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let items = reader.schunk()?;
    /// assert_eq!(items.plan("10:20")?.nbytes(), 40);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the selection does not fit.
    #[cfg(feature = "alloc")]
    pub fn plan(&self, selection: impl ToSelection) -> Result<Plan> {
        self.plan_of(&selection.to_selection()?.0)
    }

    /// Like [`plan`](Self::plan), for borrowed indices.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let items = reader.schunk()?;
    /// use b2nd::Index;
    /// assert_eq!(items.plan_of(&[Index::At(7)])?.nbytes(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of planning.
    pub fn plan_of(&self, indices: &[Index]) -> Result<Plan> {
        Plan::new(&self.grid, indices)
    }
}
