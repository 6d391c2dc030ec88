//! Progress on standard error: one line per step, with its time. Standard output is for results.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use crate::failure::Result;

/// Runs `work`. A terminal shows the label meanwhile; a line with the time follows at the end.
pub fn step<T>(label: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    if stderr().is_terminal() {
        eprint!("{:>10}  {}", "…", shorten(label));
        let _ = stderr().flush();
    }
    let start = Instant::now();
    let result = work();
    if stderr().is_terminal() {
        eprint!("\r\x1b[2K");
    }
    eprintln!("{:>10}  {label}{}", seconds(start.elapsed()), if result.is_ok() { "" } else { "  FAILED" });
    result
}

/// Announces a stage and how long it takes the first time.
pub fn announce(what: &str, first: &str) {
    eprintln!("{:>10}  {what}: about {first} the first time, on two cores", "next");
}

pub fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// A wrapped line cannot be erased.
fn shorten(label: &str) -> String {
    label.chars().take(66).collect()
}
