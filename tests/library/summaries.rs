//! Conditions on tables, with summaries: no row that matches is left out, and what is left out is not read.
#![cfg(all(
    feature = "std",
    feature = "store",
    feature = "write",
    feature = "filters",
    feature = "lz4",
    feature = "zstd"
))]

use b2nd::array::{Dtype, Element};
use b2nd::codec::Codec;
use b2nd::sink::{StoreEditor, TableEditor, TableParams, TableWriter};
use b2nd::store::{Store, StoreKind};
use b2nd::table::{
    Candidates, Cells, Column, ColumnKind, ColumnSpec, Data, Extremes, Filter, Nulls, RunContents, Table,
};
use b2nd::wire::Request;
use b2nd::{DParams, ReadAt};

use crate::random::Random;
use core::cell::Cell;
use core::convert::Infallible;
use std::path::PathBuf;

fn items<T: Element>(values: &[T]) -> Data {
    let dtype = Dtype::of::<T>();
    Data::Items { items: dtype.encode(values).expect("items"), dtype }
}

fn number<T: Element>(name: &str) -> ColumnSpec {
    ColumnSpec::new(name, &ColumnKind::Number(Dtype::of::<T>()), &Nulls::Mask).expect("a column")
}

/// Rows of a run, and their extremes.
const RUN: usize = 4;

/// A column of random values, some of them null, and its extremes.
struct Values {
    spec: ColumnSpec,
    cells: Cells,
    extremes: Extremes,
}

impl Values {
    fn new<T: Element + PartialOrd + Default + Copy>(
        name: &str,
        random: &mut Random,
        value: impl Fn(u64) -> T,
    ) -> Self {
        let (mut values, mut valid, mut runs) = (Vec::new(), Vec::new(), Vec::new());
        let (mut least, mut most) = (Vec::new(), Vec::new());
        for _ in 0..16 {
            // Runs have few different values, so that conditions are true or false for all of some.
            let (base, spread, nulls) = (random.below(9), 1 + random.below(3), random.below(3));
            let of_run: Vec<T> = (0..RUN).map(|_| value(base + random.below(spread))).collect();
            let is_valid: Vec<bool> = (0..RUN).map(|_| random.below(3) >= nulls).collect();
            let is_ordered = |value: &&T| value.partial_cmp(value).is_some();
            let present =
                || of_run.iter().zip(&is_valid).filter(|(_, valid)| **valid).map(|(value, _)| value);
            let ordered = || present().filter(is_ordered);
            let extreme =
                |by: fn(&T, &T) -> bool| ordered().copied().reduce(|a, b| if by(&a, &b) { a } else { b });
            least.push(extreme(|a, b| a < b).unwrap_or_default());
            most.push(extreme(|a, b| a > b).unwrap_or_default());
            runs.push(RunContents {
                ordered: ordered().next().is_some(),
                nan: present().any(|value| !is_ordered(&value)),
                null: is_valid.contains(&false),
            });
            values.extend(of_run);
            valid.extend(is_valid);
        }
        let cells = |values: &[T], valid| Cells { data: items(values), valid };
        let extremes = Extremes { least: cells(&least, None), most: cells(&most, None), runs };
        Self { spec: number::<T>(name), cells: cells(&values, Some(valid)), extremes }
    }
}

fn condition(random: &mut Random, depth: usize) -> String {
    if depth > 0 && random.below(10) < 6 {
        let mut inner = || condition(random, depth - 1);
        return match (inner(), inner(), random.below(4)) {
            (left, right, 0) => format!("({left} and {right})"),
            (left, right, 1) => format!("({left} or {right})"),
            (left, _, _) => format!("not ({left})"),
        };
    }
    let test = ["==", "!=", "<", "<=", ">", ">="][random.below(6) as usize];
    let (small, half) = (random.below(12) as i64 - 1, random.below(24) as f64 / 2.0 - 1.0);
    match random.below(7) {
        0 => format!("x {test} {small}"),
        1 => format!("y {test} {half}"),
        2 => format!("x {test} y"),
        3 => format!("{small} <= x {test} {half}"),
        4 => format!("y {test} y"),
        5 => format!("b == {}", small > 4),
        _ => "b".into(),
    }
}

