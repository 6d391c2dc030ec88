//! Small files that ask for much: reading them gives data or an error that names a limit, within little time and memory.
#![cfg(all(feature = "std", feature = "store", feature = "write", feature = "zstd", feature = "filters"))]

#[path = "../common/bombs.rs"]
mod bombs;

use b2nd::objects::Objects;
use b2nd::source::ReadError;
use b2nd::store::Store;
use b2nd::table::{Data, Table};
use b2nd::{DParams, ErrorKind, Limit, Limits, Reader, Selection};
use bombs::Bomb;
use core::convert::Infallible;
use std::fs;

/// The files, for other tests and as seeds. `B2ND_WRITE=1` writes them anew.
#[test]
fn files_are_what_is_made() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/common/bombs");
    for Bomb { name, bytes, .. } in bombs::all() {
        let path = folder.join(name);
        if std::env::var_os("B2ND_WRITE").is_some() {
            fs::write(&path, &bytes).expect("a file");
        }
        assert!(fs::read(&path).expect("a file") == bytes, "{name}");
    }
}

#[test]
fn are_small() {
    for bomb in bombs::all() {
        assert!(bomb.bytes.len() <= bombs::MOST, "{}: {} bytes", bomb.name, bomb.bytes.len());
    }
}

fn bomb(name: &str) -> Vec<u8> {
    bombs::all().into_iter().find(|bomb| bomb.name == name).expect("a bomb").bytes
}

fn tight(memory: u64) -> DParams {
    DParams { limits: Limits { memory, ..Limits::default() }, ..DParams::default() }
}

/// The limit that an error names.
fn limit<T>(result: Result<T, ReadError<Infallible>>) -> Limit {
    match result.map(drop).expect_err("beyond the limits") {
        ReadError::Blosc(error) => match error.kind() {
            ErrorKind::Limit(error) => error.limit,
            other => panic!("{other:?}"),
        },
        ReadError::Source(never) => match never {},
    }
}

/// Batches in one place are counted once, and take the memory of one.
#[test]
fn equal_batches_are_a_run() {
    for (name, count) in [("batches.b2b", 1 << 24), ("most-batches.b2b", (1 << 28) - 1)] {
        let bytes = bomb(name);
        let objects =
            Objects::open(Reader::open(&bytes[..], tight(1 << 16)).expect("a frame")).expect("objects");
        assert_eq!((objects.len(), objects.nbatches()), (count, count));
        assert_eq!(objects.get(count - 1), Ok(b2nd::msgpack::Value::Int(7)));
        assert_eq!(objects.batch(5), Ok(5..6));
        assert_eq!(objects.verify(), Ok(()));
    }
    let bytes = bomb("batches-of-many-places.b2b");
    let objects =
        Objects::open(Reader::open(&bytes[..], DParams::default()).expect("a frame")).expect("objects");
    assert_eq!(objects.len(), 1 << 20);
}

/// Rows of equal chunks of a mask are counted once.
#[test]
fn equal_chunks_of_a_mask_are_a_run() {
    for (name, len) in [("rows-deleted.b2z", 0), ("rows.b2z", 1u64 << 38)] {
        let bytes = bomb(name);
        let store = Store::open(&bytes[..], bytes.len() as u64, tight(4 << 20)).expect("a store");
        let table = Table::open(&store, "").expect("a table");
        assert_eq!(table.len(), len, "{name}");
        let column = table.column("x").expect("a column");
        assert_eq!(column.verify(), Ok(()));
        if len > 0 {
            let cells = column.cells(len - 3..len).expect("cells");
            assert!(matches!(cells.data, Data::Items { items, .. } if items == [0; 3]));
        }
    }
}

/// A block that is much longer than its bytes is refused by a limit of its own, which can be raised.
#[test]
fn blocks_expand_within_limits() {
    for name in ["block.b2nd", "shuffled-block.b2nd", "much-filtered-block.b2nd"] {
        let bytes = bomb(name);
        let at = "1000".parse::<Selection>().expect("a selection");
        let reader = Reader::open(&bytes[..], DParams::default()).expect("a frame");
        assert_eq!(limit(reader.get(&at)), Limit::Expansion, "{name}");
    }
    let limits = Limits { expansion: 1 << 30, ..Limits::default() };
    let bytes = bomb("block.b2nd");
    let reader = Reader::open(&bytes[..], DParams { limits, ..DParams::default() }).expect("a frame");
    assert_eq!(reader.get("1000".parse::<Selection>().expect("a selection")), Ok(vec![7]));
}

