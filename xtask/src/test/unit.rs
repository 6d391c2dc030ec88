//! `cargo test` with the default features, then the tests that depend on libzstd or types of other crates, and those for small
//! builds with and without an allocator.

use std::path::PathBuf;
use std::process::Command;

use crate::command::cargo;
use crate::error::Result;
use crate::process::run;
use crate::project::Project;

/// Other steps use the same arguments, and so share the compiled code.
pub const TESTS: &[&str] = &["test", "--workspace"];
/// The features that are not on by default, as far as stable compilers have them.
pub const ALL: &str = "zstd-safe,rayon,bytes,memmap2,half,num-complex,ndarray,serde,derive,arrow,embedded-io,embedded-sdmmc,embedded-storage-async,export,expression,object_store_013";
/// Tests of these features.
const OF_FEATURES: [&str; 8] =
    ["arrow", "cards", "expressions", "features", "golden", "many_writers", "nor", "object_store"];
/// Small builds with all codecs, which read the whole corpus.
const SMALL: &str = "filters,lz4,ndlz,snappy,zlib,zstd,small";

pub fn unit(project: &Project) -> Result {
    // Without the examples, which the step `package` builds and runs.
    run(project, cargo(TESTS).args(["--lib", "--bins", "--tests"]))?;
    run(project, cargo(TESTS).arg("--doc"))?;
    let all = ["test", "--package", "b2nd", "--features", ALL];
    run(project, tests(cargo(all).arg("--lib"), &OF_FEATURES))?;
    run(project, cargo(all).arg("--doc"))?;
    small(project, &format!("std,{SMALL}"), ["golden", "hostile"])?;
    small(project, SMALL, ["features", "flash"])
}

/// Builds the command-line tool as its tests do, so that nothing is compiled again.
pub fn tool(project: &Project) -> Result<PathBuf> {
    run(project, cargo(TESTS).args(["--test", "interop", "--no-run"]))?;
    Ok(project.target.join("debug").join("b2nd"))
}

/// Runs some of the tests with only these features.
fn small(project: &Project, features: &str, names: [&str; 2]) -> Result {
    let mut cargo = cargo(["test", "--package", "b2nd", "--no-default-features", "--features", features]);
    run(project, tests(&mut cargo, &names)).map(drop)
}

/// Adds the names of tests.
fn tests<'c>(cargo: &'c mut Command, names: &[&str]) -> &'c mut Command {
    cargo.args(names.iter().flat_map(|test| ["--test", test]))
}
