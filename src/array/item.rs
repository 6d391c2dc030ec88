//! Parts of the code that the macro `Item` makes of a struct.

use super::{Dtype, Element, Field, Kind};
pub use alloc::vec::Vec;

/// The packed dtype of fields: name, dtype and shape of each.
pub fn dtype(fields: &[(&str, Dtype, &[usize])]) -> Dtype {
    let add = |structure: super::StructBuilder, (name, dtype, shape): &(&str, Dtype, &[usize])| {
        structure.field(name, dtype.clone().subarray(shape).expect("an item of less than 2 GiB"))
    };
    fields.iter().fold(Dtype::structure(), add).build().expect("an item of less than 2 GiB")
}

/// A field that a struct has: its name, which dtypes its elements fit, and the shape of the array that they make.
type Expected<'a> = (&'a str, fn(&Dtype) -> bool, &'a [usize]);

/// Whether the dtype has these fields in this order, whatever their offsets and byte orders.
pub fn fits(dtype: &Dtype, expected: &[Expected<'_>]) -> bool {
    let fields = fields(dtype);
    fields.len() == expected.len()
        && fields.iter().zip(expected).all(|(field, (name, fits, shape))| {
            let (element, of_field) = element(field);
            field.name == *name && of_field == *shape && fits(element)
        })
}

/// The elements of field `number` in all items.
pub fn decode<T: Element>(items: &[u8], dtype: &Dtype, number: usize) -> impl Iterator<Item = T> {
    let field = &fields(dtype)[number];
    let mut elements = Vec::new();
    for item in items.chunks_exact(dtype.itemsize()) {
        T::decode(&item[field.offset..][..field.dtype.itemsize()], element(field).0, &mut elements);
    }
    elements.into_iter()
}

/// Writes the elements of field `number` of an item.
pub fn encode<T: Element>(elements: &[T], dtype: &Dtype, number: usize, item: &mut [u8]) {
    let field = &fields(dtype)[number];
    T::encode(elements, element(field).0, &mut item[field.offset..][..field.dtype.itemsize()]);
}

fn fields(dtype: &Dtype) -> &[Field] {
    match dtype.kind() {
        Kind::Struct { fields, .. } => fields,
        _ => &[],
    }
}

/// The dtype of a field's elements, and the shape of the array that they make.
fn element(field: &Field) -> (&Dtype, &[usize]) {
    match field.dtype.kind() {
        Kind::Subarray { item, shape } => (item, shape),
        _ => (&field.dtype, &[]),
    }
}
