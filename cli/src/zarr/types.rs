//! The data types of Zarr, and those of NumPy.

use b2nd::Limits;
use b2nd::array::{Dtype, Kind};
use b2nd::zarr::Endian;
use serde_json::{Value as Json, json};

/// Zarr's type of items of this dtype.
pub(super) fn data_type(dtype: &Dtype) -> Option<Json> {
    let size = dtype.itemsize();
    let name = match dtype.kind() {
        Kind::Bool => return Some("bool".into()),
        Kind::Int => "int",
        Kind::Uint => "uint",
        Kind::Float if size <= 8 => "float",
        Kind::Complex if size <= 16 => "complex",
        Kind::Datetime(_) => return Some(time("numpy.datetime64", dtype)),
        Kind::Timedelta(_) => return Some(time("numpy.timedelta64", dtype)),
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

/// The dtype of items of this type of Zarr.
pub(super) fn dtype(data_type: &Json, endian: Option<Endian>) -> Option<Dtype> {
    let order = if endian == Some(Endian::Big) { '>' } else { '<' };
    let text = match data_type {
        Json::String(name) if name == "bool" => "|b1".into(),
        Json::String(name) => {
            let kind = name.trim_end_matches(|char: char| char.is_ascii_digit());
            let bits: u32 = name[kind.len()..].parse().ok()?;
            let letter = match kind {
                "int" => 'i',
                "uint" => 'u',
                "float" => 'f',
                "complex" => 'c',
                _ => return None,
            };
            if bits > 8 && endian.is_none() {
                return None;
            }
            format!("{order}{letter}{}", bits / 8)
        }
        other => {
            let letter = match other["name"].as_str()? {
                "numpy.datetime64" => 'M',
                "numpy.timedelta64" => 'm',
                _ => return None,
            };
            let step = &other["configuration"];
            match (step["unit"].as_str()?, step["scale_factor"].as_u64()?) {
                ("generic", _) => format!("{order}{letter}8"),
                (unit, 1) => format!("{order}{letter}8[{unit}]"),
                (unit, count) => format!("{order}{letter}8[{count}{unit}]"),
            }
        }
    };
    // The name is that of this type, and of no other that parses alike, such as int12.
    let dtype = Dtype::parse(&text, &Limits::default()).ok()?;
    (self::data_type(&dtype).as_ref() == Some(data_type)).then_some(dtype)
}

/// The value that Zarr has for missing chunks, as text that the tool parses.
pub(super) fn value(fill: &Json) -> Option<String> {
    Some(match fill {
        Json::String(text) if text == "NaN" => "nan".into(),
        Json::String(text) if text == "Infinity" => "inf".into(),
        Json::String(text) if text == "-Infinity" => "-inf".into(),
        Json::String(text) if text == "NaT" => text.clone(),
        Json::Bool(_) | Json::Number(_) => fill.to_string(),
        Json::Array(parts) => match &parts[..] {
            [real, imaginary] => {
                let imaginary = value(imaginary)?;
                let sign = if imaginary.starts_with('-') { "" } else { "+" };
                format!("{}{sign}{imaginary}j", value(real)?)
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
        for text in
            ["|b1", "|i1", "|u1", "<i2", ">u4", "<f2", ">f8", "<c8", "<c16", "<M8[ns]", ">m8[25s]", "<M8"]
        {
            let known = Dtype::parse(text, &Limits::default()).unwrap();
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
        assert_eq!(value(&json!([0.5, -1.0])).as_deref(), Some("0.5-1.0j"));
    }
}
