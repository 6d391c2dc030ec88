//! Queries of tables that the library writes, beside what was written.

mod common;

use b2nd_datafusion::{Error, TableProvider};
use common::{context, folder, ids, metric, n, name, run, write_table, x};
use datafusion::arrow::array::AsArray;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::catalog;
use datafusion::error::DataFusionError;
use datafusion::physical_plan::displayable;
use datafusion::prelude::SessionContext;
use std::sync::Arc;

/// The order of floats in DataFusion: numbers that are none are the largest.
fn above(x: Option<f64>, low: f64) -> bool {
    x.is_some_and(|x| x.total_cmp(&low).is_gt())
}

#[tokio::test]
async fn filters_leave_the_rows_that_match() {
    let path = folder("filters").join("t.b2z");
    write_table(&path, 0..20_000);
    let table = format!("'{}/people'", path.display());
    type Test = fn(i64) -> bool;
    let tests: [(&str, Test); 12] = [
        ("id BETWEEN 700 AND 709", |id| (700..710).contains(&id)),
        ("x > 50.5", |id| above(x(id), 50.5)),
        ("NOT x > 50.5", |id| x(id).is_some() && !above(x(id), 50.5)),
        ("x < -99", |id| x(id).is_some_and(|x| x < -99.0)),
        ("x IS NULL", |id| x(id).is_none()),
        ("x IS NOT NULL AND n IN (1, 2, 3)", |id| x(id).is_some() && (1..4).contains(&n(id))),
        ("name = 'name7'", |id| name(id).as_deref() == Some("name7")),
        ("name <> 'name7' AND id < 30", |id| id < 30 && name(id).is_some_and(|name| name != "name7")),
        ("name LIKE '%99' OR n = 5", |id| name(id).is_some_and(|name| name.ends_with("99")) || n(id) == 5),
        ("n + 1 = 10", |id| n(id) == 9),
        ("5 > n AND id % 2 = 0", |id| n(id) < 5 && id % 2 == 0),
        ("id = -1", |_| false),
    ];
    let context = context();
    for (filter, matches) in tests {
        let (rows, _) = run(&context, &format!("SELECT id FROM {table} WHERE {filter}")).await.unwrap();
        assert_eq!(ids(&rows), (0..20_000).filter(|id| matches(*id)).collect::<Vec<_>>(), "{filter}");
    }
}

#[tokio::test]
async fn a_filter_of_a_sorted_column_reads_few_bytes() {
    let path = folder("sorted").join("t.b2z");
    write_table(&path, 0..1_000_000);
    let table = format!("'{}/people'", path.display());
    let context = context();
    let query = format!("SELECT id, x, n, name FROM {table} WHERE id >= 500000 AND id < 500100");
    let (rows, plan) = run(&context, &query).await.unwrap();
    assert_eq!(ids(&rows), (500_000..500_100).collect::<Vec<_>>());
    let size = std::fs::metadata(&path).unwrap().len() as usize;
    let bytes = metric(&plan, "bytes_scanned");
    println!("{bytes} of {size} bytes");
    assert!(bytes > 0 && bytes * 20 < size, "{bytes} of {size} bytes");
    // Of one column less is read than of all.
    let (_, narrow) = run(&context, &format!("SELECT n FROM {table} WHERE n >= 0")).await.unwrap();
    assert!(metric(&narrow, "bytes_scanned") * 2 < size);
    assert!(metric(&narrow, "output_rows") >= 1_000_000);
}

#[tokio::test]
async fn counts_and_limits_read_little() {
    let path = folder("counts").join("t.b2z");
    write_table(&path, 0..200_000);
    let table = format!("'{}/people'", path.display());
    let context = context();
    let (rows, plan) = run(&context, &format!("SELECT count(*) FROM {table}")).await.unwrap();
    assert_eq!((ids(&rows), metric(&plan, "bytes_scanned")), (vec![200_000], 0));
    // Columns without nulls have as many values as rows.
    let (rows, plan) = run(&context, &format!("SELECT count(id) FROM {table}")).await.unwrap();
    assert_eq!((ids(&rows), metric(&plan, "bytes_scanned")), (vec![200_000], 0));
    let (rows, plan) = run(&context, &format!("SELECT id FROM {table} LIMIT 3")).await.unwrap();
    assert_eq!((ids(&rows).len(), metric(&plan, "output_rows") <= 6), (3, true));
    let (rows, _) = run(&context, &format!("SELECT id FROM {table} WHERE n = 77 LIMIT 5")).await.unwrap();
    assert!(
        rows.iter().map(|batch| batch.num_rows()).sum::<usize>() == 5
            && ids(&rows).iter().all(|id| n(*id) == 77)
    );
}

