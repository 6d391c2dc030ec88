//! Floating-point numbers of all widths, formatted as the shortest text that parses to the same number.

use crate::array::ByteOrder;
use alloc::format;
use core::fmt;

/// A floating-point number. Types wider than `f64` are rounded to the nearest `f64`, or to infinity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Real {
    Half(u16),
    Single(f32),
    Double(f64),
}

impl Real {
    /// Reads 2, 4, 8, 12 or 16 bytes.
    ///
    /// 12 and 16 bytes are a C `long double`. Its format depends on the machine that wrote it, which files do not record.
    /// Little-endian ones are read as x87's 80 bits, the most common format, big-endian ones as IEEE quadruple precision.
    pub(super) fn read(bytes: &[u8], order: ByteOrder) -> Self {
        let bits = uint(bytes, order);
        match bytes.len() {
            2 => Self::Half(bits as u16),
            4 => Self::Single(f32::from_bits(bits as u32)),
            8 => Self::Double(f64::from_bits(bits as u64)),
            _ if order == ByteOrder::Big => Self::Double(quadruple(bits)),
            _ => Self::Double(extended(bits)),
        }
    }

    /// The number as `f64`, exactly.
    pub(super) fn value(self) -> f64 {
        match self {
            Self::Half(bits) => half(bits),
            Self::Single(value) => value.into(),
            Self::Double(value) => value,
        }
    }
}

/// NumPy's format: `0.1`, `nan`, `-inf`; but `1e16` for `1e+16`.
impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            other if other.value().is_nan() => write!(f, "nan"),
            Self::Half(bits) => match shortest_half(bits) {
                Some(short) => write!(f, "{short:?}"),
                None => write!(f, "{:?}", half(bits)),
            },
            Self::Single(value) => write!(f, "{value:?}"),
            Self::Double(value) => write!(f, "{value:?}"),
        }
    }
}

/// An unsigned integer of up to 16 bytes.
pub(super) fn uint(bytes: &[u8], order: ByteOrder) -> u128 {
    let mut wide = [0; 16];
    let wide_part = &mut wide[..bytes.len()];
    wide_part.copy_from_slice(bytes);
    if order == ByteOrder::Big {
        wide_part.reverse();
    }
    u128::from_le_bytes(wide)
}

/// Sign, 5 bits of exponent, 10 bits of fraction.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), bits & 0x3ff);
    let magnitude = match (exponent, fraction) {
        (0x1f, 0) => f64::INFINITY,
        (0x1f, _) => f64::NAN,
        (0, _) => f64::from(fraction) * power(-24),
        _ => f64::from(fraction | 0x400) * power(exponent - 25),
    };
    signed(magnitude, bits >> 15 == 1)
}

/// 2^`exponent`, of a normal number.
const fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// x87: sign, 15 bits of exponent, 64 bits of significand with an explicit leading bit.
fn extended(bits: u128) -> f64 {
    let exponent = (bits >> 64) as i32 & 0x7fff;
    let significand = bits as u64;
    let magnitude = match (exponent, significand << 1) {
        (0x7fff, 0) => f64::INFINITY,
        (0x7fff, _) => f64::NAN,
        _ => scaled(significand as f64, exponent.max(1) - 16383 - 63),
    };
    signed(magnitude, bits >> 79 & 1 == 1)
}

/// IEEE 754 quadruple precision: sign, 15 bits of exponent, 112 bits of fraction.
fn quadruple(bits: u128) -> f64 {
    let exponent = (bits >> 112) as i32 & 0x7fff;
    let fraction = bits & ((1 << 112) - 1);
    let significand = if exponent == 0 { fraction } else { fraction | 1 << 112 };
    let magnitude = match (exponent, fraction) {
        (0x7fff, 0) => f64::INFINITY,
        (0x7fff, _) => f64::NAN,
        _ => scaled(significand as f64, exponent.max(1) - 16383 - 112),
    };
    signed(magnitude, bits >> 127 == 1)
}

/// `value` × 2^`exponent`, in steps of powers of two: exact, unless the result is subnormal.
fn scaled(mut value: f64, mut exponent: i32) -> f64 {
    while exponent != 0 && value != 0.0 && value.is_finite() {
        let step = exponent.clamp(-1000, 1000);
        value *= power(step);
        exponent -= step;
    }
    value
}

