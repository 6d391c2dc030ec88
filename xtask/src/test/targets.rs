//! Targets without an operating system, and other instruction sets.

use std::process::Command;

use crate::command::{apart, cargo, unoptimized};
use crate::error::{Error, Result};
use crate::process::run;
use crate::project::Project;
use crate::setup;
use crate::setup::targets::{self, ARM64, CORTEX_M, RISCV, WASM, X86_64};

const LIBRARY: &[&str] =
    &["--package", "b2nd", "--lib", "--no-default-features", "--features", "indexing,filters,lz4,zlib,zstd"];

/// Reading the corpus by the kernels of `core::simd` takes these.
const KERNELS: &str = "std,encoders,indexing,filters,lz4,ndlz,snappy,zfp,zlib,zstd,nightly";

/// AVX-512 as users may enable it, without BMI.
const AVX512: &str = "-Ctarget-feature=+avx512f,+avx512bw,+avx512vl,+avx512vbmi,+gfni";

pub fn no_std(project: &Project) -> Result {
    // RISC-V without atomic operations has neither `Arc` nor what needs it.
    [RISCV, CORTEX_M, WASM].iter().try_for_each(|target| library(project, target, ""))
}

pub fn simd(project: &Project) -> Result {
    library(project, ARM64, "")?;
    library(project, X86_64, AVX512)?;
    library(project, WASM, "-Ctarget-feature=+simd128")?;
    run(project, unoptimized(&mut kernels(project, "check")?)).map(drop)
}

/// Runs the kernels of `core::simd`.
pub fn core_simd(project: &Project) -> Result {
    // The kernels themselves and the corpus suffice: other tests use the same functions.
    [&["--lib", "simd::"], &["--test", "golden"]]
        .iter()
        .try_for_each(|tests| run(project, kernels(project, "test")?.args(*tests)).map(drop))
}

/// `cargo` for the library with the kernels of `core::simd`, by a nightly compiler.
fn kernels(project: &Project, subcommand: &str) -> Result<Command> {
    let nightly = format!("+{}", setup::nightly(project)?);
    let mut cargo = cargo([&nightly, subcommand]);
    cargo.args(["--package", "b2nd", "--no-default-features", "--features", KERNELS]);
    apart(&project.target, &mut cargo);
    Ok(cargo)
}

/// Checks the library for a target. Warnings are failures, since clippy sees only the code for this machine.
fn library(project: &Project, target: &str, flags: &str) -> Result {
    let mut cargo = targets::cargo(project, "check", target)?;
    let output = run(project, apart(&project.target, &mut cargo).args(LIBRARY).env("RUSTFLAGS", flags))?;
    if output.contains("warning: `b2nd`") {
        return Err(Error { sentence: format!("warnings for {target}"), output });
    }
    Ok(())
}
