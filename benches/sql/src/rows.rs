//! Tables of numbers, floats with nulls, and texts.

use b2nd::array::{Dtype, Element};
use b2nd::sink::{StoreEditor, TableParams, TableWriter};
use b2nd::store::StoreKind;
use b2nd::table::{Cells, ColumnKind, ColumnSpec, Data, Nulls};
use std::path::Path;

pub(crate) const FILES: usize = 5;
pub(crate) const ROWS: usize = 1_000_000;
/// Rows that are appended at a time.
const STEP: usize = 100_000;

type Error = Box<dyn std::error::Error + Send + Sync>;

/// Writes the tables `0.b2z` and so on.
pub(crate) fn write(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder)?;
    let number = |name, dtype, nulls| ColumnSpec::new(name, &ColumnKind::Number(dtype), &nulls);
    let columns = [
        number("id", Dtype::of::<i64>(), Nulls::None)?,
        number("x", Dtype::of::<f64>(), Nulls::Mask)?,
        number("n", Dtype::of::<i32>(), Nulls::None)?,
        ColumnSpec::new("name", &ColumnKind::Text, &Nulls::None)?,
    ];
    for file in 0..FILES {
        let path = folder.join(format!("{file}.b2z"));
        _ = std::fs::remove_file(&path);
        let mut store = StoreEditor::create(path, StoreKind::Tree)?;
        let mut params = TableParams::default();
        params.rows = Some(ROWS as u64);
        let mut table = TableWriter::create(&mut store, "/people", &columns, &params)?;
        for start in (0..ROWS).step_by(STEP) {
            table.append(&cells(file * ROWS + start)?)?;
        }
        table.finish()?;
        store.commit()?;
    }
    Ok(())
}

/// Numbers that look random.
fn noise(at: usize) -> u64 {
    let mixed = (at as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 20
}

/// The rows from one on.
fn cells(start: usize) -> Result<Vec<Cells>, Error> {
    let ids = start..start + STEP;
    let x = |id| (noise(id) % 2_000_000) as f64 / 100.0 - 10_000.0;
    let is_known = |id| !noise(id + 1).is_multiple_of(10);
    let xs: Vec<f64> = ids.clone().map(|id| if is_known(id) { x(id) } else { 0.0 }).collect();
    Ok(vec![
        items(&ids.clone().map(|id| id as i64).collect::<Vec<_>>(), None)?,
        items(&xs, Some(ids.clone().map(is_known).collect()))?,
        items(&ids.clone().map(|id| (noise(id + 7) % 1000) as i32).collect::<Vec<_>>(), None)?,
        Cells {
            data: Data::Texts(ids.map(|id| format!("name{}", noise(id + 3) % 1000)).collect()),
            valid: None,
        },
    ])
}

fn items<T: Element>(values: &[T], valid: Option<Vec<bool>>) -> Result<Cells, Error> {
    let dtype = Dtype::of::<T>();
    Ok(Cells { data: Data::Items { items: dtype.encode(values)?, dtype }, valid })
}
