//! `cargo xtask bench signals`: signals of sensors, compressed on a Cortex-M4F by this crate and by others.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::{LARGE, PER_TICK, elf, emulate};
use crate::command::command;
use crate::error::{About, Error, Result};
use crate::process::run;
use crate::project::Project;
use crate::setup::targets::{self, CORTEX_M};
use crate::setup::{python, qemu, sounds};

const MANIFEST: &str = "tests/signals/Cargo.toml";
/// Makes the samples.
const SCRIPT: &str = "tests/signals/make.py";
/// Features of the program, each with one library that compresses; the first has none.
const BUILDS: &[&str] = &["", "b2nd", "filters", "lz4", "heatshrink", "miniz"];

/// The memory that a program takes, and its output.
struct Run {
    sizes: elf::Sizes,
    printed: String,
}

pub fn bench(project: &Project) -> Result<ExitCode> {
    qemu::arm(project)?;
    let samples = samples(project)?;
    let bare = measure(project, &samples, BUILDS[0])?.sizes;
    println!(
        "Six signals in blocks of 1 KiB, each for itself, on a Cortex-M4F. Ratios: plain bytes to encoded ones, as they are sent."
    );
    println!(
        "Flash and RAM: without those of a program that copies. Instructions: QEMU's, -icount shift=0, mean of all signals.\n"
    );
    let mut has_names = false;
    for features in &BUILDS[1..] {
        let run = measure(project, &samples, features)?;
        let rows = rows(&run.printed).ok_or_else(|| Error {
            sentence: "the program did not print its measurements".into(),
            output: run.printed.clone(),
        })?;
        if !has_names {
            names(&rows[0]);
            has_names = true;
        }
        let (flash, ram) = (run.sizes.flash - bare.flash, run.sizes.ram - bare.ram);
        rows.iter().for_each(|row| row.print(flash, ram));
    }
    Ok(ExitCode::SUCCESS)
}

/// The folder of the samples, made unless they are there.
fn samples(project: &Project) -> Result<PathBuf> {
    let folder = project.cache("signals");
    fs::create_dir_all(&folder).about(folder.display())?;
    let (python, voice) = (python::with_reference(project)?, sounds::voice(project)?);
    run(project, command(&python, [SCRIPT]).arg(&folder).arg(voice))?;
    Ok(folder)
}

fn measure(project: &Project, samples: &Path, features: &str) -> Result<Run> {
    let folder = project.target.join("embedded");
    let mut build = targets::cargo(project, "build", CORTEX_M)?;
    build.args(["--manifest-path", MANIFEST, "--release", "--features", features]);
    run(project, build.arg("--target-dir").arg(&folder).env("B2ND_SIGNALS", samples))?;
    let path = folder.join(CORTEX_M).join("release").join("b2nd-signals");
    let bytes = fs::read(&path).about(path.display())?;
    let sizes = elf::sizes(&bytes).ok_or_else(|| Error::new("this is not a program for a Cortex-M"))?;
    let printed = emulate(project, LARGE, &path, &["-icount", "shift=0"])?;
    Ok(Run { sizes, printed })
}

/// The signals, compressed in one way.
struct Row<'p> {
    variant: &'p str,
    stack: &'p str,
    signals: Vec<Signal<'p>>,
}

struct Signal<'p> {
    name: &'p str,
    plain: f64,
    encoded: f64,
    ticks: f64,
}

/// The rows of a program: a line for each variant, and then lines with all signals for each of them.
fn rows(printed: &str) -> Option<Vec<Row<'_>>> {
    let mut rows = Vec::new();
    let mut signals = Vec::new();
    for line in printed.lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["variant", variant, "stack", stack] => rows.push(Row { variant, stack, signals: Vec::new() }),
            [name, plain, encoded, ticks] => signals.push(Signal {
                name,
                plain: plain.parse().ok()?,
                encoded: encoded.parse().ok()?,
                ticks: ticks.parse().ok()?,
            }),
            _ => return None,
        }
    }
    let count = signals.len().checked_div(rows.len()).filter(|count| *count > 0)?;
    let mut signals = signals.into_iter();
    rows.iter_mut().for_each(|row| row.signals.extend(signals.by_ref().take(count)));
    Some(rows)
}

fn names(row: &Row<'_>) {
    let names: Vec<&str> = row.signals.iter().map(|signal| signal.name).collect();
    println!("| filters and codec | {} | flash | RAM | stack | instructions a byte |", names.join(" | "));
    println!("|---|{}---:|---:|---:|---:|", "---:|".repeat(names.len()));
}

impl Row<'_> {
    fn print(&self, flash: u32, ram: u32) {
        let ratio = |signal: &Signal<'_>| format!("{:.2}", signal.plain / signal.encoded);
        let ratios: Vec<String> = self.signals.iter().map(ratio).collect();
        let sum = |of: fn(&Signal<'_>) -> f64| self.signals.iter().map(of).sum::<f64>();
        let instructions = sum(|signal| signal.ticks) * PER_TICK / sum(|signal| signal.plain);
        let (variant, stack) = (self.variant, self.stack);
        println!("| {variant} | {} | {flash} | {ram} | {stack} | {instructions:.0} |", ratios.join(" | "));
    }
}
