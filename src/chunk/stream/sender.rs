//! Samples, encoded as they come, and divided into packets.

use super::packet::{Kind, MAX_PACKET, PACKET_HEADER, PacketHeader};
use crate::base::{
    ArgumentError, Error, Limit, LimitError, Result, move_within, put_at, slice_at, slice_mut_at,
};
use crate::chunk::encode::{CParams, ChunkFormat, EncodeWork, encode_area_len};
use crate::chunk::wire::{EXTENDED_HEADER, WireChunk, flag};
use crate::codec::Encode;
use crate::filter::Pipeline;
use core::fmt;
use core::ops::Range;

/// Blocks between two packets that describe them.
pub const DESCRIBE_EVERY: u16 = 16;

/// The shortest block: its encoded bytes lie where the description does.
const MIN_BLOCK: usize = EXTENDED_HEADER;
/// Lengths of blocks are sent in 2 bytes.
const MAX_BLOCK: usize = u16::MAX as usize;

/// Bytes that an [`Area`](crate::chunk::Area) needs to send blocks of `block` bytes with these `filters`.
///
/// ```
/// use b2nd::{chunk::stream::send_area_len, filter::SHUFFLE};
/// // The block that is filled, the one that is sent, and a buffer for the filter.
/// assert_eq!(send_area_len(512, &[SHUFFLE]), 512 + 544 + 512);
/// ```
#[must_use]
pub const fn send_area_len(block: usize, filters: &[u8]) -> usize {
    2 * block + EXTENDED_HEADER + encode_area_len(block, filters)
}

/// Encodes samples block by block, and divides the blocks into packets for a serial line, a radio, or a file. It needs no
/// allocator. While the packets of a block are sent, the next one is filled.
///
/// ```
/// use b2nd::chunk::stream::{ReceiveParams, Received, Receiver, Sender, send_area_len};
/// use b2nd::chunk::{Area, CParams};
/// use b2nd::codec::{BloscLzTable, Codec};
/// use b2nd::filter::SHUFFLE;
/// // Blocks of 512 bytes, packets of 64.
/// let mut area: Area<{ send_area_len(512, &[SHUFFLE]) }, BloscLzTable<512>> = Area::new(BloscLzTable::new());
/// let cparams = CParams { codec: Codec::BLOSCLZ, typesize: 2, blocksize: 512, ..CParams::default() };
/// let mut sender = Sender::new(7, 64, cparams, area.encode_work())?;
/// let mut radio: Vec<u8> = Vec::new();
/// for n in 0..1000_u16 {
///     sender.push(&n.to_le_bytes())?;
///     while let Some(packet) = sender.packet()? {
///         radio.extend(packet);
///     }
/// }
/// sender.flush();
/// while let Some(packet) = sender.packet()? {
///     radio.extend(packet);
/// }
/// // On the host:
/// let mut receiver = Receiver::new(ReceiveParams::default());
/// receiver.push(&radio);
/// receiver.finish();
/// let mut items = Vec::new();
/// while let Some(Received::Items { plain, .. }) = receiver.next() {
///     items.extend(plain);
/// }
/// assert!(items.chunks(2).zip(0..1000_u16).all(|(item, n)| item == n.to_le_bytes()));
/// assert!(items.len() == 2000 && radio.len() < 2000);
/// # Ok::<(), b2nd::Error>(())
/// ```
pub struct Sender<'a> {
    cparams: CParams,
    stream: u16,
    /// The longest payload.
    most: usize,
    /// The block that is filled, and how far.
    block: &'a mut [u8],
    filled: usize,
    /// Number of its first item.
    item: u32,
    /// The block that is sent, behind the place of a header.
    encoded: &'a mut [u8],
    buffers: &'a mut [u8],
    tables: &'a mut dyn Encode,
    sending: Option<Sending>,
    /// Whether the block is sent although it is not full.
    flushing: bool,
    /// Blocks until the next description.
    undescribed: u16,
}

/// A block or a description of which something is left to send.
struct Sending {
    kind: Kind,
    short: bool,
    item: u32,
    /// Where in the encoded block its bytes begin, and which are left.
    start: usize,
    left: Range<usize>,
}

