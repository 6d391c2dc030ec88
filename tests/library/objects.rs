//! Sequences of objects, written by the reference.
#![cfg(all(
    feature = "std",
    feature = "store",
    feature = "write",
    feature = "lz4",
    feature = "zlib",
    feature = "zstd"
))]

use crate::common::goldens::{golden, listed};
use crate::common::sha256;
use alloc::collections::BTreeSet;
use b2nd::msgpack::Value;
use b2nd::objects::{Extension, Kind, Objects, Tensor, origin};
use b2nd::source::{File, ReadError, Reader};
use b2nd::{DParams, ErrorKind, Limits, Unsupported};
use std::fs;
use std::path::Path;

fn open(path: &Path) -> Objects<File> {
    let opened = b2nd::open(path).and_then(Objects::open);
    opened.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn golden_objects() {
    assert!(compare(&golden("objects")) >= 8);
}

#[test]
#[ignore = "the reference must write the objects first: cargo xtask test --only interop"]
fn random_objects() {
    let folder = std::env::var_os("B2ND_OBJECTS").expect("B2ND_OBJECTS names the folder of random objects");
    assert!(compare(Path::new(&folder)) >= 100);
}

/// Compares all objects with what `objects.jsonl` says, and returns the number of sequences.
fn compare(folder: &Path) -> usize {
    let (sequences, mut seen) = (listed(&folder.join("objects.jsonl")), BTreeSet::new());
    for (path, facts) in &sequences {
        let objects = open(path);
        let name = path.display();
        assert_eq!(objects.kind().name(), facts["kind"], "{name}");
        assert_eq!(objects.len(), facts["values"].as_array().unwrap().len() as u64, "{name}");
        let all = objects.range(0..objects.len()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let packed: Vec<u8> = all.iter().flat_map(Value::emit).collect();
        assert_eq!(sha256(&packed), facts["sha256"], "{name}");
        for (index, value) in all.iter().enumerate() {
            let one = objects.get(index as u64).unwrap();
            assert_eq!(one.emit(), value.emit(), "{name}: {index}");
        }
        let middle = objects.len() / 3..objects.len() / 3 * 2;
        let part: Vec<u8> = objects.range(middle.clone()).unwrap().iter().flat_map(Value::emit).collect();
        let same: Vec<u8> =
            all[middle.start as usize..middle.end as usize].iter().flat_map(Value::emit).collect();
        assert_eq!(part, same, "{name}");
        assert!(objects.get(objects.len()).is_err(), "{name}");
        seen.insert(objects.kind().name());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["batches", "lists", "objects"]);
    sequences.len()
}

/// The first golden sequence of a kind with some objects, and its bytes.
fn some(kind: Kind) -> Vec<u8> {
    let paths = fs::read_dir(golden("objects")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|name| name == "b2b")).collect();
    paths.sort();
    let found = paths.iter().find(|path| {
        let objects = open(path);
        objects.kind() == kind && objects.len() > 5 && objects.nbatches() > 1
    });
    fs::read(found.unwrap_or_else(|| panic!("no {kind:?}"))).unwrap()
}

#[test]
fn an_object_takes_only_its_block() {
    let bytes = some(Kind::Batches);
    let objects = Objects::open(Reader::open(&bytes[..], DParams::default()).unwrap()).unwrap();
    let first = objects.reader().chunk_info(0).unwrap();
    let b2nd::frame::Location::Stored { offset, .. } = first.location else { panic!("stored") };
    let last = objects.get(objects.len() - 1).unwrap().emit();
    let mut damaged = bytes.clone();
    damaged[offset as usize..][..first.header.cbytes as usize].fill(0xff);
    let objects = Objects::open(Reader::open(&damaged[..], DParams::default()).unwrap()).unwrap();
    assert_eq!(objects.get(objects.len() - 1).unwrap().emit(), last);
    assert!(objects.get(0).is_err());
}

#[test]
fn other_frames_are_refused() {
    let reader = b2nd::open(golden("blosc2-4.14.1/sample.b2nd")).unwrap();
    assert_eq!(Objects::kind_of(&reader).unwrap(), None);
    let Err(ReadError::Blosc(error)) = Objects::open(reader) else { panic!("refused") };
    assert_eq!(error.kind(), ErrorKind::Unsupported(Unsupported::NoObjects));
}

#[test]
fn memory_is_limited() {
    let bytes = some(Kind::Lists);
    let limits = Limits { memory: 2000, ..Limits::default() };
    let reader = Reader::open(&bytes[..], DParams { limits, ..DParams::default() }).unwrap();
    let objects = Objects::open(reader).unwrap();
    let Err(ReadError::Blosc(error)) = objects.range(0..objects.len()) else { panic!("refused") };
    assert!(matches!(error.kind(), ErrorKind::Limit(_)), "{error}");
}

#[test]
fn damage_never_panics() {
    for kind in [Kind::Objects, Kind::Batches, Kind::Lists] {
        let mut bytes = some(kind);
        let limits = Limits { memory: 1 << 20, ..Limits::default() };
        let read = |bytes: &[u8]| {
            let reader = Reader::open(bytes, DParams { limits, ..DParams::default() })?;
            let objects = Objects::open(reader)?;
            objects.range(0..objects.len().min(100)).map(|values| values.len())
        };
        let mut failed = 0;
        for len in 0..bytes.len() {
            failed += usize::from(read(&bytes[..len]).is_err());
        }
        // Without batches, nothing needs the trailer.
        assert!(
            failed == bytes.len() || kind == Kind::Objects && failed > bytes.len() * 9 / 10,
            "{kind:?}: cut"
        );
        for bit in (0..bytes.len() * 8).step_by(5) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            let _ = read(&bytes);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

/// The value of an attribute of `attributes.b2nd`.
fn attribute(name: &str) -> Extension {
    let reader = b2nd::open(golden("objects/attributes.b2nd")).unwrap();
    let layers = &reader.trailer().unwrap().attributes;
    let layer = layers.iter().find(|layer| layer.name() == name).unwrap();
    let Value::Ext(code, bytes) = layer.value(&Limits::default()).unwrap() else { panic!("{name}") };
    for len in 0..bytes.len() {
        assert!(Extension::parse(code, &bytes[..len], &Limits::default()).is_err(), "{name} cut to {len}");
    }
    Extension::parse(code, &bytes, &Limits::default()).unwrap().expect("known")
}

#[test]
fn metalayers_hold_arrays() {
    let Extension::Tensor(array) = attribute("array") else { panic!("a tensor") };
    assert_eq!((array.dtype.to_string(), &array.shape[..]), ("<i2".into(), &[2, 4][..]));
    assert_eq!(array.data, (0..8i16).flat_map(i16::to_le_bytes).collect::<Vec<_>>());
    let Extension::Tensor(records) = attribute("records") else { panic!("a tensor") };
    assert_eq!(records.dtype.to_string(), "[('a', '<i4'), ('b', '<f4', (2,))]");
    assert_eq!(attribute("complex"), Extension::Complex(1.0, -2.0));
    let items = vec![Value::Int(1), Value::Str("two".into())];
    assert_eq!(attribute("objects"), Extension::Objects { shape: vec![2], items });
}

#[test]
fn depth_is_limited_in_extensions() {
    let flat = Limits { depth: 0, ..Limits::default() };
    let set = Extension::parse(45, &[0x91, 1], &flat).unwrap_err();
    assert!(matches!(set.kind(), ErrorKind::Limit(_)));
    assert_eq!(
        Extension::parse(45, &[0x91, 1], &Limits::default()),
        Ok(Some(Extension::Set(vec![Value::Int(1)])))
    );
    assert_eq!(Extension::parse(7, &[], &flat), Ok(None));
}

#[test]
fn tensors_have_shapes() {
    let reader = b2nd::open(golden("objects/tensor.b2f")).unwrap();
    let (trailer, nbytes) = (reader.trailer().unwrap(), reader.frame().header.nbytes);
    let tensor = Tensor::packed(trailer, nbytes, reader.limits()).unwrap().unwrap();
    assert_eq!((tensor.dtype.to_string(), tensor.shape), ("<i2".into(), vec![2, 3, 4]));
    assert!(Tensor::packed(trailer, nbytes + 2, reader.limits()).is_err());
}

#[test]
fn references_have_origins() {
    let reader = b2nd::open(golden("objects/lazy.b2nd")).unwrap();
    let header = &reader.frame().header;
    let origin = origin(header, reader.trailer().unwrap(), reader.limits()).unwrap().unwrap();
    assert_eq!(origin.get("expression").and_then(Value::as_str), Some("((o0 * 2) + 1)"));
    let operand = origin.get("operands").and_then(|operands| operands.get("o0")).unwrap();
    assert_eq!(operand.get("urlpath").and_then(Value::as_str), Some("attributes.b2nd"));
}
