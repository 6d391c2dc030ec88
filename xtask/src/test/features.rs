//! The manifest's promises: any choice of features, and the oldest compiler.

use crate::failure::Result;
use crate::process::{ask, cargo, command, run};
use crate::project::Project;
use crate::setup;

/// Features only add, so each alone shows what it forgets to ask for.
pub fn features(project: &Project) -> Result {
    let all = project.all_features();
    for choice in [""].into_iter().chain(project.features()).chain([all.as_str()]) {
        let check = ["check", "--package", "b2nd", "--no-default-features", "--features", choice];
        run(project, &mut cargo(check))?;
    }
    Ok(())
}

pub fn msrv(project: &Project) -> Result {
    let version = project.rust_version()?;
    let current = ask(&mut command("rustc", ["--version"])).unwrap_or_default();
    let all = project.all_features();
    let check = ["check", "--package", "b2nd", "--features", &all];
    if current.starts_with(&format!("rustc {version}.")) {
        return run(project, &mut cargo(check)).map(drop);
    }
    let toolchain = format!("+{}", setup::toolchain(project, version)?);
    run(project, cargo([toolchain.as_str()]).args(check)).map(drop)
}