/// A run that is left out has no row that matches, and many are left out.
#[test]
fn no_row_that_matches_is_left_out() {
    let mut random = Random(28);
    let (mut left_out, mut without_matches) = (0, 0);
    for _ in 0..400 {
        let columns = [
            Values::new("x", &mut random, |value| value as i8),
            Values::new("y", &mut random, |value| if value == 6 { f32::NAN } else { value as f32 * 0.5 }),
            Values::new("b", &mut random, |value| value > 5),
        ];
        let specs = columns.each_ref().map(|column| column.spec.clone());
        let text = condition(&mut random, 3);
        let filter = Filter::parse(&text, &specs).expect("a condition");
        let used = || {
            filter
                .columns()
                .iter()
                .map(|name| columns.iter().find(|column| column.spec.name == *name).expect("it"))
        };
        let matches =
            filter.matches(&used().map(|column| column.cells.clone()).collect::<Vec<_>>()).expect("cells");
        let known: Vec<_> =
            used().map(|column| (random.below(5) > 0).then(|| column.extremes.clone())).collect();
        let may_match = filter.may_match(&known, matches.len() / RUN).expect("extremes");
        for (rows, may_match) in matches.chunks(RUN).zip(may_match) {
            assert!(may_match || !rows.contains(&true), "{text}");
            left_out += u32::from(!may_match);
            without_matches += u32::from(!rows.contains(&true));
        }
    }
    assert!(left_out * 2 > without_matches, "{left_out} of {without_matches}");
}

/// A file in memory that counts the bytes that are read.
struct Counted {
    bytes: Vec<u8>,
    read: Cell<u64>,
}

impl ReadAt for &Counted {
    type Error = Infallible;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Infallible> {
        let answer = self.bytes[..].read_at(request, buffer)?;
        self.read.set(self.read.get() + answer.len() as u64);
        Ok(answer)
    }
}

struct Saved(PathBuf);

impl Drop for Saved {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0).or_else(|_| std::fs::remove_dir_all(&self.0));
    }
}

const ROWS: u64 = 1 << 22;

/// A table whose `x` is sorted.
fn write(path: &PathBuf) {
    let mut store = StoreEditor::create(path, StoreKind::Tree).expect("a store");
    let mut params = TableParams::default();
    (params.cparams.codec, params.cparams.clevel) = (Codec::LZ4, 1);
    let columns = [number::<i64>("x"), number::<f32>("y")];
    let mut table = TableWriter::create(&mut store, "", &columns, &params).expect("a table");
    let mut random = Random(1);
    for start in (0..ROWS).step_by(1 << 16) {
        let rows = start..start + (1 << 16);
        let x: Vec<i64> = rows.clone().map(|row| row as i64).collect();
        let y: Vec<f32> = rows.map(|_| random.below(1 << 24) as f32).collect();
        table.append(&[items(&x), items(&y)].map(|data| Cells { data, valid: None })).expect("rows");
    }
    table.finish().expect("a table");
    store.commit().expect("a store");
}

/// A few bytes may claim a summary of any number of records: it is neither read nor used.
#[test]
fn summaries_of_too_many_records_are_left_alone() {
    let saved =
        Saved(std::env::temp_dir().join(format!("b2nd-summaries-hostile-{}.b2d", std::process::id())));
    let mut store = StoreEditor::create(&saved.0, StoreKind::Tree).expect("a store");
    let mut table =
        TableWriter::create(&mut store, "", &[number::<i64>("x")], &TableParams::default()).expect("a table");
    table.append(&[Cells { data: items(&[1_i64, 2, 3]), valid: None }]).expect("rows");
    table.finish().expect("a table");
    store.commit().expect("a store");
    // By itself, since an editor of the store would mark the summary as stale. By its record no row matches.
    let path = saved.0.join("_indexes/x/summary.block.b2nd");
    let change = |records: u64| {
        let mut summary = b2nd::edit(&path).expect("a summary");
        summary.set(0..1, &[0; 2 * 8 + 1]).expect("a record");
        summary.resize(&[records]).expect("a shape");
        summary.commit().expect("a summary");
        let store = b2nd::store::open(&saved.0).expect("a store");
        let table = Table::open(&store, "").expect("a table");
        matching(&table, &Filter::parse("x > 2", table.columns()).expect("a condition"), 1 << 14)
    };
    assert_eq!(change(1), [0; 0]);
    assert_eq!(change(1 << 22), [2]);
    let len = std::fs::metadata(&path).expect("a file").len();
    assert!(len < 100_000, "{len} bytes");
}

/// The rows that match, read in windows as the tool reads them.
fn matching<S: ReadAt>(table: &Table<'_, S>, filter: &Filter, rows_at_once: u64) -> Vec<u64> {
    chosen(
        &table.candidates(filter).ok().expect("candidates"),
        &columns(table, filter),
        filter,
        table.len(),
        rows_at_once,
    )
}

