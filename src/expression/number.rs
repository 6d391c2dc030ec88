//! Arithmetic of items, as NumPy does it: integers wrap around, and what is divided by zero is zero.

use super::function::Function;
use super::math::Real;
use super::pairs::zip;
use crate::array::Element;
use alloc::vec::Vec;
use half::f16;

/// The values of a type of items.
pub(super) trait Number: Copy + PartialOrd + Element + 'static {
    const ZERO: Self;
    /// Which of two zeros is NumPy's minimum and maximum.
    const FIRST_OF_EQUAL: bool;

    fn add(self, other: Self) -> Self;
    fn subtract(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    fn divide(self, other: Self) -> Self;
    fn floor_divide(self, other: Self) -> Self;
    fn remainder(self, other: Self) -> Self;
    fn power(self, other: Self) -> Self;
    fn negative(self) -> Self;
    fn absolute(self) -> Self;
    fn is_negative(self) -> bool;

    /// The function of floating-point numbers, or of integers that it leaves as they are.
    fn real(function: Function, values: &[Self]) -> Option<Vec<Self>>;
    fn real_of_two(function: Function, left: &[Self], right: &[Self]) -> Option<Vec<Self>>;
    fn bits(function: Function) -> Option<fn(Self, Self) -> Self>;
    fn invert(self) -> Self;

    fn is_nan(self) -> bool;
    fn is_infinite(self) -> bool;

    fn to_i64(self) -> i64;
    fn to_f64(self) -> f64;
    fn to_f32(self) -> f32;
    /// The value of a number that the type has.
    fn of_i64(value: i64) -> Self;
    fn of_f64(value: f64) -> Self;

    fn is_true(self) -> bool {
        self != Self::ZERO
    }

    fn sign(self) -> Self {
        match self {
            value if value > Self::ZERO => Self::of_i64(1),
            value if value < Self::ZERO => Self::of_i64(-1),
            value if value == Self::ZERO => Self::ZERO,
            value => value,
        }
    }

    /// The least of two; NaN if one is.
    fn least(self, other: Self) -> Self {
        if self <= other || self.is_nan() { self } else { other }
    }

    fn greatest(self, other: Self) -> Self {
        if self >= other || self.is_nan() { self } else { other }
    }
}

macro_rules! integers {
    ($($type:ty, $absolute:expr, $is_negative:expr;)*) => {$(
        impl Number for $type {
            const ZERO: Self = 0;
            const FIRST_OF_EQUAL: bool = true;

            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            fn subtract(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            fn multiply(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            fn divide(self, other: Self) -> Self {
                self.floor_divide(other)
            }

            fn floor_divide(self, other: Self) -> Self {
                if other == 0 {
                    return 0;
                }
                let quotient = self.wrapping_div(other);
                let rest = self.wrapping_sub(quotient.wrapping_mul(other));
                if rest != 0 && $is_negative(rest) != $is_negative(other) { quotient.wrapping_sub(1) } else { quotient }
            }

            fn remainder(self, other: Self) -> Self {
                self.wrapping_sub(self.floor_divide(other).wrapping_mul(other)).wrapping_mul((other != 0) as Self)
            }

            fn power(self, other: Self) -> Self {
                let (mut power, mut base, mut exponent) = (1, self, other);
                while exponent > 0 {
                    if exponent & 1 == 1 {
                        power = Self::wrapping_mul(power, base);
                    }
                    base = base.wrapping_mul(base);
                    exponent >>= 1;
                }
                power
            }

            fn negative(self) -> Self {
                self.wrapping_neg()
            }

            fn absolute(self) -> Self {
                $absolute(self)
            }

            fn is_negative(self) -> bool {
                $is_negative(self)
            }

            fn real(function: Function, values: &[Self]) -> Option<Vec<Self>> {
                leaves_integers(function).then(|| values.to_vec())
            }

            fn real_of_two(_: Function, _: &[Self], _: &[Self]) -> Option<Vec<Self>> {
                None
            }

            fn bits(function: Function) -> Option<fn(Self, Self) -> Self> {
                Some(match function {
                    Function::BitAnd => |a, b| a & b,
                    Function::BitOr => |a, b| a | b,
                    Function::BitXor => |a, b| a ^ b,
                    Function::LeftShift => |a, b| u32::try_from(b).ok().and_then(|b| a.checked_shl(b)).unwrap_or(0),
                    Function::RightShift => |a, b| {
                        let shifted = u32::try_from(b).ok().and_then(|b| a.checked_shr(b));
                        shifted.unwrap_or(if $is_negative(a) { !0 } else { 0 })
                    },
                    _ => return None,
                })
            }

            fn invert(self) -> Self {
                !self
            }

            fn is_nan(self) -> bool {
                false
            }

            fn is_infinite(self) -> bool {
                false
            }

            fn to_i64(self) -> i64 {
                self as i64
            }

            fn to_f64(self) -> f64 {
                self as f64
            }

            fn to_f32(self) -> f32 {
                self as f32
            }

            fn of_i64(value: i64) -> Self {
                value as Self
            }

            fn of_f64(value: f64) -> Self {
                value as Self
            }
        }
    )*};
}

integers! {
    i8, Self::wrapping_abs, |value: i8| value < 0;
    i16, Self::wrapping_abs, |value: i16| value < 0;
    i32, Self::wrapping_abs, |value: i32| value < 0;
    i64, Self::wrapping_abs, |value: i64| value < 0;
    u8, core::convert::identity, |_: u8| false;
    u16, core::convert::identity, |_: u16| false;
    u32, core::convert::identity, |_: u32| false;
    u64, core::convert::identity, |_: u64| false;
}

/// Items that are computed as numbers of a type that has their values.
trait Float: Copy {
    type Real: Real;

    fn real(self) -> Self::Real;
    fn rounded(real: Self::Real) -> Self;
}

impl Float for f16 {
    type Real = f32;

    fn real(self) -> f32 {
        self.to_f32()
    }

    fn rounded(real: f32) -> Self {
        Self::from_f32(real)
    }
}

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl Number for $type {
            const ZERO: Self = Self::from_bits(0);
            const FIRST_OF_EQUAL: bool = size_of::<Self>() == 2;

            fn add(self, other: Self) -> Self {
                self + other
            }

            fn subtract(self, other: Self) -> Self {
                self - other
            }

            fn multiply(self, other: Self) -> Self {
                self * other
            }

            fn divide(self, other: Self) -> Self {
                self / other
            }

            fn floor_divide(self, other: Self) -> Self {
                if other == Self::ZERO { self / other } else { Self::rounded(Real::floor_divide(Float::real(self), Float::real(other))) }
            }

            fn remainder(self, other: Self) -> Self {
                Self::rounded(Real::remainder(Float::real(self), Float::real(other)))
            }

            fn power(self, other: Self) -> Self {
                Self::rounded(Real::power(Float::real(self), Float::real(other)))
            }

            fn negative(self) -> Self {
                -self
            }

            fn absolute(self) -> Self {
                if self.is_sign_negative() { -self } else { self }
            }

            fn is_negative(self) -> bool {
                self.is_sign_negative()
            }

            fn real(function: Function, values: &[Self]) -> Option<Vec<Self>> {
                let function = <Self as Float>::Real::unary(function)?;
                Some(values.iter().map(|value| Self::rounded(function(Float::real(*value)))).collect())
            }

            fn real_of_two(function: Function, left: &[Self], right: &[Self]) -> Option<Vec<Self>> {
                let function = <Self as Float>::Real::binary(function)?;
                Some(zip(left, right, |a, b| Self::rounded(function(Float::real(a), Float::real(b)))))
            }

            fn bits(_: Function) -> Option<fn(Self, Self) -> Self> {
                None
            }

            fn invert(self) -> Self {
                self
            }

            fn is_nan(self) -> bool {
                Self::is_nan(self)
            }

            fn is_infinite(self) -> bool {
                Self::is_infinite(self)
            }

            fn to_i64(self) -> i64 {
                Float::real(self) as i64
            }

            fn to_f64(self) -> f64 {
                self.into()
            }

            fn to_f32(self) -> f32 {
                Float::real(self) as f32
            }

            fn of_i64(value: i64) -> Self {
                Self::rounded(value as <Self as Float>::Real)
            }

            fn of_f64(value: f64) -> Self {
                Self::rounded(value as <Self as Float>::Real)
            }
        }
    )*};
}

