//! NDCELL and NDMEAN, and their inverses: items in n-dimensional cells instead of C order (FORMAT §5.8).

use super::{BlockInfo, NDMEAN};
use crate::base::{Error, Result, Unsupported};

/// The reference's limit for these two filters.
const MAX_DIM: usize = 8;

/// Copies the items of `src` from cells to C order. NDMEAN has replaced the items of each cell with their mean, which
/// cannot be undone.
pub(super) fn backward(id: u8, edge: u8, block: &BlockInfo<'_>, src: &[u8], dst: &mut [u8]) -> Result<()> {
    let shape = checked(id, edge, block, src.len())?;
    let edge = usize::from(edge);
    // Items from one cell to the next. If the first axis is shorter than a cell, NDMEAN uses its length for all axes:
    // then cells overlap, and some items are never written.
    let pitch = if id == NDMEAN { edge.min(shape[0] as usize) } else { edge };
    if pitch < edge {
        dst.fill(0);
    }
    let mut src = src;
    for cell in 0..ncells(shape, edge) {
        rows(cell, [edge, pitch, block.typesize], shape, |at, len| {
            let (items, more) = src.split_at(len);
            dst[at..][..len].copy_from_slice(items);
            src = more;
        });
    }
    Ok(())
}

/// Copies the items of `src` from C order to cells; NDMEAN then replaces the items of each cell with their mean.
///
/// NDMEAN is refused if the first axis is shorter than a cell, since readers then leave items out.
pub(super) fn forward(id: u8, edge: u8, block: &BlockInfo<'_>, src: &[u8], dst: &mut [u8]) -> Result<()> {
    let shape = checked(id, edge, block, src.len())?;
    let edge = usize::from(edge);
    if id == NDMEAN && (edge > shape[0] as usize || !matches!(block.typesize, 4 | 8)) {
        return Err(crate::ArgumentError::Inapplicable(id).into());
    }
    let mut done = 0;
    for ncell in 0..ncells(shape, edge) {
        let start = done;
        rows(ncell, [edge, edge, block.typesize], shape, |at, len| {
            dst[done..done + len].copy_from_slice(&src[at..][..len]);
            done += len;
        });
        let cell = &mut dst[start..done];
        match (id, block.typesize) {
            (NDMEAN, 4) => {
                average(cell, |item| f32::from_le_bytes(item).into(), |mean| (mean as f32).to_le_bytes())
            }
            (NDMEAN, _) => average(cell, f64::from_le_bytes, f64::to_le_bytes),
            _ => {}
        }
    }
    Ok(())
}

/// Replaces all items with their mean.
fn average<const N: usize>(cell: &mut [u8], from: impl Fn([u8; N]) -> f64, to: impl Fn(f64) -> [u8; N]) {
    let (items, _) = cell.as_chunks_mut::<N>();
    let sum: f64 = items.iter().map(|item| from(*item)).sum();
    items.fill(to(sum / items.len() as f64));
}

/// The shape of a block of `len` bytes, if the filters apply to it.
fn checked<'a>(id: u8, edge: u8, block: &BlockInfo<'a>, len: usize) -> Result<&'a [u32]> {
    let shape = block.blockshape;
    // The shapes of an array without items are unchecked.
    let nbytes = shape.iter().try_fold(block.typesize, |nbytes, &len| nbytes.checked_mul(len as usize));
    if shape.is_empty() || shape.len() > MAX_DIM || len == 0 || nbytes != Some(len) {
        return Err(Unsupported::Shapeless(id).into());
    }
    if edge == 0 {
        return Err(Error::format(crate::Malformed::Field { name: "cell shape", value: 0 }));
    }
    Ok(shape)
}

fn ncells(shape: &[u32], edge: usize) -> usize {
    shape.iter().map(|&len| (len as usize).div_ceil(edge)).product()
}

/// Calls `row` with the place in the block and the length, in bytes, of each row of a cell.
#[inline(always)]
fn rows(cell: usize, [edge, pitch, typesize]: [usize; 3], shape: &[u32], mut row: impl FnMut(usize, usize)) {
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
    let len = axes[shape.len() - 1].0 * typesize;
    for nrow in 0..outer.iter().map(|axis| axis.0).product() {
        let (mut rest, mut at) = (nrow, first);
        for (count, stride) in outer.iter().rev() {
            at += rest % count * stride;
            rest /= count;
        }
        row(at, len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::filter::HostFilters;
    use crate::filter::NDCELL;
    use alloc::vec;

    const fn block(blockshape: &[u32]) -> BlockInfo<'_> {
        BlockInfo {
            typesize: 1,
            itemsize: 1,
            first: None,
            blockshape,
            early_bitshuffle: false,
            host: HostFilters::NONE,
        }
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
        assert!(matches!(error.kind(), ErrorKind::Format(_)));
    }
}
