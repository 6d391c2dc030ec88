//! Rust types that represent items in `Reader::read` and `Editor::write`.

use super::dtype::{ByteOrder, Dtype, Kind};
use crate::base::{ArgumentError, Result, buffer_len};
use alloc::vec::Vec;

/// A Rust type whose values represent items of an array.
///
/// | Rust | NumPy |
/// |---|---|
/// | `i8` … `i64`, `u8` … `u64`, `f32`, `f64`, `bool` | the same |
/// | `i64` | also `datetime64` and `timedelta64`, as counts of their units |
/// | `[f32; 2]`, `[f64; 2]` | `complex64`, `complex128` |
/// | `num_complex::Complex` (feature `num-complex`) | the same |
/// | `half::f16` (feature `half`) | `float16` |
/// | `half::bf16` (feature `half`) | `uint16`, as the bits: NumPy has no dtype for it |
/// | `[u8; N]` | items of N bytes without a byte order: `bytes_`, `void`, structures |
///
/// Values have the byte order of the machine, regardless of the byte order of the items.
///
/// Structs become the items of a structured dtype by `#[derive(Item)]` of the crate `b2nd-derive`; other types implement the trait.
/// Most callers use it through [`Dtype::decode`] and [`Dtype::encode`], which check their arguments.
pub trait Element: Sized {
    /// The little-endian dtype of new arrays of these values.
    fn dtype() -> Dtype;

    /// Whether values of this type can represent items of a dtype, in either byte order.
    fn fits(dtype: &Dtype) -> bool;

    /// Appends the values of whole items. Called with a dtype that [fits](Self::fits).
    fn decode(items: &[u8], dtype: &Dtype, values: &mut Vec<Self>);

    /// Writes the values of whole items to as many places. Called with a dtype that [fits](Self::fits).
    fn decode_into(items: &[u8], dtype: &Dtype, values: &mut [Self]) {
        let mut decoded = Vec::with_capacity(values.len());
        Self::decode(items, dtype, &mut decoded);
        values.iter_mut().zip(decoded).for_each(|(place, value)| *place = value);
    }

    /// Writes the values to as many whole items. Called with a dtype that [fits](Self::fits).
    fn encode(values: &[Self], dtype: &Dtype, items: &mut [u8]);
}

impl Dtype {
    /// The dtype of arrays made of values of this type, little-endian.
    ///
    /// ```
    /// use b2nd::array::Dtype;
    /// assert_eq!(Dtype::of::<f32>().to_string(), "<f4");
    /// ```
    pub fn of<T: Element>() -> Self {
        T::dtype()
    }

    /// Converts items of this dtype to values.
    ///
    /// ```
    /// use b2nd::{Limits, array::Dtype};
    /// let big = Dtype::parse(">i2", &Limits::default())?;
    /// assert_eq!(big.decode::<i16>(&[0, 1, 0xff, 0xff])?, [1, -1]);
    /// let error = big.decode::<f32>(&[0; 8]).unwrap_err();
    /// assert_eq!(error.to_string(), "the dtype is >i2, not f32");
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `T` does not fit this dtype, or if the bytes are not a whole number of items.
    pub fn decode<T: Element>(&self, items: &[u8]) -> Result<Vec<T>> {
        self.check::<T>()?;
        let count = items.len() / self.itemsize().max(1);
        buffer_len(count * self.itemsize(), items)?;
        let mut values = Vec::with_capacity(count);
        T::decode(items, self, &mut values);
        Ok(values)
    }

    /// Converts values to items of this dtype.
    ///
    /// ```
    /// use b2nd::{Limits, array::Dtype};
    /// assert_eq!(Dtype::parse(">i2", &Limits::default())?.encode(&[1_i16, -1])?, [0, 1, 0xff, 0xff]);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `T` does not fit this dtype.
    pub fn encode<T: Element>(&self, values: &[T]) -> Result<Vec<u8>> {
        self.check::<T>()?;
        let mut items = alloc::vec![0; values.len() * self.itemsize()];
        T::encode(values, self, &mut items);
        Ok(items)
    }