impl<'a> Sender<'a> {
    /// A sender of blocks of `cparams.blocksize` bytes, in packets of at most `packet_len` bytes. [`send_area_len`] tells the memory. A
    /// stream is what one device sends from its start on, with the same parameters: after a restart it has another number.
    ///
    /// ```
    /// # use b2nd::{chunk::{Area, CParams, stream::{Sender, send_area_len}}, codec::BloscLzTable, filter::SHUFFLE};
    /// # let mut area: Area<{ send_area_len(512, &[SHUFFLE]) }, BloscLzTable<512>> = Area::new(BloscLzTable::new());
    /// # let cparams = CParams { typesize: 2, blocksize: 512, ..CParams::default() };
    /// let sender = Sender::new(7, 64, cparams, area.encode_work())?;
    /// assert_eq!(sender.unsent(), 0);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for blocks that are no whole items, or shorter than 32 bytes, or longer than 65535; for items of more than 255
    /// bytes; for packets without room for a payload, or longer than 2048 bytes; and for chunks of Blosc1. Errors of [`CParams::encode_into`]: if this returns a sender, no block fails.
    pub fn new(stream: u16, packet_len: usize, cparams: CParams, work: EncodeWork<'a>) -> Result<Self> {
        let block = cparams.blocksize as usize;
        let wrong = |name, value: usize| Err(ArgumentError::Parameter { name, value: value as i64 }.into());
        if !(MIN_BLOCK..=MAX_BLOCK).contains(&block)
            || !block.is_multiple_of(cparams.typesize.max(1) as usize)
        {
            return wrong("blocksize", block);
        }
        // Chunks have one byte for it.
        if cparams.typesize > u32::from(u8::MAX) {
            return wrong("typesize", cparams.typesize as usize);
        }
        if !(PACKET_HEADER + 1..=MAX_PACKET).contains(&packet_len) {
            return wrong("packet length", packet_len);
        }
        if cparams.format == ChunkFormat::Blosc1 {
            return wrong("chunk format", 1);
        }
        let (bytes, tables) = work.into_parts();
        let (own, allowed) = (2 * block + EXTENDED_HEADER, bytes.len());
        let Some((own, buffers)) = bytes.split_at_mut_checked(own) else {
            let (wanted, allowed) = (own as u64, allowed as u64);
            return Err(Error::from(LimitError { limit: Limit::Memory, wanted, allowed }));
        };
        EncodeWork::of_parts(buffers, tables).check(&cparams, block)?;
        let (block, encoded) = own.split_at_mut(block);
        Ok(Self {
            cparams,
            stream,
            most: packet_len - PACKET_HEADER,
            block,
            filled: 0,
            item: 0,
            encoded,
            buffers,
            tables,
            sending: None,
            flushing: false,
            undescribed: 0,
        })
    }

    /// Takes samples, of any number of bytes, and returns how many it took: fewer if a block is complete before the last one was
    /// sent. Then [`packet`](Self::packet) comes first.
    ///
    /// ```
    /// # use b2nd::{chunk::{Area, CParams, stream::{Sender, send_area_len}}, codec::BloscLzTable, filter::SHUFFLE};
    /// # let mut area: Area<{ send_area_len(512, &[SHUFFLE]) }, BloscLzTable<512>> = Area::new(BloscLzTable::new());
    /// # let cparams = CParams { typesize: 2, blocksize: 512, ..CParams::default() };
    /// # let mut sender = Sender::new(7, 64, cparams, area.encode_work())?;
    /// assert_eq!(sender.push(&[0; 100])?, 100);
    /// // The block is full, and its packets come first.
    /// assert_eq!(sender.push(&[0; 4096])?, 412);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`CParams::encode_into`].
    pub fn push(&mut self, samples: &[u8]) -> Result<usize> {
        let mut taken = 0;
        while taken < samples.len() {
            self.prepare()?;
            let room = if self.flushing { 0 } else { self.block.len() - self.filled };
            if room == 0 {
                break;
            }
            let len = room.min(samples.len() - taken);
            put_at(self.block, self.filled, slice_at(samples, taken, len)?)?;
            self.filled += len;
            taken += len;
        }
        Ok(taken)
    }

    /// Lets the next packets have all whole items, although they fill no block, and tell how many items there are, so that the
    /// receiver notices if the last ones are lost. Until then no samples are taken.
    ///
    /// ```
    /// # use b2nd::{chunk::{Area, CParams, stream::{Sender, send_area_len}}, codec::BloscLzTable, filter::SHUFFLE};
    /// # let mut area: Area<{ send_area_len(512, &[SHUFFLE]) }, BloscLzTable<512>> = Area::new(BloscLzTable::new());
    /// # let cparams = CParams { typesize: 2, blocksize: 512, ..CParams::default() };
    /// # let mut sender = Sender::new(7, 64, cparams, area.encode_work())?;
    /// sender.push(&[0; 100])?;
    /// assert_eq!(sender.packet()?, None);
    /// sender.flush();
    /// assert!(sender.packet()?.is_some());
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub const fn flush(&mut self) {
        self.flushing = true;
    }

    /// Items that were taken and are in no packet yet, the part of one not counted.
    ///
    /// ```
    /// # use b2nd::{chunk::{Area, CParams, stream::{Sender, send_area_len}}, codec::BloscLzTable, filter::SHUFFLE};
    /// # let mut area: Area<{ send_area_len(512, &[SHUFFLE]) }, BloscLzTable<512>> = Area::new(BloscLzTable::new());
    /// # let cparams = CParams { typesize: 2, blocksize: 512, ..CParams::default() };
    /// # let mut sender = Sender::new(7, 64, cparams, area.encode_work())?;
    /// sender.push(&[0; 101])?;
    /// assert_eq!(sender.unsent(), 50);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    #[must_use]
    pub const fn unsent(&self) -> usize {
        match self.filled.checked_div(self.cparams.typesize as usize) {
            Some(items) => items,
            None => 0,
        }
    }

