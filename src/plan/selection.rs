//! Selections of an array's items: NumPy's basic indexing, and positions one by one.

use super::axis::{Axis, from_start, position};
#[cfg(feature = "indexing")]
use super::points::Points;
use super::{Dims, dims};
use crate::base::{ArgumentError, Extent, LONGEST, Result, Signed};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// The positions to take along one axis.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Index {
    /// One position; the axis disappears from the result. Negative ones count from the end.
    At(i64),
    /// From `start` up to and without `stop`, in steps; as Python has it, with negative numbers that count from
    /// the end, steps that go backward, and bounds outside of the axis moved to its ends.
    Range {
        /// First position; the first or, going backward, the last one by default.
        start: Option<i64>,
        /// Position to stop at; after the end by default.
        stop: Option<i64>,
        /// Distance from one to the next; not 0.
        step: i64,
    },
    /// All of as many axes as the other indices leave over.
    Ellipsis,
    /// A list of positions along one axis, or points in several adjacent axes.
    #[cfg(feature = "indexing")]
    Points(Points),
}

impl Index {
    /// All of an axis.
    pub const ALL: Self = Self::Range { start: None, stop: None, step: 1 };
}

/// A part of an array. Axes that it does not mention are taken whole.
///
/// ```
/// use b2nd::Selection;
/// let selection: Selection = "0:10, 5, ::2, ..., -1".parse()?;
/// assert_eq!(selection.shape(&[50, 20, 7, 3, 9])?, [10, 4, 3]);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection(pub Vec<Index>);

#[cfg(feature = "alloc")]
impl Selection {
    /// The whole array.
    ///
    /// ```
    /// assert_eq!(b2nd::Selection::all().shape(&[2, 3])?, [2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn all() -> Self {
        Self(Vec::new())
    }

    /// These positions along each axis.
    ///
    /// ```
    /// use b2nd::Selection;
    /// assert_eq!(Selection::of_ranges(&[0..10, 5..6]), "0:10:1, 5:6:1".parse()?);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn of_ranges(ranges: &[Range<u64>]) -> Self {
        let bound = |at: u64| Some(at as i64);
        let index =
            |range: &Range<u64>| Index::Range { start: bound(range.start), stop: bound(range.end), step: 1 };
        Self(ranges.iter().map(index).collect())
    }
}

/// In the notation that [`FromStr`](core::str::FromStr) reads: `0:10, 5, ::2, ..., -1`. Masks are written as lists of positions,
/// and so are points in several axes, one list for each axis in a tuple, which is not read.
#[cfg(feature = "alloc")]
impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0[..] {
            [] => f.write_str("..."),
            [first, rest @ ..] => {
                first.fmt(f)?;
                rest.iter().try_for_each(|index| write!(f, ", {index}"))
            }
        }
    }
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::At(at) => at.fmt(f),
            Self::Ellipsis => f.write_str("..."),
            #[cfg(feature = "indexing")]
            Self::Points(ref points) => points.fmt(f),
            Self::Range { start, stop, step } => {
                start.map_or(Ok(()), |start| start.fmt(f))?;
                f.write_str(":")?;
                stop.map_or(Ok(()), |stop| stop.fmt(f))?;
                if step == 1 { Ok(()) } else { write!(f, ":{step}") }
            }
        }
    }
}

/// One [`Axis`] for each axis of an array of this shape.
#[inline(never)]
pub(crate) fn resolve(given: &[Index], shape: &[Extent]) -> Result<Dims<Axis>> {
    let ellipsis = |given: &[Index]| given.iter().position(|index| matches!(index, Index::Ellipsis));
    // Without an ellipsis, the axes that are not mentioned are the last ones.
    let (before, after) = match ellipsis(given) {
        Some(at) => (&given[..at], &given[at + 1..]),
        None => (given, &[][..]),
    };
    let indices = before.len() + after.len();
    if indices > shape.len() || ellipsis(after).is_some() {
        return Err(ArgumentError::Dimensions { given: given.len(), ndim: shape.len() }.into());
    }
    let mut axes = dims(Axis::default(), shape.len());
    for (axis, (resolved, &len)) in axes.iter_mut().zip(shape).enumerate() {
        let rest = after.len() + axis;
        let index = before.get(axis).or_else(|| after.get(rest.checked_sub(shape.len())?));
        *resolved = resolve_one(axis, index.unwrap_or(&Index::ALL), len)?;
    }
    Ok(axes)
}

