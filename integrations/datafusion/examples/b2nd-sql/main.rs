//! Runs a query: `b2nd-sql "SELECT … FROM 'run.b2z/people' WHERE …"`. `--explain` prints the plan instead: with what was read or, on
//! workers, with the stages of the query, which is not run.
//!
//! Tables are paths and URLs (`s3://`, `http://`, `https://`) of `.b2z` and `.b2nd`; also of Parquet and CSV where DataFusion has them.
//! On several machines, `b2nd-sql --serve HOST:PORT` is a worker, and `b2nd-sql --workers URL,URL… QUERY` has its query run there.

mod cluster;
mod stores;

use b2nd_datafusion::UrlTables;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::pretty::print_batches;
use datafusion::common::plan_err;
use datafusion::error::Result;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "usage: b2nd-sql [--explain] [--workers URL,URL…] QUERY, or b2nd-sql --serve HOST:PORT";

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("b2nd-sql: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<()> {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let begin = Instant::now();
    let rows = match words[..] {
        ["--serve", address] => return cluster::serve(address).await,
        ["--explain", "--workers", list, query] => {
            println!("{}", cluster::explained(cluster::workers(list)?, query).await?);
            return Ok(());
        }
        ["--workers", list, query] => cluster::query(cluster::workers(list)?, query).await?,
        ["--explain", query] => here(&format!("EXPLAIN ANALYZE {query}")).await?,
        [query] if !query.starts_with("--") => here(query).await?,
        _ => return plan_err!("{USAGE}"),
    };
    print_batches(&rows)?;
    let count: usize = rows.iter().map(|batch| batch.num_rows()).sum();
    println!("{count} row(s) fetched.\nElapsed {:.3} seconds.", begin.elapsed().as_secs_f64());
    Ok(())
}

/// The rows of a query in this process.
async fn here(query: &str) -> Result<Vec<RecordBatch>> {
    let context = SessionContext::new_with_config_rt(SessionConfig::from_env()?, stores::runtime()?);
    UrlTables::enable(context.enable_url_table()).sql(query).await?.collect().await
}
