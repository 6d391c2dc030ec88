//! The facts of an array, as a value.

use crate::value::Writer;
use b2nd::array::dtype::{ByteOrder, Dtype, Field, Kind};
use b2nd::{Layout, Limits};

/// Writes the shapes of an array and its dtype, which Caterva's metalayer does not have.
pub(crate) fn write(out: &mut Writer<'_>, array: &Layout, dtype: Option<&str>, limits: &Limits) {
    out.record();
    out.name("shape").counts(array.shape().iter());
    out.name("chunks").counts(array.chunkshape().iter().copied().map(u64::from));
    out.name("blocks");
    match array.blockshape() {
        Some(lens) => out.counts(lens.iter().copied().map(u64::from)),
        None => out.nil(),
    }
    out.name("itemsize").count(array.itemsize().into());
    out.name("dtype").optional(dtype);
    out.name("type");
    match dtype.and_then(|dtype| Dtype::parse(dtype, limits).ok()) {
        Some(dtype) => self::dtype(out, &dtype),
        None => out.nil(),
    }
    out.end();
}

/// Writes a dtype: `Type` of the API.
pub(crate) fn dtype(out: &mut Writer<'_>, dtype: &Dtype) {
    out.record();
    out.name("kind").text(kind(dtype.kind()));
    out.name("size").count(dtype.itemsize() as u64);
    out.name("order").text(order(dtype.byte_order()));
    match dtype.kind() {
        Kind::Datetime(step) | Kind::Timedelta(step) => {
            out.name("unit").text(step.unit.symbol());
            out.name("count").count(step.count.into());
        }
        Kind::Subarray { item, shape } => {
            out.name("item");
            self::dtype(out, item);
            out.name("shape").counts(shape.iter().map(|&len| len as u64));
        }
        Kind::Struct { fields, .. } => out.name("fields").each(fields, field),
        _ => {}
    }
    out.end();
}

fn field(out: &mut Writer<'_>, field: &Field) {
    out.record();
    out.name("name").text(&field.name);
    out.name("title").optional(field.title.as_deref());
    out.name("offset").count(field.offset as u64);
    out.name("type");
    dtype(out, &field.dtype);
    out.end();
}

const fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Bool => "bool",
        Kind::Int => "int",
        Kind::Uint => "uint",
        Kind::Float => "float",
        Kind::Complex => "complex",
        Kind::Datetime(_) => "datetime",
        Kind::Timedelta(_) => "timedelta",
        Kind::Bytes => "bytes",
        Kind::Str => "str",
        Kind::Object => "object",
        Kind::Subarray { .. } => "subarray",
        Kind::Struct { .. } => "struct",
        _ => "void",
    }
}

const fn order(order: ByteOrder) -> &'static str {
    match order {
        ByteOrder::Little => "<",
        ByteOrder::Big => ">",
        ByteOrder::NotApplicable => "|",
    }
}
