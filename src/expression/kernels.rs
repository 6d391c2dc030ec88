//! Functions of vectors.

use super::function::Function;
use super::number::Number;
use super::pairs::{map, zip};
use super::types::{Type, typed};
use super::vector::{Item, Vector, inside};
use crate::base::ArgumentError;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The values of a function for arguments that have the types that it takes.
///
/// # Errors
/// `Argument` for integers to the power of negative ones.
pub(super) fn apply<'v>(
    function: Function,
    ty: Type,
    arguments: &'v [Vector<'v>],
) -> Result<Vector<'static>, ArgumentError> {
    match arguments {
        [only] => Ok(typed!(ty, T => unary::<T>(function, values(only)))),
        [left, right] if function.takes_truth(0) => Ok(Vector::Bool(logic(function, left, right).into())),
        [left, right] => match (left, right) {
            // No type has the values of both.
            (Vector::U64(left), Vector::I64(right)) => Ok(compared(function, left, right)),
            (Vector::I64(left), Vector::U64(right)) => Ok(compared(function, left, right)),
            _ => typed!(ty, T => binary::<T>(function, values(left), values(right))),
        },
        [condition, yes, no] => Ok(inside!(yes, yes, _make => choose(condition, yes, values(no)))),
        _ => Ok(Vector::Bool(Cow::Borrowed(&[]))),
    }
}

/// The values of a vector whose type is known.
fn values<'v, T: Item>(vector: &'v Vector<'v>) -> &'v [T] {
    T::values(vector).unwrap_or_default()
}

fn unary<T: Item>(function: Function, values: &[T]) -> Vector<'static> {
    match function {
        Function::Negative => T::vector(map(values, T::negative)),
        Function::Positive => T::vector(values.to_vec()),
        Function::Invert => T::vector(map(values, T::invert)),
        Function::Absolute => T::vector(map(values, T::absolute)),
        Function::Sign => T::vector(map(values, T::sign)),
        Function::Square => T::vector(map(values, |value| value.multiply(value))),
        Function::Not => bool::vector(map(values, |value| !value.is_true())),
        Function::IsNan => bool::vector(map(values, T::is_nan)),
        Function::IsInf => bool::vector(map(values, T::is_infinite)),
        Function::IsFinite => bool::vector(map(values, |value| !value.is_nan() && !value.is_infinite())),
        Function::SignBit => bool::vector(map(values, T::is_negative)),
        _ => T::vector(T::real(function, values).unwrap_or_default()),
    }
}

fn binary<T: Item>(function: Function, left: &[T], right: &[T]) -> Result<Vector<'static>, ArgumentError> {
    let is_integer = T::bits(Function::BitAnd).is_some();
    Ok(match function {
        Function::Add => T::vector(zip(left, right, T::add)),
        Function::Subtract => T::vector(zip(left, right, T::subtract)),
        Function::Multiply => T::vector(zip(left, right, T::multiply)),
        Function::Divide => T::vector(zip(left, right, T::divide)),
        Function::FloorDivide => T::vector(zip(left, right, T::floor_divide)),
        Function::Remainder => T::vector(zip(left, right, T::remainder)),
        Function::Power if is_integer && right.iter().any(|exponent| exponent.is_negative()) => {
            return Err(ArgumentError::NegativePower);
        }
        Function::Power => T::vector(zip(left, right, T::power)),
        Function::Minimum if T::FIRST_OF_EQUAL => T::vector(zip(left, right, T::least)),
        Function::Minimum => T::vector(zip(left, right, |a, b| b.least(a))),
        Function::Maximum if T::FIRST_OF_EQUAL => T::vector(zip(left, right, T::greatest)),
        Function::Maximum => T::vector(zip(left, right, |a, b| b.greatest(a))),
        Function::AtMost => T::vector(zip(left, right, T::least)),
        Function::AtLeast => T::vector(zip(left, right, T::greatest)),
        _ if function.is_comparison() => compared_same(function, left, right),
        _ => T::vector(match T::bits(function) {
            Some(bits) => zip(left, right, bits),
            None => T::real_of_two(function, left, right).unwrap_or_default(),
        }),
    })
}

fn compared_same<T: Item>(function: Function, left: &[T], right: &[T]) -> Vector<'static> {
    bool::vector(match function {
        Function::Equal => zip(left, right, |a, b| a == b),
        Function::NotEqual => zip(left, right, |a, b| a != b),
        Function::Less => zip(left, right, |a, b| a < b),
        Function::LessEqual => zip(left, right, |a, b| a <= b),
        Function::Greater => zip(left, right, |a, b| a > b),
        _ => zip(left, right, |a, b| a >= b),
    })
}

fn compared<A: Number + Into<i128>, B: Number + Into<i128>>(
    function: Function,
    left: &[A],
    right: &[B],
) -> Vector<'static> {
    bool::vector(zip(left, right, |a, b| holds(function, a.into().cmp(&b.into()))))
}

/// Whether a comparison is true for values of this order.
pub(super) const fn holds(comparison: Function, order: Ordering) -> bool {
    match comparison {
        Function::Equal => order.is_eq(),
        Function::NotEqual => order.is_ne(),
        Function::Less => order.is_lt(),
        Function::LessEqual => order.is_le(),
        Function::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

fn logic(function: Function, left: &Vector<'_>, right: &Vector<'_>) -> Vec<bool> {
    let (left, right) = (values(left), values(right));
    match function {
        Function::And => zip(left, right, |a: bool, b: bool| a & b),
        Function::Or => zip(left, right, |a: bool, b: bool| a | b),
        _ => zip(left, right, |a: bool, b: bool| a ^ b),
    }
}

fn choose<T: Item>(condition: &Vector<'_>, yes: &[T], no: &[T]) -> Vector<'static> {
    let condition: &[bool] = values(condition);
    let len = condition.len().max(yes.len()).max(no.len());
    let at = |values: &[T], k: usize| values[if values.len() == 1 { 0 } else { k }];
    T::vector(match (condition, yes, no) {
        (&[true], ..) if yes.len() == len => yes.to_vec(),
        (&[false], ..) if no.len() == len => no.to_vec(),
        (&[chosen], ..) => (0..len).map(|k| at(if chosen { yes } else { no }, k)).collect(),
        (_, &[yes], &[no]) => map(condition, |chosen| if chosen { yes } else { no }),
        (_, &[yes], _) => zip(condition, no, |chosen, no| if chosen { yes } else { no }),
        (_, _, &[no]) => zip(condition, yes, |chosen, yes| if chosen { yes } else { no }),
        _ => condition
            .iter()
            .zip(yes.iter().zip(no))
            .map(|(chosen, (yes, no))| if *chosen { *yes } else { *no })
            .collect(),
    })
}
