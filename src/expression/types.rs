//! The types of values, and how NumPy promotes them.

use crate::array::{Dtype, Element, Kind};
use Type::*;

/// The type of the items of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
}

/// Evaluates an expression in which a name is the Rust type of these values.
macro_rules! typed {
    ($type:expr, $name:ident => $body:expr) => {
        match $type {
            Type::Bool => {
                type $name = bool;
                $body
            }
            Type::I8 => {
                type $name = i8;
                $body
            }
            Type::I16 => {
                type $name = i16;
                $body
            }
            Type::I32 => {
                type $name = i32;
                $body
            }
            Type::I64 => {
                type $name = i64;
                $body
            }
            Type::U8 => {
                type $name = u8;
                $body
            }
            Type::U16 => {
                type $name = u16;
                $body
            }
            Type::U32 => {
                type $name = u32;
                $body
            }
            Type::U64 => {
                type $name = u64;
                $body
            }
            Type::F16 => {
                type $name = half::f16;
                $body
            }
            Type::F32 => {
                type $name = f32;
                $body
            }
            Type::F64 => {
                type $name = f64;
                $body
            }
        }
    };
}
pub(super) use typed;

impl Type {
    const ALL: [Self; 12] = [Bool, I8, I16, I32, I64, U8, U16, U32, U64, F16, F32, F64];

    /// The type of items of this dtype, in either byte order; `None` if expressions do not have it.
    pub(crate) fn of(dtype: &Dtype) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|ty| typed!(*ty, T => T::fits(dtype)))
            .filter(|_| matches!(dtype.kind(), Kind::Bool | Kind::Int | Kind::Uint | Kind::Float))
    }

    /// The dtype of the items, little-endian.
    pub(crate) fn dtype(self) -> Dtype {
        typed!(self, T => Dtype::of::<T>())
    }

    pub(super) const fn is_float(self) -> bool {
        matches!(self, F16 | F32 | F64)
    }

    pub(super) const fn is_signed(self) -> bool {
        matches!(self, I8 | I16 | I32 | I64)
    }

    pub(super) const fn is_integer(self) -> bool {
        self.is_signed() || matches!(self, U8 | U16 | U32 | U64)
    }

    const fn bits(self) -> u32 {
        match self {
            Bool => 1,
            I8 | U8 => 8,
            I16 | U16 | F16 => 16,
            I32 | U32 | F32 => 32,
            I64 | U64 | F64 => 64,
        }
    }

    /// The least and the greatest value of an integer type.
    pub(super) const fn bounds(self) -> (i128, i128) {
        let bits = self.bits();
        if self.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
    }

    /// The smallest floating-point type that has all values of this one; the largest for integers of 32 bits and more.
    pub(super) const fn float(self) -> Self {
        match self {
            Bool | I8 | U8 | F16 => F16,
            I16 | U16 | F32 => F32,
            _ => F64,
        }
    }

    /// The type that NumPy converts values of these two to.
    pub(super) const fn promoted(self, other: Self) -> Self {
        let (small, large) = if self.bits() > other.bits() { (other, self) } else { (self, other) };
        match (self.is_float(), other.is_float()) {
            (true, true) => large,
            (true, false) => Self::wider(self, other.float()),
            (false, true) => Self::wider(self.float(), other),
            _ if matches!(small, Bool) => large,
            _ if self.is_signed() == other.is_signed() => large,
            // An unsigned integer fits into a signed one of more bits.
            _ => {
                let unsigned = if self.is_signed() { other.bits() } else { self.bits() };
                match (unsigned, large.bits()) {
                    (64, _) => F64,
                    (32, _) | (_, 64) => I64,
                    (16, _) | (_, 32) => I32,
                    _ => I16,
                }
            }
        }
    }

    const fn wider(self, other: Self) -> Self {
        if self.bits() > other.bits() { self } else { other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_promoted_as_by_numpy() {
        for (a, b, promoted) in [
            (I8, U8, I16),
            (I16, U8, I16),
            (U16, I8, I32),
            (I32, U32, I64),
            (I64, U32, I64),
            (I64, U64, F64),
            (I8, F16, F16),
            (I16, F16, F32),
            (U64, F32, F64),
            (Bool, U8, U8),
            (Bool, F16, F16),
            (F32, F64, F64),
            (U8, U32, U32),
        ] {
            assert_eq!((a.promoted(b), b.promoted(a)), (promoted, promoted), "{a:?} {b:?}");
        }
    }
}
