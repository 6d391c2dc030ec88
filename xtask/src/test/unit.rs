//! `cargo test` with all features that exclude none, then the tests that depend on libzstd, and those for small builds with and
//! without an allocator.

use std::path::PathBuf;
use std::process::Command;

use crate::build;
use crate::command::cargo;
use crate::error::Result;
use crate::process::run;
use crate::project::Project;
use crate::setup::node;

/// Other steps use the same arguments, and so share the compiled code.
pub const TESTS: &[&str] =
    &["test", "--workspace", "--exclude", "b2nd-bench", "--no-fail-fast", "--features", FEATURES];
/// The features that are not on by default, as far as stable compilers have them. Of two ways to have zstd the own one.
pub const FEATURES: &str = "b2nd/rayon,b2nd/bytes,b2nd/memmap2,b2nd/half,b2nd/num-complex,b2nd/ndarray,b2nd/serde,b2nd/derive,b2nd/arrow,b2nd/embedded-io,b2nd/embedded-sdmmc,b2nd/embedded-storage-async,b2nd/export,b2nd/expression,b2nd/object_store_013,b2nd-cli/parquet";
/// Chunks with libzstd.
pub const LIBZSTD: &str = "std,encoders,indexing,filters,lz4,ndlz,snappy,zlib,zstd-safe";
/// Small builds with all codecs, which read the whole corpus.
const SMALL: &str = "filters,lz4,ndlz,snappy,zlib,zstd,small";

pub fn unit(project: &Project) -> Result {
    // Without the examples, which the step `package` builds and runs.
    run(project, cargo(TESTS).args(["--lib", "--bins", "--tests"]))?;
    run(project, cargo(TESTS).arg("--doc"))?;
    run(project, tests(&mut library(LIBZSTD), &["golden"]))?;
    run(project, tests(&mut library(&format!("std,{SMALL}")), &["golden", "hostile"]))?;
    run(project, tests(&mut library(SMALL), &["features", "flash"])).map(drop)
}

/// Reads golden files with all damage, of which the other steps take a sample.
pub fn damage(project: &Project) -> Result {
    const ALL: &str = "B2ND_ALL_DAMAGE";
    run(project, tests(&mut cargo(TESTS), &["hostile", "flash"]).env(ALL, "1"))?;
    run(project, tests(&mut cargo(TESTS), &["library"]).args(["--", "arrow::"]).env(ALL, "1"))?;
    build::package(project)?;
    let mut node = node::node(project, "www/test/damage.test.mjs");
    run(project, node.env("B2ND_GOLDEN", project.root.join("tests/golden")).env(ALL, "1")).map(drop)
}

/// The tests of the library with only these features.
fn library(features: &str) -> Command {
    cargo(["test", "--package", "b2nd", "--no-default-features", "--features", features])
}

/// Builds the command-line tool as its tests do, so that nothing is compiled again.
pub fn tool(project: &Project) -> Result<PathBuf> {
    run(project, cargo(TESTS).args(["--test", "tool", "--no-run"]))?;
    Ok(project.target.join("debug").join("b2nd"))
}

/// Adds the names of tests.
fn tests<'c>(cargo: &'c mut Command, names: &[&str]) -> &'c mut Command {
    cargo.args(names.iter().flat_map(|test| ["--test", test]))
}
