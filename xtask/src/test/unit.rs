//! `cargo test`: with the codecs of the default build, and once more what differs with libzstd, and in the smallest build.

use crate::failure::Result;
use crate::process::{cargo, run};
use crate::project::Project;

/// Other steps that ask cargo for the same use what it has compiled.
pub const TESTS: &[&str] = &["test", "--workspace", "--features", "cli"];

pub fn unit(project: &Project) -> Result {
    run(project, &mut cargo(TESTS))?;
    let libzstd = ["test", "--package", "b2nd", "--features", "zstd-safe,cli", "--lib", "--test", "golden"];
    run(project, &mut cargo(libzstd))?;
    let small =
        ["test", "--package", "b2nd", "--no-default-features", "--features", "small", "--test", "small"];
    run(project, &mut cargo(small)).map(drop)
}
