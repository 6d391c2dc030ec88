//! Reading of one chunk of a plan.

use super::scatter::Scatter;
use crate::base::{Result, buffer_len};
use crate::chunk::{Body, Context, DecodeMemory, Head, Header, PIECE, Progress, Scratch, Spans};
use crate::frame;
use crate::plan::{ChunkTask, Plan};
use alloc::vec::Vec;
use core::ops::Range;

/// Reads one chunk of a plan, for callers who keep its bytes themselves: which of them it takes, and decoding these.
///
/// 1. [`open`](Self::open) takes the chunk's first bytes, or says that it takes more of them.
/// 2. [`ranges`](Self::ranges) tells which bytes to bring.
/// 3. [`decode`](Self::decode) takes them, in whatever pieces they lie.
///
/// ```
/// use b2nd::{DParams, Reader, Scratch, Selection};
/// use b2nd::reading::ChunkReading;
/// use b2nd::frame::Location;
/// # let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
/// let reader = Reader::open(&file[..], DParams::default())?;
/// let plan = reader.plan(&"3, ::2".parse::<Selection>()?)?;
/// let mut out = vec![0; plan.nbytes()];
/// for task in plan.chunks() {
///     let Location::Stored { offset, .. } = reader.index()?.locate(task.nchunk())? else { continue };
///     let chunk = &file[offset as usize..];
///     let reading = ChunkReading::open(&plan, &task, reader.context(), chunk)?.expect("the chunk is all there");
///     let mut bytes = 0;
///     for range in reading.ranges(&mut Vec::new())? {
///         bytes += range.len();
///     }
///     assert!(bytes < reading.header().cbytes as usize);
///     reading.decode(&mut |range| Ok(&chunk[range.start as usize..range.end as usize]), &mut Vec::new(), &mut Scratch::default(), &mut out)?;
/// }
/// assert_eq!(out, reader.get(&"3, ::2".parse::<Selection>()?)?);
/// # Ok::<(), b2nd::source::ReadError<core::convert::Infallible>>(())
/// ```
#[derive(Debug)]
pub struct ChunkReading<'a> {
    plan: &'a Plan,
    task: &'a ChunkTask,
    context: Context<'a>,
    head: Head<'a>,
}

impl<'a> ChunkReading<'a> {
    /// Reads the head at the start of `bytes`; `Err` of how many bytes that takes if there are fewer.
    ///
    /// # Errors
    /// `Format` and `Unsupported` for what the header says.
    pub fn open(
        plan: &'a Plan,
        task: &'a ChunkTask,
        context: Context<'a>,
        bytes: &'a [u8],
    ) -> Result<Result<Self, u64>> {
        let needed = Head::needed(bytes)?;
        if needed > bytes.len() as u64 {
            return Ok(Err(needed));
        }
        Self::of_head(plan, task, context, Head::parse(bytes)?).map(Ok)
    }

    /// Starts reading a chunk that is stored nowhere, as [`frame::Header::special_chunk`] describes it.
    ///
    /// # Errors
    /// `Format` if it is not as long as the plan says.
    pub fn of_special(
        plan: &'a Plan,
        task: &'a ChunkTask,
        context: Context<'a>,
        header: Header,
    ) -> Result<Self> {
        Self::of_head(plan, task, context, Head::of_special(header))
    }

    pub(super) fn of_head(
        plan: &'a Plan,
        task: &'a ChunkTask,
        context: Context<'a>,
        head: Head<'a>,
    ) -> Result<Self> {
        head.header().check_nbytes(task.nbytes())?;
        Ok(Self { plan, task, context, head: head.cut_into(PIECE.min(plan.tile_nbytes() as u32)) })
    }

    /// Bytes of a block, as far as the frame tells. Where each chunk decides, the array's blocks are the best guess.
    pub fn expected_blocksize(header: &frame::Header, plan: &Plan) -> u32 {
        if header.blocksize > 0 { header.blocksize } else { plan.tile_nbytes() as u32 }
    }

    /// How long the head of a chunk is, if the frame is right about the size of blocks. At least as many bytes are worth
    /// being asked for at first.
    pub fn expected_head(header: &frame::Header, plan: &Plan, task: &ChunkTask) -> u64 {
        Head::expected_len(task.nbytes(), Self::expected_blocksize(header, plan).into())
    }