macro_rules! own {
    ($($type:ty)*) => {$(
        impl Float for $type {
            type Real = Self;

            fn real(self) -> Self {
                self
            }

            fn rounded(real: Self) -> Self {
                real
            }
        }
    )*};
}

own! { f32 f64 }
floats! { f16 f32 f64 }

/// Sums are `or`, products `and`.
impl Number for bool {
    const ZERO: Self = false;
    const FIRST_OF_EQUAL: Self = true;

    fn add(self, other: Self) -> Self {
        self | other
    }

    fn subtract(self, other: Self) -> Self {
        self ^ other
    }

    fn multiply(self, other: Self) -> Self {
        self & other
    }

    fn divide(self, other: Self) -> Self {
        self & other
    }

    fn floor_divide(self, other: Self) -> Self {
        self & other
    }

    fn remainder(self, other: Self) -> Self {
        self & !other
    }

    fn power(self, other: Self) -> Self {
        self | !other
    }

    fn negative(self) -> Self {
        !self
    }

    fn absolute(self) -> Self {
        self
    }

    fn is_negative(self) -> bool {
        false
    }

    fn real(function: Function, values: &[Self]) -> Option<Vec<Self>> {
        leaves_integers(function).then(|| values.to_vec())
    }

    fn real_of_two(_: Function, _: &[Self], _: &[Self]) -> Option<Vec<Self>> {
        None
    }

    fn bits(function: Function) -> Option<fn(Self, Self) -> Self> {
        Some(match function {
            Function::BitAnd => |a, b| a & b,
            Function::BitOr => |a, b| a | b,
            Function::BitXor => |a, b| a ^ b,
            _ => return None,
        })
    }

    fn invert(self) -> Self {
        !self
    }

    fn is_nan(self) -> bool {
        false
    }

    fn is_infinite(self) -> bool {
        false
    }

    fn to_i64(self) -> i64 {
        self.into()
    }

    fn to_f64(self) -> f64 {
        self.into()
    }

    fn to_f32(self) -> f32 {
        self.into()
    }

    fn of_i64(value: i64) -> Self {
        value != 0
    }

    fn of_f64(value: f64) -> Self {
        value != 0.0
    }
}

/// Whether integers have no fraction that the function would take away.
const fn leaves_integers(function: Function) -> bool {
    matches!(function, Function::Floor | Function::Ceil | Function::Trunc | Function::Round)
}
