//! Tables that the library writes.
#![cfg(all(
    feature = "std",
    feature = "store",
    feature = "write",
    feature = "filters",
    feature = "lz4",
    feature = "zstd"
))]

use crate::common::goldens::{golden, listed};
use b2nd::array::Dtype;
use b2nd::chunk::CParams;
use b2nd::codec::Codec;
use b2nd::sink::{StoreEditor, TableEditor, TableParams, TableWriter};
use b2nd::source::{File, ReadError};
use b2nd::store::{self, Store, StoreKind};
use b2nd::table::{Cells, ColumnKind, ColumnSpec, Data, Nulls, Table};
use b2nd::{ArgumentError, DParams, ErrorKind};
use std::fs;
use std::path::{Path, PathBuf};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("b2nd-tables-written-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// All golden tables, which have all kinds of columns.
fn goldens() -> Vec<(PathBuf, Store<File>)> {
    let open = |path: PathBuf| {
        let store = store::open(&path).expect("a store");
        (path, store)
    };
    listed(&golden("tables/tables.jsonl")).into_iter().map(|(path, _)| open(path)).collect()
}

/// The cells of all columns in a range of rows.
fn cells(table: &Table<'_, File>, rows: core::ops::Range<u64>) -> Vec<Cells> {
    let column = |name: &str| table.column(name).expect("a column").cells(rows.clone()).expect("cells");
    table.columns().iter().map(|spec| column(&spec.name)).collect()
}

/// Copies a table in batches of three rows.
fn copy(table: &Table<'_, File>, path: &Path, key: &str) {
    let mut store = StoreEditor::create(path, StoreKind::Tree).expect("a store");
    let mut params = TableParams::default();
    params.rows = Some(table.len());
    let mut writer = TableWriter::create(&mut store, key, table.columns(), &params).expect("a table");
    for start in (0..table.len()).step_by(3) {
        writer.append(&cells(table, start..table.len().min(start + 3))).expect("rows");
    }
    writer.set_attr_bytes("note", b"\xa2hi");
    writer.finish().expect("a table");
    store.commit().expect("a commit");
}

/// Cells without the values of null ones.
fn without_nulls(cells: &[Cells]) -> Vec<Cells> {
    let clear = |cells: &Cells| {
        let mut cells = cells.clone();
        for n in 0..cells.len() {
            if cells.is_null(n) {
                match &mut cells.data {
                    Data::Items { dtype, items } => items[n * dtype.itemsize()..][..dtype.itemsize()].fill(0),
                    Data::Texts(texts) => texts[n].clear(),
                    _ => {}
                }
            }
        }
        cells
    };
    cells.iter().map(clear).collect()
}

#[test]
fn copies_have_the_same_cells() {
    let folder = Folder::new("copies");
    for (number, (golden, original)) in goldens().iter().enumerate() {
        let (extension, key) = [("b2z", "/group/table"), ("b2d", "/t"), ("b2e", ""), ("b2z", "")][number % 4];
        let path = folder.0.join(number.to_string()).with_extension(extension);
        let original = Table::open(original, "").expect("a table");
        copy(&original, &path, key);
        let store = store::open(&path).expect("a store");
        let copied = Table::open(&store, key).unwrap_or_else(|error| panic!("{}: {error}", golden.display()));
        assert_eq!(format!("{:?}", copied.columns()), format!("{:?}", original.columns()));
        let (old, new) = (cells(&original, 0..original.len()), cells(&copied, 0..copied.len()));
        assert_eq!(debug(&without_nulls(&new)), debug(&without_nulls(&old)), "{}", golden.display());
        assert_eq!(copied.attributes().expect("attributes").len(), 1);
        for spec in copied.columns() {
            copied.column(&spec.name).expect("a column").verify().expect("data");
        }
        drop(store);
    }
}

/// Values that are equal if they are not numbers, too.
fn debug(cells: &[Cells]) -> String {
    format!("{cells:?}")
}

/// Joins cells of the same column.
fn joined(parts: &[&Cells]) -> Cells {
    let mut valid = Vec::new();
    let mut data: Option<Data> = None;
    for cells in parts {
        valid.extend((0..cells.len()).map(|n| !cells.is_null(n)));
        match (&mut data, &cells.data) {
            (None, first) => data = Some(first.clone()),
            (Some(Data::Items { items, .. }), Data::Items { items: more, .. }) => {
                items.extend_from_slice(more)
            }
            (Some(Data::Texts(texts)), Data::Texts(more)) => texts.extend_from_slice(more),
            (Some(Data::Objects(objects)), Data::Objects(more)) => objects.extend_from_slice(more),
            _ => unreachable!("cells of one column"),
        }
    }
    let valid = valid.contains(&false).then_some(valid);
    Cells { data: data.expect("some cells"), valid }
}

fn open(path: &Path) -> StoreEditor {
    StoreEditor::open(path, DParams::default()).expect("a store")
}

#[test]
fn changed_tables_have_the_rows_of_a_model() {
    let folder = Folder::new("changed");
    for (number, (golden, original)) in goldens().iter().enumerate() {
        let (extension, key) = [("b2z", "/group/table"), ("b2d", "/t"), ("b2e", ""), ("b2d", "")][number % 4];
        let path = folder.0.join(number.to_string()).with_extension(extension);
        let original = Table::open(original, "").expect("a table");
        let len = original.len();
        if len < 3 {
            continue;
        }
        copy(&original, &path, key);
        let [first, last] = [cells(&original, 0..2), cells(&original, len - 1..len)];
        let mut store = open(&path);
        let mut table = TableEditor::open(&mut store, key).expect("a table");
        table.append(&first).expect("rows");
        // The last rows among them, before more are appended.
        table.delete(&[1, len, len + 1]).expect("rows");
        table.append(&last).expect("a row");
        let mut set = Vec::new();
        for (spec, cells) in original.columns().iter().zip(&last) {
            // Texts of any length cannot be set.
            set.push(table.set(&spec.name, 0, cells).is_ok());
        }
        assert!(set.contains(&true), "{}", golden.display());
        table.finish().expect("a change");
        let before = store::open(&path).expect("a store");
        assert_eq!(Table::open(&before, key).expect("a table").len(), len);
        drop(before);
        store.commit().expect("a commit");
        drop(store);
        let store = store::open(&path).expect("a store");
        let changed =
            Table::open(&store, key).unwrap_or_else(|error| panic!("{}: {error}", golden.display()));
        assert_eq!(changed.len(), len);
        for (n, spec) in original.columns().iter().enumerate() {
            let rest = original.column(&spec.name).expect("a column").cells(2..len).expect("cells");
            let zeroth = original.column(&spec.name).expect("a column").cells(0..1).expect("cells");
            let start = if set[n] { &last[n] } else { &zeroth };
            let expected = joined(&[start, &rest, &last[n]]);
            let found = changed.column(&spec.name).expect("a column").cells(0..len).expect("cells");
            assert_eq!(
                debug(&without_nulls(&[found])),
                debug(&without_nulls(&[expected])),
                "{}: {}",
                golden.display(),
                spec.name
            );
        }
        assert!(changed.indexes().expect("indexes").iter().all(|(_, _, stale)| *stale));
    }
}

fn numbers(values: &[i32], valid: Option<Vec<bool>>) -> Cells {
    let dtype = Dtype::of::<i32>();
    let items = dtype.encode(values).expect("integers");
    Cells { data: Data::Items { dtype, items }, valid }
}

fn texts(values: &[&str]) -> Cells {
    Cells { data: Data::Texts(values.iter().map(|text| (*text).into()).collect()), valid: None }
}

#[test]
fn wrong_cells_leave_no_table() {
    let folder = Folder::new("wrong");
    let path = folder.0.join("s.b2z");
    let number = ColumnKind::Number(Dtype::of::<i32>());
    let columns = [
        ColumnSpec::new("n", &number, &Nulls::None).expect("a column"),
        ColumnSpec::new("t", &ColumnKind::FixedText(2), &Nulls::Mask).expect("a column"),
    ];
    let good = [numbers(&[1], None), texts(&["ab"])];
    let mut store = StoreEditor::create(&path, StoreKind::Tree).expect("a store");
    for wrong in [
        vec![numbers(&[1], None)],
        vec![numbers(&[1, 2], None), texts(&["a"])],
        vec![numbers(&[1], Some(vec![false])), texts(&["a"])],
        vec![numbers(&[1], None), texts(&["abc"])],
        vec![texts(&["a"]), texts(&["a"])],
        vec![numbers(&[1], None), numbers(&[1], None)],
        vec![numbers(&[1], None), Cells { valid: Some(vec![]), ..texts(&["a"]) }],
    ] {
        let mut table =
            TableWriter::create(&mut store, "/t", &columns, &TableParams::default()).expect("a table");
        table.append(&good).expect("a row");
        let error = table.append(&wrong).expect_err("wrong cells");
        assert!(
            matches!(&error, ReadError::Blosc(error) if matches!(error.kind(), ErrorKind::Argument(_))),
            "{error}"
        );
    }
    store.commit().expect("a commit");
    drop(store);
    assert_eq!(store::open(&path).expect("a store").keys().count(), 0);
    let mut store = open(&path);
    let params = TableParams::default();
    TableWriter::create(&mut store, "/t", &columns, &params).expect("a table").finish().expect("a table");
    store.commit().expect("a commit");
    for (key, columns) in [("/t", &columns[..]), ("/t/x", &columns), ("", &columns), ("/u", &[])] {
        assert!(TableWriter::create(&mut store, key, columns, &params).is_err(), "{key}");
    }
    let same = [columns[0].clone(), columns[0].clone()];
    assert!(TableWriter::create(&mut store, "/u", &same, &params).is_err());
    let mut table = TableEditor::open(&mut store, "/t").expect("a table");
    assert!(table.is_empty() && table.delete(&[0]).is_err() && table.set("n", 0, &good[0]).is_err());
    assert!(table.set("x", 0, &numbers(&[], None)).is_err());
    assert!(TableEditor::open(&mut store, "/none").is_err());
}

#[test]
fn rows_without_room_grow_masks() {
    let folder = Folder::new("masks");
    let path = folder.0.join("s.b2d");
    let column =
        ColumnSpec::new("n", &ColumnKind::Number(Dtype::of::<i32>()), &Nulls::Mask).expect("a column");
    let mut store = StoreEditor::create(&path, StoreKind::Tree).expect("a store");
    let params = TableParams::default();
    let mut table = TableWriter::create(&mut store, "", &[column], &params).expect("a table");
    table.append(&[numbers(&[1, 2, 3], None)]).expect("rows");
    table.finish().expect("a table");
    store.commit().expect("a commit");
    assert!(!path.join("_cols/n.notnull.b2nd").exists());
    let mut table = TableEditor::open(&mut store, "").expect("a table");
    table.set("n", 1, &numbers(&[0], Some(vec![false]))).expect("a null");
    table.append(&[numbers(&[4, 5], Some(vec![true, false]))]).expect("rows");
    table.finish().expect("a change");
    store.commit().expect("a commit");
    let store = store::open(&path).expect("a store");
    let table = Table::open(&store, "").expect("a table");
    let cells = table.column("n").expect("a column").cells(0..5).expect("cells");
    assert_eq!(cells.valid, Some(vec![true, false, true, true, false]));
}

/// Columns of all kinds, before and after rows are appended.
#[test]
fn columns_are_dropped_and_renamed() {
    let folder = Folder::new("columns");
    for (number, (golden, original)) in goldens().iter().enumerate() {
        let (extension, key) = [("b2z", "/group/table"), ("b2d", "/t"), ("b2e", ""), ("b2d", "")][number % 4];
        let path = folder.0.join(number.to_string()).with_extension(extension);
        let original = Table::open(original, "").expect("a table");
        let (len, names) = (original.len(), original.columns().iter().map(|spec| &spec.name[..]));
        let names: Vec<&str> = names.collect();
        let [dropped, renamed, ..] = names[..] else { continue };
        copy(&original, &path, key);
        let mut store = open(&path);
        let mut table = TableEditor::open(&mut store, key).expect("a table");
        let mut all = cells(&original, 0..len);
        if number % 2 == 0 {
            table.append(&all).expect("rows");
        }
        table.drop_column(dropped).expect("a column");
        table.rename_column(renamed, "renamed.ü").expect("a column");
        all.remove(0);
        if number % 2 == 1 {
            table.append(&all).expect("rows");
        }
        table.finish().expect("a change");
        store.commit().expect("a commit");
        drop(store);
        let store = store::open(&path).expect("a store");
        let changed =
            Table::open(&store, key).unwrap_or_else(|error| panic!("{}: {error}", golden.display()));
        let found: Vec<&str> = changed.columns().iter().map(|spec| &spec.name[..]).collect();
        assert_eq!(found, [&["renamed.ü"], &names[2..]].concat(), "{}", golden.display());
        let expected: Vec<Cells> = all.iter().map(|cells| joined(&[cells, cells])).collect();
        assert_eq!(
            debug(&without_nulls(&cells(&changed, 0..2 * len))),
            debug(&without_nulls(&expected)),
            "{}",
            golden.display()
        );
        let indexed = changed.indexes().expect("indexes");
        assert!(indexed.iter().all(|(name, ..)| found.contains(&&name[..])), "{indexed:?}");
        let is_left = |key: &str| key.contains(&format!("/{dropped}/summary")) || key.contains("_renamed");
        assert!(!store.keys().any(is_left), "{}", golden.display());
    }
}

/// Columns that are dropped and added again, in batches, to tables with deleted rows, have their cells.
#[test]
fn columns_are_added() {
    let folder = Folder::new("columns-added");
    for (number, (golden, original)) in goldens().iter().enumerate() {
        let (extension, key) = [("b2z", "/group/table"), ("b2d", "/t"), ("b2e", ""), ("b2d", "")][number % 4];
        let path = folder.0.join(number.to_string()).with_extension(extension);
        let original = Table::open(original, "").expect("a table");
        let [first, _, .., last] = original.columns() else { continue };
        copy(&original, &path, key);
        let mut store = open(&path);
        let mut table = TableEditor::open(&mut store, key).expect("a table");
        let deleted: Vec<u64> = (0..original.len()).filter(|row| [0, 3, 4].contains(&(row % 5))).collect();
        table.delete(&deleted).expect("rows");
        let live: Vec<u64> = (0..original.len()).filter(|row| !deleted.contains(row)).collect();
        for spec in [first, last] {
            table.drop_column(&spec.name).expect("a column");
        }
        if live.is_empty() {
            continue;
        }
        let mut columns = table.add_columns(&[last.clone(), first.clone()]).expect("columns");
        for batch in live.chunks(3) {
            let cells = [last, first].map(|spec| {
                let column = original.column(&spec.name).expect("a column");
                let cells: Vec<_> =
                    batch.iter().map(|row| column.cells(*row..row + 1).expect("a cell")).collect();
                joined(&cells.iter().collect::<Vec<_>>())
            });
            columns.append(&cells).expect("cells");
        }
        columns.finish().expect("columns");
        // Their frames are not complete yet.
        table.rename_column(&first.name, "renamed").expect("a name");
        table.finish().expect("a change");
        store.commit().expect("a commit");
        drop(store);
        let store = store::open(&path).expect("a store");
        let changed = Table::open(&store, key).expect("a table");
        assert_eq!(changed.len(), live.len() as u64);
        for spec in original.columns() {
            let name = if spec.name == first.name { "renamed" } else { &spec.name };
            let old = original.column(&spec.name).expect("a column");
            let new = changed.column(name).expect("a column");
            let old: Vec<Cells> = live.iter().map(|row| old.cells(*row..row + 1).expect("a cell")).collect();
            let new = new.cells(0..changed.len()).expect("cells");
            assert_eq!(
                debug(&without_nulls(&[new])),
                debug(&without_nulls(&[joined(&old.iter().collect::<Vec<_>>())])),
                "{} {}",
                golden.display(),
                spec.name
            );
        }
    }
}

#[test]
fn columns_that_cannot_be_added_are_told() {
    let folder = Folder::new("columns-not-added");
    let path = folder.0.join("t.b2z");
    let column = |name: &str| {
        ColumnSpec::new(name, &ColumnKind::Number(Dtype::of::<i32>()), &Nulls::None).expect("a column")
    };
    let mut store = StoreEditor::create(&path, StoreKind::Tree).expect("a store");
    let mut table =
        TableWriter::create(&mut store, "/t", &[column("a")], &TableParams::default()).expect("a table");
    table.append(&[numbers(&[1, 2], None)]).expect("rows");
    table.finish().expect("a table");
    store.commit().expect("a commit");
    drop(store);
    let old = fs::read(&path).expect("a file");
    let mut store = open(&path);
    let mut table = TableEditor::open(&mut store, "/t").expect("a table");
    for names in [&["a"][..], &["b", "b"], &["b", "b.c"], &["a.c"]] {
        let columns: Vec<_> = names.iter().map(|name| column(name)).collect();
        assert!(table.add_columns(&columns).is_err(), "{names:?}");
    }
    let mut columns = table.add_columns(&[column("b")]).expect("a column");
    columns.append(&[numbers(&[1], None)]).expect("a cell");
    // Cells are missing, so that neither the columns nor the table can be finished.
    assert!(columns.finish().is_err());
    assert!(table.finish().is_err());
    let mut table = TableEditor::open(&mut store, "/t").expect("a table");
    let mut columns = table.add_columns(&[column("b")]).expect("a column");
    assert!(columns.append(&[numbers(&[1, 2, 3], None)]).is_err());
    assert!(columns.append(&[numbers(&[1, 2], None)]).is_err(), "a batch has failed");
    assert!(columns.finish().is_err());
    assert!(table.finish().is_err());
    drop(store);
    assert_eq!(fs::read(&path).expect("a file"), old);
}

/// A few bytes may claim any number of deleted rows, each of which would get a cell.
#[test]
fn columns_are_not_added_for_rows_that_only_a_shape_has() {
    let folder = Folder::new("columns-of-nothing");
    let path = folder.0.join("t.b2d");
    let column = |name: &str| {
        ColumnSpec::new(name, &ColumnKind::Number(Dtype::of::<i32>()), &Nulls::None).expect("a column")
    };
    let mut store = StoreEditor::create(&path, StoreKind::Tree).expect("a store");
    let mut table =
        TableWriter::create(&mut store, "/t", &[column("a")], &TableParams::default()).expect("a table");
    table.append(&[numbers(&[1], None)]).expect("a row");
    table.finish().expect("a table");
    store.commit().expect("a commit");
    drop(store);
    const ROWS: u64 = 10_000_000_000;
    let mut valid = b2nd::edit(path.join("t/_valid_rows.b2nd")).expect("an array");
    valid.resize(&[ROWS]).expect("a shape");
    valid.set(ROWS - 1..ROWS, &[1]).expect("a row");
    valid.commit().expect("an array");
    let mut store = open(&path);
    let mut table = TableEditor::open(&mut store, "/t").expect("a table");
    let Err(ReadError::Blosc(error)) = table.add_columns(&[column("b")]) else { panic!("columns") };
    assert!(matches!(error.kind(), ErrorKind::Limit(_)), "{error}");
}

#[test]
fn columns_that_cannot_be_dropped_or_renamed_are_told() {
    let folder = Folder::new("columns-refused");
    let path = folder.0.join("t.b2z");
    let column = |name: &str| {
        ColumnSpec::new(name, &ColumnKind::Number(Dtype::of::<i32>()), &Nulls::Mask).expect("a column")
    };
    let mut store = StoreEditor::create(&path, StoreKind::Tree).expect("a store");
    let columns = [column("a"), column("b")];
    let mut table =
        TableWriter::create(&mut store, "/t", &columns, &TableParams::default()).expect("a table");
    table.append(&[numbers(&[1], None), numbers(&[2], None)]).expect("a row");
    table.finish().expect("a table");
    store.commit().expect("a commit");
    drop(store);
    let mut store = open(&path);
    let mut table = TableEditor::open(&mut store, "/t").expect("a table");
    for (from, to) in [("a", "b"), ("a", "b.c"), ("a", "_c"), ("a", "c..d"), ("x", "c")] {
        assert!(table.rename_column(from, to).is_err(), "{from} {to}");
    }
    assert!(table.drop_column("x").is_err());
    // A column may be where its old name was a group, and the reverse.
    table.rename_column("a", "a.c").expect("a name");
    table.rename_column("a.c", "a").expect("a name");
    table.rename_column("a", "a").expect("a name");
    table.drop_column("a").expect("a column");
    assert!(table.drop_column("b").is_err());
    table.finish().expect("a change");
    store.commit().expect("a commit");
    drop(store);
    let store = store::open(&path).expect("a store");
    let table = Table::open(&store, "/t").expect("a table");
    assert_eq!(cells(&table, 0..1), [numbers(&[2], None)]);
}

/// Rows appended in parts have the summaries of rows written at once.
#[test]
fn summaries_are_kept_up_to_date() {
    let folder = Folder::new("summaries");
    let columns = [
        ColumnSpec::new("mask", &ColumnKind::Number(Dtype::of::<i32>()), &Nulls::Mask).expect("a column"),
        ColumnSpec::new("value", &ColumnKind::Number(Dtype::of::<i32>()), &Nulls::Value(7.into()))
            .expect("a column"),
        ColumnSpec::new("set", &ColumnKind::Number(Dtype::of::<i32>()), &Nulls::None).expect("a column"),
    ];
    let all: Vec<i32> = (0..1500).map(|n| (n * 7919 % 1000) - 500 + n).collect();
    let rows = |range: core::ops::Range<usize>| {
        let valid = range.clone().map(|n| n % 3 != 0).collect::<Vec<_>>();
        let masked = numbers(&all[range.clone()], Some(valid.clone()));
        [masked, numbers(&all[range.clone()], Some(valid)), numbers(&all[range], None)]
    };
    let params = |rows| {
        let mut params = TableParams::default();
        params.rows = Some(rows);
        params
    };
    let create = |name: &str, range: core::ops::Range<usize>| {
        let path = folder.0.join(name);
        let mut store = StoreEditor::create(&path, StoreKind::Tree).expect("a store");
        let mut table = TableWriter::create(&mut store, "/t", &columns, &params(400)).expect("a table");
        table.append(&rows(range)).expect("rows");
        table.finish().expect("a table");
        store.commit().expect("a commit");
        path
    };
    let (whole, parts) = (create("whole.b2z", 0..1500), create("parts.b2z", 0..730));
    let change = |change: &mut dyn FnMut(&mut TableEditor<'_>)| {
        let mut store = open(&parts);
        let mut table = TableEditor::open(&mut store, "/t").expect("a table");
        change(&mut table);
        table.finish().expect("a change");
        store.commit().expect("a commit");
    };
    for range in [730..731, 731..1000, 1000..1500] {
        change(&mut |table| table.append(&rows(range.clone())).expect("rows"));
    }
    let records = |path: &Path, name: &str| {
        let store = store::open(path).expect("a store");
        let stale = Table::open(&store, "/t").expect("a table").indexes().expect("indexes");
        let stale = stale.iter().find(|(column, ..)| column == name).expect("an index").2;
        let reader = store.get(&format!("/t/_indexes/{name}/summary.block")).expect("a summary");
        (stale, reader.get(..).expect("records"))
    };
    for name in ["mask", "value", "set"] {
        assert_eq!(records(&parts, name), records(&whole, name), "{name}");
        assert!(!records(&parts, name).0);
    }
    // What is set is not summarized, and does not disturb others.
    change(&mut |table| table.set("set", 3, &numbers(&[9999], None)).expect("a cell"));
    assert!(records(&parts, "set").0);
    assert_eq!(records(&parts, "value"), records(&whole, "value"));
    // Deleted rows at the end are written over.
    change(&mut |table| table.delete(&(1490..1500).collect::<Vec<_>>()).expect("rows"));
    change(&mut |table| table.append(&rows(1490..1500)).expect("rows"));
    assert_eq!(records(&parts, "mask"), records(&whole, "mask"));
}

/// The codec of a column's array.
fn codec(store: &Store<File>, key: &str) -> Codec {
    store.get(key).expect("a member").frame().header.codec
}

#[test]
fn columns_have_codecs_of_their_own() {
    let folder = Folder::new("codecs");
    let path = folder.0.join("s.b2z");
    let number = ColumnKind::Number(Dtype::of::<i32>());
    let plain = ColumnSpec::new("plain", &number, &Nulls::None).expect("a column");
    let lz4 = CParams { codec: Codec::LZ4, ..CParams::default() };
    let own = ColumnSpec::new("own", &number, &Nulls::None).expect("a column").with_cparams(&lz4);
    let words = ColumnSpec::new("words", &ColumnKind::Dictionary { ordered: true }, &Nulls::Mask);
    let words = words.expect("a column").with_cparams(&lz4);
    let mut store = StoreEditor::create(&path, StoreKind::Tree).expect("a store");
    let columns = [plain, own.clone(), words];
    let mut table = TableWriter::create(&mut store, "", &columns, &TableParams::default()).expect("a table");
    let sizes = |words: [&str; 3], codes: [usize; 2]| {
        let data = Data::Words { words: words.map(String::from).into(), codes: codes.into() };
        Cells { data, valid: Some(vec![true, false]) }
    };
    let rows = |sizes| [numbers(&[1, 2], None), numbers(&[3, 4], None), sizes];
    table.append(&rows(sizes(["small", "medium", "large"], [2, 0]))).expect("rows");
    table.finish().expect("a table");
    store.commit().expect("a commit");
    drop(store);
    let mut store = open(&path);
    let mut table = TableEditor::open(&mut store, "").expect("a table");
    table.append(&rows(sizes(["small", "large", "huge"], [0, 0]))).expect("rows in the same order");
    let renamed = ColumnSpec::of(&own.entry).expect("a column");
    let added = ColumnSpec { name: "added".into(), ..renamed };
    let mut new = table.add_columns(&[added]).expect("columns");
    new.append(&[numbers(&[1, 2, 3, 4], None)]).expect("cells");
    new.finish().expect("columns");
    table.finish().expect("a table");
    store.commit().expect("a commit");
    drop(store);
    let read = store::open(&path).expect("a store");
    let codecs = ["/_cols/plain", "/_cols/own", "/_cols/words", "/_cols/words_dict", "/_cols/added"];
    let expected = [Codec::ZSTD, Codec::LZ4, Codec::LZ4, Codec::LZ4, Codec::LZ4];
    assert_eq!(codecs.map(|key| codec(&read, key)), expected);
    let table = Table::open(&read, "").expect("a table");
    assert_eq!(table.columns()[1].cparams(&CParams::default()), Ok(Some(lz4)));
    assert!(table.columns()[2].is_ordered());
    let texts = table.column("words").expect("a column").cells(0..4).expect("cells");
    assert_eq!(texts.data, Data::Texts(["large", "", "small", ""].map(String::from).into()));
    drop(read);
    let mut store = open(&path);
    let mut table = TableEditor::open(&mut store, "").expect("a table");
    let column = |table: &mut TableEditor<'_>, cells| {
        table.append(&[numbers(&[1, 2], None), numbers(&[1, 2], None), cells, numbers(&[1, 2], None)])
    };
    let error = column(&mut table, sizes(["large", "small", "huge"], [0, 0])).expect_err("another order");
    assert!(
        matches!(&error, ReadError::Blosc(error) if error.kind() == ErrorKind::Argument(ArgumentError::WordOrder)),
        "{error}"
    );
}

