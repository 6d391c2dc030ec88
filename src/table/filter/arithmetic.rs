//! Arithmetic in conditions: values of expressions of columns, with the types of NumPy.

use super::parse::{Parsed, Parser};
use super::values::{Column, Values};
use super::{FilterError, Node, Type};
use crate::array::Dtype;
use crate::base::Limits;
use crate::expression::{ARITHMETIC, Expression, Function, Leaf, POWER, Program, SIGN, Vector};
use alloc::string::String;
use alloc::vec::Vec;

/// Values that are computed from those of columns, which are the operands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Computed {
    expression: Expression,
    /// The dtypes of the columns that were named before.
    dtypes: Vec<Dtype>,
    is_bool: bool,
}

impl Parser<'_> {
    /// A side of a comparison.
    pub(super) fn value(&mut self) -> Parsed<Node> {
        self.arithmetic(ARITHMETIC)
    }

    /// Operands, with the operators between them that bind at least so strongly.
    fn arithmetic(&mut self, least: u8) -> Parsed<Node> {
        let mut left = self.signed()?;
        let before = self.depth;
        while let Some((sign, precedence, function)) = self.operator(least) {
            self.scan.at += sign.len();
            // A chain of operators is as deep as it is long.
            self.deepen()?;
            let right = self.arithmetic(if precedence == POWER { SIGN } else { precedence + 1 })?;
            left = self.applied(function, [left, right].into())?;
        }
        self.depth = before;
        Ok(left)
    }

    fn operator(&mut self, least: u8) -> Option<(&'static str, u8, Function)> {
        let next = Function::OPERATORS.iter().find(|(sign, ..)| self.scan.is_next(sign));
        next.filter(|(_, precedence, _)| *precedence >= least).copied()
    }

    fn signed(&mut self) -> Parsed<Node> {
        let is_negative = self.scan.take("-");
        if !is_negative && !self.scan.take("+") {
            return self.operand();
        }
        let function = if is_negative { Function::Negative } else { Function::Positive };
        let operand = self.nested(|parser| parser.arithmetic(SIGN))?;
        self.applied(function, [operand].into())
    }

    /// A call of a function, after its name.
    pub(super) fn call(&mut self, name: &str) -> Parsed<Node> {
        let mut arguments = Vec::new();
        if !self.scan.take("(") {
            return Err(self.wrong());
        }
        while !self.scan.take(")") {
            let argument = self.nested(Self::value)?;
            arguments.push(self.formula(argument)?);
            if !self.scan.take(",") && !self.scan.is_next(")") {
                return Err(self.wrong());
            }
        }
        let called = Expression::call(name, arguments, self.scan.at).map_err(FilterError::Expression)?;
        self.computed(called)
    }

    fn applied(&self, function: Function, operands: Vec<Node>) -> Parsed<Node> {
        let formulas = operands.into_iter().map(|node| self.formula(node)).collect::<Parsed<_>>()?;
        self.computed(Expression::apply(function, formulas))
    }

    /// An operand as an expression of the columns.
    fn formula(&self, node: Node) -> Parsed<Expression> {
        Ok(match node {
            Node::Int(value) => Expression::of_int(value),
            Node::Float(value) => Expression::of_float(value),
            Node::Bool(value) => Expression::of_bool(value),
            Node::Computed(computed) => computed.expression,
            Node::Column(number) if matches!(self.type_of(&node), Some(Type::Bool | Type::Number)) => {
                Expression::operand(number)
            }
            _ => return Err(FilterError::Types { at: self.scan.at }),
        })
    }

    /// The values of an expression, which are a constant if it has no columns.
    fn computed(&self, expression: Expression) -> Parsed<Node> {
        let dtype = |name: &String| {
            let spec = self.specs.iter().find(|spec| spec.name == *name);
            // Others than numbers are in no expression.
            spec.and_then(|spec| Dtype::parse(&spec.kind, &Limits::default()).ok())
                .unwrap_or_else(Dtype::of::<bool>)
        };
        let mut computed =
            Computed { expression, dtypes: self.columns.iter().map(dtype).collect(), is_bool: false };
        let program = computed.program(1)?;
        computed.is_bool = program.root.ty.dtype() == Dtype::of::<bool>();
        if !program.inputs.is_empty() {
            return Ok(Node::Computed(computed));
        }
        let value = program.root.values(&[]).map_err(|_| FilterError::Power)?;
        Ok(match column(&value, 1, &[false]) {
            Column::Bools(bools) => Node::Bool(bools == [Some(true)]),
            Column::Ints(ints) => Node::Int(ints.first().copied().flatten().unwrap_or_default()),
            Column::Floats(floats, _) => Node::Float(floats.first().copied().flatten().unwrap_or_default()),
            _ => return Err(FilterError::Types { at: self.scan.at }),
        })
    }
}

