//! Any bytes are a frame, of which all can be read within the limits, or give errors; and what can be read is the same in all ways.

use super::bounds::{self, call, dparams, is_wrong, tried};
use b2nd::frame::Metalayer;
use b2nd::{Index, ReadAt, Reader, Selection};
use core::fmt::Display;

/// Chunks of a frame that are read one by one.
const CHUNKS: u64 = 64;

/// A frame, or a chunk.
pub fn frame(bytes: &[u8]) {
    let Some(reader) = call("open", || Reader::open(bytes, dparams())) else { return };
    same_in_all_ways(&reader);
    attributes(&reader);
}

/// Reads all items, parts of them and single ones, and returns all if they can be read.
pub(super) fn same_in_all_ways<S: ReadAt<Error: Display>>(reader: &Reader<S>) -> Option<Vec<u8>> {
    let array = call("array", || reader.layout())?;
    if let Some(text) = array.and_then(b2nd::Layout::dtype) {
        call("dtype", || b2nd::array::Dtype::parse(text, &bounds::LIMITS));
    }
    let shape = match array {
        Some(array) => array.shape().to_vec(),
        None => vec![call("schunk", || reader.schunk())?.len()],
    };
    let itemsize = call("contents", || reader.contents())?.itemsize() as usize;
    let nchunks = call("index", || reader.index())?.nchunks();
    let verified: Vec<bool> =
        (0..nchunks.min(CHUNKS)).map(|nchunk| call("verify", || reader.verify(nchunk)).is_some()).collect();
    let whole = tried("get", || reader.get(Selection::all()));
    // The chunks of super-chunks may differ in size, and be sound without fitting each other.
    let is_sound = nchunks <= CHUNKS && !verified.contains(&false) && array.is_some();
    assert!(!(is_sound && is_wrong(&whole)), "all chunks are sound, but not {shape:?}");
    let whole = whole.ok()?;
    let count: u64 = shape.iter().product();
    assert_eq!(whole.len() as u64, count * itemsize as u64, "{shape:?}");
    if array.is_none() {
        // A chunk that is one value can be read without what it claims to have besides.
        let mut rest = &whole[..];
        for chunk in (0..nchunks.min(CHUNKS)).map_while(|nchunk| call("chunk", || reader.chunk(nchunk))) {
            assert!(rest.starts_with(&chunk));
            rest = &rest[chunk.len()..];
        }
    }
    if count > 0 && itemsize > 0 && !shape.is_empty() {
        parts(reader, &shape, itemsize, &whole);
    }
    Some(whole)
}

fn parts<S: ReadAt<Error: Display>>(reader: &Reader<S>, shape: &[u64], itemsize: usize, whole: &[u8]) {
    let get = |selection: Vec<Index>| {
        let selection = Selection(selection);
        call("a part", || reader.get(&selection)).unwrap_or_else(|| panic!("{selection:?} of {shape:?}"))
    };
    let row = whole.len() / shape[0] as usize;
    // Whole rows: before the middle, and behind it, from the last to the first.
    let middle = shape[0] / 2;
    let first = get(vec![Index::Range { start: None, stop: Some(middle as i64), step: 1 }]);
    let mut second = get(vec![Index::Range { start: None, stop: Some(middle as i64 - 1), step: -1 }]);
    if middle == 0 {
        // −1 is the last row.
        second = get(vec![Index::Range { start: None, stop: None, step: -1 }]);
    }
    let reversed: Vec<&[u8]> = whole.chunks(row).skip(middle as usize).rev().collect();
    assert!([first, reversed.concat()].concat().len() == whole.len());
    assert!(second == reversed.concat(), "rows of {shape:?} backwards");
    // Rows by a list.
    let rows: Vec<i64> = [0, middle, shape[0] - 1, middle].map(|at| at as i64).to_vec();
    let listed = get(vec![Index::list(rows.iter().copied())]);
    assert!(rows.iter().flat_map(|at| &whole[*at as usize * row..][..row]).eq(&listed), "rows of {shape:?}");
    // Every other item along the last axis.
    let last = shape[shape.len() - 1] as usize;
    let strided = get(vec![Index::Ellipsis, Index::Range { start: Some(1), stop: None, step: 2 }]);
    let lines = whole.chunks(last * itemsize);
    let expected = lines.flat_map(|line| line.chunks(itemsize).skip(1).step_by(2)).flatten();
    assert!(strided.iter().eq(expected), "every other item of {shape:?}");
    let count = whole.len() / itemsize;
    for number in [0, count / 3, count / 2, count - 1] {
        let mut rest = number as u64;
        let mut at: Vec<Index> = Vec::new();
        for len in shape.iter().rev() {
            at.insert(0, Index::At((rest % len) as i64));
            rest /= len;
        }
        assert!(get(at) == whole[number * itemsize..][..itemsize], "item {number} of {shape:?}");
    }
}

/// All metalayers that there are.
pub(super) fn attributes<S: ReadAt<Error: Display>>(reader: &Reader<S>) -> Vec<Metalayer> {
    let mut layers = reader.frame().header.metalayers.clone();
    if let Some(trailer) = call("trailer", || reader.trailer()) {
        layers.extend(trailer.attributes.iter().cloned());
    }
    for layer in &layers {
        call("attribute", || layer.value(&bounds::LIMITS));
    }
    layers
}
