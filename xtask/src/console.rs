//! Progress on standard error: one line per step, with its time. Standard output is for results.

use std::io::{IsTerminal, Write, stderr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::Result;

/// The step that runs now, which a terminal shows in its last line.
static RUNNING: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Runs `work`, which returns the processor time that it took as well, if it is known. A terminal shows the label meanwhile; a
/// line with the times follows at the end.
pub fn step<T>(label: &str, work: impl FnOnce() -> Result<(T, Option<Duration>)>) -> Result<T> {
    let mut running = running();
    running.push(label.to_owned());
    show(&running);
    drop(running);
    let start = Instant::now();
    let result = work();
    let mut running = self::running();
    if let Some(at) = running.iter().position(|other| other == label) {
        running.remove(at);
    }
    let wall = seconds(start.elapsed());
    match &result {
        Ok((_, Some(processor))) => {
            say(&format!("{wall:>10}  {label}  ({} of processor time)", seconds(*processor)))
        }
        Ok(_) => say(&format!("{wall:>10}  {label}")),
        Err(_) => say(&format!("{wall:>10}  {label}  FAILED")),
    }
    show(&running);
    result.map(|(result, _)| result)
}

fn running() -> MutexGuard<'static, Vec<String>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn show(running: &[String]) {
    if stderr().is_terminal() && !running.is_empty() {
        eprint!("\r\x1b[2K{:>10}  {}", "…", shorten(&running.join(" | ")));
        let _ = stderr().flush();
    }
}

fn say(line: &str) {
    eprintln!("{}{line}", if stderr().is_terminal() { "\r\x1b[2K" } else { "" });
}

/// Announces a stage and how long it takes the first time.
pub fn announce(what: &str, first: &str) {
    say(&format!("{:>10}  {what}: about {first} the first time, on two cores", "next"));
}

pub fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// A wrapped line cannot be erased.
fn shorten(label: &str) -> String {
    label.chars().take(66).collect()
}
