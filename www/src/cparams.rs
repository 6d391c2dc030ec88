//! Compression parameters as numbers.

use crate::sections::f64s;
use b2nd::chunk::{CParams, ChunkFormat, SplitMode};
use b2nd::codec::Codec;
use b2nd::filter::{Filter, MAX_FILTERS, Pipeline};

/// The compression parameters: `format, codec, clevel, typesize, blocksize, split mode, dictionaries, codec meta`, then `id, meta`
/// of up to six filters.
pub(crate) fn cparams(section: &[u8]) -> CParams {
    let mut numbers = f64s(section);
    let mut next = || numbers.next().unwrap_or_default();
    let mut cparams = CParams {
        format: if next() == 1.0 { ChunkFormat::Blosc1 } else { ChunkFormat::Blosc2 },
        codec: Codec(next() as u8),
        clevel: next() as u8,
        typesize: next() as u32,
        blocksize: next() as u32,
        splitmode: match next() {
            0.0 => SplitMode::Always,
            1.0 => SplitMode::Never,
            2.0 => SplitMode::Auto,
            _ => SplitMode::ForwardCompat,
        },
        use_dict: next() != 0.0,
        codec_meta: next() as u8,
        filters: Pipeline::default(),
        ..CParams::default()
    };
    // They take the last slots, as the reference puts a single one there.
    let count = (numbers.len() / 2).min(MAX_FILTERS);
    for slot in &mut cparams.filters.slots[MAX_FILTERS - count..] {
        let mut next = || numbers.next().unwrap_or_default() as u8;
        *slot = Filter { id: next(), meta: next() };
    }
    cparams
}
