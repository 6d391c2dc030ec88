//! Programs for microcontrollers (tests/embedded): builds them, runs them in QEMU, and measures them.

mod elf;
mod panics;
mod signals;
mod table;
mod worst;

use std::fs;
use std::path::PathBuf;

use crate::command::command;
use crate::error::{About, Error, Result};
use crate::process::run;
use crate::project::Project;
use crate::setup::qemu;
use crate::setup::targets::{self, CORTEX_M, CORTEX_M0, RISCV};

pub use signals::bench as bench_signals;
pub use table::bench;

const MANIFEST: &str = "tests/embedded/Cargo.toml";
/// Programs for users to start from, for boards that QEMU does not have.
const EXAMPLES: [(&str, &str); 2] =
    [("examples/embassy-rp2040", CORTEX_M0), ("examples/nrf52-logger", CORTEX_M)];
/// A reader and a logger as functions, without a machine.
const FUNCTIONS: &str = "tests/embedded/functions/Cargo.toml";
/// All features that take no allocator.
const ALL: &str =
    "defmt,embedded-io,embedded-sdmmc,embedded-storage-async,encode,filters,lz4,ndlz,snappy,zlib,zstd";
const DATA: &str = "tests/embedded/data";
/// Programs without an allocator; each has a file with its expected output.
const PROGRAMS: &[&str] = &["table", "image", "calibration", "flips"];
/// Programs that write or send, or use drivers of flash memories, in the same way.
const DRIVERS: &[&str] = &["logger", "sender", "unmapped"];
/// A program that logs errors, in the same way.
const FAULTS: &str = "faults";
/// The program with an allocator.
const HEAP: &str = "heap";
/// Substrings of symbols that an allocator leaves in a program.
const ALLOCATOR: &[&[u8]] = &[b"__rust_alloc", b"__rust_realloc", b"raw_vec"];

/// The QEMU machine for a target.
fn machine(target: &str) -> &'static [&'static str] {
    if target == CORTEX_M0 { &["-M", "microbit"] } else { LARGE }
}

/// A machine with enough memory for all programs. It also runs programs for a Cortex-M0, with the same instructions.
const LARGE: &[&str] = &["-M", "mps2-an386", "-cpu", "cortex-m4"];

/// With `-icount shift=0` an instruction takes a nanosecond; a tick of the board's 25 MHz clock has 40.
const PER_TICK: f64 = 40.0;

/// A program built with a choice of features.
#[derive(Clone, Copy)]
struct Build<'a> {
    target: &'a str,
    program: &'a str,
    features: &'a str,
    /// The image that `measure` reads.
    image: &'a str,
    /// `s` or `z`.
    level: &'a str,
    /// Whether it is for the machine with enough memory for all programs.
    large: bool,
}

impl Build<'_> {
    fn make(&self, project: &Project) -> Result<PathBuf> {
        let folder = project.target.join("embedded");
        let mut build = targets::cargo(project, "build", self.target)?;
        build.args(["--manifest-path", MANIFEST, "--release", "--bin", self.program]);
        build.args(["--features", self.features]).arg("--target-dir").arg(&folder);
        build.env("B2ND_IMAGE", self.image).env("CARGO_PROFILE_RELEASE_OPT_LEVEL", self.level);
        if self.large {
            build.env("B2ND_LARGE", "1");
        }
        run(project, &mut build)?;
        Ok(folder.join(self.target).join("release").join(self.program))
    }
}

/// Runs a program to its end. Returns its output.
fn emulate(project: &Project, machine: &[&str], program: &PathBuf, more: &[&str]) -> Result<String> {
    let mut qemu = command(qemu::arm(project)?, machine);
    qemu.args(["-nographic", "-monitor", "none", "-serial", "null"]);
    qemu.args(["-semihosting-config", "enable=on,target=native"]).args(more).arg("-kernel").arg(program);
    run(project, &mut qemu)
}

