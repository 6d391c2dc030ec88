//! Reading parts of the chunks of a Zarr array: which bytes a part takes, and decoding these.

use super::check;
use crate::array::Layout;
use crate::base::{Error, Malformed, Result};
use crate::chunk::{Body, Context};
use crate::frame::{Part, Request};
use crate::plan::{ChunkTask, Index, Plan};
use crate::reading::{ChunkReading, Merge, merge};
use alloc::vec::Vec;
use core::ops::Range;

/// The chunks of a Zarr array, each by itself: which of its bytes a selection takes, and what they say. The caller brings the bytes.
///
/// ```
/// use b2nd::{Index, Scratch, array::ArrayEncoder, array::ArrayParams, reading::Merge, zarr::Chunks};
/// // 1000 × 1000 items in one chunk, as the codec `blosc2` writes it: a block has 4 rows.
/// let params = ArrayParams::new(&[1000, 1000], "<u2").with_chunks(&[1000, 1000]).with_blocks(&[4, 1000]);
/// let mut noise = 1_u32;
/// let mut next = || {
///     noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
///     (noise >> 24) as u8
/// };
/// let items: Vec<u8> = (0..1_000_000).flat_map(|_| [next(), 0]).collect();
/// let chunk = ArrayEncoder::new(&params)?.encode(0, &items)?;
///
/// let chunks = Chunks::in_c_order(&[1000, 1000], &[1000, 1000], 2)?;
/// let plan = chunks.plan_of(&[Index::At(500)])?;
/// let task = plan.chunks().next().expect("there is one chunk");
/// let requests = chunks.requests(&plan, &task, &chunk[..8192], &Merge::NETWORK)?.expect("8 KiB have the places of all blocks");
/// assert!(requests.iter().map(|range| range.end - range.start).sum::<u64>() < 10_000);
///
/// let reading = chunks.open(&plan, &task, &chunk[..8192])?.expect("as above");
/// let mut row = vec![0; plan.nbytes()];
/// let mut get = |range: std::ops::Range<u32>| Ok(&chunk[range.start as usize..range.end as usize]);
/// reading.decode(&mut get, &mut Vec::new(), &mut Scratch::default(), &mut row)?;
/// assert_eq!(row, items[1_000_000..1_002_000]);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Chunks {
    layout: Layout,
}

impl Chunks {
    /// Chunks of the codecs `blosc` and `blosc2`, whose items are in C order.
    ///
    /// ```
    /// let chunks = b2nd::zarr::Chunks::in_c_order(&[10, 10], &[4, 16], 8)?;
    /// assert_eq!(chunks.plan_of(&[])?.count_chunks(), 3);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for shapes of different dimensions; `Format` for lengths of 0, and if chunks would be too large.
    pub fn in_c_order(shape: &[u64], chunkshape: &[u32], itemsize: u32) -> Result<Self> {
        Ok(Self { layout: Layout::of_chunks(shape, chunkshape, None, itemsize)? })
    }

    /// Chunks of the codec `b2nd`, whose items are in blocks of this shape.
    ///
    /// ```
    /// let chunks = b2nd::zarr::Chunks::in_blocks(&[9, 9], &[4, 4], &[2, 2], 1)?;
    /// assert_eq!(chunks.plan_of(&[])?.count_chunks(), 9);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for shapes of different dimensions; `Format` for lengths of 0, and if chunks would be too large.
    pub fn in_blocks(shape: &[u64], chunkshape: &[u32], blockshape: &[u32], itemsize: u32) -> Result<Self> {
        Ok(Self { layout: Layout::of_chunks(shape, chunkshape, Some(blockshape), itemsize)? })
    }

    /// Plans a selection of the items of the array.
    ///
    /// ```
    /// let chunks = b2nd::zarr::Chunks::in_c_order(&[10, 10], &[4, 16], 8)?;
    /// assert_eq!(chunks.plan_of(&[b2nd::Index::At(-1)])?.shape(), [10]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if the selection does not fit the array.
    pub fn plan_of(&self, indices: &[Index]) -> Result<Plan> {
        self.layout.plan_of(indices)
    }

    /// Starts reading a chunk from its first bytes; `Err` of how many that takes if there are fewer. See [`Chunks`] for an example.
    ///
    /// # Errors
    /// `Format` if the chunk is not one of the array, `Format` and `Unsupported` for what its header says.
    pub fn open<'a>(
        &'a self,
        plan: &'a Plan,
        task: &'a ChunkTask,
        head: &'a [u8],
    ) -> Result<Result<ChunkReading<'a>, u64>> {
        // In C order they are bytes to Blosc, whose own item size need not be that of the array.
        let context = self.layout.blockshape().map_or_else(Context::default, |_| self.layout.context());
        let reading = match ChunkReading::open(plan, task, context, head)? {
            Ok(reading) => reading,
            needed => return Ok(needed),
        };
        match self.layout.blockshape() {
            Some(blockshape) => check(blockshape, &self.layout, reading.header())?,
            None if reading.header().body == Body::VlBlocks => {
                return Err(Error::format(Malformed::Field { name: "VL blocks", value: 1 }));
            }
            None => {}
        }
        Ok(Ok(reading))
    }

    /// The bytes of a chunk to bring besides `head`, as requests that are worth it; the rest of the chunk,
    /// which continues the head, if it is short or nearly all of its blocks are wanted. `Err` of how many bytes the head takes if there are fewer. See [`Chunks`] for an example.
    ///
    /// # Errors
    /// Errors of [`open`](Self::open), and `Format` if the chunk says that its blocks are outside of it.
    pub fn requests(
        &self,
        plan: &Plan,
        task: &ChunkTask,
        head: &[u8],
        by: &Merge,
    ) -> Result<Result<Vec<Range<u64>>, u64>> {
        let reading = match self.open(plan, task, head)? {
            Ok(reading) => reading,
            Err(needed) => return Ok(Err(needed)),
        };
        let header = reading.header();
        let (cbytes, blocks) = (u64::from(header.cbytes), u64::from(header.nblocks));
        let wanted = plan.count_blocks(task, header.blocksize);
        let known = head.len() as u64;
        if ChunkReading::is_read_whole(Some(cbytes), header.table_end(), wanted, blocks) {
            return Ok(Ok((known < cbytes).then_some(known..cbytes).into_iter().collect()));
        }
        let request =
            |range: Range<u32>| Request { part: Part::Frame, range: range.start.into()..range.end.into() };
        let mut requests: Vec<_> = reading.ranges(&mut Vec::new())?.map(request).collect();
        requests.retain(|request| request.range.end > known);
        merge(&mut requests, by);
        Ok(Ok(requests.into_iter().map(|request| request.range).collect()))
    }
}
