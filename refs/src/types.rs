//! The data types of Zarr, and those of NumPy.

use b2nd::array::{ByteOrder, Dtype, Kind};
use b2nd::source::Reader;
use b2nd::zarr::Endian;
use b2nd::{ReadAt, ReadError};
use serde_json::{Value as Json, json};

/// The dtype that an array's items have in Zarr. Single raw bytes are numbers.
///
/// # Errors
/// Errors of [`Reader::dtype`].
pub(crate) fn item_dtype<S: ReadAt>(reader: &Reader<S>) -> Result<Dtype, ReadError<S::Error>> {
    let dtype = reader.dtype()?;
    Ok(if dtype == Dtype::void(1) { Dtype::of::<u8>() } else { dtype })
}

/// Zarr's type of items of this dtype.
pub(crate) fn data_type(dtype: &Dtype) -> Option<Json> {
    let size = dtype.itemsize();
    let name = match dtype.kind() {
        Kind::Bool => return Some("bool".into()),
        Kind::Int => "int",
        Kind::Uint => "uint",
        Kind::Float if size <= 8 => "float",
        Kind::Complex if size <= 16 => "complex",
        Kind::Datetime(_) => return Some(time("numpy.datetime64", dtype)),
        Kind::Timedelta(_) => return Some(time("numpy.timedelta64", dtype)),
        Kind::Bytes => return Some(of_length("null_terminated_bytes", size)),
        Kind::Str => return Some(of_length("fixed_length_utf32", size)),
        Kind::Void => return Some(of_length("raw_bytes", size)),
        Kind::Struct { .. } => return structured(dtype),
        _ => return None,
    };
    Some(format!("{name}{}", 8 * size).into())
}

fn time(name: &str, dtype: &Dtype) -> Json {
    let text = dtype.to_string();
    let step = text.split_once('[').and_then(|(_, step)| step.strip_suffix(']')).unwrap_or("generic");
    let unit = step.trim_start_matches(|char: char| char.is_ascii_digit());
    let count: u32 = step[..step.len() - unit.len()].parse().unwrap_or(1);
    json!({ "name": name, "configuration": { "unit": unit, "scale_factor": count } })
}

fn of_length(name: &str, size: usize) -> Json {
    json!({ "name": name, "configuration": { "length_bytes": size } })
}

/// Fields that follow one another: the metadata have no offsets.
fn structured(dtype: &Dtype) -> Option<Json> {
    let Kind::Struct { fields, .. } = dtype.kind() else { return None };
    let mut end = 0;
    let mut types = Vec::new();
    for field in fields {
        if field.offset != end {
            return None;
        }
        end += field.dtype.itemsize();
        types.push(json!([field.name, data_type(&field.dtype)?]));
    }
    (end == dtype.itemsize()).then(|| json!({ "name": "structured", "configuration": { "fields": types } }))
}

/// The byte order of all numbers in an item; `None` if fields differ in theirs.
pub(crate) fn byte_order(dtype: &Dtype) -> Option<ByteOrder> {
    let is = |order: ByteOrder| dtype.clone().with_byte_order(order) == *dtype;
    match (is(ByteOrder::Little), is(ByteOrder::Big)) {
        (true, true) => Some(ByteOrder::NotApplicable),
        (true, false) => Some(ByteOrder::Little),
        (false, true) => Some(ByteOrder::Big),
        (false, false) => None,
    }
}

/// The dtype of items of this type of Zarr.
pub(crate) fn dtype(data_type: &Json, endian: Option<Endian>) -> Option<Dtype> {
    let little = match data_type.as_str() {
        Some(name) => number(name)?,
        None => of_name(data_type["name"].as_str()?, &data_type["configuration"])?,
    };
    if endian.is_none() && byte_order(&little) != Some(ByteOrder::NotApplicable) {
        return None;
    }
    // The name is that of this type, and of no other that parses alike, such as int12.
    let same = self::data_type(&little).as_ref() == Some(data_type);
    same.then(|| if endian == Some(Endian::Big) { little.with_byte_order(ByteOrder::Big) } else { little })
}

