//! Tables, written by the reference.
#![cfg(all(feature = "std", feature = "store", feature = "filters", feature = "lz4", feature = "zstd"))]

use crate::common::goldens::{golden, listed, refused};
use b2nd::array::Kind;
use b2nd::msgpack::Value;
use b2nd::source::{File, ReadError};
use b2nd::store::{self, Store};
use b2nd::table::{Data, Table};
use b2nd::{DParams, ErrorKind, Limits, Unsupported};
use std::fs;
use std::path::Path;

fn open(path: &Path) -> Store<File> {
    store::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn golden_tables() {
    assert!(compare(&golden("tables")) >= 8);
}

#[test]
#[ignore = "the reference must write the tables first: cargo xtask test --only interop"]
fn random_tables() {
    let folder = std::env::var_os("B2ND_TABLES").expect("B2ND_TABLES names the folder of random tables");
    assert!(compare(Path::new(&folder)) >= 200);
}

/// Compares names, kinds, nulls and texts with what `tables.jsonl` says, and parts with the whole. `cli/tests/tool/cli.rs` compares all
/// values. Returns the number of tables.
fn compare(folder: &Path) -> usize {
    let tables = listed(&folder.join("tables.jsonl"));
    for (path, facts) in &tables {
        let store = open(path);
        let table = Table::open(&store, "").unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(table.len(), facts["rows"], "{}", path.display());
        assert_eq!(Table::groups(&store).collect::<Vec<_>>(), [""], "{}", path.display());
        for (spec, facts) in table.columns().iter().zip(facts["columns"].as_array().unwrap()) {
            let place = format!("{}: {}", path.display(), spec.name);
            assert_eq!(
                (&*spec.name, &*spec.kind),
                (facts["name"].as_str().unwrap(), facts["kind"].as_str().unwrap())
            );
            let column = table.column(&spec.name).unwrap_or_else(|error| panic!("{place}: {error}"));
            let all = column.cells(0..table.len()).unwrap_or_else(|error| panic!("{place}: {error}"));
            let expected = facts["cells"].as_array().unwrap();
            assert_eq!(all.len(), expected.len(), "{place}");
            for (index, expected) in expected.iter().enumerate() {
                let is_nat = matches!(&all.data, Data::Items { dtype, .. } if matches!(dtype.kind(), Kind::Datetime(_)));
                assert!(all.is_null(index) == expected.is_null() || is_nat, "{place}: {index}");
                if let (Data::Texts(texts), Some(text)) = (&all.data, expected.as_str()) {
                    assert_eq!(texts[index], text, "{place}: {index}");
                }
            }
            let middle = table.len() / 3..table.len() - table.len() / 4;
            let part = column.cells(middle.clone()).unwrap();
            for (index, row) in middle.enumerate() {
                assert_eq!(part.is_null(index), all.is_null(row as usize), "{place}: {row}");
                let one = column.cells(row..row + 1).unwrap();
                let same = match (&all.data, &one.data, &part.data) {
                    (
                        Data::Items { dtype, items },
                        Data::Items { items: one, .. },
                        Data::Items { items: part, .. },
                    ) => {
                        let size = dtype.itemsize();
                        let row = &items[row as usize * size..][..size];
                        row == one && row == &part[index * size..][..size]
                    }
                    (Data::Texts(all), Data::Texts(one), Data::Texts(part)) => {
                        all[row as usize] == one[0] && one[0] == part[index]
                    }
                    (Data::Objects(all), Data::Objects(one), Data::Objects(part)) => {
                        format!("{:?}", all[row as usize]) == format!("{:?}", one[0])
                            && all[row as usize].emit() == part[index].emit()
                    }
                    _ => false,
                };
                assert!(same, "{place}: {row}");
            }
            assert!(column.cells(0..table.len() + 1).is_err(), "{place}");
        }
    }
    tables.len()
}

#[test]
fn other_groups_are_refused() {
    let store = open(&golden("stores/tree.b2z"));
    for group in ["", "/group", "/nothing"] {
        assert_eq!(refused(Table::open(&store, group)), ErrorKind::Unsupported(Unsupported::NoTable));
    }
    let store = open(&golden("tables/nested.b2z"));
    assert_eq!(Table::groups(&store).collect::<Vec<_>>(), ["/group/table"]);
    let table = Table::open(&store, "/group/table/").unwrap();
    assert_eq!((table.len(), table.columns().len()), (3, 2));
    assert!(matches!(refused(table.column("none")), ErrorKind::Argument(_)));
}

#[test]
fn tables_are_members_and_have_computed_columns() {
    let store = open(&golden("tables/members.b2e"));
    let member = store.get("/group/table").unwrap();
    let len = member.frame().header.frame_len;
    let inner = Store::open(member.into_source(), len, DParams::default()).unwrap();
    let table = Table::open(&inner, "").unwrap();
    let names: Vec<_> = table.columns().iter().map(|spec| &*spec.name).collect();
    assert_eq!(names, ["a", "b", "double"]);
    let [computed] = table.computed() else { panic!("{:?}", table.computed()) };
    assert_eq!((&*computed.name, &*computed.dtype), ("sum", "float64"));
    assert_eq!(
        (&*computed.expression, &computed.inputs[..]),
        ("((a * 2) + b)", &["a".into(), "b".into()][..])
    );
    let all = table.column("sum").and_then(|column| column.cells(0..3));
    if cfg!(feature = "expression") {
        let Data::Items { dtype, items } = all.unwrap().data else { panic!("numbers") };
        assert_eq!(dtype.decode::<f64>(&items).unwrap(), [2.5, 5.5, 8.5]);
    } else {
        assert_eq!(refused(all), ErrorKind::Unsupported(Unsupported::ComputedColumn));
    }
    let Data::Items { items, .. } = table.column("double").unwrap().cells(0..3).unwrap().data else {
        panic!()
    };
    assert_eq!(items, [2i32, 4, 6].map(i32::to_le_bytes).concat());
}

#[test]
fn lists_that_are_stored_as_arrow() {
    let store = open(&golden("tables/arrow.b2z"));
    let table = Table::open(&store, "").unwrap();
    let column = table.column("words").unwrap();
    let cells = column.cells(0..3);
    if cfg!(feature = "arrow") {
        let Data::Objects(lists) = cells.unwrap().data else { panic!() };
        let list =
            |words: &[&str]| Value::Array(words.iter().map(|word| Value::Str((*word).into())).collect());
        assert_eq!(lists, [list(&["a", "b"]), Value::Nil, list(&["é"])]);
    } else {
        assert_eq!(refused(cells), ErrorKind::Unsupported(Unsupported::ArrowObjects));
    }
}

#[test]
fn memory_is_limited() {
    let limits = Limits { memory: 3000, ..Limits::default() };
    let store = store::open_with(golden("tables/nested.b2z"), DParams { limits, ..DParams::default() });
    let read = store.and_then(|store| {
        let table = Table::open(&store, "/group/table")?;
        table.column("text")?.cells(0..3).map(drop)
    });
    assert!(matches!(refused(read), ErrorKind::Limit(_)));
}

#[test]
fn damage_never_panics() {
    let mut bytes = fs::read(golden("tables/nested.b2z")).unwrap();
    let read = |bytes: &[u8]| {
        let limits = Limits { memory: 1 << 22, ..Limits::default() };
        let store = Store::open(bytes, bytes.len() as u64, DParams { limits, ..DParams::default() })?;
        let table = Table::open(&store, "/group/table")?;
        for spec in table.columns() {
            table.column(&spec.name)?.cells(0..table.len().min(100))?;
        }
        Ok::<(), ReadError<core::convert::Infallible>>(())
    };
    read(&bytes).unwrap();
    for len in (0..bytes.len()).step_by(3) {
        assert!(read(&bytes[..len]).is_err(), "cut to {len}");
    }
    let mut failed = 0;
    for bit in (0..bytes.len() * 8).step_by(7) {
        bytes[bit / 8] ^= 1 << (bit % 8);
        failed += usize::from(read(&bytes).is_err());
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(failed > 100, "{failed}");
}
