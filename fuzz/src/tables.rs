//! Tables, whose cells are the same all together and one by one.

use super::bounds::{call, tried};
use b2nd::ReadAt;
use b2nd::store::Store;
use b2nd::table::{Cells, Data, Table};
use core::fmt::Display;

/// Rows of a table that are read.
const ROWS: u64 = 5000;

/// All tables of a store.
pub(super) fn tables<S: ReadAt<Error: Display>>(store: &Store<S>) {
    for group in Table::groups(store).take(8) {
        let Some(table) = call("table", || Table::open(store, group)) else { continue };
        call("attributes", || table.attributes());
        let (rows, names) = (table.len(), table.columns().iter().map(|spec| &spec.name));
        for name in names.take(20) {
            // Names may repeat, and then the first is meant.
            let Some(column) = tried("column", || table.column(name)).ok() else { continue };
            let taken = 0..rows.min(ROWS);
            let Some(cells) = call("cells", || column.cells(taken.clone())) else { continue };
            assert_eq!(cells.len() as u64, taken.end, "{name}");
            assert!(cells.valid.as_ref().is_none_or(|valid| valid.len() as u64 == taken.end), "{name}");
            for at in taken.clone().step_by(1 + (taken.end / 7) as usize) {
                let one = call("a cell", || column.cells(at..at + 1));
                let one = one.unwrap_or_else(|| panic!("row {at} of {name}"));
                assert_eq!(cell(&one, 0), cell(&cells, at as usize), "row {at} of {name}");
            }
            let middle = taken.end / 2;
            let second = call("some cells", || column.cells(middle..taken.end)).expect("they were read");
            let of = |cells: &Cells, from: u64| {
                (0..taken.end - middle).map(|at| cell(cells, (from + at) as usize)).collect::<Vec<_>>()
            };
            assert_eq!(of(&second, 0), of(&cells, middle), "{name}");
        }
    }
}

/// A cell as text: NaNs are not equal to themselves.
fn cell(cells: &Cells, at: usize) -> String {
    if cells.is_null(at) {
        return "null".into();
    }
    match &cells.data {
        Data::Items { dtype, items } => {
            format!("{dtype} {:?}", &items[at * dtype.itemsize()..][..dtype.itemsize()])
        }
        Data::Texts(texts) => format!("{:?}", texts[at]),
        Data::Objects(objects) => format!("{:?}", objects[at]),
        other => panic!("{other:?}"),
    }
}
