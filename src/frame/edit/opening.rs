//! Opening of existing frames for changes.

use super::super::location::ChunkOffsets;
use super::super::revision::Revision;
use super::super::trailer::{WireContent, WireTrailer};
use super::super::wire::WireFrame;
use super::super::{Header, plain};
use super::space::{Files, Space};
use super::{Committed, Entry, FrameEditor};
use crate::base::{Error, Limits, Result, Unsupported, saturating_times};
use crate::chunk::{Chunk, DParams};
use crate::frame::WireEntry;
use alloc::vec::Vec;

impl FrameEditor {
    /// Creates an editor for the frame with the header `bytes`, which has `end` after its [chunks](Header::end). `sizes` are the
    /// uncompressed sizes of its chunks, as runs of (number of chunks, bytes per chunk).
    ///
    /// ```
    /// use b2nd::{DParams, Limits, frame::{FrameEditor, Header}};
    /// let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let header = Header::parse(&file, &Limits::default())?;
    /// let end = header.end().start as usize..header.end().end as usize;
    /// let sizes = [(header.nchunks().expect("chunks of one size"), header.chunksize)];
    /// let editor = FrameEditor::open(&file, &file[end], sizes.into_iter(), &DParams::default())?;
    /// assert_eq!(Some(editor.nchunks()), header.nchunks());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Unsupported` for frames of beta releases, for [references](super::super::Reference) unless [`DParams::as_stored`] is
    /// set, and for proxies and remote arrays in any case: an editor does not know which of their chunks were fetched. `Format`
    /// for a damaged index or trailer; `Limit` if the index needs more memory than allowed.
    pub fn open(
        bytes: &[u8],
        end: &[u8],
        sizes: impl Iterator<Item = (u64, u32)>,
        dparams: &DParams,
    ) -> Result<Self> {
        let limits = &dparams.limits;
        let header = Header::parse(bytes, limits)?;
        if header.version < 2 || header.is_beta() {
            return Err(Unsupported::FrameVersion(header.version).into());
        }
        if let Some(reference) = header.reference()
            && (reference.is_cache() || !dparams.as_stored)
        {
            return Err(Unsupported::Reference(reference).into());
        }
        let wire = WireFrame::parse(bytes)?;
        let header_len = header.header_len;
        let places = header.end();
        let needed = (places.end - places.start) as usize;
        if end.len() < needed {
            return Err(Error::truncated(0, needed, end.len()).shifted(places.start));
        }
        let chunks = entries(&header, end, sizes, dparams).map_err(|error| error.shifted(places.start))?;
        let trailer = trailer(end, limits).map_err(|error| error.shifted(places.start))?;
        let tail = end[end.len().saturating_sub(WireTrailer::END)..].to_vec();
        let revision = Revision::of(&header, [bytes[..header_len as usize].to_vec(), tail]);
        let files = chunks.iter().filter(|entry| header.sparse && entry.wire.special().is_none());
        let files = Files::without(files.map(|entry| entry.wire.0 as u32).collect());
        Ok(Self {
            header: wire,
            metalayers: header.metalayers,
            commits: trailer.commits().wrapping_add(1),
            attributes: match trailer.content {
                WireContent::Metalayers(metalayers) => metalayers,
                WireContent::Usermeta(_) => Vec::new(),
            },
            chunks,
            header_len,
            space: Space::after(header.frame_len),
            committed: Some(Committed { revision, end: places }),
            released: Vec::new(),
            removed: Vec::new(),
            files,
            steps: Vec::new(),
            change: 1,
            changes: Vec::new(),
        })
    }
}

/// The chunks, by the index that is at the start of `end`.
fn entries(
    header: &Header,
    end: &[u8],
    sizes: impl Iterator<Item = (u64, u32)>,
    dparams: &DParams,
) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    if header.nbytes == 0 {
        return Ok(entries);
    }
    let index = Chunk::new(end)?;
    let nbytes = index.header().nbytes;
    header.sizes().check_index(index.header())?;
    dparams.limits.allow_memory(saturating_times(nbytes.into(), size_of::<Entry>() as u64 / 8))?;
    let index = plain(&index, dparams)?;
    let offsets = ChunkOffsets::of(header);
    let mut sizes = sizes.flat_map(|(count, nbytes)| (0..count).map(move |_| nbytes));
    for (nchunk, entry) in (0..).zip(index.as_chunks().0) {
        let location = offsets.locate(nchunk, *entry)?;
        let wire = WireEntry::of_location(location, header.header_len).unwrap_or(WireEntry::parse(*entry));
        let nbytes = sizes.next().ok_or_else(|| Error::mismatch("nchunks", nchunk, u64::from(nbytes) / 8))?;
        entries.push(Entry { wire, nbytes, cbytes: 0, written: 0 });
    }
    Ok(entries)
}

/// The trailer, which is at the end of `end`.
fn trailer(end: &[u8], limits: &Limits) -> Result<WireTrailer> {
    let at = end.len().saturating_sub(WireTrailer::END);
    let len = WireTrailer::len(&end[at..])?;
    let len = limits.allow_metadata(len)?;
    let start =
        end.len().checked_sub(len).ok_or_else(|| Error::field("trailer length", len as i64, at as u64))?;
    WireTrailer::parse(&end[start..], limits).map_err(|error| error.shifted(start as u64))
}