fn columns<'t, S: ReadAt>(table: &'t Table<'_, S>, filter: &Filter) -> Vec<Column<'t, S>> {
    filter.columns().iter().map(|name| table.column(name).ok().expect("a column")).collect()
}

fn chosen<S: ReadAt>(
    candidates: &Candidates<'_, S>,
    columns: &[Column<'_, S>],
    filter: &Filter,
    len: u64,
    rows_at_once: u64,
) -> Vec<u64> {
    let mut rows = Vec::new();
    for start in (0..len).step_by(rows_at_once as usize) {
        let window = start..len.min(start + rows_at_once);
        if candidates.may_be_in(window.clone()).ok().expect("an answer") {
            let cells: Vec<_> =
                columns.iter().map(|column| column.cells(window.clone()).ok().expect("cells")).collect();
            let matches = filter.matches(&cells).expect("matches");
            rows.extend(window.zip(matches).filter(|(_, matches)| *matches).map(|(row, _)| row));
        }
    }
    rows
}

/// A filter that chooses a thousandth of the rows reads less than two percent of the bytes. A stale summary is not used.
#[test]
fn little_is_read() {
    let saved = Saved(std::env::temp_dir().join(format!("b2nd-summaries-{}.b2z", std::process::id())));
    write(&saved.0);
    let source = Counted { bytes: std::fs::read(&saved.0).expect("the file"), read: Cell::new(0) };
    let len = source.bytes.len() as u64;
    let store = Store::open(&source, len, DParams::default()).expect("a store");
    let table = Table::open(&store, "").expect("a table");
    let filter =
        Filter::parse("1_000_000 <= x < 1_004_194 and y >= 0".replace('_', "").as_str(), table.columns());
    let rows = matching(&table, &filter.expect("a condition"), 1 << 14);
    assert_eq!(rows, (1_000_000..1_004_194).collect::<Vec<_>>());
    let read = source.read.get();
    assert!(read * 50 < len, "{read} of {len} bytes");

    let mut store = StoreEditor::open(&saved.0, DParams::default()).expect("a store");
    let mut table = TableEditor::open(&mut store, "").expect("a table");
    table.set("x", 5, &Cells { data: items(&[-7_i64]), valid: None }).expect("a cell");
    table.finish().expect("a table");
    store.commit().expect("a store");
    let store = b2nd::store::open(&saved.0).expect("a store");
    let table = Table::open(&store, "").expect("a table");
    let filter = Filter::parse("x == -7", table.columns()).expect("a condition");
    assert_eq!(matching(&table, &filter, 1 << 14), [5]);
}

/// Where the reference has written full indexes, little is read of columns in no order. What most rows match is not searched.
#[test]
fn full_indexes_are_searched() {
    let source = Counted {
        bytes: std::fs::read("tests/golden/tables/indexed.b2z").expect("the file"),
        read: Cell::new(0),
    };
    let store = Store::open(&source, source.bytes.len() as u64, DParams::default()).expect("a store");
    let table = Table::open(&store, "").expect("a table");
    // Of such a small table, opening the members of an index takes more than it saves: the bytes of cells are counted.
    let read = |filter: &Filter| {
        let (columns, before) = (columns(&table, filter), source.read.get());
        let candidates = table.candidates(filter).expect("candidates");
        let searched = source.read.get() - before;
        let rows = chosen(&candidates, &columns, filter, table.len(), 64);
        (rows, source.read.get() - before - searched)
    };
    let parse = |text: &str| Filter::parse(text, table.columns()).expect("a condition");
    let (all, bytes_of_all) = read(&parse("x >= 0"));
    assert_eq!(all.len() as u64, table.len());
    for text in [
        "x == 4321",
        "x == 4321 and y > 0",
        "100 <= x < 140",
        "x in (7, 5990, 3)",
        "z == 123",
        "x < 50 and not z > 3",
        "x < 20 or x > 5980",
        "x == -1",
    ] {
        let filter = parse(text);
        let (rows, bytes) = read(&filter);
        assert_eq!(rows, matching_all(&table, &filter), "{text}");
        assert!(
            bytes * 3 < 2 * bytes_of_all && (rows.len() > 9 || bytes * 6 < bytes_of_all),
            "{text}: {bytes} of {bytes_of_all}"
        );
    }
    // Numbers that are none are unequal, and nulls are neither.
    for text in [
        "y != 3.25",
        "not y < 24.5",
        "z is null",
        "z is null or x == 3",
        "not z < 590",
        "y == 3.25 or z == 5",
    ] {
        let filter = parse(text);
        assert_eq!(read(&filter).0, matching_all(&table, &filter), "{text}");
    }
}

/// An index of values that have changed is not searched.
#[test]
fn stale_full_indexes_are_not_used() {
    let saved = Saved(std::env::temp_dir().join(format!("b2nd-summaries-full-{}.b2z", std::process::id())));
    std::fs::copy("tests/golden/tables/indexed.b2z", &saved.0).expect("a copy");
    let mut store = StoreEditor::open(&saved.0, DParams::default()).expect("a store");
    let mut table = TableEditor::open(&mut store, "").expect("a table");
    table.set("x", 700, &Cells { data: items(&[-7_i32]), valid: None }).expect("a cell");
    table.finish().expect("a table");
    store.commit().expect("a store");
    let store = b2nd::store::open(&saved.0).expect("a store");
    let table = Table::open(&store, "").expect("a table");
    let filter = Filter::parse("x == -7", table.columns()).expect("a condition");
    assert_eq!(matching(&table, &filter, 64), [700]);
}

/// The rows that match, of all.
fn matching_all<S: ReadAt>(table: &Table<'_, S>, filter: &Filter) -> Vec<u64> {
    let cells =
        |name: &String| table.column(name).ok().expect("a column").cells(0..table.len()).ok().expect("cells");
    let matches = filter.matches(&filter.columns().iter().map(cells).collect::<Vec<_>>()).expect("matches");
    (0..table.len()).zip(matches).filter(|(_, matches)| *matches).map(|(row, _)| row).collect()
}

/// Tables with rows that are deleted or null, or no numbers: bounds hold, and are values if they say so.
#[test]
fn bounds_hold() {
    let saved = Saved(std::env::temp_dir().join(format!("b2nd-bounds-{}.b2z", std::process::id())));
    let mut random = Random(77);
    let (mut exact, mut known) = (0, 0);
    for round in 0..60 {
        let rows = 1 + random.below(300);
        let mut store = StoreEditor::create(&saved.0, StoreKind::Tree).expect("a store");
        let mut params = TableParams::default();
        params.rows = Some(rows);
        let nulls = if round % 2 == 0 { Nulls::Mask } else { Nulls::None };
        let spec = ColumnSpec::new("x", &ColumnKind::Number(Dtype::of::<f64>()), &nulls).expect("a column");
        let mut table = TableWriter::create(&mut store, "", &[spec], &params).expect("a table");
        let some_nan = round % 3 == 0;
        let mut value = || match random.below(20) {
            0 if some_nan => f64::NAN,
            _ => random.below(1000) as f64 - 500.0,
        };
        let values: Vec<f64> = (0..rows).map(|_| value()).collect();
        let valid = (round % 4 == 0).then(|| (0..rows).map(|_| random.below(3) > 0).collect());
        table.append(&[Cells { data: items(&values), valid }]).expect("rows");
        table.finish().expect("a table");
        store.commit().expect("a store");
        drop(store);
        if round % 5 == 0 && rows > 1 {
            let mut store = StoreEditor::open(&saved.0, DParams::default()).expect("a store");
            let mut table = TableEditor::open(&mut store, "").expect("a table");
            table.delete(&[random.below(rows)]).expect("a row");
            table.finish().expect("a table");
            store.commit().expect("a store");
        }
        let store = b2nd::store::open(&saved.0).expect("a store");
        let table = Table::open(&store, "").expect("a table");
        let cells = table.column("x").expect("a column").cells(0..table.len()).expect("cells");
        let numbers = |cells: &Cells| -> Vec<f64> {
            let Data::Items { dtype, items } = &cells.data else { panic!("numbers") };
            let values = dtype.decode::<f64>(items).expect("numbers").into_iter().enumerate();
            values
                .filter(|(row, value)| !cells.is_null(*row) && !value.is_nan())
                .map(|(_, value)| value)
                .collect()
        };
        let rows = numbers(&cells);
        let Some(bounds) = table.bounds("x").expect("an index") else { continue };
        let [least, most] = numbers(&bounds.ends)[..] else { panic!("two ends") };
        assert!(rows.iter().all(|value| (least..=most).contains(value)), "round {round}");
        if bounds.exact {
            assert!(rows.contains(&least) && rows.contains(&most) && rows.len() as u64 == table.len());
        }
        (exact, known) = (exact + u32::from(bounds.exact), known + 1);
    }
    assert!(exact > 20 && known > 50, "{exact} of {known}");
    let store = b2nd::store::open(&saved.0).expect("a store");
    assert!(Table::open(&store, "").expect("a table").bounds("y").is_err());
}
