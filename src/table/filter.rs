//! Conditions on the rows of a table.

#[cfg_attr(not(feature = "expression"), path = "filter/plain.rs")]
mod arithmetic;
mod parse;
mod possible;
mod values;

use super::cells::Cells;
use super::schema::ColumnSpec;
#[cfg(feature = "expression")]
use crate::expression::ExpressionError;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use arithmetic::Computed;
use core::cmp::Ordering;
use core::fmt;
pub use possible::{Extremes, RunContents};
use values::{Values, compare};

/// A condition on the rows of a table, such as `x > 3 and name == 'a'`.
///
/// Columns are compared with numbers, texts in quotes, `true` and `false`, and with each other: `==`, `!=`, `<`, `<=`, `>`, `>=`, also in
/// chains, as `0 < x <= 9`, and with lists, as `x in (1, 2)` and `x not in (1, 2)`. Comparisons are joined with `and`, `or` (or `&`, `|`,
/// which bind as these do), `not`, `~` before parentheses, and parentheses. Columns of booleans are conditions themselves. Names that are
/// no words, and words of the language, stand in backquotes.
///
/// Timestamps are compared with dates of ISO 8601: `2026-01-01`, `2026-01-01T12:30+02:00`, or the same in quotes. Dates without an offset
/// are UTC, as timestamps are stored.
///
/// With the feature `expression` the sides of comparisons may be computed from columns of numbers and booleans, by operators and functions
/// of `expression::Expression` and with NumPy's types: `x + 2*y > 3`, `abs(x) < 1`. Summaries of blocks tell nothing of these.
///
/// [`col`](super::col) makes conditions without quoting names and texts.
///
/// A comparison with null is unknown, as in SQL and by python-blosc2, and so is what depends on it. Such rows are left out; `x is null`
/// and `x is not null` tell them.
///
/// ```
/// use b2nd::table::{Filter, Table};
/// let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
/// let table = Table::open(&store, "")?;
/// let name = &table.columns()[2].name;
/// if let Ok(filter) = Filter::parse(&format!("`{name}` > 0"), table.columns()) {
///     let cells = table.column(name)?.cells(0..table.len())?;
///     println!("{:?}", filter.matches(&[cells]));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    root: Node,
    columns: Vec<String>,
}

/// Why a text is no condition.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilterError {
    /// Invalid syntax.
    Syntax {
        /// The byte position of the error.
        at: usize,
    },
    /// The text names no column.
    Constant,
    /// Parentheses or `not` are nested too deeply.
    Depth,
    /// There is no stored column of this name.
    NoColumn(String),
    /// Cells of this column cannot be compared.
    Kind(String),
    /// Values of different kinds are compared, or one that is no boolean is taken for a condition.
    Types {
        /// The byte position at which the comparison ends.
        at: usize,
    },
    /// This is no date, or none within the range of times.
    Date {
        /// The byte position of the date, or of the end of its text.
        at: usize,
    },
    /// The cells are not those of the filter's columns.
    Cells,
    /// Integers have no values to the power of negative ones.
    Power,
    /// A computed side has no values.
    #[cfg(feature = "expression")]
    Expression(ExpressionError),
}

impl core::error::Error for FilterError {}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { at } => write!(f, "the condition has a syntax error at byte {at}"),
            Self::Constant => f.write_str("the condition names no column"),
            Self::Depth => f.write_str("the condition is nested too deeply"),
            Self::NoColumn(name) => write!(f, "the condition names {name:?}, which is no stored column"),
            Self::Kind(name) => write!(f, "cells of column {name:?} cannot be compared"),
            Self::Types { at } => {
                write!(
                    f,
                    "the condition compares values of different kinds, or takes them for booleans, before byte {at}"
                )
            }
            Self::Date { at } => write!(f, "the condition has an invalid date at byte {at}"),
            Self::Cells => f.write_str("the cells are not those of the condition's columns"),
            Self::Power => f.write_str("the condition has an integer to the power of a negative one"),
            #[cfg(feature = "expression")]
            Self::Expression(error) => error.fmt(f),
        }
    }
}

/// The kind of values that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Bool,
    Number,
    Text,
    Time,
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Column(usize),
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(String),
    /// In attoseconds since 1970.
    Time(i128),
    #[cfg_attr(not(feature = "expression"), allow(dead_code, reason = "it has no values"))]
    Computed(Computed),
    Compare(Test, Box<[Self; 2]>),
    /// Of a column.
    IsNull(usize),
    Not(Box<Self>),
    And(Vec<Self>),
    Or(Vec<Self>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Test {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Test {
    /// Whether it holds. Numbers that are none have no order, and are unequal.
    const fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Self::Equal => matches!(order, Some(Ordering::Equal)),
            Self::Unequal => !matches!(order, Some(Ordering::Equal)),
            Self::Less => matches!(order, Some(Ordering::Less)),
            Self::AtMost => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Self::Greater => matches!(order, Some(Ordering::Greater)),
            Self::AtLeast => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }
    }
}

/// The outcome for rows: true, false, or unknown.
type Truth = Vec<Option<bool>>;