/// Checks that every program prints what it should on both processors, that only one has an allocator, and that the
/// library compiles for targets without atomics.
pub fn test(project: &Project) -> Result {
    // Without it, compiling would be in vain.
    qemu::arm(project)?;
    let folder = project.target.join("embedded");
    for target in [CORTEX_M, CORTEX_M0, RISCV] {
        let library = ["--package", "b2nd", "--lib", "--no-default-features", "--features"];
        for features in [ALL, "encode,small", "small"] {
            let mut check = targets::cargo(project, "check", target)?;
            run(project, check.args(library).arg(features).arg("--target-dir").arg(&folder))?;
        }
        // The library is generic code, these are instructions.
        for features in ["", "small"] {
            let mut functions = targets::cargo(project, "build", target)?;
            functions.args(["--manifest-path", FUNCTIONS, "--release", "--features", features]);
            run(project, functions.arg("--target-dir").arg(&folder))?;
        }
    }
    for target in [CORTEX_M, CORTEX_M0] {
        let build =
            Build { target, program: HEAP, features: "lz4,heap", image: "lz4", level: "s", large: false };
        for features in ["lz4", "lz4,small"] {
            for &program in PROGRAMS {
                check(project, &Build { program, features, ..build }, false)?;
            }
        }
        for features in ["embedded-storage,encode,lz4", "embedded-storage,encode,lz4,small"] {
            for &program in DRIVERS {
                check(project, &Build { program, features, ..build }, false)?;
            }
        }
        for features in ["defmt,encode,lz4", "defmt,encode,lz4,small"] {
            check(project, &Build { program: FAULTS, features, ..build }, false)?;
        }
        check(project, &build, true)?;
    }
    Ok(())
}

/// The programs for boards compile.
pub fn boards(project: &Project) -> Result {
    for (example, target) in EXAMPLES {
        let mut check = targets::cargo(project, "check", target)?;
        check.args(["--manifest-path", &format!("{example}/Cargo.toml"), "--locked", "--target-dir"]);
        run(project, check.arg(project.target.join("embedded")))?;
    }
    Ok(())
}

/// Calls of functions that panic, at most, in a program without `small`: none is known to happen. They are checks of slices, of divisors and
/// of other facts that the compiler does not know, in loops that are fast with them. With `small` no program has any.
const PANICS: &[(&str, usize)] = &[
    ("table", 70),
    ("image", 80),
    ("calibration", 80),
    ("flips", 80),
    ("unmapped", 80),
    ("logger", 75),
    ("sender", 8),
];

fn check_panics(build: &Build<'_>, bytes: &[u8]) -> Result {
    let is_small = build.features.ends_with("small");
    let limit = PANICS.iter().find(|(program, _)| *program == build.program).map(|(_, most)| *most);
    let Some(most) = limit.map(|most| if is_small { 0 } else { most }) else { return Ok(()) };
    let calls = panics::panics(bytes).ok_or_else(|| Error::new("a program without symbols"))?;
    let count: usize = calls.values().sum();
    if count <= most {
        return Ok(());
    }
    let Build { program, target, .. } = build;
    let sentence =
        format!("{program} for {target} calls functions that panic {count} times, more than {most}");
    Err(Error { sentence, output: calls.iter().map(|(name, count)| format!("{count} {name}\n")).collect() })
}

fn check(project: &Project, build: &Build<'_>, allocates: bool) -> Result {
    let path = build.make(project)?;
    let bytes = fs::read(&path).about(path.display())?;
    let has = |name: &&[u8]| bytes.windows(name.len()).any(|window| window == *name);
    if ALLOCATOR.iter().any(has) != allocates {
        let what = if allocates { "has no allocator" } else { "has an allocator" };
        return Err(Error::new(format!("{} {what}", build.program)));
    }
    check_panics(build, &bytes)?;
    let printed = emulate(project, machine(build.target), &path, &[])?;
    let expected = project.root.join(DATA).join(build.program).with_extension("txt");
    if printed != fs::read_to_string(&expected).about(expected.display())? {
        let sentence = format!("{} printed an unexpected output on {}", build.program, build.target);
        return Err(Error { sentence, output: printed });
    }
    Ok(())
}
