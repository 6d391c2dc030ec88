//! Default chunk and block shapes of new arrays.
//!
//! A block has about [`BLOCK`] bytes. Along each axis it is [`RATIO`] times as long as along the previous axis, if the array is
//! long enough. Cubes make slices along the first axes faster, but long runs of items along the last axis compress better and
//! are faster to read as a whole. With this ratio files are about as large as with the reference's choice, whose blocks are
//! rows. Slices take 1.3 to 2 times less time on average, and none takes much more. A chunk has about [`CHUNK`] bytes, and
//! about as many blocks along each axis. Lengths divide the array's evenly where possible, to avoid padding.

use crate::base::{ArgumentError, Result, saturating_times};
use crate::plan::MAX_DIM;
use alloc::vec;
use alloc::vec::Vec;

/// Bytes of a block. Together with its filtered copy it fits into the L2 cache of usual processors.
const BLOCK: u64 = 128 << 10;
/// The ratio of a block's length along an axis to its length along the previous one.
const RATIO: u64 = 16;
/// Bytes of a chunk, the unit of writing and, in most programs, of reading.
const CHUNK: u64 = 4 << 20;

/// The chunk shape and the block shape, with defaults for those that are not given.
pub(super) fn shapes(
    shape: &[u64],
    itemsize: u32,
    chunkshape: Option<&[u32]>,
    blockshape: Option<&[u32]>,
) -> Result<(Vec<u32>, Vec<u32>)> {
    check_dimensions(shape.len(), [chunkshape, blockshape].into_iter().flatten())?;
    let whole: Vec<u64> = shape.iter().map(|&len| len.clamp(1, 1 << 30)).collect();
    let bound = |lens: &[u32]| lens.iter().map(|&len| u64::from(len).max(1)).collect::<Vec<_>>();
    let within = chunkshape.map_or_else(|| whole.clone(), bound);
    let blocks =
        blockshape.map_or_else(|| grown(&vec![1; shape.len()], &within, (itemsize, BLOCK), RATIO), bound);
    let chunks = chunkshape.map_or_else(|| grown(&blocks, &whole, (itemsize, CHUNK), 1), bound);
    let narrow = |lens: Vec<u64>| lens.into_iter().map(|len| len as u32).collect::<Vec<_>>();
    Ok((narrow(chunks), narrow(blocks)))
}

/// Fails for more dimensions than an array can have, and for shapes that have others.
pub(super) fn check_dimensions<'a>(ndim: usize, shapes: impl IntoIterator<Item = &'a [u32]>) -> Result<()> {
    if ndim > MAX_DIM {
        return Err(ArgumentError::Dimensions { given: ndim, ndim: MAX_DIM }.into());
    }
    match shapes.into_iter().find(|lens| lens.len() != ndim) {
        Some(lens) => Err(ArgumentError::Dimensions { given: lens.len(), ndim }.into()),
        None => Ok(()),
    }
}

/// Returns multiples of `unit` along each axis, within `bound`, with about `target` bytes in total. Units are repeated `ratio`
/// times as often along each axis as along the previous one.
fn grown(unit: &[u64], bound: &[u64], (itemsize, target): (u32, u64), ratio: u64) -> Vec<u64> {
    let mut lens = unit.to_vec();
    let nbytes =
        |lens: &[u64]| lens.iter().fold(u64::from(itemsize), |nbytes, &len| saturating_times(nbytes, len));
    let weight = |axis: usize| ratio.pow((lens.len() - 1 - axis) as u32);
    let weights: Vec<u64> = (0..lens.len()).map(weight).collect();
    // The last one if several are equal.
    let shortest = |lens: &[u64]| {
        let open = (0..lens.len()).rev().filter(|&axis| lens[axis] < bound[axis]);
        open.min_by_key(|&axis| saturating_times(lens[axis] / unit[axis], weights[axis]))
    };
    while let Some(axis) = shortest(&lens) {
        if nbytes(&lens).saturating_mul(2) > target {
            break;
        }
        lens[axis] *= 2;
    }
    for ((len, &unit), &bound) in lens.iter_mut().zip(unit).zip(bound) {
        let even = bound.div_ceil(bound.div_ceil(*len));
        // A chunk that covers an axis need not have whole blocks: it is padded.
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
    fn default_shapes_have_long_rows_and_little_padding() {
        assert_eq!(chosen(&[4000, 4000], 4), (vec![256, 4000], vec![32, 1000]));
        assert_eq!(chosen(&[200, 300, 400], 2), (vec![8, 300, 400], vec![2, 60, 400]));
        assert_eq!(chosen(&[1_000_000], 8), (vec![500_030], vec![16_130]));
        assert_eq!(chosen(&[3], 1), (vec![3], vec![3]));
        assert_eq!(chosen(&[], 8), (vec![], vec![]));
        assert_eq!(chosen(&[0, 5], 8), (vec![1, 5], vec![1, 5]));
    }
}
