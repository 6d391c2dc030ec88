//! Decoded items.

use super::{float::Real, float::uint, time};
use crate::array::{ByteOrder, Dtype, Field, Kind, characters};
use alloc::string::String;

/// The value of an item.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item<'a> {
    Bool(bool),
    Int(i64),
    Uint(u64),
    Real(Real),
    Complex(Real, Real),
    /// A date or duration as text; `None` for NaT.
    Time(Option<String>),
    /// Without trailing zeros.
    Bytes(&'a [u8]),
    /// Without trailing zeros. Invalid characters become U+FFFD.
    Str(String),
    Void(&'a [u8]),
    Object,
    List(List<'a>),
    Record(Record<'a>),
}

/// A sub-array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct List<'a> {
    pub(super) dtype: &'a Dtype,
    pub(super) shape: &'a [usize],
    pub(super) bytes: &'a [u8],
}

/// A structure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Record<'a> {
    fields: &'a [Field],
    bytes: &'a [u8],
}

impl<'a> Item<'a> {
    /// Decodes one item.
    pub(super) fn read(dtype: &'a Dtype, bytes: &'a [u8]) -> Self {
        let order = dtype.byte_order();
        let real = |bytes| Real::read(bytes, order);
        match dtype.kind() {
            Kind::Bool => Self::Bool(bytes != [0]),
            Kind::Int => Self::Int(int(bytes, order)),
            Kind::Uint => Self::Uint(uint(bytes, order) as u64),
            Kind::Float => Self::Real(real(bytes)),
            Kind::Complex => {
                let (re, im) = bytes.split_at(bytes.len() / 2);
                Self::Complex(real(re), real(im))
            }
            Kind::Datetime(step) => Self::Time(time::date(int(bytes, order), *step)),
            Kind::Timedelta(step) => Self::Time(time::duration(int(bytes, order), *step)),
            Kind::Bytes => Self::Bytes(&bytes[..bytes.len() - zeros_at_end(bytes)]),
            Kind::Str => Self::Str(characters(bytes, order)),
            Kind::Object => Self::Object,
            Kind::Subarray { item, shape } => Self::List(List { dtype: item, shape, bytes }),
            Kind::Struct { fields, .. } => Self::Record(Record { fields, bytes }),
            _ => Self::Void(bytes),
        }
    }
}

impl<'a> List<'a> {
    /// The entries along the first axis; `None` without axes. Entries of zero bytes are left out.
    pub(super) fn entries(self) -> Option<impl ExactSizeIterator<Item = Self>> {
        let (&len, shape) = self.shape.split_first()?;
        let size = self.bytes.len().checked_div(len).unwrap_or(0).max(1);
        Some(self.bytes.chunks_exact(size).map(move |bytes| Self { shape, bytes, ..self }))
    }
}

impl<'a> Record<'a> {
    pub(super) fn fields(self) -> impl Iterator<Item = (&'a Field, Item<'a>)> {
        let bytes = self.bytes;
        self.fields.iter().map(move |field| {
            // Fields of a dtype end inside its items.
            (field, Item::read(&field.dtype, &bytes[field.offset..][..field.dtype.itemsize()]))
        })
    }
}

/// A signed integer of up to 8 bytes.
pub(super) fn int(bytes: &[u8], order: ByteOrder) -> i64 {
    let unused = 64 - 8 * bytes.len() as u32;
    (uint(bytes, order) as i64) << unused >> unused
}

fn zeros_at_end(bytes: &[u8]) -> usize {
    bytes.iter().rev().take_while(|&&byte| byte == 0).count()
}

#[cfg(test)]
mod tests {
    use super::super::testing::dtype;
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn reads_numbers_of_either_order() {
        assert_eq!(Item::read(&dtype("<i2"), &[0xfe, 0xff]), Item::Int(-2));
        assert_eq!(Item::read(&dtype(">i2"), &[0xff, 0xfe]), Item::Int(-2));
        assert_eq!(Item::read(&dtype("|i1"), &[0x80]), Item::Int(-128));
        assert_eq!(Item::read(&dtype("<i8"), &i64::MIN.to_le_bytes()), Item::Int(i64::MIN));
        assert_eq!(Item::read(&dtype(">u8"), &u64::MAX.to_be_bytes()), Item::Uint(u64::MAX));
        assert_eq!(Item::read(&dtype("?"), &[2]), Item::Bool(true));
        let complex = [1.0_f32.to_be_bytes(), 2.0_f32.to_be_bytes()].concat();
        assert_eq!(Item::read(&dtype(">c8"), &complex), Item::Complex(Real::Single(1.0), Real::Single(2.0)));
    }

    #[test]
    fn reads_texts_without_padding() {
        assert_eq!(Item::read(&dtype("S4"), b"a\0b\0"), Item::Bytes(b"a\0b"));
        let wide =
            |text: &str| text.chars().flat_map(|char| u32::from(char).to_be_bytes()).collect::<Vec<_>>();
        assert_eq!(Item::read(&dtype(">U3"), &wide("é\0\0")), Item::Str("é".into()));
        assert_eq!(Item::read(&dtype("<U2"), &[0, 1, 0, 0, 0, 0xd8, 0, 0]), Item::Str("Ā\u{fffd}".into()));
    }

    #[test]
    fn lists_without_bytes_end_at_once() {
        let list = dtype("[('a', '|V0', (1000000, 1000000)), ('b', '|i1')]");
        let Item::Record(record) = Item::read(&list, &[1]) else { panic!() };
        let (_, Item::List(list)) = record.fields().next().unwrap() else { panic!() };
        assert_eq!(list.entries().unwrap().len(), 0);
    }
}
