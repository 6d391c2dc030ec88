//! NDCELL and NDMEAN, undone: items return from n-dimensional cells to C order (FORMAT §5.8).

use super::{Block, NDMEAN};
use crate::base::{Error, Result, Unsupported};

/// The reference's bound for these two filters.
const MAX_DIM: usize = 8;

/// Copies the items of `src`, cell after cell, to their places in the block. NDMEAN has replaced the items of
/// each cell by their mean, which nothing can undo.
pub(super) fn backward(id: u8, edge: u8, block: &Block<'_>, src: &[u8], dst: &mut [u8]) -> Result<()> {
    let shape = block.blockshape;
    // Of an array without items nobody has checked the shapes.
    let nbytes = shape.iter().try_fold(block.typesize, |nbytes, &len| nbytes.checked_mul(len as usize));
    if shape.is_empty() || shape.len() > MAX_DIM || src.is_empty() || nbytes != Some(src.len()) {
        return Err(Unsupported::Shapeless(id).into());
    }
    if edge == 0 {
        return Err(Error::format(crate::Malformed::Field { name: "cell shape", value: 0 }));
    }
    let cells = Cells::new(id, edge, shape);
    if cells.pitch < usize::from(edge) {
        // A clipped first axis makes NDMEAN's cells overlap, so some items are never written.
        dst.fill(0);
    }
    let mut src = src;
    for cell in 0..cells.count() {
        cells.rows(cell, |first, len| {
            let (row, rest) = src.split_at(len * block.typesize);
            dst[first * block.typesize..][..row.len()].copy_from_slice(row);
            src = rest;
        });
    }
    Ok(())
}

struct Cells<'a> {
    blockshape: &'a [u32],
    /// Items along each edge of a cell that is not cropped.
    edge: [usize; MAX_DIM],
    /// Items from one cell to the next, along every axis.
    pitch: usize,
}

impl<'a> Cells<'a> {
    fn new(id: u8, edge: u8, blockshape: &'a [u32]) -> Self {
        let mut cells = Self { blockshape, edge: [usize::from(edge); MAX_DIM], pitch: usize::from(edge) };
        if id == NDMEAN {
            for (cell, &n) in cells.edge.iter_mut().zip(blockshape) {
                *cell = (*cell).min(n as usize);
            }
            // Not each axis's own edge: the reference takes the first axis's for all.
            cells.pitch = cells.edge[0];
        }
        cells
    }

    fn along(&self, axis: usize) -> usize {
        (self.blockshape[axis] as usize).div_ceil(self.edge[axis])
    }

    fn count(&self) -> usize {
        (0..self.blockshape.len()).map(|axis| self.along(axis)).product()
    }

    /// Calls `row(first item, items)` for each row of cell number `cell`, in C order.
    fn rows(&self, mut cell: usize, mut row: impl FnMut(usize, usize)) {
        let ndim = self.blockshape.len();
        let (mut first, mut extent, mut stride) = (0, [0; MAX_DIM], [0; MAX_DIM]);
        let mut items = 1;
        for axis in (0..ndim).rev() {
            let at = cell % self.along(axis);
            cell /= self.along(axis);
            first += at * self.pitch * items;
            extent[axis] = self.edge[axis].min(self.blockshape[axis] as usize - at * self.edge[axis]);
            stride[axis] = items;
            items *= self.blockshape[axis] as usize;
        }
        let nrows: usize = extent[..ndim - 1].iter().product();
        for nrow in 0..nrows {
            let (mut rest, mut at) = (nrow, first);
            for axis in (0..ndim - 1).rev() {
                at += rest % extent[axis] * stride[axis];
                rest /= extent[axis];
            }
            row(at, extent[ndim - 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Blame;
    use crate::filter::NDCELL;
    use alloc::vec;

    const fn block(blockshape: &[u32]) -> Block<'_> {
        Block { typesize: 1, itemsize: 1, first: None, blockshape, early_bitshuffle: false }
    }

    #[test]
    fn cells_are_cropped_at_the_high_edges() {
        // Cells of edge 2 in three rows of three: whole, right, bottom, corner.
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
