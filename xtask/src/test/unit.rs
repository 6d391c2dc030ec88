//! `cargo test`: with the codecs of the default build, and once more what differs with libzstd, and in small builds with
//! and without an allocator.

use crate::failure::Result;
use crate::process::{cargo, run};
use crate::project::Project;

/// Other steps that ask cargo for the same use what it has compiled.
pub const TESTS: &[&str] = &["test", "--workspace", "--features", "cli"];
/// Small builds that read all of the corpus.
const SMALL: &str = "filters,lz4,ndlz,snappy,zlib,zstd,small";

pub fn unit(project: &Project) -> Result {
    run(project, &mut cargo(TESTS))?;
    let libzstd = ["test", "--package", "b2nd", "--features", "zstd-safe,cli", "--lib"];
    run(project, cargo(libzstd).args(["--test", "golden", "--test", "features"]))?;
    small(project, &format!("std,{SMALL}"), ["golden", "hostile"])?;
    small(project, SMALL, ["features", "flash"])
}

/// Some of the tests, with these features and no others.
fn small(project: &Project, features: &str, tests: [&str; 2]) -> Result {
    let mut cargo = cargo(["test", "--package", "b2nd", "--no-default-features", "--features", features]);
    run(project, cargo.args(tests.iter().flat_map(|test| ["--test", test]))).map(drop)
}
