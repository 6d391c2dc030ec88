//! The facts of an array, as JSON.

use crate::json::Json;
use b2nd::array::dtype::{ByteOrder, Dtype, Field, Kind};
use b2nd::{Layout, Limits};

/// Writes the shapes of an array and its dtype, which Caterva's metalayer does not have.
pub(crate) fn write(json: &mut Json, array: &Layout, dtype: Option<&str>, limits: &Limits) {
    json.begin();
    json.name("shape").numbers(array.shape().iter());
    json.name("chunks").numbers(array.chunkshape().iter().copied().map(u64::from));
    json.name("blocks");
    match array.blockshape() {
        Some(lens) => json.numbers(lens.iter().copied().map(u64::from)),
        None => json.null(),
    }
    json.name("itemsize").number(array.itemsize().into());
    json.name("dtype").optional(dtype);
    json.name("type");
    match dtype.and_then(|dtype| Dtype::parse(dtype, limits).ok()) {
        Some(dtype) => self::dtype(json, &dtype),
        None => json.null(),
    }
    json.end();
}

fn dtype(json: &mut Json, dtype: &Dtype) {
    json.begin();
    json.name("kind").string(kind(dtype.kind()));
    json.name("size").number(dtype.itemsize() as u64);
    json.name("order").string(order(dtype.byte_order()));
    match dtype.kind() {
        Kind::Datetime(step) | Kind::Timedelta(step) => {
            json.name("unit").string(step.unit.symbol());
            json.name("count").number(step.count.into());
        }
        Kind::Subarray { item, shape } => {
            json.name("item");
            self::dtype(json, item);
            json.name("shape").numbers(shape.iter().map(|&len| len as u64));
        }
        Kind::Struct { fields, .. } => json.name("fields").array(fields, field),
        _ => {}
    }
    json.end();
}

fn field(json: &mut Json, field: &Field) {
    json.begin();
    json.name("name").string(&field.name);
    json.name("title").optional(field.title.as_deref());
    json.name("offset").number(field.offset as u64);
    json.name("type");
    dtype(json, &field.dtype);
    json.end();
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
