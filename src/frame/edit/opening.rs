//! Opening of existing frames for changes.

use super::super::Header;
use super::super::index::ChunkIndex;
use super::super::trailer::{WireContent, WireTrailer};
use super::super::wire::WireHeader;
use super::space::{Files, Space};
use super::{Committed, Entry, FrameEditor};
use crate::base::{Error, Limits, Result, Unsupported, saturating_times};
use crate::frame::WireEntry;
use alloc::vec::Vec;

impl FrameEditor {
    /// Creates an editor for the frame with the header `bytes`, this index and this trailer. `sizes` are the uncompressed sizes
    /// of its chunks, as runs of (number of chunks, bytes per chunk).
    ///
    /// # Errors
    /// `Unsupported` for frames of beta releases and for single chunks, which can be copied but not changed; `Format` for a
    /// damaged index; `Limit` if the index needs more memory than allowed.
    pub fn open(
        bytes: &[u8],
        index: &ChunkIndex,
        trailer: WireTrailer,
        sizes: impl Iterator<Item = (u64, u32)>,
        limits: &Limits,
    ) -> Result<Self> {
        let header = Header::parse(bytes, limits)?;
        if header.version < 2 || header.is_beta() {
            return Err(Unsupported::FrameVersion(header.version).into());
        }
        let wire = WireHeader::parse(bytes)?;
        let header_len = header.header_len;
        let vlmetalayers = match trailer.content {
            WireContent::Metalayers(metalayers) => metalayers,
            WireContent::Usermeta(_) => Vec::new(),
        };
        let chunks = entries(index, sizes, header_len, limits)?;
        let files = chunks.iter().filter(|entry| header.sparse && entry.wire.special().is_none());
        let files = Files::without(files.map(|entry| entry.wire.0 as u32).collect());
        let end = header.index_start()..header.frame_len;
        Ok(Self {
            header: wire,
            metalayers: header.metalayers,
            vlmetalayers,
            chunks,
            header_len,
            space: Space::after(header.frame_len),
            committed: Some(Committed { header: bytes[..header_len as usize].to_vec(), end }),
            released: Vec::new(),
            removed: Vec::new(),
            files,
            steps: Vec::new(),
        })
    }
}

fn entries(
    index: &ChunkIndex,
    sizes: impl Iterator<Item = (u64, u32)>,
    header_len: u32,
    limits: &Limits,
) -> Result<Vec<Entry>> {
    limits.allow_memory(saturating_times(index.nchunks(), size_of::<Entry>() as u64))?;
    let mut sizes = sizes.flat_map(|(count, nbytes)| (0..count).map(move |_| nbytes));
    let mut entries = Vec::new();
    for run in index.runs() {
        let location = run.location?;
        let nchunk = run.chunks.start;
        let wire = WireEntry::of_location(location, header_len);
        let wire =
            wire.ok_or_else(|| Error::mismatch("chunk offset", 0, header_len.into()).in_chunk(nchunk))?;
        for _ in run.chunks {
            let nbytes = sizes.next().ok_or_else(|| Error::mismatch("nchunks", nchunk, index.nchunks()))?;
            entries.push(Entry { wire, nbytes, cbytes: 0, fresh: false });
        }
    }
    Ok(entries)
}