impl Filter {
    /// Parses a condition on these columns.
    ///
    /// ```
    /// use b2nd::{array::Dtype, table::{ColumnKind, ColumnSpec, Filter, FilterError, Nulls}};
    /// let columns = [ColumnSpec::new("x", &ColumnKind::Number(Dtype::of::<i8>()), &Nulls::None)?];
    /// assert!(Filter::parse("0 < x and not x == 7", &columns).is_ok());
    /// assert_eq!(Filter::parse("x >", &columns), Err(FilterError::Syntax { at: 3 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FilterError`] with its place in the text.
    pub fn parse(text: &str, columns: &[ColumnSpec]) -> Result<Self, FilterError> {
        let (root, columns) = parse::parse(text, columns)?;
        Ok(Self { root, columns })
    }

    /// The names of the columns that it needs.
    ///
    /// ```
    /// # use b2nd::{array::Dtype, table::{ColumnKind, ColumnSpec, Filter, Nulls}};
    /// let columns = ["x", "y"].map(|name| ColumnSpec::new(name, &ColumnKind::Text, &Nulls::None).unwrap());
    /// assert_eq!(Filter::parse("y == 'a'", &columns)?.columns(), ["y"]);
    /// # Ok::<(), b2nd::table::FilterError>(())
    /// ```
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Which rows match, by the cells of the [columns](Self::columns).
    ///
    /// ```
    /// # use b2nd::table::{Cells, ColumnKind, ColumnSpec, Data, Filter, Nulls};
    /// let columns = [ColumnSpec::new("name", &ColumnKind::Text, &Nulls::Mask)?];
    /// let data = Data::Texts(vec!["a".into(), "b".into(), "".into()]);
    /// let cells = Cells { data, valid: Some(vec![true, true, false]) };
    /// let filter = Filter::parse("name != 'a'", &columns)?;
    /// assert_eq!(filter.matches(&[cells])?, [false, true, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FilterError::Cells`] for other cells than those of the columns, or of different numbers.
    pub fn matches(&self, cells: &[Cells]) -> Result<Vec<bool>, FilterError> {
        let rows = cells.first().map_or(0, Cells::len);
        if cells.len() != self.columns.len() || cells.iter().any(|cells| cells.len() != rows) {
            return Err(FilterError::Cells);
        }
        let values = cells.iter().map(Values::of).collect::<Option<Vec<_>>>().ok_or(FilterError::Cells)?;
        let truth = self.root.truth(&values, rows)?;
        Ok(truth.into_iter().map(|truth| truth == Some(true)).collect())
    }
}

impl Node {
    /// Whether it has an outcome, but no value.
    const fn is_condition(&self) -> bool {
        matches!(self, Self::Compare(..) | Self::IsNull(_) | Self::Not(_) | Self::And(_) | Self::Or(_))
    }

    /// The outcome of a condition.
    fn truth(&self, values: &[Values<'_>], rows: usize) -> Result<Truth, FilterError> {
        Ok(match self {
            Self::Bool(value) => alloc::vec![Some(*value); rows],
            Self::Column(_) | Self::Computed(_) => {
                self.values(values, rows)?.truth().ok_or(FilterError::Cells)?
            }
            Self::Compare(test, sides) => {
                let (left, right) = (sides[0].values(values, rows)?, sides[1].values(values, rows)?);
                let order = compare(&left, &right, rows).ok_or(FilterError::Cells)?;
                order.into_iter().map(|order| Some(test.holds(order?))).collect()
            }
            Self::IsNull(number) => {
                let column = values.get(*number).ok_or(FilterError::Cells)?;
                (0..rows).map(|row| Some(column.is_null(row))).collect()
            }
            Self::Not(node) => {
                node.truth(values, rows)?.into_iter().map(|truth| truth.map(|truth| !truth)).collect()
            }
            Self::And(nodes) => Self::joined(nodes, false, values, rows)?,
            Self::Or(nodes) => Self::joined(nodes, true, values, rows)?,
            _ => return Err(FilterError::Cells),
        })
    }

    /// The outcome if one condition that is `decisive` decides. The outcomes of two of them are in memory at a time.
    fn joined(
        nodes: &[Self],
        decisive: bool,
        values: &[Values<'_>],
        rows: usize,
    ) -> Result<Truth, FilterError> {
        let join = |a: Option<bool>, b: Option<bool>| match (a, b) {
            (Some(truth), _) | (_, Some(truth)) if truth == decisive => Some(decisive),
            (Some(_), Some(_)) => Some(!decisive),
            _ => None,
        };
        nodes.iter().try_fold(alloc::vec![Some(!decisive); rows], |known, node| {
            Ok(known.into_iter().zip(node.truth(values, rows)?).map(|(a, b)| join(a, b)).collect())
        })
    }

    /// The values of an operand.
    fn values<'v>(
        &'v self,
        values: &'v [Values<'v>],
        rows: usize,
    ) -> Result<Cow<'v, Values<'v>>, FilterError> {
        Ok(Cow::Owned(match self {
            Self::Column(number) => return values.get(*number).map(Cow::Borrowed).ok_or(FilterError::Cells),
            Self::Computed(computed) => computed.values(values, rows)?,
            Self::Bool(value) => Values::Bool(Some(*value)),
            Self::Int(value) => Values::Int(*value),
            Self::Float(value) => Values::Float(*value),
            Self::Text(text) => Values::Text(text),
            Self::Time(moment) => Values::Time(*moment),
            _ => Values::Bool(None),
        }))
    }
}

#[cfg(all(test, feature = "std", feature = "write"))]
mod tests;
