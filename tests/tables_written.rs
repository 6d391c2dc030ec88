//! Tables that the library writes.
#![cfg(all(
    feature = "std",
    feature = "store",
    feature = "write",
    feature = "filters",
    feature = "lz4",
    feature = "zstd"
))]

extern crate alloc;

mod common;

use b2nd::sink::{StoreEditor, TableParams, TableWriter};
use b2nd::source::File;
use b2nd::store::{self, Store, StoreKind};
use b2nd::table::{Cells, Data, Table};
use common::goldens::{golden, listed};
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
        b2nd::sink::remove_temporaries();
    }
}

/// Values that are equal if they are not numbers, too.
fn debug(cells: &[Cells]) -> String {
    format!("{cells:?}")
}
