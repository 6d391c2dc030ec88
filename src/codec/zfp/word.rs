//! Coefficients of cells: integers as wide as the values.

use core::ops::BitOrAssign;

/// A coefficient.
pub(super) trait Word: Copy + BitOrAssign {
    /// Bits per value.
    const BITS: u32;
    /// Bits of a value's exponent.
    const EXPONENT: u32;
    const ZERO: Self;
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
    /// Writes the values of coefficients in two's complement whose common exponent is `exponent`.
    fn write(row: &[Self], exponent: i32, dst: &mut [u8]);
}

macro_rules! word {
    ($word:ty, $signed:ty, $float:ty, $exponent:literal) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const EXPONENT: u32 = $exponent;
            const ZERO: Self = 0;

            #[inline(always)]
            fn of_bit(from: u32, bit: u32) -> Self {
                Self::from(from & 1) << bit
            }

            #[inline(always)]
            fn signed(self) -> Self {
                /// Every second bit.
                const MASK: $word = <$word>::MAX / 3 * 2;
                (self ^ MASK).wrapping_sub(MASK)
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
            fn write(row: &[Self], exponent: i32, dst: &mut [u8]) {
                const BYTES: usize = size_of::<$float>();
                let scale = power(exponent - (Self::BITS as i32 - 2));
                for (word, value) in row.iter().zip(dst.as_chunks_mut::<BYTES>().0) {
                    *value = (scale * (*word as $signed) as $float).to_le_bytes();
                }
                /// 2 to this power; 0 if that is too small.
                fn power(exponent: i32) -> $float {
                    const MANTISSA: i32 = <$float>::MANTISSA_DIGITS as i32 - 1;
                    const LEAST: i32 = <$float>::MIN_EXP - 1;
                    match exponent - LEAST {
                        normal @ 0.. => <$float>::from_bits(((normal + 1) as $word) << MANTISSA),
                        tiny if tiny >= -MANTISSA => <$float>::from_bits(1 << (tiny + MANTISSA)),
                        _ => 0.0,
                    }
                }
            }
        }
    };
}

word!(u32, i32, f32, 8);
word!(u64, i64, f64, 11);