impl Computed {
    /// Whether the values are booleans, and numbers otherwise.
    pub(super) const fn is_bool(&self) -> bool {
        self.is_bool
    }

    /// The values of rows: null where one of the operands is.
    pub(super) fn values(&self, columns: &[Values<'_>], rows: usize) -> Result<Values<'static>, FilterError> {
        let program = self.program(rows)?;
        let (mut leaves, mut nulls) = (Vec::new(), alloc::vec![false; rows]);
        for (number, input) in program.inputs.iter().enumerate() {
            let Some(Values::Column(column)) = columns.get(input.operand) else {
                return Err(FilterError::Cells);
            };
            let vector = match column {
                Column::Bools(bools) => Vector::Bool(known(bools, &mut nulls).into()),
                Column::Ints(ints) => {
                    let ints = known(ints, &mut nulls).into_iter().map(|int| int as i64);
                    Vector::I64(ints.collect::<Vec<_>>().into())
                }
                Column::Floats(floats, _) => Vector::F64(known(floats, &mut nulls).into()),
                _ => return Err(FilterError::Cells),
            };
            leaves.push((Leaf::Input(number), vector.cast(input.ty)));
        }
        let values = program.root.values(&leaves).map_err(|_| FilterError::Power)?;
        Ok(Values::Column(column(&values, rows, &nulls)))
    }

    fn program(&self, rows: usize) -> Result<Program, FilterError> {
        let shape = [rows as u64];
        let operands: Vec<_> = self.dtypes.iter().map(|dtype| (dtype, &shape[..])).collect();
        self.expression.compile(&operands).map_err(FilterError::Expression)
    }
}

/// The values of a column, with others in place of null.
fn known<T: Copy + Default>(values: &[Option<T>], nulls: &mut [bool]) -> Vec<T> {
    nulls.iter_mut().zip(values).for_each(|(null, value)| *null |= value.is_none());
    values.iter().map(|value| value.unwrap_or_default()).collect()
}

/// Values as those of a column.
fn column(values: &Vector<'_>, rows: usize, nulls: &[bool]) -> Column<'static> {
    fn each<T: Copy>(values: &[T], rows: usize, nulls: &[bool]) -> Vec<Option<T>> {
        // A single one stands for all.
        let value = |row: usize| if values.len() == 1 { values.first() } else { values.get(row) };
        (0..rows).map(|row| value(row).copied().filter(|_| nulls.get(row) == Some(&false))).collect()
    }
    match values {
        Vector::Bool(bools) => Column::Bools(each(bools, rows, nulls)),
        Vector::F16(_) | Vector::F32(_) => Column::Floats(each(&values.to_f64(), rows, nulls), true),
        Vector::F64(floats) => Column::Floats(each(floats, rows, nulls), false),
        Vector::U64(ints) => {
            Column::Ints(each(&ints.iter().map(|int| i128::from(*int)).collect::<Vec<_>>(), rows, nulls))
        }
        ints => {
            Column::Ints(each(&ints.to_i64().into_iter().map(i128::from).collect::<Vec<_>>(), rows, nulls))
        }
    }
}

#[cfg(all(test, feature = "std", feature = "write"))]
mod tests;
