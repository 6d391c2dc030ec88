//! The chunk shape and the block shape of a new array, where the caller gives none.
//!
//! Both are as near to cubes as the shape allows, so that slices along any axis touch few of them. A block has about
//! [`BLOCK`] bytes, a chunk about [`CHUNK`]. A length that is shorter than the array is divided evenly, to avoid padding.

use crate::base::{ArgumentError, Result};
use crate::plan::MAX_DIM;
use alloc::vec;
use alloc::vec::Vec;

/// Bytes of a block: with its filtered copy it fits into the second-level caches of usual processors.
const BLOCK: u64 = 128 << 10;
/// Bytes of a chunk: what is written, and in most programs read, at once.
const CHUNK: u64 = 4 << 20;

/// The chunk shape and the block shape: those given, others chosen.
pub(super) fn shapes(
    shape: &[u64],
    itemsize: u32,
    chunkshape: Option<&[u32]>,
    blockshape: Option<&[u32]>,
) -> Result<(Vec<u32>, Vec<u32>)> {
    if shape.len() > MAX_DIM {
        return Err(ArgumentError::Dimensions { given: shape.len(), ndim: MAX_DIM }.into());
    }
    for lens in [chunkshape, blockshape].into_iter().flatten() {
        if lens.len() != shape.len() {
            return Err(ArgumentError::Dimensions { given: lens.len(), ndim: shape.len() }.into());
        }
    }
    let whole: Vec<u64> = shape.iter().map(|&len| len.clamp(1, 1 << 30)).collect();
    let bound = |lens: &[u32]| lens.iter().map(|&len| u64::from(len).max(1)).collect::<Vec<_>>();
    let within = chunkshape.map_or_else(|| whole.clone(), bound);
    let blocks = blockshape.map_or_else(|| cube(vec![1; shape.len()], &within, itemsize, BLOCK), bound);
    let chunks = chunkshape.map_or_else(|| cube(blocks.clone(), &whole, itemsize, CHUNK), bound);
    let narrow = |lens: Vec<u64>| lens.into_iter().map(|len| len as u32).collect::<Vec<_>>();
    Ok((narrow(chunks), narrow(blocks)))
}

/// Multiples of `unit` along each axis, within `bound`, of about `target` bytes in all.
fn cube(unit: Vec<u64>, bound: &[u64], itemsize: u32, target: u64) -> Vec<u64> {
    let mut lens = unit.clone();
    let nbytes =
        |lens: &[u64]| lens.iter().fold(u64::from(itemsize), |nbytes, &len| nbytes.saturating_mul(len));
    // The shortest axis grows, the last one first among equals.
    let shortest = |lens: &[u64]| {
        let open = (0..lens.len()).rev().filter(|&axis| lens[axis] < bound[axis]);
        open.min_by_key(|&axis| lens[axis])
    };
    while let Some(axis) = shortest(&lens) {
        if nbytes(&lens).saturating_mul(2) > target {
            break;
        }
        lens[axis] *= 2;
    }
    for ((len, &unit), &bound) in lens.iter_mut().zip(&unit).zip(bound) {
        let even = bound.div_ceil(bound.div_ceil(*len));
        // A chunk that covers an axis needs no whole blocks: it is padded.
        *len = if even >= bound { bound } else { even.next_multiple_of(unit) };
    }
    lens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(shape: &[u64], itemsize: u32) -> (Vec<u32>, Vec<u32>) {
        shapes(shape, itemsize, None, None).unwrap()
    }

    #[test]
    fn are_near_to_cubes_without_much_padding() {
        assert_eq!(chosen(&[4000, 4000], 4), (vec![1000, 1000], vec![125, 250]));
        assert_eq!(chosen(&[100, 100, 100], 8), (vec![50, 100, 100], vec![25, 25, 25]));
        assert_eq!(chosen(&[1_000_000], 8), (vec![500_000], vec![16_394]));
        assert_eq!(chosen(&[3], 1), (vec![3], vec![3]));
        assert_eq!(chosen(&[], 8), (vec![], vec![]));
        assert_eq!(chosen(&[0, 5], 8), (vec![1, 5], vec![1, 5]));
    }
}
