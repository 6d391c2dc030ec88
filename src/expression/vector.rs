//! Values of one type.

use super::number::Number;
use super::pairs::map;
use super::types::{Type, typed};
use crate::array::Dtype;
use crate::base::Result;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;
use half::f16;

/// Values of one type; a single one stands for any number of equal ones.
#[derive(Debug, Clone)]
pub(crate) enum Vector<'v> {
    Bool(Cow<'v, [bool]>),
    I8(Cow<'v, [i8]>),
    I16(Cow<'v, [i16]>),
    I32(Cow<'v, [i32]>),
    I64(Cow<'v, [i64]>),
    U8(Cow<'v, [u8]>),
    U16(Cow<'v, [u16]>),
    U32(Cow<'v, [u32]>),
    U64(Cow<'v, [u64]>),
    F16(Cow<'v, [f16]>),
    F32(Cow<'v, [f32]>),
    F64(Cow<'v, [f64]>),
}

/// Evaluates an expression in which a name is the values of a vector, and another makes a vector of the same type.
macro_rules! inside {
    ($vector:expr, $values:ident, $make:ident => $body:expr) => {
        match $vector {
            Vector::Bool($values) => {
                let $make = Vector::Bool;
                $body
            }
            Vector::I8($values) => {
                let $make = Vector::I8;
                $body
            }
            Vector::I16($values) => {
                let $make = Vector::I16;
                $body
            }
            Vector::I32($values) => {
                let $make = Vector::I32;
                $body
            }
            Vector::I64($values) => {
                let $make = Vector::I64;
                $body
            }
            Vector::U8($values) => {
                let $make = Vector::U8;
                $body
            }
            Vector::U16($values) => {
                let $make = Vector::U16;
                $body
            }
            Vector::U32($values) => {
                let $make = Vector::U32;
                $body
            }
            Vector::U64($values) => {
                let $make = Vector::U64;
                $body
            }
            Vector::F16($values) => {
                let $make = Vector::F16;
                $body
            }
            Vector::F32($values) => {
                let $make = Vector::F32;
                $body
            }
            Vector::F64($values) => {
                let $make = Vector::F64;
                $body
            }
        }
    };
}
pub(super) use inside;

/// A type of values.
pub(super) trait Item: Number {
    fn vector(values: Vec<Self>) -> Vector<'static>;

    /// The values of a vector of this type.
    fn values<'v>(vector: &'v Vector<'_>) -> Option<&'v [Self]>;
}

macro_rules! items {
    ($($type:ident $variant:ident,)*) => {$(
        impl Item for $type {
            fn vector(values: Vec<Self>) -> Vector<'static> {
                Vector::$variant(values.into())
            }

            fn values<'v>(vector: &'v Vector<'_>) -> Option<&'v [Self]> {
                if let Vector::$variant(values) = vector { Some(values) } else { None }
            }
        }
    )*};
}

items! { bool Bool, i8 I8, i16 I16, i32 I32, i64 I64, u8 U8, u16 U16, u32 U32, u64 U64, f16 F16, f32 F32, f64 F64, }

impl Vector<'_> {
    /// The values of items, which have the type of the dtype in either byte order.
    pub(crate) fn decode(ty: Type, dtype: &Dtype, items: &[u8]) -> Result<Vector<'static>> {
        typed!(ty, T => Ok(T::vector(dtype.decode::<T>(items)?)))
    }

    /// Appends `count` items, little-endian.
    pub(crate) fn encode(&self, count: usize, items: &mut Vec<u8>) -> Result<()> {
        inside!(self, values, _make => {
            let bytes = dtype_of(&values[..1]).encode(values)?;
            if values.len() == count {
                items.extend_from_slice(&bytes);
            } else {
                items.extend(bytes.iter().copied().cycle().take(bytes.len() * count));
            }
        });
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        inside!(self, values, _make => values.len())
    }

    /// All of the values.
    pub(super) fn borrowed(&self) -> Vector<'_> {
        inside!(self, values, make => make(Cow::Borrowed(values)))
    }

    /// Some of the values, or the single one.
    pub(super) fn part(&self, range: Range<usize>) -> Vector<'_> {
        if self.len() == 1 {
            return self.borrowed();
        }
        inside!(self, values, make => make(Cow::Borrowed(&values[range])))
    }

    /// The values at the sums of one offset of each list, the last list fastest.
    pub(crate) fn gather(&self, offsets: &[Vec<usize>]) -> Vector<'static> {
        inside!(self, values, make => make(gather(values, offsets).into()))
    }

    /// The values in another type.
    pub(crate) fn cast(&self, to: Type) -> Vector<'static> {
        inside!(self, values, _make => cast(values, to))
    }

    /// Whether values are not zero.
    pub(super) fn truth(&self) -> Vector<'static> {
        inside!(self, values, _make => Vector::Bool(map(values, Number::is_true).into()))
    }

    pub(crate) fn to_f64(&self) -> Vec<f64> {
        inside!(self, values, _make => map(values, Number::to_f64))
    }

    /// The bits of unsigned integers of 64 bits.
    pub(crate) fn to_i64(&self) -> Vec<i64> {
        inside!(self, values, _make => map(values, Number::to_i64))
    }
}

fn dtype_of<T: Number>(_: &[T]) -> Dtype {
    Dtype::of::<T>()
}

fn cast<T: Number>(values: &[T], to: Type) -> Vector<'static> {
    match to {
        Type::F64 => Vector::F64(map(values, T::to_f64).into()),
        Type::F32 => Vector::F32(map(values, T::to_f32).into()),
        Type::F16 => Vector::F16(map(values, |value| f16::from_f32(value.to_f32())).into()),
        _ => typed!(to, U => U::vector(map(values, |value| U::of_i64(value.to_i64())))),
    }
}

fn gather<T: Copy>(values: &[T], offsets: &[Vec<usize>]) -> Vec<T> {
    let Some((last, outer)) = offsets.split_last() else { return values.to_vec() };
    let mut gathered = Vec::with_capacity(offsets.iter().map(Vec::len).product());
    let mut position = alloc::vec![0; outer.len()];
    let rows: usize = outer.iter().map(Vec::len).product();
    for _ in 0..rows {
        let start: usize = position.iter().zip(outer).map(|(at, offsets)| offsets[*at]).sum();
        gathered.extend(last.iter().map(|offset| values[start + offset]));
        for (at, offsets) in position.iter_mut().zip(outer).rev() {
            *at += 1;
            if *at < offsets.len() {
                break;
            }
            *at = 0;
        }
    }
    gathered
}
