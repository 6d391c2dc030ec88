//! Machines without an operating system, and the instruction sets that this one may not have.

use crate::failure::Result;
use crate::process::{cargo, run};
use crate::project::Project;
use crate::setup;
use crate::setup::targets::{self, ARM64, CORTEX_M, WASM};

const LIBRARY: &[&str] =
    &["--package", "b2nd", "--lib", "--no-default-features", "--features", "alloc,filters,lz4,zlib,zstd"];

pub fn no_std(project: &Project) -> Result {
    for target in [CORTEX_M, WASM] {
        run(project, targets::cargo(project, "build", target)?.args(LIBRARY))?;
    }
    Ok(())
}

pub fn simd(project: &Project) -> Result {
    run(project, targets::cargo(project, "check", ARM64)?.args(LIBRARY))?;
    let mut wasm = targets::cargo(project, "build", WASM)?;
    run(project, wasm.args(LIBRARY).env("RUSTFLAGS", "-Ctarget-feature=+simd128"))?;
    let nightly = format!("+{}", setup::toolchain(project, "nightly")?);
    run(project, &mut cargo([&nightly, "test", "--package", "b2nd", "--features", "nightly"])).map(drop)
}
