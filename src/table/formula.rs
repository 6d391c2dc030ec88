//! Values of computed columns: expressions of the items of other columns, row by row (FORMAT §10.4).

use super::cells::{Cells, Data};
use super::computed::{ComputedColumn, wrong};
use crate::array::{Dtype, Kind};
use crate::base::{Limits, Result, Unsupported};
use crate::expression::{Expression, Leaf, Program, Type, Vector};
use alloc::string::String;
use alloc::vec::Vec;

/// Rows that are computed at a time, so that what is between them stays in the caches.
const BATCH_ROWS: usize = 4096;

/// The expression of a column, compiled for the dtypes of its inputs.
#[derive(Debug)]
pub(super) struct Formula {
    program: Program,
    /// The number of the input for each operand.
    operands: Vec<usize>,
    /// The type by the schema, to which values are converted.
    ty: Type,
}

impl Formula {
    /// Of inputs that have these dtypes, if their cells have one size.
    ///
    /// # Errors
    /// `Unsupported` for kernels, reductions, and what is no number; `Format` if the schema is damaged.
    pub(super) fn new(column: &ComputedColumn, inputs: &[Option<Dtype>]) -> Result<Self> {
        let formula = column.formula.as_ref().and_then(|formula| Expression::parse(formula).ok());
        let expression = formula.filter(Expression::is_by_item).ok_or(Unsupported::ComputedColumn)?;
        let number = |name: &String| name.strip_prefix('o')?.parse().ok().filter(|at| *at < inputs.len());
        let operands = expression.names().iter().map(number).collect::<Option<Vec<usize>>>();
        let operands = operands.ok_or_else(wrong)?;
        let dtype = |at: &usize| inputs[*at].as_ref().map(as_number).ok_or(Unsupported::ComputedColumn);
        let dtypes = operands.iter().map(dtype).collect::<core::result::Result<Vec<_>, _>>()?;
        let shaped: Vec<_> = dtypes.iter().map(|dtype| (dtype, &[1][..])).collect();
        let program = expression.compile(&shaped).map_err(|_| Unsupported::ComputedColumn)?;
        let dtype = Dtype::parse(&column.dtype, &Limits::default()).ok();
        let ty = dtype.as_ref().and_then(Type::of).ok_or(Unsupported::ComputedColumn)?;
        Ok(Self { program, operands, ty })
    }

    /// The dtype of the values.
    pub(super) fn dtype(&self) -> Dtype {
        self.ty.dtype()
    }

    /// The values of so many rows, by those of the inputs: null where one of these is.
    ///
    /// # Errors
    /// `Argument` for integers to the power of negative ones.
    pub(super) fn cells(&self, mut inputs: Vec<Cells>, rows: usize) -> Result<Cells> {
        inputs.iter_mut().for_each(clear_nulls);
        let mut leaves = Vec::new();
        for (number, input) in self.program.inputs.iter().enumerate() {
            let Data::Items { dtype, items } = &inputs[self.operands[input.operand]].data else {
                return Err(Unsupported::ComputedColumn.into());
            };
            leaves.push((Leaf::Input(number), Vector::decode(input.ty, dtype, items)?));
        }
        let mut items = Vec::new();
        for start in (0..rows).step_by(BATCH_ROWS) {
            let batch = start..rows.min(start + BATCH_ROWS);
            let values = self.program.root.values(&leaves, &batch)?.cast(self.ty);
            values.encode(batch.len(), &mut items)?;
        }
        let has_nulls = inputs.iter().any(|cells| cells.valid.is_some());
        let is_valid = |row| !inputs.iter().any(|cells| cells.is_null(row));
        let valid = has_nulls.then(|| (0..rows).map(is_valid).collect());
        Ok(Cells { data: Data::Items { dtype: self.dtype(), items }, valid })
    }
}

/// The dtype of items as numbers: times are integers.
fn as_number(dtype: &Dtype) -> Dtype {
    match dtype.kind() {
        Kind::Datetime(_) => Dtype::of::<i64>(),
        _ => dtype.clone(),
    }
}

/// Writes zeros to null cells: what they have might have no value, as integers to the power of negative ones.
fn clear_nulls(cells: &mut Cells) {
    let (Data::Items { dtype, items }, Some(valid)) = (&mut cells.data, &cells.valid) else { return };
    let rows = items.chunks_exact_mut(dtype.itemsize().max(1)).zip(valid);
    rows.filter(|(_, valid)| !**valid).for_each(|(item, _)| item.fill(0));
}