#[test]
fn rows_need_a_column_to_be_ordered_by() {
    let (_, store) = goldens().swap_remove(0);
    let table = Table::open(&store, "").expect("a table");
    let error = table.sorted(&[], None, None).expect_err("no keys");
    assert!(
        matches!(&error, ReadError::Blosc(error) if error.kind() == ErrorKind::Argument(ArgumentError::NoSortKey)),
        "{error}"
    );
}

#[cfg(feature = "auto")]
#[test]
fn codecs_of_columns_are_chosen_by_the_data() {
    let folder = Folder::new("auto");
    let path = folder.0.join("s.b2z");
    let column =
        ColumnSpec::new("n", &ColumnKind::Number(Dtype::of::<i32>()), &Nulls::None).expect("a column");
    let mut store = StoreEditor::create(&path, StoreKind::Tree).expect("a store");
    let goal = b2nd::chunk::Goal::Speed;
    let mut params = TableParams::default();
    params.auto = Some(b2nd::chunk::Auto { goal, filters: true, codec: true, compatible: false });
    let mut table = TableWriter::create(&mut store, "", &[column], &params).expect("a table");
    table.append(&[numbers(&(0..50_000).collect::<Vec<_>>(), None)]).expect("rows");
    table.finish().expect("a table");
    store.commit().expect("a commit");
    let read = store::open(&path).expect("a store");
    assert_ne!(codec(&read, "/_cols/n"), Codec::ZSTD);
    let cells = Table::open(&read, "").expect("a table").column("n").expect("a column").cells(49_999..50_000);
    assert_eq!(cells.expect("cells"), numbers(&[49_999], None));
}

