//! `cargo xtask bench sql`: queries of tables in stores, beside those of the same rows in Parquet, all by DataFusion.

use crate::command::workspace;
use crate::error::Result;
use crate::process::show;
use crate::project::Project;
use std::process::ExitCode;

const MANIFEST: &str = "benches/sql/Cargo.toml";

pub fn bench(project: &Project) -> Result<ExitCode> {
    let mut bench = workspace(MANIFEST, &project.target.join("sql"), &["run", "--release", "--"]);
    show(project, bench.arg(project.target.join("bench").join("sql")))?;
    Ok(ExitCode::SUCCESS)
}
