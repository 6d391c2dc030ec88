//! Packets as they are sent (docs/embedded.md, "Packets").

use crate::base::{Crc, Error, Result};

/// Bytes of a packet before its payload.
pub const PACKET_HEADER: usize = 16;

/// Bytes of the longest packet. Bytes that look like the start of one hold up no more than these.
pub const MAX_PACKET: usize = 2048;

/// The first byte.
const MAGIC: u8 = 0xB2;
/// The three highest bits of the second byte: the version.
const VERSION: u8 = 0b010 << 5;
const VERSION_BITS: u8 = 0b111 << 5;
const SHORT: u8 = 1 << 4;
const LAST: u8 = 1 << 3;
const KIND_BITS: u8 = 0b111;
/// Where the checksum is.
const CHECKED: usize = 12;

/// The content of which a packet carries a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The header that all blocks share.
    Description,
    /// A block that is split into streams for the bytes of its items.
    Split,
    /// A block of one stream.
    Whole,
    /// A block that is copied.
    Copied,
    Zeros,
    Nan,
    /// A block that repeats an item.
    Repeat,
    /// No block: so many items were sent.
    Count,
}

impl Kind {
    /// By their numbers.
    const ALL: [Self; 8] = [
        Self::Description,
        Self::Split,
        Self::Whole,
        Self::Copied,
        Self::Zeros,
        Self::Nan,
        Self::Repeat,
        Self::Count,
    ];
}

/// The fields of a packet, apart from its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PacketHeader {
    pub(super) kind: Kind,
    /// Whether the block is shorter than others: its bytes begin with its plain length, in 2 bytes.
    pub(super) short: bool,
    /// Whether no part follows.
    pub(super) last: bool,
    pub(super) stream: u16,
    /// Number of the block's first item, modulo 2³².
    pub(super) item: u32,
    /// Where in the block's bytes the payload begins.
    pub(super) offset: u16,
}

impl PacketHeader {
    /// Writes the header to the start of a packet whose payload is there.
    ///
    /// # Errors
    /// `Format` (truncated) without room for the header.
    pub(super) fn emit(&self, packet: &mut [u8]) -> Result<()> {
        let Some((head, payload)) = packet.split_first_chunk_mut::<PACKET_HEADER>() else {
            return Err(Error::truncated(0, PACKET_HEADER, packet.len()));
        };
        let len = payload.len() as u16;
        let flags = if self.short { SHORT } else { 0 } | if self.last { LAST } else { 0 };
        head[0] = MAGIC;
        head[1] = VERSION | flags | self.kind as u8;
        head[2..4].copy_from_slice(&self.stream.to_le_bytes());
        head[4..8].copy_from_slice(&self.item.to_le_bytes());
        head[8..10].copy_from_slice(&self.offset.to_le_bytes());
        head[10..CHECKED].copy_from_slice(&len.to_le_bytes());
        let crc = checksum(head, payload);
        head[CHECKED..].copy_from_slice(&crc);
        Ok(())
    }

    fn parse(head: &[u8; PACKET_HEADER]) -> Self {
        Self {
            kind: Kind::ALL[usize::from(head[1] & KIND_BITS)],
            short: head[1] & SHORT != 0,
            last: head[1] & LAST != 0,
            stream: u16::from_le_bytes([head[2], head[3]]),
            item: u32::from_le_bytes([head[4], head[5], head[6], head[7]]),
            offset: u16::from_le_bytes([head[8], head[9]]),
        }
    }
}

/// The checksum of a packet.
fn checksum(head: &[u8; PACKET_HEADER], payload: &[u8]) -> [u8; 4] {
    Crc::new().with(&head[..CHECKED]).with(payload).get().to_le_bytes()
}

/// The start of some bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found<'a> {
    Packet(PacketHeader, &'a [u8]),
    /// Perhaps a packet, of which bytes are missing.
    Incomplete,
    /// Bytes that look like a packet, but have another checksum.
    Damaged,
    /// No packet.
    Other,
}

/// Looks for a packet at the start of `bytes`.
pub(super) fn find(bytes: &[u8]) -> Found<'_> {
    let looks = bytes.first().is_none_or(|&byte| byte == MAGIC)
        && bytes.get(1).is_none_or(|&byte| byte & VERSION_BITS == VERSION);
    if !looks {
        return Found::Other;
    }
    let Some(head) = bytes.first_chunk::<PACKET_HEADER>() else { return Found::Incomplete };
    let len = PACKET_HEADER + usize::from(u16::from_le_bytes([head[10], head[11]]));
    match bytes.get(PACKET_HEADER..len) {
        _ if len > MAX_PACKET => Found::Other,
        None => Found::Incomplete,
        Some(payload) if checksum(head, payload) != head[CHECKED..] => Found::Damaged,
        Some(payload) => Found::Packet(PacketHeader::parse(head), payload),
    }
}