    /// Checks that a type fits this dtype.
    pub(crate) fn check<T: Element>(&self) -> Result<()> {
        if T::fits(self) {
            return Ok(());
        }
        Err(ArgumentError::ValueType { dtype: self.code(), values: core::any::type_name::<T>() }.into())
    }
}

/// Implements [`Element`] for a number, or for several parts of one size. The arguments are the type, its kind, the dtypes that
/// fit, the type of a part, the value made of the parts, and the parts of a value.
macro_rules! numbers {
    ($($type:ty, $kind:ident, $fits:pat, $part:ty: $parts:pat => $value:expr, $whole:pat => $split:expr;)*) => {$(
        impl Element for $type {
            fn dtype() -> Dtype {
                Dtype::number(Kind::$kind, size_of::<Self>())
            }

            fn fits(dtype: &Dtype) -> bool {
                matches!(dtype.kind(), $fits) && dtype.itemsize() == size_of::<Self>()
            }

            fn decode(items: &[u8], dtype: &Dtype, values: &mut Vec<Self>) {
                let items = items.as_chunks().0.as_chunks().0.iter().copied();
                match dtype.byte_order() {
                    ByteOrder::Big => values.extend(items.map(|item| {
                        let $parts = item.map(<$part>::from_be_bytes);
                        $value
                    })),
                    _ => values.extend(items.map(|item| {
                        let $parts = item.map(<$part>::from_le_bytes);
                        $value
                    })),
                }
            }

            fn decode_into(items: &[u8], dtype: &Dtype, values: &mut [Self]) {
                let items = items.as_chunks().0.as_chunks().0.iter().copied();
                match dtype.byte_order() {
                    ByteOrder::Big => values.iter_mut().zip(items).for_each(|(place, item)| {
                        let $parts = item.map(<$part>::from_be_bytes);
                        *place = $value;
                    }),
                    _ => values.iter_mut().zip(items).for_each(|(place, item)| {
                        let $parts = item.map(<$part>::from_le_bytes);
                        *place = $value;
                    }),
                }
            }

            fn encode(values: &[Self], dtype: &Dtype, items: &mut [u8]) {
                let items = items.as_chunks_mut().0.as_chunks_mut().0.iter_mut();
                match dtype.byte_order() {
                    ByteOrder::Big => items
                        .zip(values)
                        .for_each(|(item, &$whole)| *item = $split.map(<$part>::to_be_bytes)),
                    _ => items
                        .zip(values)
                        .for_each(|(item, &$whole)| *item = $split.map(<$part>::to_le_bytes)),
                }
            }
        }
    )*};
}

numbers! {
    i8, Int, Kind::Int, Self: [value] => value, value => [value];
    i16, Int, Kind::Int, Self: [value] => value, value => [value];
    i32, Int, Kind::Int, Self: [value] => value, value => [value];
    i64, Int, Kind::Int | Kind::Datetime(_) | Kind::Timedelta(_), Self: [value] => value, value => [value];
    u8, Uint, Kind::Uint, Self: [value] => value, value => [value];
    u16, Uint, Kind::Uint, Self: [value] => value, value => [value];
    u32, Uint, Kind::Uint, Self: [value] => value, value => [value];
    u64, Uint, Kind::Uint, Self: [value] => value, value => [value];
    f32, Float, Kind::Float, Self: [value] => value, value => [value];
    f64, Float, Kind::Float, Self: [value] => value, value => [value];
    bool, Bool, Kind::Bool, u8: [value] => value != 0, value => [u8::from(value)];
    [f32; 2], Complex, Kind::Complex, f32: parts => parts, parts => parts;
    [f64; 2], Complex, Kind::Complex, f64: parts => parts, parts => parts;
}

#[cfg(feature = "half")]
numbers! {
    half::f16, Float, Kind::Float, Self: [value] => value, value => [value];
}

