//! Items as numbers that can be drawn: those of the viewer (`www/viewer/model/values.ts`).

use b2nd::array::{ByteOrder, Dtype, Kind};
use half::f16;
use std::borrow::Cow;

/// Turns items to numbers.
pub(super) struct Numbers {
    /// The dtype of what is drawn of an item.
    pub(super) dtype: Dtype,
    start: usize,
    itemsize: usize,
    /// A number that is subtracted from integers of 64 bits, so that doubles have their differences; known after the first items.
    zero: Option<i128>,
}

impl Numbers {
    /// None if items of this dtype cannot be drawn. Of structures the first field is that can be.
    pub(super) fn of(dtype: &Dtype) -> Option<Self> {
        let (drawn, start) = match dtype.kind() {
            Kind::Struct { fields, .. } => {
                let field = fields.iter().find(|field| is_drawable(&field.dtype))?;
                (&field.dtype, field.offset)
            }
            _ => (dtype, 0),
        };
        is_drawable(drawn).then(|| Self {
            dtype: drawn.clone(),
            start,
            itemsize: dtype.itemsize(),
            zero: None,
        })
    }

    /// The numbers of whole items.
    pub(super) fn decode(&mut self, items: &[u8]) -> Vec<f64> {
        let size = self.dtype.itemsize();
        let bytes = if size == self.itemsize {
            Cow::Borrowed(items)
        } else {
            let field = |item: &[u8]| item[self.start..self.start + size].to_vec();
            items.chunks_exact(self.itemsize).flat_map(field).collect()
        };
        let is_big = self.dtype.byte_order() == ByteOrder::Big;
        macro_rules! read {
            ($type:ty) => {
                read(&bytes, is_big, <$type>::from_le_bytes, <$type>::from_be_bytes)
            };
        }
        macro_rules! floats {
            ($type:ty) => {
                read!($type).map(f64::from).collect()
            };
        }
        match (self.dtype.kind(), size) {
            (Kind::Bool, _) => bytes.iter().map(|byte| f64::from(u8::from(*byte != 0))).collect(),
            (Kind::Int, 1) => floats!(i8),
            (Kind::Int, 2) => floats!(i16),
            (Kind::Int, 4) => floats!(i32),
            (Kind::Uint, 1) => floats!(u8),
            (Kind::Uint, 2) => floats!(u16),
            (Kind::Uint, 4) => floats!(u32),
            (Kind::Uint, _) => self.differences(read!(u64).map(|value| Some(value.into())).collect()),
            (Kind::Int, _) => self.differences(read!(i64).map(|value| Some(value.into())).collect()),
            (Kind::Float, 2) => floats!(f16),
            (Kind::Float, 4) => floats!(f32),
            (Kind::Complex, 8) => magnitudes(&read!(f32).map(f64::from).collect::<Vec<_>>()),
            (Kind::Complex, _) => magnitudes(&read!(f64).collect::<Vec<_>>()),
            // The least of 64 bits is no time.
            (Kind::Datetime(_) | Kind::Timedelta(_), _) => self
                .differences(read!(i64).map(|value| (value != i64::MIN).then_some(value.into())).collect()),
            _ => read!(f64).collect(),
        }
    }

    /// Whether floats of 32 bits have all values.
    pub(super) fn are_single(&self) -> bool {
        match self.dtype.kind() {
            Kind::Float => self.dtype.itemsize() <= 4,
            Kind::Bool | Kind::Int | Kind::Uint => self.dtype.itemsize() <= 2,
            _ => false,
        }
    }

    fn differences(&mut self, values: Vec<Option<i128>>) -> Vec<f64> {
        let zero = *self.zero.get_or_insert_with(|| zero_of(&values));
        values.into_iter().map(|value| value.map_or(f64::NAN, |value| (value - zero) as f64)).collect()
    }
}

fn is_drawable(dtype: &Dtype) -> bool {
    match dtype.kind() {
        Kind::Bool | Kind::Int | Kind::Uint | Kind::Datetime(_) | Kind::Timedelta(_) => true,
        Kind::Float => dtype.itemsize() <= 8,
        Kind::Complex => dtype.itemsize() <= 16,
        _ => false,
    }
}

/// Beyond this, doubles do not have all integers.
const EXACT: i128 = 1 << 53;

fn zero_of(values: &[Option<i128>]) -> i128 {
    let known = || values.iter().flatten().copied();
    match (known().min(), known().max()) {
        (Some(min), Some(max)) if (max > EXACT || min < -EXACT) && max - min < EXACT => min,
        _ => 0,
    }
}

fn read<const N: usize, T>(
    bytes: &[u8],
    is_big: bool,
    little: fn([u8; N]) -> T,
    big: fn([u8; N]) -> T,
) -> impl Iterator<Item = T> {
    let (values, _) = bytes.as_chunks::<N>();
    values.iter().map(move |&value| if is_big { big(value) } else { little(value) })
}

fn magnitudes(parts: &[f64]) -> Vec<f64> {
    let (numbers, _) = parts.as_chunks::<2>();
    numbers.iter().map(|[re, im]| re.hypot(*im)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use b2nd::Limits;

    fn numbers(dtype: &str) -> Option<Numbers> {
        Numbers::of(&Dtype::parse(dtype, &Limits::default()).unwrap())
    }

    #[test]
    fn items_become_numbers() {
        assert_eq!(numbers(">i2").unwrap().decode(&[1, 2, 255, 254]), [258.0, -2.0]);
        assert_eq!(numbers("<f2").unwrap().decode(&[0, 0x3c]), [1.0]);
        assert_eq!(numbers("|b1").unwrap().decode(&[0, 7]), [0.0, 1.0]);
        let complex: Vec<u8> = [3f32, -4.0].iter().flat_map(|part| part.to_le_bytes()).collect();
        assert_eq!(numbers("<c8").unwrap().decode(&complex), [5.0]);
        let fields = numbers("[('name', 'S2'), ('x', '<i2')]").unwrap().decode(b"ab\x05\0cd\x06\0");
        assert_eq!(fields, [5.0, 6.0]);
        for none in ["S3", "V4", "<f16", "[('name', 'S2')]"] {
            assert!(numbers(none).is_none(), "{none}");
        }
    }

    #[test]
    fn large_integers_keep_their_differences() {
        let bytes: Vec<u8> = [u64::MAX, u64::MAX - 1].iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(numbers("<u8").unwrap().decode(&bytes), [1.0, 0.0]);
        let times: Vec<u8> = [1i64 << 60, i64::MIN].iter().flat_map(|value| value.to_le_bytes()).collect();
        let found = numbers("<M8[ns]").unwrap().decode(&times);
        assert!(found[0] == 0.0 && found[1].is_nan(), "{found:?}");
    }
}
