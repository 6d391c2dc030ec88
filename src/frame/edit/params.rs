//! The header of a new frame, and compression parameters from a header.

use super::super::header::USER_CODEC;
use super::super::metalayers::Metalayer;
use super::super::wire::WireFrame;
use crate::chunk::CParams;
use crate::codec::{Encoder, MAX_STORED_CLEVEL};
use alloc::vec::Vec;

/// The frame's version; 3 if chunks differ in size.
pub(super) const VERSION: u8 = 2;
pub(super) const VARIABLE_VERSION: u8 = 3;
/// Flags: offsets of 64 bits, and chunks that differ in size.
const OFFSETS_64: u8 = 1 << 4;
pub(super) const VARIABLE: u8 = 1 << 6;
/// The slots of filters.
const NFILTERS: u8 = 6;

/// The parameters of a new frame.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct FrameParams {
    /// How chunks are compressed.
    pub cparams: CParams,
    /// Uncompressed bytes per chunk, except for the last one: a multiple of the type size. 0 means the size of the first chunk.
    pub chunksize: u32,
    /// Whether the frame is sparse: a directory with a file per chunk.
    pub sparse: bool,
    /// The metalayers of the header.
    pub metalayers: Vec<Metalayer>,
}

impl FrameParams {
    /// The header of a frame without chunks.
    pub(super) fn header(&self) -> WireFrame {
        let CParams { clevel, typesize, blocksize, splitmode, .. } = &self.cparams;
        let mut header = WireFrame {
            flags: VERSION | OFFSETS_64,
            frame_type: self.sparse.into(),
            splitmode: splitmode.bits(),
            codec: (*clevel).min(MAX_STORED_CLEVEL) << 4,
            numbers: [0, 0, (*typesize).into(), (*blocksize).into(), self.chunksize.into(), 1, 1],
            nfilters: NFILTERS,
            ..WireFrame::default()
        };
        set_compression(&mut header, &self.cparams);
        header
    }
}

/// Records the codec and the filters.
pub(super) fn set_compression(header: &mut WireFrame, cparams: &CParams) {
    let CParams { codec, codec_meta, filters, use_dict, .. } = cparams;
    header.codec = header.codec & 0xf0 | codec.0.min(USER_CODEC);
    let plugin = if codec.0 >= USER_CODEC { [codec.0, *codec_meta] } else { [0; 2] };
    [header.filters[6], header.filters[7]] = plugin;
    for (slot, filter) in filters.slots.iter().enumerate() {
        (header.filters[slot], header.filter_metas[slot]) = (filter.id, filter.meta);
    }
    // The reference cannot append to a frame that asks for dictionaries with a codec that has none.
    header.filter_metas[6] = (*use_dict && Encoder::takes_dict(*codec)).into();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats have levels up to 9.
    #[test]
    fn the_highest_level_is_stored_as_9() {
        for (clevel, stored) in [(0, 0), (8, 8), (9, 9), (10, 9)] {
            let cparams = CParams { clevel, ..CParams::default() };
            let header =
                FrameParams { cparams, chunksize: 800, sparse: false, metalayers: Vec::new() }.header();
            assert_eq!(header.codec >> 4, stored);
        }
    }
}
