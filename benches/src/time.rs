//! Times selections of one file, without the reference, for `peers.py`: `b2nd-bench time FILE SELECTION[;SELECTION]…`

use std::time::{Duration, Instant};

use b2nd::Selection;
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::timing::median;

const BUDGET: Duration = Duration::from_millis(300);
const FEWEST: usize = 5;

/// Prints for each argument the median time of one part, and the sum of all bytes as a checksum.
pub fn time(mut words: impl Iterator<Item = String>) -> Result {
    let path = words.next().ok_or_else(|| Error::new("`time` needs a file"))?;
    let reader = b2nd::open(path)?;
    let mut report = Vec::new();
    for word in words {
        let parts = word.split(';').map(str::parse).collect::<core::result::Result<Vec<Selection>, _>>()?;
        let mut sum = 0;
        let mut out = Vec::new();
        for part in &parts {
            out = reader.get(part)?;
            sum += out.iter().map(|&byte| u64::from(byte)).sum::<u64>();
        }
        let mut times = Vec::new();
        let begin = Instant::now();
        while times.len() < FEWEST || begin.elapsed() < BUDGET {
            let start = Instant::now();
            for part in &parts {
                reader.get_into(&reader.plan(part)?, &mut out)?;
            }
            times.push(start.elapsed().as_nanos() as f64 / parts.len() as f64);
        }
        report.push(json!({ "selection": word, "ns": median(times).round() as u64, "sum": sum }));
    }
    println!("{}", Value::from(report));
    Ok(())
}
