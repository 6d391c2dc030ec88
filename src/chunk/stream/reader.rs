//! A chunk whose bytes arrive in pieces.

use crate::base::{ArgumentError, Limit, LimitError, Result, Unsupported};
use crate::chunk::area::AreaWork;
use crate::chunk::block::Context;
use crate::chunk::blocks::Blocks;
use crate::chunk::head::Head;
use crate::chunk::header::{Body, Header};
use crate::chunk::wire::{EXTENDED_HEADER, MIN_HEADER};
use core::ops::Range;

/// A block, decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainBlock<'a> {
    /// Where in the plain chunk it begins, in bytes.
    pub start: usize,
    /// Its bytes.
    pub plain: &'a [u8],
}

/// Bytes of the buffer of a [`BlockReader`], for chunks of `nblocks` blocks of `block` bytes with items of `typesize` bytes.
/// Dictionaries take more.
///
/// ```
/// use b2nd::chunk::stream::read_len;
/// // Eight blocks of 1 KiB with items of 4 bytes.
/// assert_eq!(read_len(1024, 4, 8), 32 + 8 * 4 + 1024 + 4 * 4);
/// ```
#[must_use]
pub const fn read_len(block: usize, typesize: usize, nblocks: usize) -> usize {
    // A block has a length for each of its streams, which are as long as the plain ones at most.
    EXTENDED_HEADER + 4 * nblocks + block + 4 * typesize
}

/// Decodes a chunk whose bytes arrive in pieces of any length: each block as soon as its last byte is there. It needs no
/// allocator.
///
/// Blocks come in the order of their bytes, which is theirs unless several threads wrote them.
///
/// ```
/// use b2nd::chunk::stream::{BlockReader, read_len};
/// use b2nd::chunk::{Area, CParams, ChunkEncoder, area_len};
/// use b2nd::{codec::Codec, filter::SHUFFLE};
/// // Eight blocks of 1 KiB.
/// let plain: Vec<u8> = (0..4096_u16).flat_map(u16::to_le_bytes).collect();
/// let cparams = CParams { codec: Codec::BLOSCLZ, typesize: 2, blocksize: 1024, ..CParams::default() };
/// let chunk = ChunkEncoder::new(cparams).encode(&plain)?;
///
/// let mut buffer = [0; read_len(1024, 2, 8)];
/// let mut area: Area<{ area_len(1024, &[SHUFFLE], 0) }> = Area::new(());
/// let mut reader = BlockReader::new(&mut buffer, area.work());
/// let mut decoded = vec![0; plain.len()];
/// for mut piece in chunk.chunks(20) {
///     while let Some(block) = reader.read(&mut piece)? {
///         decoded[block.start..][..block.plain.len()].copy_from_slice(block.plain);
///     }
/// }
/// assert!(reader.is_done() && decoded == plain);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug)]
pub struct BlockReader<'b> {
    /// The head, the dictionary, and the block whose bytes arrive.
    buffer: &'b mut [u8],
    work: AreaWork<'b>,
    context: Context<'b>,
    /// Bytes of the chunk that were taken.
    taken: u32,
    /// Bytes of the head, once it is there, and of the dictionary.
    head: usize,
    dict: usize,
    next: Option<NextBlock>,
    /// The start and the number of the block before.
    before: Option<(u32, u32)>,
    /// Bytes of the plain first block, if others refer to it and the memory has it.
    first: Option<usize>,
    done: bool,
}

/// A block whose bytes arrive.
#[derive(Debug, Clone)]
struct NextBlock {
    number: u32,
    bytes: Range<u32>,
}

