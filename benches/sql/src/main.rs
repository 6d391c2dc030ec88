//! `cargo xtask bench sql` runs it: queries of tables in stores, and of the same rows in Parquet.
//!
//!     b2nd-sql-bench FOLDER [NAME]      NAME is a part of the names of queries

mod rows;

use b2nd_datafusion::TableProvider;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::dataframe::DataFrameWriteOptions;
use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::{ParquetReadOptions, SessionContext, col};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const ROUNDS: usize = 9;
/// The name of a query, and the query of a table `t`, whose result is in a definite order.
const QUERIES: [(&str, &str); 9] = [
    ("sum of a column", "SELECT sum(n), count(x) FROM t"),
    ("groups of numbers", "SELECT n, count(*), min(x), max(id) FROM t GROUP BY n ORDER BY n LIMIT 20"),
    ("groups of texts", "SELECT name, count(*), sum(n) FROM t GROUP BY name ORDER BY name"),
    (
        "20 000 rows by a sorted column",
        "SELECT id, x, name FROM t WHERE id BETWEEN 2500000 AND 2519999 ORDER BY id",
    ),
    ("1 of 1000 rows by another column", "SELECT id, x, name FROM t WHERE n = 77 ORDER BY id"),
    ("the first 10 in order", "SELECT id, x, n, name FROM t ORDER BY x DESC, id LIMIT 10"),
    ("the first 10 with nulls", "SELECT id, x, name FROM t ORDER BY x NULLS FIRST, id LIMIT 10"),
    ("the last 10 of some", "SELECT id, x FROM t WHERE n < 50 ORDER BY name DESC, id DESC LIMIT 10"),
    (
        "rows with those of few ids",
        "SELECT t.id, t.n, few.name FROM t JOIN (SELECT n, name FROM t WHERE id < 3) few ON t.n = few.n \
         ORDER BY t.id, few.name LIMIT 100",
    ),
];

#[tokio::main]
async fn main() -> Result<()> {
    let folder = std::env::args()
        .nth(1)
        .ok_or_else(|| DataFusionError::Plan("usage: b2nd-sql-bench FOLDER [NAME]".into()))?;
    let folder = Path::new(&folder);
    let part = std::env::args().nth(2).unwrap_or_default();
    let [stores, parquet] = ["stores/", "parquet/"].map(|name| folder.join(name).display().to_string());
    let ours = SessionContext::new();
    if !folder.join("written.txt").exists() {
        eprintln!("writing {} × {} rows twice", rows::FILES, rows::ROWS);
        rows::write(Path::new(&stores)).map_err(DataFusionError::External)?;
        copy(&ours, &stores, &parquet).await?;
        std::fs::write(folder.join("written.txt"), "")?;
    }
    let table = TableProvider::open(&ours.runtime_env(), &format!("{stores}*.b2z/people")).await?;
    ours.register_table("t", Arc::new(table))?;
    let theirs = SessionContext::new();
    theirs.register_parquet("t", &parquet, ParquetReadOptions::default()).await?;
    println!("| {} × {} rows | .b2z, ms | Parquet, ms | ratio |", rows::FILES, rows::ROWS);
    println!("|---|---|---|---|");
    println!(
        "| bytes, MB | {:.1} | {:.1} | {:.2} |",
        size(&stores)?,
        size(&parquet)?,
        size(&stores)? / size(&parquet)?
    );
    for (name, query) in QUERIES.into_iter().filter(|(name, _)| name.contains(&part)) {
        let [ours, theirs] = compare(&ours, &theirs, query).await?;
        println!("| {name} | {ours:.1} | {theirs:.1} | {:.2} |", ours / theirs);
    }
    Ok(())
}

/// Writes the rows of each store to a file of Parquet, with DataFusion's settings.
async fn copy(context: &SessionContext, stores: &str, parquet: &str) -> Result<()> {
    for number in 0..rows::FILES {
        let table =
            TableProvider::open(&context.runtime_env(), &format!("{stores}{number}.b2z/people")).await?;
        let rows = context.read_table(Arc::new(table))?.sort_by(vec![col("id")])?;
        let options = DataFrameWriteOptions::new().with_single_file_output(true);
        rows.write_parquet(&format!("{parquet}{number}.parquet"), options, None).await?;
    }
    Ok(())
}

/// The medians of both in milliseconds. Rounds alternate, so that what else the machine does slows both down.
async fn compare(ours: &SessionContext, theirs: &SessionContext, query: &str) -> Result<[f64; 2]> {
    let mut times = [const { Vec::new() }; 2];
    for _ in 0..ROUNDS {
        let (one, found) = run(ours, query).await?;
        let (other, expected) = run(theirs, query).await?;
        if found != expected {
            return Err(DataFusionError::Execution(format!("{query}: {found}\n{expected}")));
        }
        times[0].push(one);
        times[1].push(other);
    }
    Ok(times.map(|mut times| {
        times.sort_unstable();
        times[ROUNDS / 2].as_secs_f64() * 1000.0
    }))
}

/// The time of a query, from its text to all rows, and these as text.
async fn run(context: &SessionContext, query: &str) -> Result<(Duration, String)> {
    let start = Instant::now();
    let batches: Vec<RecordBatch> = context.sql(query).await?.collect().await?;
    let time = start.elapsed();
    Ok((time, pretty_format_batches(&batches)?.to_string()))
}

/// The length of all files in a folder in MB.
fn size(folder: &str) -> Result<f64> {
    let mut size = 0;
    for file in std::fs::read_dir(folder)? {
        size += file?.metadata()?.len();
    }
    Ok(size as f64 / 1e6)
}
