//! What opening learns, as JSON.

use crate::engine::Opened;
use crate::json::Json;
use alloc::string::String;
use b2nd::Limits;
use b2nd::b2nd::dtype::{ByteOrder, Dtype, Field, Kind, TimeStep};
use b2nd::codec::Codec;
use b2nd::filter;
use b2nd::frame::Header;

/// The facts of a frame whose first `recipe` bytes open it again.
pub(crate) fn facts(opened: &Opened, recipe: u64, limits: &Limits) -> String {
    let mut json = Json::default();
    json.object(|json| {
        let array = opened.array.as_ref().ok().and_then(Option::as_ref);
        let kind = match array {
            _ if opened.frame.is_chunk() => "chunk",
            Some(_) => "array",
            None => "schunk",
        };
        json.member("kind", |json| json.string(kind));
        json.member("recipe", |json| json.number(recipe));
        header(json, &opened.frame.header);
        json.member("damaged", |json| json.bool(opened.array.is_err()));
        json.member("array", |json| match array {
            Some(array) => json.object(|json| self::array(json, array, limits)),
            None => json.null(),
        });
    });
    json.into_text()
}

fn header(json: &mut Json, header: &Header) {
    let mut number = |name: &str, number: u64| json.member(name, |json| json.number(number));
    number("version", header.version.into());
    number("headerLength", header.header_len.into());
    number("frameLength", header.frame_len);
    number("nbytes", header.nbytes);
    number("cbytes", header.cbytes);
    number("typesize", header.typesize.into());
    number("blocksize", header.blocksize.into());
    number("chunksize", header.chunksize.into());
    number("clevel", header.clevel.into());
    json.member("sparse", |json| json.bool(header.sparse));
    json.member("hasVlmeta", |json| json.bool(header.has_vlmetalayers));
    json.member("codec", |json| codec(json, header.codec, header.codec_meta));
    json.member("filters", |json| {
        json.array(header.filters.iter(), |json, one| named(json, one.id, filter::name(one.id), one.meta));
    });
    json.member("splitMode", |json| json.optional(header.splitmode.map(|mode| mode.name())));
}

fn codec(json: &mut Json, codec: Codec, meta: u8) {
    named(json, codec.0, codec.name(), meta);
}

fn named(json: &mut Json, id: u8, name: Option<&str>, meta: u8) {
    json.object(|json| {
        json.member("id", |json| json.number(id.into()));
        json.member("name", |json| json.optional(name));
        json.member("meta", |json| json.number(meta.into()));
    });
}

fn array(json: &mut Json, array: &b2nd::Array, limits: &Limits) {
    json.member("shape", |json| json.array(array.shape(), |json, &len| json.number(len)));
    json.member("chunks", |json| json.array(array.chunkshape(), |json, &len| json.number(len.into())));
    json.member("blocks", |json| match array.blockshape() {
        Some(lens) => json.array(lens, |json, &len| json.number(len.into())),
        None => json.null(),
    });
    json.member("itemsize", |json| json.number(array.itemsize().into()));
    json.member("dtype", |json| json.optional(array.dtype()));
    let dtype = array.dtype().and_then(|dtype| Dtype::parse(dtype, limits).ok());
    json.member("type", |json| match &dtype {
        Some(dtype) => self::dtype(json, dtype),
        None => json.null(),
    });
}

fn dtype(json: &mut Json, dtype: &Dtype) {
    json.object(|json| {
        json.member("kind", |json| json.string(kind(dtype.kind())));
        json.member("size", |json| json.number(dtype.itemsize() as u64));
        json.member("order", |json| json.string(order(dtype.byte_order())));
        match dtype.kind() {
            Kind::Datetime(step) | Kind::Timedelta(step) => time(json, *step),
            Kind::Subarray { item, shape } => {
                json.member("item", |json| self::dtype(json, item));
                json.member("shape", |json| json.array(shape, |json, &len| json.number(len as u64)));
            }
            Kind::Struct { fields, .. } => json.member("fields", |json| json.array(fields, field)),
            _ => {}
        }
    });
}

fn time(json: &mut Json, step: TimeStep) {
    json.member("unit", |json| json.string(step.unit.symbol()));
    json.member("count", |json| json.number(step.count.into()));
}

fn field(json: &mut Json, field: &Field) {
    json.object(|json| {
        json.member("name", |json| json.string(&field.name));
        json.member("title", |json| json.optional(field.title.as_deref()));
        json.member("offset", |json| json.number(field.offset as u64));
        json.member("type", |json| dtype(json, &field.dtype));
    });
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