impl<'b> BlockReader<'b> {
    /// A reader of one chunk. [`read_len`] tells the length of the buffer, [`area_len`](crate::chunk::area_len) that of the memory,
    /// without an index.
    ///
    /// ```
    /// use b2nd::chunk::{Area, stream::BlockReader};
    /// let (mut buffer, mut area) = ([0; 256], Area::<128>::new(()));
    /// let mut reader = BlockReader::new(&mut buffer, area.work());
    /// // Eight copied bytes: a Blosc1 header, then the data.
    /// let mut bytes = &[2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8][..];
    /// assert_eq!(reader.read(&mut bytes)?.unwrap().plain, [1, 2, 3, 4, 5, 6, 7, 8]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub const fn new(buffer: &'b mut [u8], work: AreaWork<'b>) -> Self {
        let context = Context { itemsize: 0, blockshape: &[], early_bitshuffle: false };
        Self {
            buffer,
            work,
            context,
            taken: 0,
            head: 0,
            dict: 0,
            next: None,
            before: None,
            first: None,
            done: false,
        }
    }

    /// The reader, for a chunk of a super-chunk.
    ///
    /// ```
    /// use b2nd::chunk::{Area, Context, stream::BlockReader};
    /// # let (mut buffer, mut area) = ([0; 256], Area::<128>::new(()));
    /// let context = Context { blockshape: &[8, 16], ..Context::default() };
    /// let reader = BlockReader::new(&mut buffer, area.work()).with_context(context);
    /// ```
    #[must_use]
    pub const fn with_context(mut self, context: Context<'b>) -> Self {
        self.context = context;
        self
    }

    /// Whether the whole chunk was taken. The bytes that follow belong to others.
    ///
    /// ```
    /// # use b2nd::chunk::{Area, stream::BlockReader};
    /// # let (mut buffer, mut area) = ([0; 256], Area::<128>::new(()));
    /// let mut reader = BlockReader::new(&mut buffer, area.work());
    /// # let chunk = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    /// let mut bytes = &chunk[..];
    /// while reader.read(&mut bytes)?.is_some() {}
    /// assert!(reader.is_done());
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.done
    }

    /// The chunk's header, once its head is there.
    ///
    /// ```
    /// # use b2nd::chunk::{Area, stream::BlockReader};
    /// # let (mut buffer, mut area) = ([0; 256], Area::<128>::new(()));
    /// let mut reader = BlockReader::new(&mut buffer, area.work());
    /// # let chunk = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    /// assert_eq!(reader.header()?, None);
    /// reader.read(&mut &chunk[..20])?;
    /// assert_eq!(reader.header()?.map(|header| header.nbytes), Some(8));
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Format` and `Unsupported` for what it says.
    pub fn header(&self) -> Result<Option<Header>> {
        if self.head == 0 { Ok(None) } else { Header::parse(&self.buffer[..self.head]).map(Some) }
    }

    /// Takes bytes up to the end of the next block, and returns it. Returns `None` once it has taken all bytes, or the chunk
    /// [is done](Self::is_done). Takes time for each block in the table, for each block; chunks in memory are decoded faster.
    ///
    /// ```
    /// # use b2nd::chunk::{Area, stream::BlockReader};
    /// # let (mut buffer, mut area) = ([0; 256], Area::<128>::new(()));
    /// let mut reader = BlockReader::new(&mut buffer, area.work());
    /// # let chunk = [2, 1, 2, 1, 8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    /// assert_eq!(reader.read(&mut &chunk[..20])?, None);
    /// assert_eq!(reader.read(&mut &chunk[20..])?.map(|block| block.plain[0]), Some(1));
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Format` and `Unsupported` for the data, also for blocks of variable length; `Limit` if the buffer or the memory is too small;
    /// `Argument` if blocks refer to the first one, and another comes before it. After an error the reader is of no further use.
    pub fn read(&mut self, bytes: &mut &[u8]) -> Result<Option<PlainBlock<'_>>> {
        if self.done || !self.take_head(bytes)? || !self.find_next(bytes)? {
            return Ok(None);
        }
        let Some(next) = &self.next else { return Ok(None) };
        let place = self.head + self.dict;
        if !take(&next.bytes, &mut self.taken, &mut self.buffer[place..], bytes)? {
            return Ok(None);
        }
        let NextBlock { number, bytes: Range { start, end } } = next.clone();
        (self.next, self.before) = (None, Some((start, number)));
        self.decode(number, (end - start) as usize).map(Some)
    }

    /// Takes the bytes of the head. False if some are missing.
    fn take_head(&mut self, bytes: &mut &[u8]) -> Result<bool> {
        while self.head == 0 {
            let needed = match &self.buffer[..self.taken as usize] {
                short if short.len() < MIN_HEADER => MIN_HEADER as u64,
                head => Head::needed(head)?,
            };
            let needed = u32::try_from(needed).unwrap_or(u32::MAX);
            if !take(&(0..needed), &mut self.taken, self.buffer, bytes)? {
                return Ok(false);
            }
            // The header of 16 bytes tells whether there are more.
            if Head::needed(&self.buffer[..needed as usize])? == u64::from(needed) {
                self.head = needed as usize;
            }
        }
        Ok(true)
    }

    /// Finds the block that comes next, and takes the bytes of the dictionary. False if some are missing, or if there is none.
    fn find_next(&mut self, bytes: &mut &[u8]) -> Result<bool> {
        if self.next.is_some() {
            return Ok(true);
        }
        let (head, rest) = self.buffer.split_at_mut(self.head);
        let head = cut(Head::parse(head)?, rest.len(), self.work.len())?;
        let dict = head.starts().dict().unwrap_or(0..0);
        self.dict = dict.len();
        if !take(&dict, &mut self.taken, rest, bytes)? {
            return Ok(false);
        }
        self.next = following(&head, self.before)?;
        if self.next.is_none() {
            let end = head.header().cbytes;
            self.done = take(&(end..end), &mut self.taken, rest, bytes)?;
        }
        Ok(self.next.is_some())
    }

    /// Decodes a block whose `len` bytes are there.
    fn decode(&mut self, number: u32, len: usize) -> Result<PlainBlock<'_>> {
        let (head, rest) = self.buffer.split_at_mut(self.head);
        let head = cut(Head::parse(head)?, rest.len(), self.work.len())?;
        let (dict, bytes) = rest.split_at(self.dict);
        let bytes = &bytes[..len];
        let start = head.plain_range(number).start;
        if head.header().body == Body::Memcpyed {
            return Ok(PlainBlock { start, plain: bytes });
        }
        let mut blocks = Blocks::new(&head, dict, self.context, self.first, &mut self.work)?;
        if blocks.needs_first() {
            if number > 0 {
                return Err(ArgumentError::FirstBlock.into());
            }
            blocks.give_first(bytes)?;
            self.first = blocks.first();
        }
        Ok(PlainBlock { start, plain: blocks.into_plain(number, bytes)? })
    }
}

/// Takes bytes of a chunk up to the end of a range, of which some may have been taken, and skips those before it. False if some
/// are missing.
fn take(range: &Range<u32>, taken: &mut u32, buffer: &mut [u8], bytes: &mut &[u8]) -> Result<bool> {
    let (wanted, allowed) = (range.len() as u64, buffer.len() as u64);
    if wanted > allowed {
        return Err(LimitError { limit: Limit::Memory, wanted, allowed }.into());
    }
    skip(range.start, taken, bytes);
    let at = taken.saturating_sub(range.start) as usize;
    let part = skip(range.end, taken, bytes);
    if !part.is_empty() {
        buffer[at..at + part.len()].copy_from_slice(part);
    }
    Ok(*taken >= range.end)
}

/// Takes bytes up to a place in the chunk.
fn skip<'i>(to: u32, taken: &mut u32, bytes: &mut &'i [u8]) -> &'i [u8] {
    let len = (to.saturating_sub(*taken) as usize).min(bytes.len());
    let (now, later) = bytes.split_at(len);
    *bytes = later;
    *taken += len as u32;
    now
}

/// Cuts a chunk without compressed blocks so that its blocks fit.
fn cut<'h>(head: Head<'h>, buffer: usize, memory: usize) -> Result<Head<'h>> {
    let Header { body, blocksize, typesize, .. } = *head.header();
    let room = match body {
        Body::Blocks => return Ok(head),
        Body::VlBlocks => return Err(Unsupported::VariableBlocks.into()),
        Body::Memcpyed => buffer,
        Body::Special(_) => memory,
    };
    let items = room / usize::from(typesize) * usize::from(typesize);
    Ok(head.cut_into(blocksize.min(u32::try_from(items).unwrap_or(u32::MAX))))
}

/// The block whose bytes follow those of the block `before`; of several that begin there, that with the next number.
fn following(head: &Head<'_>, before: Option<(u32, u32)>) -> Result<Option<NextBlock>> {
    let mut next: Option<(u32, u32)> = None;
    for number in 0..head.header().nblocks {
        let place = (head.start(number)?, number);
        if before.is_none_or(|before| before < place) && next.is_none_or(|next| place < next) {
            next = Some(place);
        }
    }
    let Some((_, number)) = next else { return Ok(None) };
    Ok(Some(NextBlock { number, bytes: head.starts().block(number)? }))
}
