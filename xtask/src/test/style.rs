//! Formatting, lints and documentation.

use std::fs;

use super::{capi, unit};
use crate::command::{cargo, command, unoptimized};
use crate::error::{About, Error, Result};
use crate::process::run;
use crate::project::Project;
use crate::setup::{self, python};

/// Features that the tests leave out.
const MORE: &str = "b2nd/defmt";

pub fn fmt(project: &Project) -> Result {
    setup::component(project, None, "rustfmt", "bin/rustfmt")?;
    run(project, &mut cargo(["fmt", "--all", "--check"])).map(drop)
}

/// Checks the spelling of all texts, and the workflows of GitHub: one that cannot be parsed does not run, and nobody is told.
pub fn lint(project: &Project) -> Result {
    let linters = python::linters(project)?;
    run(project, &mut command(linters.join("typos"), ["--format", "brief"]))?;
    let audit = ["--offline", "--strict-collection", "--no-progress", ".github"];
    run(project, &mut command(linters.join("zizmor"), audit)).map(drop)
}

pub fn clippy(project: &Project) -> Result {
    setup::component(project, None, "clippy", "bin/cargo-clippy")?;
    let all = most_features();
    // Those that replace code.
    let instead = format!("{},small", unit::LIBZSTD);
    let choices: [&[&str]; 3] = [
        &["--workspace", "--features", &all],
        &["--package", "b2nd", "--lib", "--no-default-features", "--features", &instead],
        // Tests may use std; the library may not.
        &["--package", "b2nd", "--lib", "--no-default-features"],
    ];
    choices.iter().try_for_each(|choice| warnings(project, choice))
}

/// Lints tests, examples and benchmarks as well.
pub fn clippy_all(project: &Project) -> Result {
    setup::component(project, None, "clippy", "bin/cargo-clippy")?;
    warnings(project, &["--workspace", "--all-targets", "--features", &most_features()])?;
    let mut libraries = capi::workspace(project, &["clippy", "--all-targets"]);
    run(project, libraries.args(["--", "--deny", "warnings"])).map(drop)
}

/// All features that replace no code.
fn most_features() -> String {
    format!("{},{MORE}", unit::FEATURES)
}

fn warnings(project: &Project, choice: &[&str]) -> Result {
    let mut clippy = cargo(["clippy"]);
    run(project, unoptimized(&mut clippy).args(choice).args(["--", "--deny", "warnings"])).map(drop)
}

pub fn docs(project: &Project) -> Result {
    let all = project.all_features();
    let mut doc =
        cargo(["doc", "--package", "b2nd", "--package", "b2nd-derive", "--no-deps", "--features", &all]);
    run(project, unoptimized(&mut doc).env("RUSTDOCFLAGS", "-D warnings")).map(drop)
}

/// Builds the documentation like docs.rs, with a nightly compiler, which shows the features that an item needs.
pub fn docs_rs(project: &Project) -> Result {
    let nightly = format!("+{}", setup::nightly(project)?);
    let folder = project.target.join("docs.rs");
    let mut doc = cargo([
        &nightly,
        "doc",
        "--package",
        "b2nd",
        "--no-deps",
        "--features",
        "bytes,memmap2,object_store_013,rayon",
    ]);
    run(project, doc.arg("--target-dir").arg(&folder).env("RUSTDOCFLAGS", "--cfg docsrs -D warnings"))?;
    let page = folder.join("doc/b2nd/source/fn.open.html");
    let text = fs::read_to_string(&page).about(page.display())?;
    if text.contains("Available on") {
        Ok(())
    } else {
        Err(Error::new("the documentation names no features"))
    }
}