/// In an array of unsigned integers of 16 bits: NumPy has no dtype for it.
#[cfg(feature = "half")]
impl Element for half::bf16 {
    fn dtype() -> Dtype {
        u16::dtype()
    }

    fn fits(dtype: &Dtype) -> bool {
        u16::fits(dtype)
    }

    fn decode(items: &[u8], dtype: &Dtype, values: &mut Vec<Self>) {
        let mut bits = Vec::with_capacity(items.len() / 2);
        u16::decode(items, dtype, &mut bits);
        values.extend(bits.into_iter().map(Self::from_bits));
    }

    fn encode(values: &[Self], dtype: &Dtype, items: &mut [u8]) {
        let bits: Vec<u16> = values.iter().map(|value| value.to_bits()).collect();
        u16::encode(&bits, dtype, items);
    }
}

#[cfg(feature = "num-complex")]
numbers! {
    num_complex::Complex<f32>, Complex, Kind::Complex, f32: [re, im] => Self { re, im }, Self { re, im } => [re, im];
    num_complex::Complex<f64>, Complex, Kind::Complex, f64: [re, im] => Self { re, im }, Self { re, im } => [re, im];
}

impl<const N: usize> Element for [u8; N] {
    fn dtype() -> Dtype {
        Dtype::void(N)
    }

    fn fits(dtype: &Dtype) -> bool {
        matches!(dtype.kind(), Kind::Bytes | Kind::Void | Kind::Struct { .. }) && dtype.itemsize() == N
    }

    fn decode(items: &[u8], _dtype: &Dtype, values: &mut Vec<Self>) {
        if N > 0 {
            values.extend_from_slice(items.as_chunks().0);
        }
    }

