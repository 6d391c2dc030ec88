//! Statistics of arrays.

use super::lazy::LazyArray;
use super::{Array, ReadAt, ReadError};
use crate::array::{Dtype, Kind};
use crate::base::ArgumentError;
use crate::expression::{Expression, ExpressionError, Vector};
use crate::plan::ToSelection;
use alloc::format;
use alloc::string::{String, ToString};
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
        let kind = array.dtype().kind();
        if !matches!(kind, Kind::Bool | Kind::Int | Kind::Uint | Kind::Float) {
            return Err(ExpressionError::Dtype(array.dtype().to_string()).into());
        }
        let is_float = matches!(kind, Kind::Float);
        let expression = Expression::parse(&text(&selection.to_string(), axes, is_float))?;
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
        let mut counts = || match is_float {
            true => {
                Ok::<_, ReadError<S::Error>>(next()?.to_i64().into_iter().map(|count| count as u64).collect())
            }
            false => Ok(alloc::vec![0; places as usize]),
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

/// The expression with the reductions, in the order in which they are taken. An item that is infinite is none among them: its difference
/// from itself is NaN.
fn text(selection: &str, axes: Option<&[i64]>, is_float: bool) -> String {
    let part = if selection.is_empty() { "a".into() } else { format!("a[{selection}]") };
    let axes: Option<Vec<String>> = axes.map(|axes| axes.iter().map(|axis| format!("{axis},")).collect());
    let along = axes.map_or_else(String::new, |axes| format!(", axis=({})", axes.concat()));
    let of = |name: &str, items: &str| format!("{name}({items}{along})");
    let names = ["min", "max", "mean", "std"];
    if !is_float {
        return names.map(|name| of(name, &part)).join(" + ");
    }
    let finite = format!("{part} + ({part} - {part})");
    let mut reductions: Vec<_> = names.iter().map(|name| of(&format!("nan{name}"), &finite)).collect();
    reductions.extend(["isnan", "isinf"].map(|name| of("sum", &format!("{name}({part})"))));
    reductions.join(" + ")
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