fn signed(magnitude: f64, is_negative: bool) -> f64 {
    if is_negative { -magnitude } else { magnitude }
}

/// The half rounded to the fewest digits that still identify it.
fn shortest_half(bits: u16) -> Option<f64> {
    let value = half(bits);
    let below = half(bits.checked_sub(1)?);
    if bits & 0x7fff == 0 || !value.is_finite() {
        return None;
    }
    // What the largest number would be followed by, if there were an exponent more.
    let above = Some(half(bits + 1)).filter(|above| above.is_finite()).unwrap_or(value.signum() * power(16));
    // Ties go to even bits. Sums and halves of numbers with so few digits are exact.
    let reach = [(value + below) / 2.0, (value + above) / 2.0];
    let (low, high) = (reach[0].min(reach[1]), reach[0].max(reach[1]));
    let reads_back =
        |short: &f64| low < *short && *short < high || bits & 1 == 0 && (*short == low || *short == high);
    (0..5).filter_map(|digits| format!("{value:.digits$e}").parse().ok()).find(reads_back)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};

    fn text(bytes: &[u8]) -> String {
        Real::read(bytes, ByteOrder::Little).to_string()
    }

    #[test]
    fn shortest_in_each_precision() {
        assert_eq!(text(&0.1_f32.to_le_bytes()), "0.1");
        assert_eq!(text(&f64::from(0.1_f32).to_le_bytes()), "0.10000000149011612");
        assert_eq!(text(&1e16_f64.to_le_bytes()), "1e16");
        assert_eq!(text(&(-0.0_f64).to_le_bytes()), "-0.0");
        assert_eq!(text(&f32::NAN.to_le_bytes()), "nan");
        assert_eq!(text(&f64::NEG_INFINITY.to_le_bytes()), "-inf");
        assert_eq!(Real::read(&1.5_f32.to_be_bytes(), ByteOrder::Big), Real::Single(1.5));
    }

    #[test]
    fn halves() {
        let known = [
            (0x0000, "0.0"),
            (0x8000, "-0.0"),
            (0x2e66, "0.1"),
            (0xae66, "-0.1"),
            (0x3555, "0.3333"),
            (0x3c00, "1.0"),
            (0x0001, "6e-8"),
            (0x0400, "6.104e-5"),
            (0x7bff, "65500.0"),
            (0x7c00, "inf"),
            (0xfc00, "-inf"),
            (0x7e00, "nan"),
        ];
        for (bits, expected) in known {
            assert_eq!(text(&u16::to_le_bytes(bits)), expected, "{bits:#06x}");
        }
    }

    #[cfg(feature = "half")]
    #[test]
    fn halves_are_those_of_the_crate() {
        for bits in 0..=u16::MAX {
            let (own, other) = (half(bits), half::f16::from_bits(bits).to_f64());
            assert!(own.to_bits() == other.to_bits() || own.is_nan() && other.is_nan(), "{bits:#06x}");
        }
    }

    #[test]
    fn long_doubles() {
        let extended = |sign_exponent: u16, significand: u64| {
            text(&[significand.to_le_bytes().as_slice(), &sign_exponent.to_le_bytes(), &[0xaa; 6]].concat())
        };
        assert_eq!(extended(0x3fff, 1 << 63), "1.0");
        assert_eq!(extended(0xbffb, 0xcccc_cccc_cccc_cccd), "-0.1");
        assert_eq!(extended(0, 0), "0.0");
        assert_eq!(extended(0x7fff, 1 << 63), "inf");
        assert_eq!(extended(0x7fff, 3 << 62), "nan");
        assert_eq!(extended(0x7ffe, u64::MAX), "inf");
        assert_eq!(extended(0, 1), "0.0");
        assert_eq!(extended(0x3bcd, 1 << 63), "5e-324");

        let quadruple = |high: u64, low: u64| {
            let bits = u128::from(high) << 64 | u128::from(low);
            Real::read(&bits.to_be_bytes(), ByteOrder::Big).to_string()
        };
        assert_eq!(quadruple(0x3fff_8000_0000_0000, 0), "1.5");
        assert_eq!(quadruple(0xbffb_9999_9999_9999, 0x9999_9999_9999_999a), "-0.1");
        assert_eq!(quadruple(0x7fff_0000_0000_0000, 0), "inf");
        assert_eq!(quadruple(0x7fff_0000_0000_0000, 1), "nan");
    }
}