/// Columns that python-blosc2 generated become stale when what they are computed from changes, and those of new rows are computed.
#[cfg(feature = "expression")]
#[test]
fn columns_are_generated() {
    let folder = Folder::new("generated");
    let path = folder.0.join("t.b2z");
    fs::copy(golden("tables/stale.b2z"), &path).expect("a copy");
    let change = |change: &mut dyn FnMut(&mut TableEditor<'_>)| {
        let mut store = StoreEditor::open(&path, DParams::default()).expect("a store");
        let mut table = TableEditor::open(&mut store, "").expect("a table");
        change(&mut table);
        table.finish().expect("a table");
        store.commit().expect("a commit");
    };
    let stale = || {
        let store = store::open(&path).expect("a store");
        let table = Table::open(&store, "").expect("a table");
        ["double", "four", "half"].map(|name| table.is_stale(name))
    };
    let ints = |values: &[i32]| {
        let dtype = Dtype::of::<i32>();
        let items = dtype.encode(values).expect("items");
        Cells { data: Data::Items { dtype, items }, valid: None }
    };
    let floats = |values: &[f64]| {
        let dtype = Dtype::of::<f64>();
        let items = dtype.encode(values).expect("items");
        Cells { data: Data::Items { dtype, items }, valid: None }
    };
    assert_eq!(stale(), [true, true, false]);
    for name in ["double", "four"] {
        change(&mut |table| {
            table.refresh_generated(name).expect("values");
            // Its inputs on disk are not those that it has now.
            assert!(table.refresh_generated(name).is_err());
        });
    }
    assert_eq!(stale(), [false; 3]);
    change(&mut |table| {
        assert!(table.refresh_generated("a").is_err());
        table.append(&[ints(&[7]), floats(&[0.5])]).expect("a row");
        table.append(&[ints(&[8]), floats(&[1.5]), ints(&[0]), ints(&[1]), floats(&[2.0])]).expect("a row");
    });
    change(&mut |table| table.set("b", 0, &floats(&[9.0])).expect("a cell"));
    assert_eq!(stale(), [false, false, true]);
    change(&mut |table| table.set("a", 0, &ints(&[9])).expect("a cell"));
    assert_eq!(stale(), [true; 3]);
    let as_stored = DParams { as_stored: true, ..DParams::default() };
    let store = store::open_with(&path, as_stored).expect("a store");
    let table = Table::open(&store, "").expect("a table");
    let expected = [
        ints(&[9, 2, 3, 7, 8]),
        floats(&[9.0, 1.5, 2.5, 0.5, 1.5]),
        ints(&[200, 4, 6, 14, 0]),
        ints(&[400, 8, 12, 28, 1]),
        floats(&[0.25, 0.75, 1.25, 0.25, 2.0]),
    ];
    assert_eq!(cells(&table, 0..5), expected);
}
