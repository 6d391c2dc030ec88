//! Runs Miri on `unsafe` code and on its callers.

use std::process::Command;

use super::capi;
use crate::command::cargo;
use crate::error::{Error, Result};
use crate::process::run;
use crate::project::Project;
use crate::setup;

/// Unit tests of the modules that hand memory to the kernels in most ways. `unsafe` is only in `simd`, whose interface is safe.
const CALLERS: &[&str] = &["filter::", "chunk::", "codec::zstd::"];
/// Paths of other tests that contain one of these.
const OTHERS: &str = "table::";
const SIMD: &[&str] = &["simd::"];
const PORTABLE_SIMD: &[&str] = &["simd::tests::vectors"];

pub fn miri(project: &Project) -> Result {
    let nightly = setup::nightly_with_source(project)?;
    setup::component(project, Some(&nightly), "miri", "bin/cargo-miri")?;
    interpret(project, &mut miri_test(&nightly), CALLERS)?;
    // Miri supports only the instructions that the compiler was told to use: AVX2, which includes SSE2.
    interpret(project, miri_test(&nightly).env("RUSTFLAGS", "-Ctarget-feature=+avx2,+bmi1,+bmi2"), SIMD)?;
    interpret(project, miri_test(&nightly).args(["--features", "nightly"]), PORTABLE_SIMD)?;
    capi::miri(project, &nightly)
}

fn miri_test(nightly: &str) -> Command {
    let mut miri = cargo([&format!("+{nightly}"), "miri", "test", "--package", "b2nd", "--lib"]);
    miri.env("MIRIFLAGS", "-Zmiri-strict-provenance -Zmiri-symbolic-alignment-check");
    miri
}

/// A filter that matches no test is an error, not a silent skip.
fn interpret(project: &Project, miri: &mut Command, filters: &[&str]) -> Result {
    let output = run(project, miri.args(["--", "--skip", OTHERS]).args(filters))?;
    let ran = |filter: &&str| output.lines().any(|line| line.starts_with("test ") && line.contains(*filter));
    match filters.iter().find(|filter| !ran(filter)) {
        Some(filter) => {
            Err(Error::new(format!("no unit test has `{filter}` in its path for Miri to interpret")))
        }
        None => Ok(()),
    }
}
