//! Expressions of arrays, such as `a + 2*b`, with NumPy's functions and rules of types.

#[cfg(feature = "store")]
mod build;
mod compile;
mod computation;
mod evaluation;
mod function;
mod kernels;
mod math;
mod node;
mod number;
mod pairs;
mod parse;
mod parts;
mod reduce;
mod stored;
mod summary;
#[cfg(all(feature = "std", feature = "store", feature = "write"))]
mod text;
mod types;
mod vector;

use alloc::string::String;
use alloc::vec::Vec;
#[cfg(feature = "store")]
pub(crate) use compile::{Leaf, Program};
pub use computation::{Computation, IsUniform, Operand, OperandPart, Reduced};
use core::fmt;
pub use evaluation::Evaluation;
#[cfg(feature = "store")]
pub(crate) use function::Function;
use node::Node;
#[cfg(feature = "store")]
pub(crate) use parse::{ARITHMETIC, POWER, SIGN};
pub use stored::{StoredExpression, StoredOperand};
pub(crate) use summary::{Numbers, part_and_axes, statistics};
pub use summary::{Summarized, Summary, percentiles};
#[cfg(feature = "store")]
pub(crate) use types::Type;
pub(crate) use vector::Vector;

/// An expression of arrays: operators and functions of NumPy, with names for the arrays.
///
/// * Operators: `+ - * / // % **`, `& | ^ ~ << >>`, `== != < <= > >=`, also in chains such as `0 < a <= 1`, and `and`, `or`, `not`.
/// * Functions of items: `where`, `abs`, `sqrt`, `exp`, `log`, `sin`, `minimum`, `isnan` and so on, by the names of NumPy and of the
///   array API.
/// * Reductions: `sum`, `prod`, `mean`, `var`, `std`, `min`, `max`, `any` and `all`, with `axis=`, `keepdims=` and `ddof=`; `nansum`,
///   `nanmean` and so on, which skip NaN.
///
/// The types are those of NumPy 2: numbers in the text take the type of the arrays beside them.
///
/// ```
/// use b2nd::expression::Expression;
/// let expression = Expression::parse("where(a > 0, sqrt(a), 0) + mean(b, axis=0)")?;
/// assert_eq!(expression.names(), ["a", "b"]);
/// # Ok::<(), b2nd::expression::ExpressionError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    root: Node,
    names: Vec<String>,
}

/// Why there are no values of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpressionError {
    /// Invalid syntax.
    Syntax {
        /// The byte position of the error.
        at: usize,
    },
    /// There is no such function.
    Function(String),
    /// A function has another number of arguments.
    Arguments {
        /// The byte position after the arguments.
        at: usize,
    },
    /// The expression is nested too deeply, or too long.
    Depth,
    /// There is no operand of this name.
    NoOperand(String),
    /// Expressions do not have items of this dtype.
    Dtype(String),
    /// A function does not take values of this dtype.
    Types {
        /// The function.
        function: String,
        /// The dtype, after promotion.
        dtype: String,
    },
    /// A number of the text does not fit the dtype of the arrays beside it.
    Overflow {
        /// The number.
        number: i128,
        /// The dtype.
        dtype: String,
    },
    /// Shapes do not fit each other.
    Shapes,
    /// There is no such axis, or it is given twice.
    Axis(i64),
    /// The expression cannot be that of a column of a table: python-blosc2 has none such, or none with a value for each row.
    Column,
}

impl core::error::Error for ExpressionError {}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { at } => write!(f, "the expression has a syntax error at byte {at}"),
            Self::Function(name) => write!(f, "the expression calls {name:?}, which is no known function"),
            Self::Arguments { at } => {
                write!(f, "the expression has a wrong number of arguments, or unknown ones, before byte {at}")
            }
            Self::Depth => f.write_str("the expression is nested too deeply, or too long"),
            Self::NoOperand(name) => write!(f, "the expression names {name:?}, which is no operand"),
            Self::Dtype(dtype) => write!(f, "expressions do not have the dtype {dtype}"),
            Self::Types { function, dtype } => {
                write!(f, "{function} does not take values of the dtype {dtype}")
            }
            Self::Overflow { number, dtype } => write!(f, "{number} does not fit the dtype {dtype}"),
            Self::Shapes => f.write_str("the shapes of the operands do not fit each other"),
            Self::Column => f.write_str("the expression is none that columns of python-blosc2 have"),
            Self::Axis(axis) => write!(f, "axis {axis} does not exist, or is given twice"),
        }
    }
}

impl Expression {
    /// Parses an expression.
    ///
    /// ```
    /// use b2nd::expression::{Expression, ExpressionError};
    /// assert!(Expression::parse("(a > 0) & ~isnan(b)").is_ok());
    /// assert_eq!(Expression::parse("a +"), Err(ExpressionError::Syntax { at: 3 }));
    /// ```
    ///
    /// # Errors
    /// `Syntax`, `Function`, `Arguments` and `Depth`.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let (root, names) = parse::parse(text)?;
        Ok(Self { root, names })
    }

    /// The names of the operands, in the order in which they first appear.
    ///
    /// ```
    /// use b2nd::expression::Expression;
    /// assert_eq!(Expression::parse("x * y + x")?.names(), ["x", "y"]);
    /// # Ok::<(), b2nd::expression::ExpressionError>(())
    /// ```
    pub fn names(&self) -> &[String] {
        &self.names
    }
}
