//! Compares this crate with C-Blosc2 in one process: `b2nd-bench --library LIBBLOSC2 --files DIRECTORY [GROUP]…`
//!
//! `cargo xtask bench` writes the files, builds this program and runs it.

mod arguments;
mod auto;
mod case;
mod data;
mod decode;
mod encode;
mod error;
mod filters;
mod goals;
mod machine;
mod open;
mod reference;
mod report;
mod run;
mod sizes;
mod slice;
mod time;
mod timing;

use std::process::ExitCode;

use arguments::Arguments;
use error::{Error, Result};
use reference::Reference;
use run::Run;

/// Tracks peak memory.
#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

type Group = (&'static str, fn(&mut Run) -> Result);

const GROUPS: &[Group] = &[
    ("decode", decode::decode),
    ("encode", encode::encode),
    ("auto", auto::auto),
    ("slice", slice::slice),
    ("filters", filters::filters),
    ("open", open::open),
    ("sizes", sizes::sizes),
];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1).peekable();
    let done = match words.next_if(|word| word == "time") {
        Some(_) => time::time(words),
        None => Arguments::parse(lexopt::Parser::from_env()).and_then(bench),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error(sentence)) => {
            eprintln!("error: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn bench(arguments: Arguments) -> Result {
    let Arguments { library, files, groups, only, json, with, programs } = arguments;
    if let Some(wrong) = groups.iter().find(|name| GROUPS.iter().all(|(group, _)| group != name)) {
        return Err(Error::new(format!("there is no group {wrong}")));
    }
    // Wherever several threads are measured, it is two.
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build_global();
    two.map_err(|error| Error::new(error.to_string()))?;
    let mut run = Run {
        reference: Reference::load(&library)?,
        files,
        only,
        programs,
        cases: Vec::new(),
        sizes: Vec::new(),
    };
    for (name, work) in GROUPS {
        if groups.is_empty() || groups.iter().any(|group| group == name) {
            work(&mut run)?;
        }
    }
    for path in with {
        run.cases.extend(report::cases_of(&std::fs::read_to_string(path)?)?);
    }
    if json {
        report::json(&run)
    } else {
        report::text(&run)
    }
    Ok(())
}
