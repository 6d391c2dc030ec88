//! Axes of an array as attributes describe them.

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::sections::f64s;
use crate::status;
use crate::value::{Writer, packed};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use b2nd::array::{Axis, Coordinates};
use b2nd::msgpack::Value;
use wasm_bindgen::prelude::wasm_bindgen;

/// Describes the axes of an array, of the shape and the attributes that the sections hold.
#[wasm_bindgen]
pub fn axes() -> u32 {
    status(describe)
}

fn describe(engine: &mut Engine) -> Result<(), CallError> {
    let Engine { input, output, dparams, .. } = engine;
    output.clear();
    let mut sections = input.sections();
    let shape: Vec<u64> = f64s(sections.section()).map(|len| len as u64).collect();
    let attributes = Value::parse(&packed(sections.section()), &dparams.limits)?;
    Writer(output).each(Axis::all(&by_name(attributes), &shape), put);
    Ok(())
}

fn by_name(attributes: Value) -> BTreeMap<String, Value> {
    let Value::Map(pairs) = attributes else { return BTreeMap::new() };
    let named = |(name, value)| if let Value::Str(name) = name { Some((name, value)) } else { None };
    pairs.into_iter().filter_map(named).collect()
}

fn put(out: &mut Writer<'_>, axis: Axis) {
    out.record();
    out.name("name").optional(axis.name.as_deref());
    out.name("unit").optional(axis.unit.as_deref());
    match axis.coordinates {
        Some(Coordinates::Regular { origin, step }) => {
            out.name("origin").number(origin);
            out.name("step").number(step);
        }
        Some(Coordinates::List(values)) => out.name("values").each(values, put_coordinate),
        _ => {}
    }
    out.end();
}

fn put_coordinate(out: &mut Writer<'_>, value: Value) {
    match value {
        Value::Int(int) => out.number(int as f64),
        Value::Float(float) => out.number(float),
        Value::Str(text) => out.text(&text),
        _ => out.nil(),
    }
}