#[tokio::test]
async fn extremes_of_summaries_answer_queries() {
    let folder = folder("extremes");
    for (number, ids) in [500..90_000, 0..500].into_iter().enumerate() {
        write_table(&folder.join(format!("{number}.b2z")), ids);
    }
    let table = format!("'{}/*.b2z/people'", folder.display());
    let context = context();
    let (rows, plan) = run(&context, &format!("SELECT min(id), max(id), max(n) FROM {table}")).await.unwrap();
    assert!(!displayable(plan.as_ref()).indent(true).to_string().contains("TableScan"));
    let most = i64::from((0..90_000).map(n).max().unwrap());
    let cells = rows[0].columns().iter().map(|column| cast(column, &DataType::Int64).unwrap());
    let cells: Vec<_> = cells.map(|column| column.as_primitive::<Int64Type>().value(0)).collect();
    assert_eq!(cells, [0, 89_999, most]);
    // Numbers that are none are the largest, and the summary does not know which they are.
    let (rows, plan) = run(&context, &format!("SELECT max(x) FROM {table}")).await.unwrap();
    assert!(metric(&plan, "bytes_scanned") > 0);
    assert!(rows[0].column(0).as_primitive::<Float64Type>().value(0).is_nan());
}

/// Of the reference's tables, with rows that are deleted or null, and indexes that are stale.
#[tokio::test]
async fn extremes_are_those_of_the_rows() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/tables");
    let (mut columns, mut known) = (0, 0);
    for entry in std::fs::read_dir(golden).unwrap() {
        let path = entry.unwrap().path();
        let context = context();
        let Ok(table) = TableProvider::open(&context.runtime_env(), &path.display().to_string()).await else {
            continue;
        };
        let table: Arc<dyn catalog::TableProvider> = Arc::new(table);
        context.register_table("t", Arc::clone(&table)).unwrap();
        for field in table.schema().fields().iter().filter(|field| !field.data_type().is_nested()) {
            let extremes = format!("min(\"{0}\"), max(\"{0}\")", field.name());
            let Ok((found, plan)) = run(&context, &format!("SELECT {extremes} FROM t")).await else {
                continue;
            };
            // No summary tells how many values there are.
            let scanned = format!("SELECT {extremes}, count(DISTINCT \"{}\") FROM t", field.name());
            let (scanned, _) = run(&context, &scanned).await.unwrap();
            assert_eq!(
                found[0].columns(),
                &scanned[0].columns()[..2],
                "{}: {}",
                path.display(),
                field.name()
            );
            let shown = displayable(plan.as_ref()).indent(true).to_string();
            (columns, known) = (columns + 1, known + usize::from(!shown.contains("TableScan")));
        }
    }
    println!("{known} of {columns} columns");
    assert!(columns >= 50 && known >= 7, "{known} of {columns} columns");
}

#[tokio::test]
async fn files_are_one_table() {
    let folder = folder("files");
    for (number, ids) in [0..1000, 1000..1010, 1010..90_000].into_iter().enumerate() {
        write_table(&folder.join(format!("{number}.b2z")), ids);
    }
    let context = context();
    for files in [format!("{}/*.b2z/people", folder.display())] {
        let query = format!("SELECT id FROM '{files}' WHERE id >= 995 AND id <= 1012 OR id = 89999");
        let (rows, _) = run(&context, &query).await.unwrap();
        assert_eq!(ids(&rows), (995..1013).chain([89_999]).collect::<Vec<_>>());
        let (rows, _) = run(&context, &format!("SELECT count(id) FROM '{files}'")).await.unwrap();
        assert_eq!(ids(&rows), [90_000]);
    }
}

#[tokio::test]
async fn tables_of_other_columns_are_not_joined() {
    let folder = folder("columns");
    write_table(&folder.join("a.b2z"), 0..10);
    let runtime = SessionContext::new().runtime_env();
    let missing = TableProvider::open(&runtime, &format!("{}/a.b2z", folder.display())).await.unwrap_err();
    let DataFusionError::External(error) = &missing else { panic!("{missing}") };
    assert!(
        error.downcast_ref::<Error>().is_some_and(|error| error.location.path.ends_with("a.b2z")),
        "{error}"
    );
    let none = TableProvider::open(&runtime, &format!("{}/*.b2z", self::folder("none").display())).await;
    assert!(matches!(none, Err(DataFusionError::Plan(_))));
}

#[tokio::test]
async fn damaged_files_are_errors() {
    let folder = folder("damaged");
    let (whole, path) = (folder.join("t.b2z"), folder.join("damaged.b2z"));
    write_table(&whole, 0..3000);
    let bytes = std::fs::read(&whole).unwrap();
    let query = format!("SELECT id, x, n, name FROM '{}/people' WHERE n < 500", path.display());
    let mut failed = 0;
    for round in 0..200 {
        let mut damaged = bytes.clone();
        for change in 0..1 + round % 3 {
            let at = common::noise(round * 7 + change) as usize % damaged.len();
            damaged[at] ^= 1 << (round % 8);
        }
        damaged.truncate(if round % 10 == 0 {
            bytes.len() * (round as usize + 1) / 201
        } else {
            bytes.len()
        });
        std::fs::write(&path, damaged).unwrap();
        failed += usize::from(run(&context(), &query).await.is_err());
    }
    assert!(failed > 20, "{failed}");
}
