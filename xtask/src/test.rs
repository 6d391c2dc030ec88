//! `cargo xtask test`: runs all checks, those of one queue in order and the queues at the same time. A failure does not stop
//! the others.

mod capi;
mod documents;
mod features;
mod interop;
mod miri;
mod package;
mod s3;
mod sql;
mod style;
mod targets;
mod unit;
mod wasm_pack;
mod www;

use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use crate::arguments::Arguments;
use crate::clock::Clock;
use crate::console;
use crate::embedded;
use crate::error::{Error, Result};
use crate::project::Project;

struct Step {
    name: &'static str,
    about: &'static str,
    run: fn(&Project) -> Result,
}

/// The steps that cargo compiles and runs, and those that need what it compiled.
const RUST: &[Step] = &[
    Step { name: "fmt", about: "rustfmt has nothing to change", run: style::fmt },
    Step {
        name: "lint",
        about: "no misspelled words, and workflows that are valid and safe",
        run: style::lint,
    },
    Step {
        name: "clippy",
        about: "no warnings in libraries and programs, with any features",
        run: style::clippy,
    },
    Step { name: "docs", about: "the documentation builds without broken links", run: style::docs },
    Step { name: "unit", about: "unit, integration and documentation tests", run: unit::unit },
    Step { name: "package", about: "the crate as published: its files, its examples", run: package::package },
    Step {
        name: "interop",
        about: "random files, exchanged with the reference implementation",
        run: interop::interop,
    },
    Step { name: "blocks", about: "the code in README.md and docs runs", run: documents::blocks },
    Step {
        name: "conformance",
        about: "the corpus for other implementations is up to date, and its runner works",
        run: documents::conformance,
    },
];

/// The steps of other compilers, targets and features, with folders of their own for what they compile. Then browsers, for whose waiting
/// the other queue of the package leaves room; that one has built it by now.
const TARGETS: &[Step] = &[
    Step {
        name: "simd",
        about: "the kernels for simd128, NEON, AVX-512 and core::simd compile",
        run: targets::simd,
    },
    Step { name: "capi", about: "the libraries for C and HDF5, beside those of others", run: capi::capi },
    Step { name: "msrv", about: "the oldest promised compiler builds it", run: features::msrv },
    Step {
        name: "no_std",
        about: "the library compiles for wasm32, RISC-V and a Cortex-M",
        run: targets::no_std,
    },
    Step { name: "embedded", about: "firmware prints the expected output in QEMU", run: embedded::test },
    Step { name: "engines", about: "the npm package, in Firefox and WebKit", run: www::engines },
    Step { name: "browser", about: "the npm package, in Chromium", run: www::browser },
];

/// The steps of the npm package.
const PACKAGE: &[Step] = &[
    Step { name: "www", about: "the npm package, in Node.js", run: www::node },
    Step {
        name: "bundlers",
        about: "the npm package, in applications built by bundlers",
        run: www::bundlers,
    },
    Step { name: "jupyter", about: "the viewer as a widget, in JupyterLab", run: www::jupyter },
];

/// Steps that run only if they are named: they take more than they are likely to find.
const NAMED: &[Step] = &[
    Step {
        name: "s3",
        about: "arrays and stores from an S3 server that fails, cuts, is slow, and replaces objects",
        run: s3::s3,
    },
    Step { name: "sql", about: "queries by DataFusion, on workers that are killed, too", run: sql::sql },
    Step {
        name: "clippy-all",
        about: "no warnings in tests, examples and benchmarks",
        run: style::clippy_all,
    },
    Step { name: "boards", about: "the programs for boards compile", run: embedded::boards },
    Step { name: "core-simd", about: "core::simd passes the tests", run: targets::core_simd },
    Step { name: "miri", about: "no undefined behaviour in SIMD code and its callers", run: miri::miri },
    Step {
        name: "features",
        about: "the library compiles with none, with each alone, with mixtures, and with all",
        run: features::features,
    },
    Step {
        name: "msrv-tool",
        about: "the oldest promised compiler builds the tool, and all features",
        run: features::msrv_tool,
    },
    Step { name: "docs.rs", about: "the documentation builds as at docs.rs", run: style::docs_rs },
    Step { name: "damage", about: "all damage to golden files, not a sample", run: unit::damage },
    Step {
        name: "wasm-pack",
        about: "`wasm-pack build www` makes a module that reads",
        run: wasm_pack::wasm_pack,
    },
];

/// A step and its result.
struct Outcome {
    step: &'static Step,
    wall: Duration,
    failure: Option<String>,
}

pub fn test(project: &Project, arguments: &Arguments) -> Result<ExitCode> {
    if !arguments.words().is_empty() {
        return Err(misused());
    }
    let named = if arguments.only.is_empty() { &[] } else { NAMED };
    let queues = [RUST, TARGETS, PACKAGE, named].map(|steps| select(steps, &arguments.only));
    if arguments.only.iter().any(|name| !queues.iter().flatten().any(|step| step.name == name)) {
        return Err(misused());
    }
    if arguments.has("list") {
        for step in queues.iter().flatten() {
            println!("{:<10} {}", step.name, step.about);
        }
        for step in NAMED.iter().filter(|_| arguments.only.is_empty()) {
            println!("{:<10} {} (only if named)", step.name, step.about);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let clock = Clock::start();
    let outcomes: Vec<Outcome> = thread::scope(|scope| {
        let runs = queues.map(|steps| {
            scope.spawn(|| steps.into_iter().map(|step| check(project, step)).collect::<Vec<_>>())
        });
        runs.into_iter().flat_map(|run| run.join().expect("steps return their failures")).collect()
    });
    Ok(conclude(&outcomes, &clock))
}

/// The steps with these names, or all if there are none.
fn select(steps: &'static [Step], names: &[String]) -> Vec<&'static Step> {
    let wanted = |step: &&Step| names.is_empty() || names.iter().any(|name| name == step.name);
    steps.iter().filter(wanted).collect()
}

fn misused() -> Error {
    Error::new("usage: cargo xtask test [--only STEP]… [--list]; --list names the steps")
}

fn check(project: &Project, step: &'static Step) -> Outcome {
    eprintln!("{}: {}", step.name, step.about);
    let clock = Clock::start();
    let failure = (step.run)(project).err();
    failure.iter().for_each(Error::report);
    Outcome { step, wall: clock.wall(), failure: failure.map(|failure| failure.sentence) }
}

/// Prints the table and the final line.
fn conclude(outcomes: &[Outcome], clock: &Clock) -> ExitCode {
    println!();
    for Outcome { step, wall, failure } in outcomes {
        let verdict = failure.as_ref().map_or("passed".into(), |sentence| format!("FAILED: {sentence}"));
        println!("{:>10}  {:<10} {verdict}", console::seconds(*wall), step.name);
    }
    let processor = clock.processor().map_or("?".into(), console::seconds);
    println!("{:>10}  in all, with {processor} of processor time", console::seconds(clock.wall()));
    let failed = outcomes.iter().filter(|outcome| outcome.failure.is_some()).count();
    println!("{} passed, {failed} failed", outcomes.len() - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
