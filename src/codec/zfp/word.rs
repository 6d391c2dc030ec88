//! Coefficients of cells: integers as wide as the values.

use core::ops::BitOrAssign;

/// A coefficient.
#[allow(dead_code, reason = "some are for encoding")]
pub(super) trait Word: Copy + BitOrAssign {
    /// Bits per value.
    const BITS: u32;
    /// Bits of a value's exponent.
    const EXPONENT: u32;
    /// The number that is added to a stored exponent.
    const BIAS: i32 = (1 << (Self::EXPONENT - 1)) - 1;
    /// A value.
    type Float;
    const ZERO: Self;
    /// The bits whose values in base −2 are negative.
    const ODD_BITS: Self;
    /// A number with only this bit set.
    fn bit(bit: u32) -> Self {
        Self::of_bit(1, bit)
    }
    /// The lowest bit of `from`, moved to `bit`.
    fn of_bit(from: u32, bit: u32) -> Self;
    /// Converts from base −2 to two's complement.
    fn signed(self) -> Self;
    /// Inverts the transform of four coefficients along an axis.
    fn lift(four: [Self; 4]) -> [Self; 4];
    /// One bit.
    fn get(self, bit: u32) -> u64;
    /// Converts from two's complement to base −2.
    fn negabinary(self) -> Self;
    /// Transforms four coefficients along an axis.
    fn forward(four: [Self; 4]) -> [Self; 4];
    /// Reads the bits of a value.
    fn read(src: &[u8]) -> Self;
    /// The common exponent of values, given by their bits; `None` if none of them is other than zero or NaN.
    fn exponent(values: &[Self]) -> Option<i32>;
    /// Converts values, given by their bits, to coefficients in two's complement whose common exponent is `exponent`. Values for
    /// which that is too small become the least coefficient, as do NaN.
    fn quantize(values: &mut [Self], exponent: i32);
    /// 2 to this power; 0 if that is too small, and infinity if it is too large.
    fn power(exponent: i32) -> Self::Float;
    /// Writes the values of coefficients in two's complement whose common exponent is `exponent`.
    fn write(row: &[Self], exponent: i32, dst: &mut [u8]);
}

macro_rules! word {
    ($word:ty, $signed:ty, $float:ty, $exponent:literal) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const EXPONENT: u32 = $exponent;
            type Float = $float;
            const ZERO: Self = 0;
            const ODD_BITS: Self = <$word>::MAX / 3 * 2;

            #[inline(always)]
            fn of_bit(from: u32, bit: u32) -> Self {
                Self::from(from & 1) << bit
            }

            #[inline(always)]
            fn get(self, bit: u32) -> u64 {
                (self >> bit & 1).into()
            }

            #[inline(always)]
            fn signed(self) -> Self {
                (self ^ Self::ODD_BITS).wrapping_sub(Self::ODD_BITS)
            }

            #[inline(always)]
            fn negabinary(self) -> Self {
                self.wrapping_add(Self::ODD_BITS) ^ Self::ODD_BITS
            }

            #[inline(always)]
            fn lift(four: [Self; 4]) -> [Self; 4] {
                let [mut x, mut y, mut z, mut w] = four.map(|word| word as $signed);
                y = y.wrapping_add(w >> 1);
                w = w.wrapping_sub(y >> 1);
                y = y.wrapping_add(w);
                w = w.wrapping_sub(y.wrapping_sub(w));
                z = z.wrapping_add(x);
                x = x.wrapping_sub(z.wrapping_sub(x));
                y = y.wrapping_add(z);
                z = z.wrapping_sub(y.wrapping_sub(z));
                w = w.wrapping_add(x);
                x = x.wrapping_sub(w.wrapping_sub(x));
                [x as Self, y as Self, z as Self, w as Self]
            }

            #[inline(always)]
            fn forward(four: [Self; 4]) -> [Self; 4] {
                let [mut x, mut y, mut z, mut w] = four.map(|word| word as $signed);
                x = x.wrapping_add(w) >> 1;
                w = w.wrapping_sub(x);
                z = z.wrapping_add(y) >> 1;
                y = y.wrapping_sub(z);
                x = x.wrapping_add(z) >> 1;
                z = z.wrapping_sub(x);
                w = w.wrapping_add(y) >> 1;
                y = y.wrapping_sub(w);
                w = w.wrapping_add(y >> 1);
                y = y.wrapping_sub(w >> 1);
                [x as Self, y as Self, z as Self, w as Self]
            }

            #[inline(always)]
            fn read(src: &[u8]) -> Self {
                src.first_chunk().map_or(0, |bytes| Self::from_le_bytes(*bytes))
            }

            #[inline(always)]
            fn exponent(values: &[Self]) -> Option<i32> {
                const INFINITY: $word = <$float>::INFINITY.to_bits();
                let magnitude = |value: &$word| value & (<$word>::MAX >> 1);
                let known = |bits| if bits > INFINITY { 0 } else { bits };
                // The bits of magnitudes are in the order of these.
                match values.iter().map(magnitude).map(known).fold(0, Self::max) {
                    0 => None,
                    // As the reference has it.
                    INFINITY => Some(0),
                    bits => Some((bits >> (<$float>::MANTISSA_DIGITS - 1)) as i32 - (Self::BIAS - 1)),
                }
            }

            #[inline(always)]
            fn quantize(values: &mut [Self], exponent: i32) {
                const END: $float = -(<$signed>::MIN as $float);
                let scale = Self::power(Self::BITS as i32 - 2 - exponent);
                for value in values {
                    let scaled = scale * <$float>::from_bits(*value);
                    let word = if scaled.abs() < END { scaled as $signed } else { <$signed>::MIN };
                    *value = word as Self;
                }
            }

            #[inline(always)]
            fn power(exponent: i32) -> $float {
                const MANTISSA: i32 = <$float>::MANTISSA_DIGITS as i32 - 1;
                const LEAST: i32 = <$float>::MIN_EXP - 1;
                match exponent - LEAST {
                    _ if exponent >= <$float>::MAX_EXP => <$float>::INFINITY,
                    normal @ 0.. => <$float>::from_bits(((normal + 1) as $word) << MANTISSA),
                    tiny if tiny >= -MANTISSA => <$float>::from_bits(1 << (tiny + MANTISSA)),
                    _ => 0.0,
                }
            }

            #[inline(always)]
            fn write(row: &[Self], exponent: i32, dst: &mut [u8]) {
                const BYTES: usize = size_of::<$float>();
                let scale = Self::power(exponent - (Self::BITS as i32 - 2));
                for (word, value) in row.iter().zip(dst.as_chunks_mut::<BYTES>().0) {
                    *value = (scale * (*word as $signed) as $float).to_le_bytes();
                }
            }
        }
    };
}

word!(u32, i32, f32, 8);
word!(u64, i64, f64, 11);
