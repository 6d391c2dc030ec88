//! `cargo test` with everything that a stable compiler builds.

use crate::failure::Result;
use crate::process::{cargo, run};
use crate::project::Project;

pub fn unit(project: &Project) -> Result {
    run(project, &mut cargo(["test", "--workspace", "--features", &project.all_features()])).map(drop)
}
