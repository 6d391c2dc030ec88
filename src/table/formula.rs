//! Values of computed columns: expressions of the items of other columns, row by row (FORMAT §10.4).

use super::cells::{Cells, Data};
use super::computed::wrong;
use crate::array::{Dtype, Kind};
use crate::base::{Limits, Result, Unsupported, buffer_len};
use crate::expression::{Expression, Leaf, Program, Type, Vector};
use alloc::string::String;
use alloc::vec::Vec;

/// Rows that are computed at a time, so that what is between them stays in the caches.
const BATCH_ROWS: usize = 4096;

/// The expression of a computed column, compiled for the dtypes of its inputs. [`Column`](super::Column) has one: this is for readers of
/// their own.
///
/// ```
/// use b2nd::array::Dtype;
/// use b2nd::table::{Cells, Data, Formula};
/// let dtype = Dtype::of::<i32>();
/// let formula = Formula::new("(o0 * 2)", "float64", &[Some(dtype.clone())])?;
/// let items = dtype.encode(&[1, 2, 3])?;
/// let input = Cells { data: Data::Items { dtype, items }, valid: Some(vec![true, false, true]) };
/// let cells = formula.cells(vec![input], 3)?;
/// let Data::Items { dtype, items } = cells.data else { panic!("numbers") };
/// assert_eq!(dtype.decode::<f64>(&items)?, [2.0, 0.0, 6.0]);
/// assert_eq!(cells.valid, Some(vec![true, false, true]));
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug)]
pub struct Formula {
    program: Program,
    /// The number of the input for each operand.
    operands: Vec<usize>,
    /// The type by the schema, to which values are converted.
    ty: Type,
}

impl Formula {
    /// The expression as it is [stored](super::ComputedColumn::formula), NumPy's name for the dtype of its values, and the dtypes of the
    /// inputs `o0`, `o1` and so on, if their cells have one size.
    ///
    /// # Errors
    /// `Unsupported` for reductions and what is no number; `Format` for an operand that is no input.
    pub fn new(formula: &str, dtype: &str, inputs: &[Option<Dtype>]) -> Result<Self> {
        let expression = Expression::parse(formula).ok().filter(Expression::is_by_item);
        let expression = expression.ok_or(Unsupported::ComputedColumn)?;
        let number = |name: &String| name.strip_prefix('o')?.parse().ok().filter(|at| *at < inputs.len());
        let operands = expression.names().iter().map(number).collect::<Option<Vec<usize>>>();
        let operands = operands.ok_or_else(wrong)?;
        let numbers = |at: &usize| inputs[*at].as_ref().map(as_number).ok_or(Unsupported::ComputedColumn);
        let numbers = operands.iter().map(numbers).collect::<core::result::Result<Vec<_>, _>>()?;
        let shaped: Vec<_> = numbers.iter().map(|dtype| (dtype, &[1][..])).collect();
        let program = expression.compile(&shaped).map_err(|_| Unsupported::ComputedColumn)?;
        let dtype = Dtype::parse(dtype, &Limits::default()).ok();
        let ty = dtype.as_ref().and_then(Type::of).ok_or(Unsupported::ComputedColumn)?;
        Ok(Self { program, operands, ty })
    }

    /// The dtype of the values.
    pub fn dtype(&self) -> Dtype {
        self.ty.dtype()
    }

    /// The values of so many rows, by those of the inputs: null where one of these is.
    ///
    /// # Errors
    /// `Argument` for integers to the power of negative ones, and for inputs of another length; `Unsupported` for those that are missing or
    /// have no items.
    pub fn cells(&self, mut inputs: Vec<Cells>, rows: usize) -> Result<Cells> {
        inputs.iter_mut().for_each(clear_nulls);
        let mut stored = Vec::new();
        for input in &self.program.inputs {
            let cells = inputs.get(self.operands[input.operand]);
            let Some(Cells { data: Data::Items { dtype, items }, .. }) = cells else {
                return Err(Unsupported::ComputedColumn.into());
            };
            buffer_len(rows.saturating_mul(dtype.itemsize()), items)?;
            stored.push((input.ty, dtype, &items[..]));
        }
        let mut items = Vec::new();
        for start in (0..rows).step_by(BATCH_ROWS) {
            let batch = start..rows.min(start + BATCH_ROWS);
            let values = stored.iter().enumerate().map(|(number, (ty, dtype, items))| {
                let itemsize = dtype.itemsize();
                let items = &items[batch.start * itemsize..batch.end * itemsize];
                Ok((Leaf::Input(number), Vector::decode(*ty, dtype, items)?))
            });
            let leaves = values.collect::<Result<Vec<_>>>()?;
            self.program.root.values(&leaves)?.cast(self.ty).encode(batch.len(), &mut items)?;
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