/// Members are not decoded before a frame is found.
#[test]
fn members_are_decoded_as_they_are_read() {
    let bytes = bomb("members-of-zeros.b2e");
    let store = Store::open(&bytes[..], bytes.len() as u64, tight(4 << 20)).expect("a store");
    assert_eq!(store.keys().count(), 200);
    let error = store.get("/key199").map(drop).expect_err("zeros are no frame");
    assert!(matches!(error, ReadError::Blosc(error) if matches!(error.kind(), ErrorKind::Format(_))));
    let bytes = bomb("members-of-a-block.b2e");
    let store = Store::open(&bytes[..], bytes.len() as u64, DParams::default()).expect("a store");
    assert_eq!(limit(store.get("/key199")), Limit::Expansion);
}

/// Frames of a store do not share bytes: many would cost as much as if they were there.
#[test]
fn members_have_places_of_their_own() {
    let bytes = bomb("members-in-one-place.b2e");
    let error =
        Store::open(&bytes[..], bytes.len() as u64, DParams::default()).map(drop).expect_err("one place");
    let said = "start of an embedded frame is 0, should be ";
    assert!(matches!(error, ReadError::Blosc(error) if error.to_string().starts_with(said)));
}

/// Values are nested as deep as the limit says, whatever they are in.
#[test]
fn values_are_nested_within_limits() {
    for name in ["deep.b2f", "deep-maps.b2f", "deep-keys.b2f"] {
        let bytes = bomb(name);
        let reader = Reader::open(&bytes[..], DParams::default()).expect("a frame");
        let trailer = reader.trailer().expect("a trailer");
        let value = trailer.attributes[0].value(reader.limits());
        assert_eq!(limit(value.map_err(ReadError::<Infallible>::Blosc)), Limit::Depth, "{name}");
    }
    let bytes = bomb("deep-fixed.b2f");
    let reader = Reader::open(&bytes[..], DParams::default()).expect("a frame");
    let value = reader.frame().header.metalayers[0].value(reader.limits());
    assert_eq!(limit(value.map_err(ReadError::<Infallible>::Blosc)), Limit::Depth);
    for name in ["deep-object.b2b", "deep-lists.b2b"] {
        let bytes = bomb(name);
        let reader = Reader::open(&bytes[..], DParams::default()).expect("a frame");
        let objects = Objects::open(reader).expect("objects");
        assert_eq!(limit(objects.get(0)), Limit::Depth, "{name}");
    }
    let bytes = bomb("deep-catalogue.b2e");
    assert_eq!(limit(Store::open(&bytes[..], bytes.len() as u64, DParams::default())), Limit::Depth);
    let bytes = bomb("deep.msgpack");
    assert!(Reader::open(&bytes[..], DParams::default()).is_err(), "no frame");
}

/// The memory of a value is charged, not its bytes.
#[test]
fn attributes_are_charged_for_what_they_take() {
    for name in
        ["nils.b2f", "empty-maps.b2f", "maps.b2f", "empty-texts.b2f", "text.b2f", "no-text.b2f", "bytes.b2f"]
    {
        let bytes = bomb(name);
        let reader = Reader::open(&bytes[..], tight(8 << 20)).expect("a frame");
        let value = reader.trailer().and_then(|trailer| {
            let layer = &trailer.attributes[0];
            Ok(layer.value(reader.limits())?)
        });
        assert!(matches!(limit(value), Limit::Metadata | Limit::Expansion), "{name}");
    }
}

/// Numbers of many digits are charged for the time that they take.
#[test]
fn long_numbers_are_limited() {
    let bytes = bomb("long-numbers.b2z");
    let store = Store::open(&bytes[..], bytes.len() as u64, DParams::default()).expect("a store");
    assert_eq!(limit(Table::open(&store, "")), Limit::Metadata);
}
