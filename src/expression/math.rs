//! Functions of real numbers.

use super::function::Function;

/// Floating-point types in which functions are computed.
pub(super) trait Real: Sized {
    /// The function of one number, if it is one.
    fn unary(function: Function) -> Option<fn(Self) -> Self>;

    /// The function of two numbers, if it is one.
    fn binary(function: Function) -> Option<fn(Self, Self) -> Self>;

    fn power(self, other: Self) -> Self;

    /// The quotient by a number that is not zero, rounded down.
    fn floor_divide(self, other: Self) -> Self;

    /// The rest, which has the sign of the divisor.
    fn remainder(self, other: Self) -> Self;
}

macro_rules! real {
    ($type:ident, $fmod:path, $pow:path, $hypot:path, $atan2:path, $copysign:path, $exp:path, $log1p:path, $floor:path,
        $($function:ident: $name:path,)*) => {
        impl Real for $type {
            fn unary(function: Function) -> Option<fn(Self) -> Self> {
                Some(match function {
                    $(Function::$function => $name,)*
                    _ => return None,
                })
            }

            fn binary(function: Function) -> Option<fn(Self, Self) -> Self> {
                Some(match function {
                    Function::Hypot => $hypot,
                    Function::Arctan2 => $atan2,
                    Function::Copysign => $copysign,
                    Function::LogAddExp => |a, b| {
                        let (low, high) = if a < b { (a, b) } else { (b, a) };
                        // Infinities have no difference.
                        if low == high { high + core::$type::consts::LN_2 } else { high + $log1p($exp(low - high)) }
                    },
                    _ => return None,
                })
            }

            fn power(self, other: Self) -> Self {
                $pow(self, other)
            }

            fn floor_divide(self, other: Self) -> Self {
                let rest = $fmod(self, other);
                let quotient = (self - rest) / other;
                let quotient = if rest != 0.0 && (rest < 0.0) != (other < 0.0) { quotient - 1.0 } else { quotient };
                if quotient == 0.0 {
                    return $copysign(0.0, self / other);
                }
                let floor = $floor(quotient);
                if quotient - floor > 0.5 { floor + 1.0 } else { floor }
            }

            fn remainder(self, other: Self) -> Self {
                let rest = $fmod(self, other);
                if rest == 0.0 {
                    $copysign(0.0, other)
                } else if (rest < 0.0) != (other < 0.0) {
                    rest + other
                } else {
                    rest
                }
            }
        }
    };
}

real! {
    f64, libm::fmod, libm::pow, libm::hypot, libm::atan2, libm::copysign, libm::exp, libm::log1p, libm::floor,
    Sqrt: libm::sqrt,
    Cbrt: libm::cbrt,
    Exp: libm::exp,
    Exp2: libm::exp2,
    Expm1: libm::expm1,
    Log: libm::log,
    Log2: libm::log2,
    Log10: libm::log10,
    Log1p: libm::log1p,
    Sin: libm::sin,
    Cos: libm::cos,
    Tan: libm::tan,
    Arcsin: libm::asin,
    Arccos: libm::acos,
    Arctan: libm::atan,
    Sinh: libm::sinh,
    Cosh: libm::cosh,
    Tanh: libm::tanh,
    Arcsinh: libm::asinh,
    Arccosh: arccosh,
    Arctanh: libm::atanh,
    Rint: libm::rint,
    Round: libm::rint,
    Floor: libm::floor,
    Ceil: libm::ceil,
    Trunc: libm::trunc,
}

real! {
    f32, libm::fmodf, libm::powf, libm::hypotf, libm::atan2f, libm::copysignf, libm::expf, libm::log1pf, libm::floorf,
    Sqrt: libm::sqrtf,
    Cbrt: libm::cbrtf,
    Exp: libm::expf,
    Exp2: libm::exp2f,
    Expm1: libm::expm1f,
    Log: libm::logf,
    Log2: libm::log2f,
    Log10: libm::log10f,
    Log1p: libm::log1pf,
    Sin: libm::sinf,
    Cos: libm::cosf,
    Tan: libm::tanf,
    Arcsin: libm::asinf,
    Arccos: libm::acosf,
    Arctan: libm::atanf,
    Sinh: libm::sinhf,
    Cosh: libm::coshf,
    Tanh: libm::tanhf,
    Arcsinh: libm::asinhf,
    Arccosh: arccoshf,
    Arctanh: libm::atanhf,
    Rint: libm::rintf,
    Round: libm::rintf,
    Floor: libm::floorf,
    Ceil: libm::ceilf,
    Trunc: libm::truncf,
}

/// Numbers below 1 have none: libm has −∞ for some.
fn arccosh(value: f64) -> f64 {
    if value < 1.0 { f64::NAN } else { libm::acosh(value) }
}

fn arccoshf(value: f32) -> f32 {
    if value < 1.0 { f32::NAN } else { libm::acoshf(value) }
}

#[cfg(test)]
mod tests {
    use super::{arccosh, arccoshf};

    #[test]
    fn numbers_below_one_have_no_arccosh() {
        for value in [0.5, 0.0, -1.0, -2.5, -128.0, -70_000.0, f32::NEG_INFINITY] {
            assert!(arccoshf(value).is_nan(), "{value}");
            assert!(arccosh(value.into()).is_nan(), "{value}");
        }
        assert_eq!((arccoshf(1.0), arccosh(1.0)), (0.0, 0.0));
    }
}
