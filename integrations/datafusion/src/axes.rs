//! Positions along the axes of an array: filters on them, and boxes of chunks.

use core::ops::Range;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};

/// The axis and the positions of it to which a filter is equal; `None` if it is no such filter.
pub(crate) fn bounds(filter: &Expr, names: &[String]) -> Option<(usize, Range<u64>)> {
    let Expr::BinaryExpr(BinaryExpr { left, op, right }) = filter else { return None };
    let (column, op, value) = match (&**left, &**right) {
        (Expr::Column(column), Expr::Literal(value, _)) => (column, *op, value),
        (Expr::Literal(value, _), Expr::Column(column)) => (column, op.swap()?, value),
        _ => return None,
    };
    let axis = names.iter().position(|name| *name == column.name)?;
    let ScalarValue::Int64(Some(at)) = *value else { return None };
    let next = at.saturating_add(1);
    let position = |at: i64| u64::try_from(at).unwrap_or(0);
    let range = match op {
        Operator::Eq if at < 0 => 0..0,
        Operator::Eq => position(at)..position(next),
        Operator::Lt => 0..position(at),
        Operator::LtEq => 0..position(next),
        Operator::Gt => position(next)..u64::MAX,
        Operator::GtEq => position(at)..u64::MAX,
        _ => return None,
    };
    Some((axis, range))
}

/// The part that two ranges have in common.
pub(crate) fn common(one: &Range<u64>, other: &Range<u64>) -> Range<u64> {
    let start = one.start.max(other.start);
    start..one.end.min(other.end).max(start)
}

/// A box of positions, divided into cells.
pub(crate) struct Cells<'b> {
    whole: &'b [Range<u64>],
    /// The lengths of the cells, of which the first begins at the origin.
    lens: &'b [u64],
    origin: Vec<u64>,
}

impl<'b> Cells<'b> {
    /// Cells that begin at the box.
    pub(crate) fn of(whole: &'b [Range<u64>], lens: &'b [u64]) -> Self {
        Self { whole, lens, origin: whole.iter().map(|range| range.start).collect() }
    }

    /// Cells that begin at zero, as chunks do: those that have positions of the box.
    pub(crate) fn aligned(whole: &'b [Range<u64>], lens: &'b [u64]) -> Self {
        Self { whole, lens, origin: vec![0; whole.len()] }
    }

    /// The cells along each axis.
    fn spans(&self) -> impl Iterator<Item = Range<u64>> {
        self.whole.iter().zip(self.lens).zip(&self.origin).map(|((range, len), origin)| {
            let (start, len) = ((range.start - origin) / len.max(&1), len.max(&1));
            if range.is_empty() { start..start } else { start..(range.end - origin).div_ceil(*len) }
        })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.spans().fold(1, |count, span| count.saturating_mul(span.end - span.start))
    }

    /// The positions of a cell. The last axis is the fastest.
    pub(crate) fn nth(&self, mut n: u64) -> Vec<Range<u64>> {
        let mut cell = self.whole.to_vec();
        let spans: Vec<_> = self.spans().collect();
        for axis in (0..cell.len()).rev() {
            let count = (spans[axis].end - spans[axis].start).max(1);
            let len = self.lens[axis].max(1);
            let start = self.origin[axis] + (spans[axis].start + n % count) * len;
            cell[axis] = common(&cell[axis], &(start..start.saturating_add(len)));
            n /= count;
        }
        cell
    }
}

/// The lengths of cells of a chunk that have about so many items at most, and whole blocks unless these have more.
pub(crate) fn lens_of(chunk: &[u64], block: &[u64], most: u64) -> Vec<u64> {
    let mut lens = chunk.to_vec();
    for axis in 0..lens.len() {
        let others: u64 = lens[..axis].iter().chain(&lens[axis + 1..]).product();
        // A file may claim blocks of any size, which cost nothing if all items are equal.
        let is_small = block[axis].saturating_mul(others) <= 2 * most;
        let step = if is_small { block[axis].max(1) } else { 1 };
        let wanted = (most / others.max(1)).max(1).next_multiple_of(step);
        lens[axis] = lens[axis].min(wanted);
    }
    lens
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::logical_expr::{col, lit};

    #[test]
    fn filters_are_ranges() {
        let names = ["dim0".to_string(), "dim1".to_string()];
        for (filter, expected) in [
            (col("dim1").eq(lit(3_i64)), Some((1, 3..4))),
            (col("dim0").lt(lit(3_i64)), Some((0, 0..3))),
            (lit(3_i64).lt(col("dim0")), Some((0, 4..u64::MAX))),
            (col("dim0").gt_eq(lit(-3_i64)), Some((0, 0..u64::MAX))),
            (col("dim0").eq(lit(-1_i64)), Some((0, 0..0))),
            (col("dim0").lt_eq(lit(-1_i64)), Some((0, 0..0))),
            (col("dim0").not_eq(lit(1_i64)), None),
            (col("value").eq(lit(1_i64)), None),
        ] {
            assert_eq!(bounds(&filter, &names), expected, "{filter}");
        }
    }

    #[test]
    fn cells_have_each_position_once() {
        let whole = [3..11, 0..5, 7..8];
        for lens in [[4, 2, 3], [1, 1, 1], [100, 100, 100]] {
            for cells in [Cells::of(&whole, &lens), Cells::aligned(&whole, &lens)] {
                let mut all: Vec<[u64; 3]> = Vec::new();
                for n in 0..cells.count() {
                    let cell = cells.nth(n);
                    for a in cell[0].clone() {
                        all.extend(cell[1].clone().flat_map(|b| cell[2].clone().map(move |c| [a, b, c])));
                    }
                }
                all.sort_unstable();
                let wanted: Vec<_> = (3..11).flat_map(|a| (0..5).map(move |b| [a, b, 7])).collect();
                assert_eq!(all, wanted);
            }
        }
        assert_eq!(Cells::aligned(&[3..3, 0..5], &[2, 2]).count(), 0);
    }

    #[test]
    fn large_chunks_are_cut_at_blocks() {
        assert_eq!(lens_of(&[100, 100], &[10, 100], 2500), [30, 100]);
        assert_eq!(lens_of(&[100, 100], &[10, 10], 1 << 20), [100, 100]);
        assert_eq!(lens_of(&[1 << 30], &[1 << 30], 1 << 18), [1 << 18]);
        assert!(lens_of(&[], &[], 10).is_empty());
    }
}
