//! The facts of a frame, as JSON.

use crate::engine::Opened;
use crate::json::Json;
use crate::output::Output;
use b2nd::Limits;
use b2nd::array::dtype::{ByteOrder, Dtype, Field, Kind};
use b2nd::filter;
use b2nd::frame::Header;

/// Writes the facts of a frame. Its first `recipe` bytes suffice to open it again.
pub(crate) fn write(opened: &Opened, recipe: u64, limits: &Limits, output: &mut Output) {
    let mut json = Json(output);
    let array = opened.array.as_ref().ok().and_then(Option::as_ref);
    json.begin();
    json.name("kind").string(match array {
        _ if opened.frame.is_chunk() => "chunk",
        Some(_) => "array",
        None => "schunk",
    });
    json.name("recipe").number(recipe);
    header(&mut json, &opened.frame.header);
    json.name("damaged").bool(opened.array.is_err());
    json.name("reference").optional(opened.frame.header.reference().map(|reference| reference.name()));
    json.name("array");
    match array {
        Some(array) => self::array(&mut json, array, limits),
        None => json.null(),
    }
    json.end();
    output.cut(1);
}

fn header(json: &mut Json, header: &Header) {
    json.name("version").number(header.version.into());
    json.name("headerLength").number(header.header_len.into());
    json.name("frameLength").number(header.frame_len);
    json.name("nbytes").number(header.nbytes);
    json.name("cbytes").number(header.cbytes);
    json.name("typesize").number(header.typesize.into());
    json.name("blocksize").number(header.blocksize.into());
    json.name("chunksize").number(header.chunksize.into());
    json.name("clevel").number(header.clevel.into());
    json.name("sparse").bool(header.sparse);
    json.name("hasVlmeta").bool(header.has_vlmetalayers);
    json.name("codec");
    named(json, header.codec.0, header.codec.name(), header.codec_meta);
    json.name("filters")
        .array(header.filters.iter(), |json, one| named(json, one.id, filter::name(one.id), one.meta));
    json.name("splitMode").optional(header.splitmode.map(|mode| mode.name()));
}

fn named(json: &mut Json, id: u8, name: Option<&str>, meta: u8) {
    json.begin();
    json.name("id").number(id.into());
    json.name("name").optional(name);
    json.name("meta").number(meta.into());
    json.end();
}

fn array(json: &mut Json, array: &b2nd::Array, limits: &Limits) {
    json.begin();
    json.name("shape").numbers(array.shape().iter());
    json.name("chunks").numbers(array.chunkshape().iter().copied().map(u64::from));
    json.name("blocks");
    match array.blockshape() {
        Some(lens) => json.numbers(lens.iter().copied().map(u64::from)),
        None => json.null(),
    }
    json.name("itemsize").number(array.itemsize().into());
    json.name("dtype").optional(array.dtype());
    json.name("type");
    match array.dtype().and_then(|dtype| Dtype::parse(dtype, limits).ok()) {
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
