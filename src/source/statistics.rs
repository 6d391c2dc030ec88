//! Statistics of arrays.

use super::lazy::LazyArray;
use super::{Array, ReadAt, ReadError};
use crate::array::Dtype;
use crate::base::ArgumentError;
use crate::expression::{Expression, ExpressionError, Numbers, Vector, part_and_axes, statistics};
use crate::plan::ToSelection;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

/// Statistics of an array, or of a part of it: of all items, or along some axes at each position of the others.
///
/// All are of the finite items. Without any, they are NaN. Means and deviations are added up in double precision and, as NumPy's, rounded
/// to the type of floats of 16 and 32 bits.
///
/// ```
/// use b2nd::{Array, source::Statistics};
/// let array = Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
/// let all = Statistics::of(array, .., None)?;
/// assert_eq!((all.count, all.nan, all.shape.len()), (14_400, vec![240], 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// The axes that are left, of which each position has statistics of its own, in C order.
    pub shape: Vec<u64>,
    /// The number of items of each.
    pub count: u64,
    /// How many of them are NaN.
    pub nan: Vec<u64>,
    /// How many are infinite.
    pub infinite: Vec<u64>,
    /// The dtype of the least and the greatest: that of the array, little-endian.
    pub dtype: Dtype,
    /// The least, as items of `dtype`.
    pub min: Vec<u8>,
    /// The greatest, like the least.
    pub max: Vec<u8>,
    /// The mean.
    pub mean: Vec<f64>,
    /// The standard deviation of all items (`ddof=0`).
    pub std: Vec<f64>,
}

/// An error of statistics.
#[derive(Debug)]
#[non_exhaustive]
pub enum StatisticsError<E> {
    /// There are none of items of this dtype, or along this axis.
    Expression(ExpressionError),
    /// The array cannot be read, or the selection does not fit.
    Read(ReadError<E>),
}

impl Statistics {
    /// Reads the selected items once. `axes` are those that the statistics go along, negative ones from the last; all without a list.
    ///
    /// ```
    /// use b2nd::{Array, source::Statistics};
    /// let array = Array::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let planes = Statistics::of(array, "::2", Some(&[1, 2]))?;
    /// assert_eq!((planes.shape, planes.count), (vec![6], 1200));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Expression` for items that are no real numbers, and for axes that do not exist; `Read` for what is read, and for the least of no items.
    pub fn of<S: ReadAt>(
        array: Array<S>,
        selection: impl ToSelection,
        axes: Option<&[i64]>,
    ) -> Result<Self, StatisticsError<S::Error>> {
        let selection = selection.to_selection().map_err(ReadError::from)?;
        selection.must_have_ranges().map_err(ReadError::from)?;
        let shape = selection.shape(array.shape()).map_err(ReadError::from)?;
        let numbers = Numbers::of(array.dtype().kind()).filter(|numbers| *numbers != Numbers::ButNat);
        let numbers = numbers.ok_or_else(|| ExpressionError::Dtype(array.dtype().to_string()))?;
        let (part, along) = part_and_axes(&selection.to_string(), axes);
        let expression = Expression::parse(&statistics(&part, &along, numbers))?;
        let lazy = LazyArray::new(&expression, Vec::from([array]))?;
        let places = lazy.shape().iter().product::<u64>();
        let mut values = lazy.reduced()?.0.iter();
        let mut next = || values.next().ok_or(ReadError::from(ArgumentError::Unfinished));
        let items = |values: &Vector<'_>| {
            let mut items = Vec::new();
            values.encode(values.len(), &mut items).map(|()| items).map_err(ReadError::from)
        };
        let (min, max) = (items(next()?)?, items(next()?)?);
        let (mean, std) = (next()?.to_f64(), next()?.to_f64());
        let mut counts = || match numbers {
            Numbers::ButNan => {
                Ok::<_, ReadError<S::Error>>(next()?.to_i64().into_iter().map(|count| count as u64).collect())
            }
            _ => Ok(alloc::vec![0; places as usize]),
        };
        Ok(Self {
            shape: lazy.shape().to_vec(),
            count: shape.iter().product::<u64>() / places.max(1),
            nan: counts()?,
            infinite: counts()?,
            dtype: lazy.reduction_dtype(),
            min,
            max,
            mean,
            std,
        })
    }
}

impl<E> From<ExpressionError> for StatisticsError<E> {
    fn from(error: ExpressionError) -> Self {
        Self::Expression(error)
    }
}

impl<E> From<ReadError<E>> for StatisticsError<E> {
    fn from(error: ReadError<E>) -> Self {
        Self::Read(error)
    }
}

impl<E: fmt::Display> fmt::Display for StatisticsError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expression(error) => error.fmt(f),
            Self::Read(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for StatisticsError<E> {
    /// The cause: the text of the error itself is the text of this one.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Expression(error) => error.source(),
            Self::Read(error) => error.source(),
        }
    }
}