/// Numbers, little-endian.
fn number(name: &str) -> Option<Dtype> {
    if name == "bool" {
        return Some(Dtype::of::<bool>());
    }
    let kind = name.trim_end_matches(|char: char| char.is_ascii_digit());
    let bits: usize = name[kind.len()..].parse().ok()?;
    let kind = match kind {
        "int" => Kind::Int,
        "uint" => Kind::Uint,
        "float" => Kind::Float,
        "complex" => Kind::Complex,
        _ => return None,
    };
    Dtype::scalar(kind, bits / 8).ok()
}

/// Types with a configuration, little-endian.
fn of_name(name: &str, configuration: &Json) -> Option<Dtype> {
    let length = || configuration["length_bytes"].as_u64()?.try_into().ok();
    match name {
        "numpy.datetime64" => of_step('M', configuration),
        "numpy.timedelta64" => of_step('m', configuration),
        "null_terminated_bytes" => Dtype::scalar(Kind::Bytes, length()?).ok(),
        "fixed_length_utf32" => Dtype::scalar(Kind::Str, length()?).ok(),
        "raw_bytes" => Dtype::scalar(Kind::Void, length()?).ok(),
        "structured" => {
            let mut structure = Dtype::structure();
            for field in configuration["fields"].as_array()? {
                let [name, data_type] = &field.as_array()?[..] else { return None };
                structure = structure.field(name.as_str()?, dtype(data_type, Some(Endian::Little))?);
            }
            structure.build().ok()
        }
        _ => None,
    }
}

fn of_step(letter: char, step: &Json) -> Option<Dtype> {
    let text = match (step["unit"].as_str()?, step["scale_factor"].as_u64()?) {
        ("generic", _) => format!("<{letter}8"),
        (unit, 1) => format!("<{letter}8[{unit}]"),
        (unit, count) => format!("<{letter}8[{count}{unit}]"),
    };
    text.parse().ok()
}

/// A fill value of a number as text that the tool and NumPy parse.
pub(crate) fn text(fill: &Json) -> Option<String> {
    Some(match fill {
        Json::String(text) if text == "NaN" => "nan".into(),
        Json::String(text) if text == "Infinity" => "inf".into(),
        Json::String(text) if text == "-Infinity" => "-inf".into(),
        Json::String(text) if text == "NaT" => text.clone(),
        Json::Bool(_) | Json::Number(_) => fill.to_string(),
        Json::Array(parts) => match &parts[..] {
            [real, imaginary] => {
                let imaginary = text(imaginary)?;
                let sign = if imaginary.starts_with('-') { "" } else { "+" };
                format!("{}{sign}{imaginary}j", text(real)?)
            }
            _ => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_those_of_numpy() {
        for text in [
            "|b1", "|i1", "|u1", "<i2", ">u4", "<f2", ">f8", "<c8", "<c16", "<M8[ns]", ">m8[25s]", "<M8",
            "|S5", "<U3", ">U3", "|V16",
        ] {
            let known: Dtype = text.parse().unwrap();
            let endian = if text.starts_with('>') { Endian::Big } else { Endian::Little };
            let zarr = data_type(&known).unwrap();
            assert_eq!(dtype(&zarr, Some(endian)).unwrap().to_string(), known.to_string(), "{zarr}");
        }
        for wrong in
            [json!("int12"), json!("int32x"), json!("float128"), json!("r16"), json!({ "name": "struct" })]
        {
            assert!(dtype(&wrong, Some(Endian::Little)).is_none(), "{wrong}");
        }
        assert!(dtype(&json!("int32"), None).is_none() && dtype(&json!("int8"), None).is_some());
        assert_eq!(text(&json!([0.5, -1.0])).as_deref(), Some("0.5-1.0j"));
    }
}
