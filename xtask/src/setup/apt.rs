//! Debian packages.

use std::sync::OnceLock;

use crate::failure::{Failure, Result};
use crate::process;
use crate::project::Project;

/// Installs missing packages. Removes none: the user's own compiler stays.
pub fn install(project: &Project, packages: &[&str]) -> Result {
    if packages.iter().all(|package| is_installed(package)) {
        return Ok(());
    }
    let command = format!("apt-get install {}", packages.join(" "));
    if process::ask(process::command("id", ["-u"]).current_dir(&project.root)).as_deref() != Some("0") {
        return Err(Failure::new(format!("installing packages needs root: `{command}`")));
    }
    update(project)?;
    let arguments = ["install", "--yes", "--no-install-recommends", "--no-remove"];
    let mut install = process::command("apt-get", arguments);
    process::run(project, install.args(packages).env("DEBIAN_FRONTEND", "noninteractive")).map(drop)
}

fn is_installed(package: &str) -> bool {
    let state =
        process::ask(&mut process::command("dpkg-query", ["--show", "--showformat=${Status}", package]));
    state.as_deref() == Some("install ok installed")
}

/// Runs once; outdated lists name versions that no longer exist.
fn update(project: &Project) -> Result {
    static DONE: OnceLock<()> = OnceLock::new();
    if DONE.get().is_none() {
        process::run(project, &mut process::command("apt-get", ["update"]))?;
        let _ = DONE.set(());
    }
    Ok(())
}
