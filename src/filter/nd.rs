//! Inverse NDCELL and NDMEAN: items return from n-dimensional cells to C order (FORMAT §5.8).

use super::{BlockInfo, NDMEAN};
use crate::base::{Error, Result, Unsupported};

/// The reference's limit for these two filters.
const MAX_DIM: usize = 8;

/// Copies the items of `src` from cells to C order. NDMEAN has replaced the items of each cell with their mean, which
/// cannot be undone.
pub(super) fn backward(id: u8, edge: u8, block: &BlockInfo<'_>, src: &[u8], dst: &mut [u8]) -> Result<()> {
    let shape = block.blockshape;
    // The shapes of an array without items are unchecked.
    let nbytes = shape.iter().try_fold(block.typesize, |nbytes, &len| nbytes.checked_mul(len as usize));
    if shape.is_empty() || shape.len() > MAX_DIM || src.is_empty() || nbytes != Some(src.len()) {
        return Err(Unsupported::Shapeless(id).into());
    }
    if edge == 0 {
        return Err(Error::format(crate::Malformed::Field { name: "cell shape", value: 0 }));
    }
    let edge = usize::from(edge);
    // Items from one cell to the next. If the first axis is shorter than a cell, NDMEAN uses its length for all axes:
    // then cells overlap, and some items are never written.
    let pitch = if id == NDMEAN { edge.min(shape[0] as usize) } else { edge };
    if pitch < edge {
        dst.fill(0);
    }
    let mut src = src;
    for cell in 0..shape.iter().map(|&len| (len as usize).div_ceil(edge)).product() {
        src = copy_cell(cell, [edge, pitch, block.typesize], shape, src, dst);
    }
    Ok(())
}

/// Copies the items of one cell and returns the rest of `src`.
fn copy_cell<'s>(
    cell: usize,
    [edge, pitch, typesize]: [usize; 3],
    shape: &[u32],
    mut src: &'s [u8],
    dst: &mut [u8],
) -> &'s [u8] {
    let (mut first, mut rest, mut stride) = (0, cell, typesize);
    // For each axis of the cell: items, and bytes from one to the next.
    let mut axes = [(1, 0); MAX_DIM];
    for (axis, &len) in axes[..shape.len()].iter_mut().zip(shape).rev() {
        let len = len as usize;
        let at = rest % len.div_ceil(edge);
        rest /= len.div_ceil(edge);
        first += at * pitch * stride;
        *axis = (edge.min(len - at * edge), stride);
        stride *= len;
    }
    let (outer, _) = axes.split_at(shape.len() - 1);
    let row = axes[shape.len() - 1].0 * typesize;
    for nrow in 0..outer.iter().map(|axis| axis.0).product() {
        let (mut rest, mut at) = (nrow, first);
        for (count, stride) in outer.iter().rev() {
            at += rest % count * stride;
            rest /= count;
        }
        let (items, more) = src.split_at(row);
        dst[at..][..row].copy_from_slice(items);
        src = more;
    }
    src
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Blame;
    use crate::filter::NDCELL;
    use alloc::vec;

    const fn block(blockshape: &[u32]) -> BlockInfo<'_> {
        BlockInfo { typesize: 1, itemsize: 1, first: None, blockshape, early_bitshuffle: false }
    }

    #[test]
    fn cells_are_cropped_at_the_high_edges() {
        // Cells of edge 2 in a block of 3 × 3: full, right, bottom, corner.
        let mut dst = [0; 9];
        backward(NDCELL, 2, &block(&[3, 3]), &[0, 1, 3, 4, 2, 5, 6, 7, 8], &mut dst).unwrap();
        assert_eq!(dst, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn needs_a_shape_that_fits() {
        let mut dst = vec![0; 8];
        let shapeless = Err(Unsupported::Shapeless(NDCELL).into());
        for shape in [&[][..], &[3, 3], &[2, 2, 2, 1, 1, 1, 1, 1, 1]] {
            assert_eq!(backward(NDCELL, 2, &block(shape), &[0; 8], &mut dst), shapeless, "{shape:?}");
        }
        assert_eq!(
            backward(NDCELL, 2, &block(&[u32::MAX; 8]), &[0; 8], &mut dst),
            shapeless,
            "beyond counting"
        );
        assert_eq!(backward(NDCELL, 2, &block(&[2, 0]), &[], &mut []), shapeless, "nothing at all");
        let error = backward(NDCELL, 0, &block(&[2, 4]), &[0; 8], &mut dst).unwrap_err();
        assert!(matches!(error.blame(), Blame::Format(_)));
    }
}
