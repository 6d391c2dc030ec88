//! Formatting, lints and documentation.

use std::fs;

use super::unit;
use crate::command::{cargo, unoptimized};
use crate::error::{About, Error, Result};
use crate::process::run;
use crate::project::Project;
use crate::setup;

/// Features of the command-line tool. The step *interop* compiles those with Parquet.
const TOOL: &str = "b2nd-cli/arrow,b2nd-cli/zstd-safe";

pub fn fmt(project: &Project) -> Result {
    setup::component(project, None, "rustfmt", "bin/rustfmt")?;
    run(project, &mut cargo(["fmt", "--all", "--check"])).map(drop)
}

pub fn clippy(project: &Project) -> Result {
    setup::component(project, None, "clippy", "bin/cargo-clippy")?;
    let all = project.all_features() + "," + TOOL;
    let choices: [&[&str]; 3] = [
        &["--workspace", "--all-targets", "--features", unit::FEATURES],
        // Again without tests, for the code of other features.
        &["--package", "b2nd", "--package", "b2nd-cli", "--lib", "--bins", "--features", &all],
        // Tests may use std; the library may not.
        &["--package", "b2nd", "--lib", "--no-default-features"],
    ];
    for choice in choices {
        run(project, unoptimized(&mut cargo(["clippy"])).args(choice).args(["--", "--deny", "warnings"]))?;
    }
    Ok(())
}

pub fn docs(project: &Project) -> Result {
    let all = project.all_features();
    // The tests need the same libraries of C.
    let mut doc = cargo(["doc", "--profile", "test", "--workspace", "--no-deps", "--features", &all]);
    run(project, doc.env("RUSTDOCFLAGS", "-D warnings")).map(drop)
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