    /// Whether a chunk is read whole at once and not its head first, since it is short or nearly all of its blocks are wanted.
    /// `extent` are its bytes with those up to the next chunk, where that is known.
    pub fn is_read_whole(extent: Option<u64>, head: u64, wanted: u64, blocks: u64) -> bool {
        /// A chunk that is no longer is read whole.
        const SHORT_BYTES: u64 = 64 << 10;
        wanted * 20 >= blocks * 19 || extent.is_some_and(|extent| extent <= SHORT_BYTES || head >= extent)
    }

    pub(super) const fn head(&self) -> &Head<'a> {
        &self.head
    }

    /// The chunk's header.
    pub const fn header(&self) -> &Header {
        self.head.header()
    }

    /// Which bytes of the chunk it takes, counted from its start: its head, a dictionary and the first block where others
    /// refer to these, then blocks in their order. `starts` is memory to reuse, here and below.
    ///
    /// # Errors
    /// `Format` if the table of block starts points outside of the chunk.
    pub fn ranges(&self, starts: &mut Vec<u32>) -> Result<impl Iterator<Item = Range<u32>>> {
        let mut ranges = Vec::new();
        ranges.push(0..self.header().table_end() as u32);
        self.ranges_from(&mut 0, &Progress::default(), &self.head.spans(starts), |range| {
            ranges.push(range);
            true
        })?;
        Ok(ranges.into_iter())
    }

    /// Ranges of the blocks from `next` on until `each` has had enough; then `next` is the block to go on with.
    pub(super) fn ranges_from(
        &self,
        next: &mut u32,
        progress: &Progress,
        spans: &Spans<'_, '_>,
        mut each: impl FnMut(Range<u32>) -> bool,
    ) -> Result<()> {
        let mut blocks = self.blocks(*next).peekable();
        if blocks.peek().is_some() {
            spans.shared(progress.has_first())?.for_each(|range| _ = each(range));
        }
        while let Some(nblock) = blocks.next() {
            if !each(spans.block(nblock)?)
                && let Some(&other) = blocks.peek()
            {
                *next = other;
                return Ok(());
            }
        }
        *next = u32::MAX;
        Ok(())
    }

    /// The blocks that are wanted, from `first` on: all of those that vary in length, which have no places of their own.
    fn blocks(&self, first: u32) -> impl Iterator<Item = u32> {
        let Header { body, nblocks, blocksize, .. } = *self.header();
        let variable = body == Body::VlBlocks;
        let every = first..if variable { nblocks } else { 0 };
        let touched = (!variable).then(|| self.plan.blocks_from(self.task, blocksize, first));
        every.chain(touched.into_iter().flatten())
    }

    /// Decodes what the plan wants of the chunk to its places in `out`, the result of the whole plan. `get` has bytes of the
    /// chunk; its error, where it has not, ends the call.
    ///
    /// # Errors
    /// Errors of `get`; `Argument` if `out` has not [`Plan::nbytes`]; `Format`, `Unsupported` and `Limit` for the data.
    pub fn decode<'d>(
        &self,
        get: &mut dyn FnMut(Range<u32>) -> Result<&'d [u8]>,
        starts: &mut Vec<u32>,
        scratch: &mut Scratch,
        out: &mut [u8],
    ) -> Result<()> {
        buffer_len(self.plan.nbytes(), out)?;
        let mut progress = Progress::default();
        let spans = self.head.spans(starts);
        self.decode_some(0..u32::MAX, &spans, get, &mut progress, scratch, out)
    }

    /// Decodes some of the blocks. After the last ones it is seen whether all make up the chunk.
    pub(super) fn decode_some<'d>(
        &self,
        some: Range<u32>,
        spans: &Spans<'_, '_>,
        get: &mut dyn FnMut(Range<u32>) -> Result<&'d [u8]>,
        progress: &mut Progress,
        memory: &mut dyn DecodeMemory,
        out: &mut [u8],
    ) -> Result<()> {
        let mut blocks = self.blocks(some.start).take_while(|nblock| *nblock < some.end);
        let mut sink = Scatter { plan: self.plan, task: self.task, out };
        self.head.read((spans, self.context), &mut blocks, get, progress, &mut sink, memory)?;
        if some.end == u32::MAX { progress.check(self.header()) } else { Ok(()) }
    }
}
