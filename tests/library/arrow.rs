//! Record batches of Apache Arrow, of files that the reference wrote.
#![cfg(feature = "arrow")]

use crate::common::goldens::{golden, listed};
use crate::common::sha256;
use alloc::sync::Arc;
use arrow_array::builder::{Int32Builder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray,
    DurationMillisecondArray, FixedSizeListArray, Float32Array, Float64Array, Int16Array, Int32Array,
    Int64Array, LargeStringArray, RecordBatch, StringArray, StringViewArray, StructArray,
    TimestampMillisecondArray, TimestampSecondArray, UInt8Array,
};
use arrow_schema::{DataType, Field, Fields, Schema, TimeUnit};
use b2nd::msgpack::Value;
use b2nd::objects::{Objects, Serializer};
use b2nd::sink::{StoreEditor, TableParams, TableWriter};
use b2nd::source::{ReadError, Reader};
use b2nd::store::{self, StoreKind};
use b2nd::table::{Cells, ColumnSpec, FieldError, Table};
use b2nd::{DParams, ErrorKind, Limits};
use serde_json::Value as Json;
use std::{env, fs, process};

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

/// Flips every ninth bit, or each with `B2ND_ALL_DAMAGE`.
fn damage(mut bytes: Vec<u8>) {
    let step = if env::var_os("B2ND_ALL_DAMAGE").is_some() { 1 } else { 9 };
    for bit in (0..bytes.len() * 8).step_by(step) {
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
            DataType::Dictionary(..) => {
                let texts = array.as_dictionary::<Int32Type>().downcast_dict::<StringArray>().unwrap();
                let text = texts.into_iter().nth(at).flatten();
                assert_eq!(text, cell.as_str(), "{place}");
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

/// The batch that is read of a table that was made of batches.
fn written(name: &str, batches: &[RecordBatch]) -> RecordBatch {
    let path = env::temp_dir().join(format!("b2nd-arrow-{name}-{}.b2z", process::id()));
    let fields = batches[0].schema();
    let columns =
        fields.fields().iter().map(|field| ColumnSpec::of_field(field).unwrap()).collect::<Vec<_>>();
    let mut store = StoreEditor::create(&path, StoreKind::Tree).unwrap();
    let mut table = TableWriter::create(&mut store, "/t", &columns, &TableParams::default()).unwrap();
    for batch in batches {
        table.append(&Cells::of_batch(batch, &columns).unwrap()).unwrap();
    }
    table.finish().unwrap();
    store.commit().unwrap();
    drop(store);
    let store = store::open(&path).unwrap();
    let table = Table::open(&store, "/t").unwrap();
    let batch = table.record_batch(None, 0..table.len()).unwrap();
    fs::remove_file(path).unwrap();
    batch
}

fn lists(values: &[Option<&[Option<i32>]>]) -> ArrayRef {
    let mut lists = ListBuilder::new(Int32Builder::new());
    values.iter().for_each(|list| lists.append_option(list.map(|list| list.iter().copied())));
    Arc::new(lists.finish())
}

#[test]
fn batches_become_tables() {
    let berlin = || Some("Europe/Berlin".into());
    let numbers = || Arc::new(Int16Array::from(vec![Some(1), None, Some(-3)])) as ArrayRef;
    let times = || {
        Arc::new(
            TimestampMillisecondArray::from(vec![None, Some(0), Some(-7)])
                .with_timezone_opt::<Arc<str>>(berlin()),
        ) as ArrayRef
    };
    let flags = || Arc::new(BooleanArray::from(vec![true, false, true])) as ArrayRef;
    let bytes = || Arc::new(BinaryArray::from_opt_vec(vec![Some(b"a\0"), None, Some(b"")])) as ArrayRef;
    let nested = || lists(&[Some(&[Some(1), None]), None, Some(&[])]);
    let vectors = || {
        let item = Arc::new(Field::new("item", DataType::Float32, true));
        let values = Arc::new(Float32Array::from((0..18).map(|n| n as f32 / 4.0).collect::<Vec<_>>()));
        Arc::new(FixedSizeListArray::new(item, 6, values, None)) as ArrayRef
    };
    let members = Fields::from(vec![
        Field::new("x", DataType::Int64, true),
        Field::new("l", nested().data_type().clone(), true),
    ]);
    let structures = || {
        let x = Arc::new(Int64Array::from(vec![Some(1), None, Some(i64::MAX)]));
        let valid = vec![true, true, false].into();
        Arc::new(StructArray::new(members.clone(), vec![x, nested()], Some(valid))) as ArrayRef
    };
    let texts = [Some("é"), None, Some("")];
    let given: [(&str, ArrayRef); 11] = [
        ("numbers", numbers()),
        ("times", times()),
        ("days", Arc::new(Date32Array::from(vec![Some(1), None, Some(-1)]))),
        ("flags", flags()),
        ("bytes", bytes()),
        ("lists", nested()),
        ("vectors", vectors()),
        ("structures", structures()),
        ("large", Arc::new(LargeStringArray::from(texts.to_vec()))),
        ("view", Arc::new(StringViewArray::from(texts.to_vec()))),
        ("coded", Arc::new(texts.into_iter().collect::<DictionaryArray<Int8Type>>())),
    ];
    let expected: [(&str, ArrayRef); 11] = [
        ("numbers", numbers()),
        ("times", times()),
        ("days", Arc::new(TimestampSecondArray::from(vec![Some(86_400), None, Some(-86_400)]))),
        ("flags", flags()),
        ("bytes", bytes()),
        ("lists", nested()),
        ("vectors", vectors()),
        ("structures", structures()),
        ("large", Arc::new(StringArray::from(texts.to_vec()))),
        ("view", Arc::new(StringArray::from(texts.to_vec()))),
        ("coded", Arc::new(texts.into_iter().collect::<DictionaryArray<Int32Type>>())),
    ];
    let fields = given.iter().map(|(name, array)| {
        let field = Field::new(*name, array.data_type().clone(), array.null_count() > 0);
        match *name {
            "vectors" => field.with_metadata([("blosc2:ndarray_shape".to_owned(), "[2, 3]".to_owned())]),
            _ => field,
        }
    });
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let batch = RecordBatch::try_new(schema, given.iter().map(|(_, array)| array.clone()).collect()).unwrap();
    let read = written("all", &[batch.slice(0, 1), batch.slice(1, 0), batch.slice(1, 2)]);
    for (name, array) in expected {
        let found = read.column_by_name(name).unwrap();
        assert_eq!(found.data_type(), array.data_type(), "{name}");
        assert_eq!(&**found, &*array, "{name}");
    }
    let schema = read.schema();
    let field = |name| schema.field_with_name(name).unwrap();
    assert_eq!(field("vectors").metadata().get("blosc2:ndarray_shape").map(|text| &text[..]), Some("[2, 3]"));
    assert!(field("numbers").is_nullable() && !field("flags").is_nullable());
}

#[test]
fn types_without_columns_are_told() {
    let items = |data_type| DataType::List(Arc::new(Field::new("item", data_type, true)));
    for data_type in [
        DataType::Decimal128(9, 2),
        DataType::Duration(TimeUnit::Second),
        DataType::Time32(TimeUnit::Second),
        DataType::Null,
        items(DataType::Decimal128(9, 2)),
        items(items(DataType::Null)),
        DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Duration(TimeUnit::Second))),
    ] {
        let error = ColumnSpec::of_field(&Field::new("odd", data_type.clone(), true)).unwrap_err();
        assert_eq!(error, FieldError::Type { column: "odd".into(), data_type: data_type.clone() });
        assert!(error.to_string().contains("\"odd\"") && error.to_string().contains(&data_type.to_string()));
    }
    let error = ColumnSpec::of_field(&Field::new("_id", DataType::Int8, true)).unwrap_err();
    assert!(matches!(error, FieldError::Column { .. }) && error.to_string().contains("_id"), "{error}");
}

#[test]
fn values_are_converted_if_none_changes() {
    let spec = |data_type, nullable| ColumnSpec::of_field(&Field::new("a", data_type, nullable)).unwrap();
    let cells = |array: &dyn Array, data_type| Cells::of_array(array, &spec(data_type, true));
    let array = Int64Array::from(vec![Some(255), None, Some(0)]);
    let bytes = UInt8Array::from(vec![Some(255), None, Some(0)]);
    assert_eq!(cells(&array, DataType::UInt8), cells(&bytes, DataType::UInt8));
    assert!(cells(&array, DataType::Float32).is_ok());
    let wrong = |at| FieldError::Value { column: "a".into(), kind: "int8".into(), at };
    assert_eq!(cells(&Int32Array::from(vec![127, 128]), DataType::Int8).unwrap_err(), wrong(1));
    assert!(cells(&Int64Array::from(vec![(1 << 53) + 1]), DataType::Float64).is_err());
    assert!(cells(&Int64Array::from(vec![(1 << 24) + 1]), DataType::Float32).is_err());
    let time = |unit, zone: Option<&str>| DataType::Timestamp(unit, zone.map(Into::into));
    let seconds = TimestampSecondArray::from(vec![Some(2), None]);
    let thousands = TimestampMillisecondArray::from(vec![Some(2000), None]);
    let milliseconds = time(TimeUnit::Millisecond, None);
    assert_eq!(cells(&seconds, milliseconds.clone()), cells(&thousands, milliseconds.clone()));
    assert_eq!(
        cells(&thousands, time(TimeUnit::Second, None)),
        cells(&seconds, time(TimeUnit::Second, None))
    );
    assert!(cells(&TimestampMillisecondArray::from(vec![2001]), time(TimeUnit::Second, None)).is_err());
    assert!(cells(&TimestampSecondArray::from(vec![i64::MAX]), milliseconds).is_err());
    assert!(matches!(cells(&seconds, time(TimeUnit::Second, Some("UTC"))), Err(FieldError::Kind { .. })));
    assert!(matches!(cells(&seconds, DataType::Utf8), Err(FieldError::Kind { .. })));
    // Times in structures have units, too.
    let nested = |array: ArrayRef| {
        let field = Field::new("t", array.data_type().clone(), true);
        StructArray::new(vec![field].into(), vec![array], None)
    };
    let (seconds, thousands) = (nested(Arc::new(seconds)), nested(Arc::new(thousands)));
    let structure = seconds.data_type().clone();
    assert_eq!(cells(&thousands, structure.clone()), cells(&seconds, structure.clone()));
    let odd = nested(Arc::new(TimestampMillisecondArray::from(vec![2001])));
    assert!(matches!(cells(&odd, structure.clone()), Err(FieldError::Value { at: 0, .. })));
    let text = nested(Arc::new(StringArray::from(vec!["2"])));
    assert!(matches!(cells(&text, structure), Err(FieldError::Value { .. })));
    let decimals = Decimal128Array::from(vec![Some(-1234), None]).with_precision_and_scale(9, 2).unwrap();
    let floats = Float64Array::from(vec![Some(-12.34), None]);
    assert_eq!(cells(&decimals, DataType::Float64), cells(&floats, DataType::Float64));
    assert!(matches!(cells(&decimals, DataType::Int64), Err(FieldError::Kind { .. })));
    let durations = DurationMillisecondArray::from(vec![Some(5), None]);
    assert_eq!(
        cells(&durations, DataType::Int64),
        cells(&Int64Array::from(vec![Some(5), None]), DataType::Int64)
    );
    let null = Cells::of_array(&array, &spec(DataType::Int64, false)).unwrap_err();
    assert_eq!(null, FieldError::Null { column: "a".into(), at: 1 });
}
