//! Files of the npm package have the bytes that the library writes with the same parameters.
//!
//! `cargo xtask test --only interop` sets `B2ND_WRITTEN` to the folder with what www/test/interop/write.mjs wrote.
#![cfg(all(feature = "write", feature = "lz4", feature = "zlib", feature = "zstd", feature = "filters"))]

use b2nd::array::ArrayParams;
use b2nd::chunk::SplitMode;
use b2nd::codec::Codec;
use b2nd::filter::{Filter, MAX_FILTERS};
use b2nd::frame::Metalayer;
use b2nd::msgpack::Value;
use b2nd::sink::{Editor, Memory};
use b2nd::{Limits, Selection};
use serde_json::Value as Json;
use std::fs;
use std::path::PathBuf;

/// The numbers of a list.
fn numbers<T: TryFrom<u64>>(list: &Json) -> Vec<T>
where
    T::Error: core::fmt::Debug,
{
    list.as_array().unwrap().iter().map(|number| number.as_u64().unwrap().try_into().unwrap()).collect()
}

fn params(case: &Json) -> ArrayParams {
    let text = |name: &str| case[name].as_str().unwrap();
    let mut params = ArrayParams::new(&numbers(&case["shape"]), text("dtype"));
    params.chunkshape = Some(numbers(&case["chunks"]));
    params.blockshape = Some(numbers(&case["blocks"]));
    params.caterva = text("kind") == "caterva";
    let cparams = &mut params.cparams;
    cparams.codec = Codec::from_name(text("codec")).unwrap();
    cparams.clevel = case["clevel"].as_u64().unwrap() as u8;
    let modes = [SplitMode::Always, SplitMode::Never, SplitMode::Auto, SplitMode::ForwardCompat];
    cparams.splitmode = modes.into_iter().find(|mode| mode.name() == text("splitmode")).unwrap();
    let filters: Vec<u8> = numbers(&case["filters"]);
    cparams.filters.slots = Default::default();
    for (slot, id) in cparams.filters.slots[MAX_FILTERS - filters.len()..].iter_mut().zip(filters) {
        *slot = Filter { id, meta: 0 };
    }
    params.metalayers = entries(&case["metalayers"])
        .map(|(name, content)| Metalayer { name: name.into(), content })
        .collect();
    params
}

/// Metalayers, encoded as MessagePack.
fn entries(object: &Json) -> impl Iterator<Item = (String, Vec<u8>)> {
    object.as_object().unwrap().iter().map(|(name, value)| (name.clone(), msgpack(value).emit()))
}

fn msgpack(json: &Json) -> Value {
    match json {
        Json::Number(number) => match number.as_i64() {
            Some(int) => Value::Int(int.into()),
            None => Value::Float(number.as_f64().unwrap()),
        },
        Json::String(text) => Value::Str(text.clone()),
        Json::Array(items) => Value::Array(items.iter().map(msgpack).collect()),
        Json::Object(pairs) => {
            Value::Map(pairs.iter().map(|(key, value)| (Value::Str(key.clone()), msgpack(value))).collect())
        }
        Json::Bool(value) => Value::Bool(*value),
        Json::Null => Value::Nil,
    }
}

#[test]
#[ignore = "needs what the npm package wrote"]
fn javascript_writes_the_same_bytes() {
    let folder = PathBuf::from(std::env::var_os("B2ND_WRITTEN").expect("B2ND_WRITTEN")).join("frames");
    let lines = fs::read_to_string(folder.join("cases.jsonl")).unwrap();
    let mut different = Vec::new();
    for line in lines.lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let name = case["name"].as_str().unwrap();
        let mut editor = Editor::create_array(Memory::default(), &params(&case)).unwrap();
        for (name, content) in entries(&case["attrs"]) {
            assert!(Value::parse(&content, &Limits::default()).is_ok());
            editor.set_attr_bytes(&name, &content).unwrap();
        }
        editor.set(Selection::all(), &fs::read(folder.join(format!("{name}.plain"))).unwrap()).unwrap();
        editor.commit().unwrap();
        if editor.into_sink().into_bytes() != fs::read(folder.join(format!("{name}.b2nd"))).unwrap() {
            different.push(format!("{name}: {} {}", case["codec"], case["clevel"]));
        }
    }
    let count = lines.lines().count();
    println!("{count} frames compared");
    assert!(count >= 100 && different.is_empty(), "{} of {count}: {different:?}", different.len());
}
