//! The most that single calls of readers and loggers cost.

use super::{Build, LARGE, PER_TICK, emulate};
use crate::error::{Error, Result};
use crate::project::Project;
use crate::setup::targets::{CORTEX_M, CORTEX_M0};

/// Processors, and features to log and read the image with.
const ROWS: [(&str, &str, &str); 3] = [
    (CORTEX_M, "M4F", "encode,lz4,small"),
    (CORTEX_M, "M4F", "encode,lz4"),
    (CORTEX_M0, "M0+", "encode,lz4,small"),
];

pub fn bench(project: &Project) -> Result {
    println!("\nThe most that a call takes. An item is one of every fifth; a row is a line.\n");
    println!("| processor | features | call | stack | instructions |");
    println!("|---|---|---|---:|---:|");
    for (target, name, features) in ROWS {
        let build = Build { target, program: "worst", features, image: "lz4", level: "s", large: true };
        let printed = emulate(project, LARGE, &build.make(project)?, &["-icount", "shift=0"])?;
        for line in printed.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [call, "stack", stack, "ticks", ticks] = words[..] else { return Err(unexpected(printed)) };
            let Ok(ticks) = ticks.parse::<f64>() else { return Err(unexpected(printed)) };
            println!("| {name} | {features} | `{call}` | {stack} | {:.0} |", ticks * PER_TICK);
        }
    }
    Ok(())
}

fn unexpected(output: String) -> Error {
    Error { sentence: "the program did not print its measurements".into(), output }
}
