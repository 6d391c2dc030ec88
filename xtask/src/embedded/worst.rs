//! The most that single calls of readers and loggers cost.

use super::{Build, LARGE, PER_TICK, emulate};
use crate::error::{Error, Result};
use crate::project::Project;
use crate::setup::targets::{CORTEX_M, CORTEX_M0};

/// Processors, and features to log and read the image with.
const COLUMNS: [(&str, &str, &str); 3] = [
    (CORTEX_M, "M4F, small", "encode,lz4,small"),
    (CORTEX_M, "M4F", "encode,lz4"),
    (CORTEX_M0, "M0+, small", "encode,lz4,small"),
];

/// The cost of a call: bytes of stack, and instructions.
type Cost = (String, u32, f64);

pub fn bench(project: &Project) -> Result {
    println!(
        "\nThe most that a call takes: stack, and instructions. Items are every fifth, rows are lines.\n"
    );
    let names = COLUMNS.map(|(_, name, _)| format!(" {name}: stack | instructions |"));
    println!("| call |{}", names.concat());
    println!("|---|{}", "---:|---:|".repeat(COLUMNS.len()));
    let columns = COLUMNS.map(|(target, _, features)| measured(project, target, features));
    let [first, second, third] = columns;
    for (a, (b, c)) in first?.into_iter().zip(second?.into_iter().zip(third?)) {
        let costs = [&a, &b, &c].map(|(_, stack, instructions)| format!(" {stack} | {instructions:.0} |"));
        println!("| `{}` |{}", a.0, costs.concat());
    }
    Ok(())
}

fn measured(project: &Project, target: &str, features: &str) -> Result<Vec<Cost>> {
    let build = Build { target, program: "worst", features, image: "lz4", level: "s", large: true };
    let printed = emulate(project, LARGE, &build.make(project)?, &["-icount", "shift=0"])?;
    let costs: Option<Vec<Cost>> = printed.lines().map(cost).collect();
    costs.ok_or_else(|| Error {
        sentence: "the program did not print its measurements".into(),
        output: printed,
    })
}

fn cost(line: &str) -> Option<Cost> {
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        [call, "stack", stack, "ticks", ticks] => {
            Some((call.into(), stack.parse().ok()?, ticks.parse::<f64>().ok()? * PER_TICK))
        }
        _ => None,
    }
}
