//! The candidates.

use super::super::params::{CParams, ChunkFormat};
use super::{Auto, Goal};
use crate::codec::{Codec, Encoder};
use crate::filter::{BITSHUFFLE, BYTEDELTA, DELTA, Filter, MAX_FILTERS, NDCELL, Pipeline, SHUFFLE};
use alloc::vec;
use alloc::vec::Vec;

/// Items along each axis of a cell.
const CELL: u8 = 4;

/// Filters, simpler ones first.
pub(super) fn filters(auto: &Auto, cparams: &CParams, nbytes: usize) -> Vec<Pipeline> {
    let given = cparams.filters;
    // Lossy filters and those of the host change what is stored.
    let plain = |filter: Filter| matches!(filter.id, SHUFFLE | BITSHUFFLE | BYTEDELTA | DELTA | NDCELL);
    if !auto.filters || !given.iter().all(plain) {
        return vec![given];
    }
    let filter = |id, meta| Filter { id, meta };
    let (shuffle, bitshuffle) = (filter(SHUFFLE, 0), filter(BITSHUFFLE, 0));
    // Shuffle leaves single bytes as they are.
    let bytes: &[Filter] = if cparams.header_typesize() > 1 { &[shuffle] } else { &[] };
    let mut lists = vec![vec![], bytes.to_vec(), vec![bitshuffle]];
    // Before 3.3.2 C-Blosc2 loses the bytes of a part of an item.
    let whole = cparams.typesize <= 255 && nbytes.is_multiple_of(cparams.typesize as usize);
    if !auto.compatible && cparams.format == ChunkFormat::Blosc2 && whole {
        let deltas = [bytes, &[filter(BYTEDELTA, 0)]].concat();
        // Cells take too long to be worth it otherwise, and cells that are longer than an axis gain nothing.
        let has_cells =
            cparams.blockshape.len() > 1 && cparams.blockshape.iter().all(|len| *len >= CELL.into());
        if auto.goal == Goal::Ratio && has_cells {
            let in_cells = |filters: &[Filter]| [&[filter(NDCELL, CELL)], filters].concat();
            lists.extend([in_cells(bytes), in_cells(&[bitshuffle]), in_cells(&deltas)]);
        }
        lists.insert(3, deltas);
    }
    lists.dedup();
    let mut all: Vec<Pipeline> = lists.iter().map(|list| pipeline(list)).collect();
    if !all.contains(&given) {
        all.push(given);
    }
    all
}

/// The filters in the last slots, as the reference does with a single one.
fn pipeline(filters: &[Filter]) -> Pipeline {
    let mut pipeline = Pipeline::default();
    pipeline.slots[MAX_FILTERS - filters.len()..].copy_from_slice(filters);
    pipeline
}

/// Codecs, faster ones first.
pub(super) fn codecs(auto: &Auto, cparams: &CParams) -> Vec<Codec> {
    let given = cparams.codec;
    if !auto.codec {
        return vec![given];
    }
    // The streams of zlib are longer than those of zstd and take longer.
    let mut codecs = vec![Codec::LZ4, Codec::BLOSCLZ, Codec::ZSTD, Codec::LZ4HC];
    codecs.retain(|codec| Encoder::knows(*codec));
    if !codecs.contains(&given) {
        codecs.push(given);
    }
    codecs
}
