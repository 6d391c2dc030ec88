//! New computed columns.

use super::{ComputedColumn, named};
use crate::array::Kind;
use crate::base::Limits;
use crate::expression::{Expression, ExpressionError};
use crate::table::ColumnSpec;
use crate::table::kinds::number;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl ComputedColumn {
    /// A column that is computed from these by an expression with their names, for [`TableEditor`](crate::sink::TableEditor) and
    /// [`TableWriter`](crate::sink::TableWriter). Times are integers in it.
    ///
    /// ```
    /// use b2nd::{array::Dtype, expression::Expression, table::{ColumnKind, ColumnSpec, ComputedColumn, Nulls}};
    /// let columns = ["x", "y"].map(|name| ColumnSpec::new(name, &ColumnKind::Number(Dtype::of::<i16>()), &Nulls::None).unwrap());
    /// let column = ComputedColumn::new("sum", &Expression::parse("x + 0.5 * y")?, &columns)?;
    /// assert_eq!((&*column.dtype, column.formula.as_deref()), ("float64", Some("(o0 + (0.5 * o1))")));
    /// # Ok::<(), b2nd::expression::ExpressionError>(())
    /// ```
    ///
    /// # Errors
    /// `NoOperand` for names of no columns, `Dtype`, `Types` and `Overflow` for those of other types, `Column` for reductions and functions
    /// that python-blosc2 does not have in tables, such as `cbrt`.
    pub fn new(name: &str, expression: &Expression, columns: &[ColumnSpec]) -> Result<Self, ExpressionError> {
        let dtype = |name: &String| {
            let spec = columns.iter().find(|spec| spec.name == *name);
            let spec = spec.ok_or_else(|| ExpressionError::NoOperand(name.clone()))?;
            let stored = spec.stored_dtype(&Limits::default()).ok().flatten();
            // Booleans beside a value for null are bytes.
            let is_known = |kind: &Kind| (spec.kind == "bool") == (*kind == Kind::Bool);
            stored
                .filter(|dtype| is_known(dtype.kind()))
                .ok_or_else(|| ExpressionError::Dtype(spec.kind.clone()))
        };
        let inputs = expression.names().to_vec();
        let dtypes = inputs.iter().map(dtype).collect::<Result<Vec<_>, _>>()?;
        let shaped: Vec<_> = dtypes.iter().map(|dtype| (dtype, &[1][..])).collect();
        let dtype = expression.compile(&shaped)?.root.ty.dtype();
        let formula = expression.text(&dtypes).ok_or(ExpressionError::Column)?;
        Ok(Self {
            name: name.to_string(),
            // Columns of tables do not have floats of 16 bits, but NumPy does.
            dtype: number(&dtype).unwrap_or("float16").into(),
            expression: named(&formula, &inputs, &Limits::default(), &mut 0)
                .map_err(|_| ExpressionError::Depth)?,
            inputs,
            formula: Some(formula),
        })
    }
}
