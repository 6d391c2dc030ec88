//! Archives that lie: each reads right, or the error tells whose fault it is.
#![cfg(all(feature = "store", feature = "write", feature = "filters", feature = "lz4", feature = "zstd"))]

#[path = "../common/zips.rs"]
mod zips;

use b2nd::source::ReadError;
use b2nd::store::Store;
use b2nd::{DParams, ErrorKind, Selection};
use core::convert::Infallible;
use serde_json::{Map, Value as Json};
use std::fs;

type Read<T> = Result<T, ReadError<Infallible>>;

/// Whose fault an error is.
fn kind(error: ReadError<Infallible>) -> &'static str {
    match error {
        ReadError::Blosc(error) => match error.kind() {
            ErrorKind::Format(_) => "format",
            ErrorKind::Unsupported(_) => "unsupported",
            other => panic!("{other:?}"),
        },
        ReadError::Source(never) => match never {},
    }
}

/// The keys of an archive with the first item of each member, or with whose fault it is that it cannot be read.
fn read(bytes: &[u8]) -> Read<Vec<(String, Json)>> {
    let store = Store::open(bytes, bytes.len() as u64, DParams::default())?;
    let value = |key: &str| store.get(key)?.get(Selection::all());
    let member = |key: &str| {
        (key.to_owned(), value(key).map_or_else(|error| kind(error).into(), |items| items[0].into()))
    };
    Ok(store.keys().map(member).collect())
}

/// The members of an archive with their values, as text.
fn said(bytes: &[u8]) -> String {
    let line = |(key, value): &(String, Json)| match value {
        Json::String(kind) => format!("{key} {kind}"),
        value => format!("{key} {value}"),
    };
    match read(bytes) {
        Ok(members) => members.iter().map(line).collect::<Vec<_>>().join(", "),
        Err(error) => kind(error).into(),
    }
}

#[test]
fn archives_read_right_or_are_refused() {
    for (name, bytes, expected) in zips::all() {
        assert_eq!(said(&bytes), expected, "{name}");
    }
}

/// The files and what is said of them, for the npm package. `B2ND_WRITE=1` writes them anew.
#[test]
fn files_are_what_is_made() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/common/zips");
    let mut all = Map::new();
    let check = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        if std::env::var_os("B2ND_WRITE").is_some() {
            fs::write(&path, bytes).expect("a file");
        }
        assert!(fs::read(&path).expect("a file") == bytes, "{name}");
    };
    for (name, bytes, _) in zips::all() {
        check(&format!("{name}.b2z"), &bytes);
        let read = read(&bytes).map(|members| members.into_iter().collect::<Map<_, _>>());
        all.insert(name.into(), read.map_or_else(|error| kind(error).into(), Json::Object));
    }
    check("said.json", format!("{:#}\n", Json::Object(all)).as_bytes());
}

#[test]
fn cut_archives_are_refused() {
    for (name, bytes, expected) in zips::all() {
        if expected == "/a 1, /b 2" {
            let read = (0..bytes.len()).find(|len| read(&bytes[..*len]).is_ok());
            assert_eq!(read, None, "{name}");
        }
    }
}

#[test]
fn names_have_up_to_65535_bytes() {
    let members = read(&zips::long_name()).unwrap();
    assert!(matches!(&members[..], [(key, value)] if key.len() == 65_531 && *value == 1));
}
