//! The readers of Rust for `remote.py`, which serves the files and compares: b2nd, and zarrs with the same items.
//!
//!     b2nd-remote-bench write FOLDER
//!     b2nd-remote-bench b2nd|zarrs|zarrs-cached URL whole
//!     b2nd-remote-bench b2nd|zarrs|zarrs-cached URL AHEAD < windows
//!
//! A window is a line with its first row and its first column; so many are read at the same time. The answer is a line of
//! JSON: seconds in all, the median of a window, and the sum of all items.

mod b2nd_reader;
mod data;
mod zarrs_reader;

use futures_util::{StreamExt, TryStreamExt, stream};
use std::error::Error;
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Items of a window along each axis.
const WINDOW: u64 = 16;

/// Rows and columns, one after the other, from the first to behind the last.
type Window = [std::ops::Range<u64>; 2];

/// An opened array.
trait Remote {
    async fn read(&self, window: &Window) -> Result<Vec<u32>>;
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["write", folder] => data::write(folder.as_ref()),
        ["b2nd", url, what] => run(b2nd_reader::open(url), what).await,
        ["zarrs", url, what] => run(zarrs_reader::open(url, false), what).await,
        ["zarrs-cached", url, what] => run(zarrs_reader::open(url, true), what).await,
        _ => Err("usage: see the head of src/main.rs".into()),
    }
}

async fn run<R: Remote>(open: impl Future<Output = Result<R>>, what: &str) -> Result<()> {
    let start = Instant::now();
    let array = open.await?;
    let (mut times, sum) = match what {
        "whole" => (Vec::new(), sum(&array.read(&data::SHAPE.map(|len| 0..len)).await?)),
        ahead => windows(&array, ahead.parse()?).await?,
    };
    let seconds = start.elapsed().as_secs_f64();
    times.sort();
    let median = times.get(times.len() / 2).map_or(seconds, Duration::as_secs_f64);
    println!(r#"{{"seconds": {seconds}, "median": {median}, "sum": {sum}}}"#);
    Ok(())
}

/// Reads the windows, so many at the same time. Returns the time of each, and the sum of all items.
async fn windows(array: &impl Remote, ahead: usize) -> Result<(Vec<Duration>, u64)> {
    let lines = std::io::stdin().lines().collect::<std::io::Result<Vec<_>>>()?;
    let windows = lines.iter().map(|line| window(line)).collect::<Result<Vec<_>>>()?;
    let read = async |window| {
        let start = Instant::now();
        let items = array.read(&window).await?;
        Ok((start.elapsed(), sum(&items)))
    };
    let all: Result<Vec<_>> = stream::iter(windows).map(read).buffer_unordered(ahead).try_collect().await;
    let (times, sums): (Vec<_>, Vec<u64>) = all?.into_iter().unzip();
    Ok((times, sums.iter().sum()))
}

fn window(line: &str) -> Result<Window> {
    let (row, column) = line.split_once(' ').ok_or("a row and a column")?;
    let [row, column] = [row.parse()?, column.parse()?];
    Ok([row..row + WINDOW, column..column + WINDOW])
}

fn sum(items: &[u32]) -> u64 {
    items.iter().map(|&item| u64::from(item)).sum()
}