    /// The next packet, or `None` until there is another block.
    ///
    /// ```
    /// # use b2nd::{chunk::{Area, CParams, stream::{Sender, send_area_len}}, codec::BloscLzTable, filter::SHUFFLE};
    /// # let mut area: Area<{ send_area_len(512, &[SHUFFLE]) }, BloscLzTable<512>> = Area::new(BloscLzTable::new());
    /// # let cparams = CParams { typesize: 2, blocksize: 512, ..CParams::default() };
    /// # let mut sender = Sender::new(7, 64, cparams, area.encode_work())?;
    /// sender.push(&[0; 512])?;
    /// // A description, and a block of zeros.
    /// assert_eq!(sender.packet()?.map(<[u8]>::len), Some(16 + 32));
    /// assert_eq!(sender.packet()?.map(<[u8]>::len), Some(16));
    /// assert_eq!(sender.packet()?, None);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`CParams::encode_into`].
    pub fn packet(&mut self) -> Result<Option<&[u8]>> {
        self.prepare()?;
        let Some(sending) = &mut self.sending else { return Ok(None) };
        let len = self.most.min(sending.left.len());
        let at = sending.left.start;
        sending.left.start += len;
        let header = PacketHeader {
            kind: sending.kind,
            short: sending.short,
            last: sending.left.is_empty(),
            stream: self.stream,
            item: sending.item,
            offset: (at - sending.start) as u16,
        };
        if header.last {
            self.sending = None;
        }
        // The header takes the place of bytes that were sent, or of the chunk's header.
        let packet = slice_mut_at(self.encoded, at - PACKET_HEADER, PACKET_HEADER + len)?;
        header.emit(packet)?;
        Ok(Some(packet))
    }

    /// Gets ready what is sent next, unless something is being sent.
    fn prepare(&mut self) -> Result<()> {
        if self.sending.is_some() {
            return Ok(());
        }
        let full = self.filled == self.block.len();
        let items = self.unsent() * self.cparams.typesize as usize;
        if full || self.flushing && items > 0 {
            match self.undescribed {
                0 => self.describe()?,
                _ => self.encode(items)?,
            }
        } else if self.flushing {
            self.flushing = false;
            self.send((Kind::Count, false), EXTENDED_HEADER..EXTENDED_HEADER);
        }
        Ok(())
    }

    fn send(&mut self, (kind, short): (Kind, bool), left: Range<usize>) {
        self.sending = Some(Sending { kind, short, item: self.item, start: left.start, left });
    }

    /// Sends the header of all blocks, and their shape.
    fn describe(&mut self) -> Result<()> {
        let mut end = PACKET_HEADER + EXTENDED_HEADER;
        put_at(self.encoded, PACKET_HEADER, &self.cparams.description(self.block.len()))?;
        for len in self.cparams.blockshape() {
            put_at(self.encoded, end, &len.to_le_bytes())?;
            end += 4;
        }
        self.undescribed = DESCRIBE_EVERY;
        self.send((Kind::Description, false), PACKET_HEADER..end);
        Ok(())
    }

    /// Encodes so many bytes of the block, and begins the next one.
    fn encode(&mut self, len: usize) -> Result<()> {
        let mut work = EncodeWork::of_parts(&mut *self.buffers, &mut *self.tables);
        let short = len < self.block.len();
        // Filters that need the shape of a block cannot be applied to a part of it.
        let copies = short && !self.cparams.blockshape().is_empty();
        let plain =
            copies.then(|| CParams { clevel: 0, filters: Pipeline::default(), ..self.cparams.clone() });
        let cparams = plain.as_ref().unwrap_or(&self.cparams);
        let cbytes = cparams.encode_given_into(slice_at(self.block, 0, len)?, self.encoded, &mut work)?;
        let kind = Kind::of(&WireChunk::parse(self.encoded)?);
        let table = if matches!(kind, Kind::Split | Kind::Whole) { 4 } else { 0 };
        let mut start = EXTENDED_HEADER + table;
        if short {
            start -= 2;
            put_at(self.encoded, start, &(len as u16).to_le_bytes())?;
        }
        self.send((kind, short), start..cbytes);
        self.undescribed -= 1;
        self.item = self.item.wrapping_add(self.unsent() as u32);
        move_within(self.block, len, 0, self.filled - len)?;
        self.filled -= len;
        Ok(())
    }
}

impl Kind {
    /// Of a chunk of one block.
    const fn of(header: &WireChunk) -> Self {
        match header.blosc2_flags >> 4 & 7 {
            1 => Self::Zeros,
            2 => Self::Nan,
            3 => Self::Repeat,
            _ if header.flags & flag::MEMCPYED != 0 => Self::Copied,
            _ if header.flags & flag::DONT_SPLIT != 0 => Self::Whole,
            _ => Self::Split,
        }
    }
}

impl fmt::Debug for Sender<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender")
            .field("stream", &self.stream)
            .field("item", &self.item)
            .finish_non_exhaustive()
    }
}
