//! Frames and their blocks.

use super::bits::{GUARD, bytes_at, little};
use super::dictionary::Dictionary;
use super::literals::Literals;
use super::output::Output;
use super::sequences::{self, Header, Repeats};
use super::tables::{InUse, Tables};
use super::xxh64::xxh64;
use crate::codec::Corrupt;

pub(super) const MAGIC: u32 = 0xFD2F_B528;
/// The first of sixteen magic numbers of skippable frames.
const SKIPPABLE: u32 = 0x184D_2A50;
/// The maximum size of a block, compressed or not.
pub(super) const MAX_BLOCK_BYTES: usize = 128 << 10;

/// Decodes the frames of `src` until `dst` is full.
pub(super) fn decode(
    own: &mut Tables,
    dictionary: &Dictionary<'_>,
    src: &[u8],
    dst: &mut [u8],
) -> Result<(), Corrupt> {
    let (mut src, mut dst) = (src, dst);
    while !src.is_empty() {
        let magic = u32::from_le_bytes(bytes_at(src, 0)?);
        if magic & !15 == SKIPPABLE {
            let len = usize::try_from(little(src, 4, 4)?).map_err(|_| Corrupt)?;
            src = src.get(8..).and_then(|rest| rest.get(len..)).ok_or(Corrupt)?;
            continue;
        }
        if magic != MAGIC {
            return Err(Corrupt);
        }
        let (read, written) = frame(own, dictionary, src, dst)?;
        src = src.get(read..).ok_or(Corrupt)?;
        dst = dst.get_mut(written..).ok_or(Corrupt)?;
    }
    if dst.is_empty() { Ok(()) } else { Err(Corrupt) }
}

/// A frame header.
struct Head {
    content: Option<u64>,
    checksum: bool,
    /// Start of its blocks.
    end: usize,
}

/// Ignores the size of the window: the output serves as the window.
fn head(src: &[u8], id: u32) -> Result<Head, Corrupt> {
    let flags = *src.get(4).ok_or(Corrupt)?;
    if flags & 8 != 0 {
        return Err(Corrupt);
    }
    let single_segment = flags >> 5 & 1 == 1;
    let at = if single_segment { 5 } else { 6 };
    let id_len = [0, 1, 2, 4][usize::from(flags & 3)];
    let wanted = little(src, at, id_len)?;
    if wanted != 0 && wanted != u64::from(id) {
        return Err(Corrupt);
    }
    let at = at + id_len;
    let (len, more) = [(usize::from(single_segment), 0), (2, 256), (4, 0), (8, 0)][usize::from(flags >> 6)];
    let content = if len == 0 { None } else { Some(little(src, at, len)?.checked_add(more).ok_or(Corrupt)?) };
    Ok(Head { content, checksum: flags & 4 != 0, end: at + len })
}

/// Decodes the frame at the start of `src`. Returns the bytes that it read and wrote.
fn frame(
    own: &mut Tables,
    dictionary: &Dictionary<'_>,
    src: &[u8],
    dst: &mut [u8],
) -> Result<(usize, usize), Corrupt> {
    let Head { content, checksum, end } = head(src, dictionary.id)?;
    let room = match content {
        Some(len) => usize::try_from(len).ok().and_then(|len| dst.get_mut(..len)).ok_or(Corrupt)?,
        None => dst,
    };
    let mut blocks = Blocks {
        tables: InUse::new(own, dictionary.tables),
        repeats: dictionary.repeats,
        dict: dictionary.content,
    };
    let (mut at, mut written) = (end, 0);
    loop {
        let head = little(src, at, 3)? as usize;
        let (kind, len) = (head >> 1 & 3, head >> 3);
        at += 3;
        let (taken, given) = match kind {
            0 => {
                let from = src[at..].get(..len).ok_or(Corrupt)?;
                room[written..].get_mut(..len).ok_or(Corrupt)?.copy_from_slice(from);
                (len, len)
            }
            1 => {
                let byte = *src.get(at).ok_or(Corrupt)?;
                room[written..].get_mut(..len).ok_or(Corrupt)?.fill(byte);
                (1, len)
            }
            2 if len <= MAX_BLOCK_BYTES => {
                let most = (room.len() - written).min(MAX_BLOCK_BYTES);
                // The headers of the frame and of the block come before.
                let src = src.get(at - GUARD..at + len).ok_or(Corrupt)?;
                (len, blocks.decode(src, &mut room[..written + most], written)? - written)
            }
            _ => return Err(Corrupt),
        };
        at += taken;
        written += given;
        if head & 1 == 1 {
            break;
        }
    }
    if content.is_some() && written != room.len() {
        return Err(Corrupt);
    }
    if checksum {
        if u64::from(xxh64(&room[..written]) as u32) != little(src, at, 4)? {
            return Err(Corrupt);
        }
        at += 4;
    }
    Ok((at, written))
}

/// State shared by the compressed blocks of a frame.
struct Blocks<'a> {
    tables: InUse<'a>,
    repeats: Repeats,
    dict: &'a [u8],
}

impl Blocks<'_> {
    /// Decodes the block in `src`, which starts after [`GUARD`] bytes, to `dst[at..]`. Returns the end of the output.
    fn decode(&mut self, src: &[u8], dst: &mut [u8], at: usize) -> Result<usize, Corrupt> {
        let literals = Literals::parse(src, GUARD)?;
        let sequences = Header::parse(src, literals.end)?;
        let end = at + literals.len;
        if sequences.count == 0 {
            literals.decode(src, &mut self.tables, dst.get_mut(at..end).ok_or(Corrupt)?)?;
            return Ok(end);
        }
        let from = dst.len().checked_sub(literals.len).filter(|&from| from >= at).ok_or(Corrupt)?;
        literals.decode(src, &mut self.tables, &mut dst[from..])?;
        let (start, tables) = self.tables.read_sequences(sequences.modes, src, sequences.end)?;
        let mut output = Output { dst, at, literals: from, dict: self.dict };
        sequences::decode(src, start, sequences.count, tables, &mut self.repeats, &mut output)?;
        Ok(output.finish())
    }
}
