//! Record batches of Apache Arrow, of files that the reference wrote.
#![cfg(feature = "arrow")]

mod common;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use b2nd::msgpack::Value;
use b2nd::objects::{Objects, Serializer};
use b2nd::source::{ReadError, Reader};
use b2nd::store;
use b2nd::table::Table;
use b2nd::{DParams, ErrorKind, Limits};
use common::goldens::{golden, listed};
use common::sha256;
use serde_json::Value as Json;
use std::fs;

#[test]
fn batches_of_objects() {
    let objects = Objects::open(b2nd::open(golden("objects/arrow.b2b")).unwrap()).unwrap();
    assert_eq!((objects.serializer(), objects.len(), objects.nbatches()), (Serializer::Arrow, 6, 2));
    let numbers = |nbatch, nblock| -> Vec<Option<i64>> {
        let batch = objects.record_batch(nbatch, nblock).unwrap();
        batch.column(0).as_primitive::<Int64Type>().iter().collect()
    };
    assert_eq!(objects.nblocks(0).unwrap(), 2);
    assert_eq!(
        [numbers(0, 0), numbers(0, 1), numbers(1, 0)],
        [vec![Some(1), None, Some(3)], vec![Some(4)], vec![Some(50), Some(60)]]
    );
    let values = [1, 0, 3, 4, 50, 60].map(|value| if value == 0 { Value::Nil } else { Value::Int(value) });
    assert_eq!(objects.range(0..6).unwrap(), values);
    assert_eq!(objects.get(4).unwrap(), values[4]);
    let lists = Objects::open(b2nd::open(golden("objects/arrow-lists.b2b")).unwrap()).unwrap();
    let batch = lists.record_batch(0, 0).unwrap();
    let lists = batch.column(0).as_list::<i32>();
    assert_eq!((lists.len(), lists.null_count(), lists.value(0).len()), (3, 1, 2));
    let other = Objects::open(b2nd::open(golden("objects/001.b2b")).unwrap()).unwrap();
    assert!(other.record_batch(0, 0).is_err());
}

/// Compares the MessagePack of lists with what `arrow.jsonl` says.
#[test]
fn lists_of_every_type() {
    let lists = listed(&golden("objects/arrow.jsonl"));
    assert_eq!(lists.len(), 8);
    for (path, facts) in lists {
        let name = path.display();
        let objects = Objects::open(b2nd::open(&path).unwrap()).unwrap();
        assert_eq!(objects.serializer(), Serializer::Arrow, "{name}");
        let values = objects.range(0..objects.len()).unwrap();
        assert_eq!(values.len(), facts["values"].as_array().unwrap().len(), "{name}");
        let packed: Vec<u8> = values.iter().flat_map(Value::emit).collect();
        assert_eq!(sha256(&packed), facts["sha256"], "{name}");
        for (index, value) in values.iter().enumerate() {
            assert_eq!(objects.get(index as u64).unwrap(), *value, "{name}: {index}");
        }
    }
}

#[test]
fn memory_is_limited() {
    let bytes = fs::read(golden("objects/arrow-7.b2b")).unwrap();
    let read = |memory| {
        let limits = Limits { memory, ..Limits::default() };
        let objects =
            Reader::open(&bytes[..], DParams { limits, ..DParams::default() }).and_then(Objects::open)?;
        objects.range(0..objects.len())
    };
    assert!(read(1 << 20).is_ok());
    let failed = (0..12).map(|bits| read(1 << bits)).filter_map(Result::err).collect::<Vec<_>>();
    assert!(failed.len() > 8, "{failed:?}");
    let is_limit = |error: &ReadError<_>| matches!(error, ReadError::Blosc(error) if matches!(error.kind(), ErrorKind::Limit(_)));
    assert!(failed.iter().all(is_limit), "{failed:?}");
}

#[test]
fn damage_never_panics() {
    for name in ["arrow.b2b", "arrow-lists.b2b", "arrow-6.b2b", "arrow-7.b2b"] {
        damage(fs::read(golden("objects").join(name)).unwrap());
    }
}

/// Flips each bit.
fn damage(mut bytes: Vec<u8>) {
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        if let Ok(objects) = Reader::open(&bytes[..], DParams::default()).and_then(Objects::open) {
            let _ = objects.record_batch(0, 0);
            let _ = objects.range(0..objects.len().min(9));
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

/// Compares the values of columns with what `tables.jsonl` says.
#[test]
fn batches_of_tables() {
    let mut kinds = 0;
    for (path, facts) in listed(&golden("tables/tables.jsonl")) {
        let store = store::open(&path).unwrap();
        let path = path.to_str().unwrap();
        let table = Table::open(&store, "").unwrap();
        let batch = table.record_batch(None, 0..table.len()).unwrap();
        assert_eq!(batch.num_rows() as u64, table.len(), "{path}");
        for column in facts["columns"].as_array().unwrap() {
            kinds += compare(&batch, column, path);
        }
        if let Some(spec) = table.columns().first() {
            let part = table.record_batch(Some(&[&spec.name]), 0..table.len() / 2).unwrap();
            assert_eq!(
                part.column(0).to_data(),
                batch.column(0).slice(0, part.num_rows()).to_data(),
                "{path}"
            );
        }
    }
    assert!(kinds > 20, "{kinds}");
}

/// Returns the number of compared columns.
fn compare(batch: &RecordBatch, column: &Json, path: &str) -> usize {
    let (name, cells) = (column["name"].as_str().unwrap(), column["cells"].as_array().unwrap());
    let array = batch.column_by_name(name).unwrap_or_else(|| panic!("{path}: {name}"));
    for (at, cell) in cells.iter().enumerate() {
        let place = format!("{path}: {name}: {at}");
        assert_eq!(array.is_null(at), cell.is_null(), "{place}");
        if cell.is_null() {
            continue;
        }
        match array.data_type() {
            DataType::Utf8 => {
                assert_eq!(array.as_string::<i32>().value(at), cell.as_str().unwrap(), "{place}")
            }
            DataType::Boolean => assert_eq!(array.as_boolean().value(at), cell.as_bool().unwrap(), "{place}"),
            DataType::Int64 => {
                assert_eq!(array.as_primitive::<Int64Type>().value(at), cell.as_i64().unwrap(), "{place}");
            }
            DataType::List(_) => {
                assert_eq!(array.as_list::<i32>().value(at).len(), cell.as_array().unwrap().len(), "{place}");
            }
            DataType::FixedSizeList(..) => assert!(array.as_fixed_size_list().value(at).len() > 1, "{place}"),
            DataType::Binary if column["kind"] == "bytes" => {
                // A character for each byte.
                let told: Vec<u8> = cell.as_str().unwrap().chars().map(|c| c as u8).collect();
                assert_eq!(array.as_binary::<i32>().value(at), told, "{place}");
            }
            DataType::Binary if column["kind"] != "vlbytes" => {
                let object = Value::parse(array.as_binary::<i32>().value(at), &Limits::default());
                assert!(object.is_ok(), "{place}");
            }
            _ => {}
        }
    }
    1
}