    fn encode(values: &[Self], _dtype: &Dtype, items: &mut [u8]) {
        items.copy_from_slice(values.as_flattened());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use alloc::{string::ToString, vec};
    use core::fmt::Debug;

    fn dtype(text: &str) -> Dtype {
        Dtype::parse(text, &Limits::default()).unwrap()
    }

    /// Checks that values of this dtype convert to and from these bytes, and with reversed parts in the other byte order.
    fn agree<T: Element + PartialEq + Debug>(code: &str, part: usize, values: &[T], items: &[u8]) {
        let [little, big] = ["<", ">"].map(|order| dtype(&alloc::format!("{order}{code}")));
        assert_eq!(T::dtype(), little);
        let swapped: Vec<u8> = items.chunks(part).flat_map(|part| part.iter().rev().copied()).collect();
        for (dtype, items) in [(little, items), (big, &swapped)] {
            let decoded = dtype.decode::<T>(items).unwrap();
            assert_eq!(decoded, values, "{dtype}");
            let mut places = dtype.decode::<T>(&vec![0; items.len()]).unwrap();
            T::decode_into(items, &dtype, &mut places);
            assert_eq!(places, values, "{dtype}");
            assert_eq!(dtype.encode(values).unwrap(), items, "{dtype}");
        }
    }

    #[test]
    fn numbers_have_either_byte_order() {
        agree("i1", 1, &[-2_i8, 3], &[0xfe, 3]);
        agree("u1", 1, &[0xfe_u8, 3], &[0xfe, 3]);
        agree("i2", 2, &[-2_i16, 3], &[0xfe, 0xff, 3, 0]);
        agree("u2", 2, &[0xfffe_u16, 3], &[0xfe, 0xff, 3, 0]);
        agree("i4", 4, &[-2_i32], &[0xfe, 0xff, 0xff, 0xff]);
        agree("u4", 4, &[0x0102_0304_u32], &[4, 3, 2, 1]);
        agree("i8", 8, &[i64::MIN], &[0, 0, 0, 0, 0, 0, 0, 0x80]);
        agree("u8", 8, &[1_u64 << 56], &[0, 0, 0, 0, 0, 0, 0, 1]);
        agree("f4", 4, &[1.5_f32], &[0, 0, 0xc0, 0x3f]);
        agree("f8", 8, &[-1.5_f64], &[0, 0, 0, 0, 0, 0, 0xf8, 0xbf]);
        agree("b1", 1, &[true, false], &[1, 0]);
        agree("c8", 4, &[[1.5_f32, 0.0]], &[0, 0, 0xc0, 0x3f, 0, 0, 0, 0]);
        agree("c16", 8, &[[0.0, 1.5_f64]], &[&[0; 14][..], &[0xf8, 0x3f]].concat());
        assert_eq!(dtype("?").decode::<bool>(&[0, 2, 255]).unwrap(), [false, true, true]);
    }

    #[cfg(feature = "half")]
    #[test]
    fn float16_is_f16_of_half() {
        use half::f16;
        agree("f2", 2, &[f16::from_f32(1.5), f16::NEG_INFINITY], &[0, 0x3e, 0, 0xfc]);
    }

    #[cfg(feature = "half")]
    #[test]
    fn bfloat16_is_stored_as_its_bits() {
        use half::bf16;
        agree("u2", 2, &[bf16::from_f32(1.5), bf16::NEG_INFINITY], &[0xc0, 0x3f, 0x80, 0xff]);
    }

    #[cfg(feature = "num-complex")]
    #[test]
    fn complex_numbers_are_complex_of_num_complex() {
        use num_complex::Complex;
        agree("c8", 4, &[Complex::new(1.5_f32, 0.0)], &[0, 0, 0xc0, 0x3f, 0, 0, 0, 0]);
        agree("c16", 8, &[Complex::new(0.0, 1.5_f64)], &[&[0; 14][..], &[0xf8, 0x3f]].concat());
    }

    #[test]
    fn other_dtypes_are_refused() {
        let refused =
            |text: &str, error: crate::Error| assert!(error.to_string().starts_with(text), "{error}");
        refused("the dtype is <i4, not f32", dtype("<i4").decode::<f32>(&[]).unwrap_err());
        refused("the dtype is <f4, not i32", dtype("<f4").decode::<i32>(&[]).unwrap_err());
        refused("the dtype is >u2, not i16", dtype(">u2").encode(&[1_i16]).unwrap_err());
        refused("the dtype is <f8, not f32", dtype("<f8").encode(&[1_f32]).unwrap_err());
        refused("the dtype is |b1, not u8", dtype("?").decode::<u8>(&[]).unwrap_err());
        refused("the dtype is <M8, not u64", dtype("<M8[s]").decode::<u64>(&[]).unwrap_err());
        refused(
            "the dtype is |V12, not [f32; 2]",
            dtype("('<f4', (3,))").decode::<[f32; 2]>(&[]).unwrap_err(),
        );
        refused("the dtype is |V4, not i32", dtype("V4").decode::<i32>(&[]).unwrap_err());
        refused("the dtype is <U1, not [u8; 4]", dtype("U1").decode::<[u8; 4]>(&[]).unwrap_err());
        refused("the dtype is |O, not [u8; 8]", dtype("O").decode::<[u8; 8]>(&[]).unwrap_err());
        refused("a buffer of 7 bytes for 4", dtype("<i4").decode::<i32>(&[0; 7]).unwrap_err());
    }

    #[test]
    fn times_are_counts_of_units_and_raw_items_are_bytes() {
        assert_eq!(dtype(">M8[ns]").decode::<i64>(&[0, 0, 0, 0, 0, 0, 0, 7]).unwrap(), [7]);
        assert_eq!(dtype("S2").decode::<[u8; 2]>(b"abcd").unwrap(), [*b"ab", *b"cd"]);
        let point = dtype("[('x', '<i2'), ('y', '|u1')]");
        assert_eq!(point.decode::<[u8; 3]>(&[1, 2, 3, 4, 5, 6]).unwrap(), [[1, 2, 3], [4, 5, 6]]);
        assert_eq!(point.encode(&[[1_u8, 2, 3]]).unwrap(), [1, 2, 3]);
        assert_eq!(dtype("V0").decode::<[u8; 0]>(&[]).unwrap(), [[0_u8; 0]; 0]);
    }
}