/// `len` fits a signed number: so the format has it.
pub(super) fn resolve_one(axis: usize, index: &Index, len: Extent) -> Result<Axis> {
    let signed = len as i64;
    let (start, stop, step) = match *index {
        Index::At(index) => return Ok(Axis { single: true, ..Axis::new(position(axis, index, len)?, 1, 1) }),
        #[cfg(feature = "indexing")]
        Index::Points(ref points) => return points.along(axis, len),
        Index::Range { start, stop, step } => (start, stop, step),
        Index::Ellipsis => (None, None, 1),
    };
    if step == 0 {
        return Err(ArgumentError::ZeroStep { axis }.into());
    }
    // The positions that a bound may take: one before the first is where going backward ends.
    let before = if step > 0 { 0 } else { -1 };
    let bound = |at: i64| from_start(at, signed).clamp(before, signed + before);
    let (first, last) = if step > 0 { (i64::MIN, i64::MAX) } else { (i64::MAX, i64::MIN) };
    let (start, stop) = (bound(start.unwrap_or(first)), bound(stop.unwrap_or(last)));
    let distance = if step > 0 { stop - start } else { start - stop };
    // No axis has room for two steps that are longer than what counts them.
    let step = step.clamp(-LONGEST, LONGEST) as Signed;
    let count = (distance.max(0) as Extent).div_ceil(step.unsigned_abs());
    Ok(Axis::new(start.max(0) as Extent, step, count))
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::ErrorKind;

    fn taken(text: &str, len: u64) -> Vec<u64> {
        let selection: Selection = text.parse().unwrap();
        let axis = resolve(&selection.0, &[len]).unwrap()[0].clone();
        (0..axis.count).map(|k| axis.coordinate(k)).collect()
    }

    #[test]
    fn takes_what_python_takes() {
        assert_eq!(taken("", 3), [0, 1, 2]);
        assert_eq!(taken("-1", 3), [2]);
        assert_eq!(taken("1:", 4), [1, 2, 3]);
        assert_eq!(taken(":-1", 4), [0, 1, 2]);
        assert_eq!(taken("::-1", 4), [3, 2, 1, 0]);
        assert_eq!(taken("10:2:-3", 9), [8, 5]);
        assert_eq!(taken("-100:100:2", 5), [0, 2, 4]);
        assert_eq!(taken(":-6:-1", 5), [4, 3, 2, 1, 0]);
        assert_eq!(taken("3:1", 5), [0; 0]);
        assert_eq!(taken("::-1", 0), [0; 0]);
        assert_eq!(taken("2:-9223372036854775808:-9223372036854775808", 5), [2]);
        assert_eq!(taken(" [ 1 : 3 ] ", 5), [1, 2]);
    }

    #[test]
    fn says_what_is_wrong() {
        let error = |text: &str, shape: &[u64]| {
            let error = text.parse().and_then(|s: Selection| s.shape(shape)).unwrap_err();
            let ErrorKind::Argument(error) = error.kind() else { panic!("another error for {text:?}") };
            error
        };
        let list =
            |len: usize| Selection(Vec::from([Index::mask(&Vec::from_iter((0..len).map(|k| k == 1)))]));
        assert_eq!(list(3).shape(&[3]), Ok(Vec::from([1])));
        assert_eq!(
            list(2).shape(&[3]).unwrap_err(),
            ArgumentError::MaskLen { axis: 0, given: 2, len: 3 }.into()
        );
        assert_eq!(error("1, 2", &[5]), ArgumentError::Dimensions { given: 2, ndim: 1 });
        assert_eq!(error("..., ...", &[5]), ArgumentError::Dimensions { given: 2, ndim: 1 });
        assert_eq!(error("0, 5", &[5, 5]), ArgumentError::Index { axis: 1, index: 5, len: 5 });
        assert_eq!(error("-6", &[5]), ArgumentError::Index { axis: 0, index: -6, len: 5 });
        assert_eq!(error("::0", &[5]), ArgumentError::ZeroStep { axis: 0 });
        assert_eq!(error("..., [1, 9, 3]", &[5, 9]), ArgumentError::Index { axis: 1, index: 9, len: 9 });
        assert_eq!(error("[0], [-1, -6]", &[5, 5]), ArgumentError::Index { axis: 1, index: -6, len: 5 });
    }
}
