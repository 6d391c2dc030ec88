//! What makes a module for JavaScript of a crate: wasm-pack, and the wasm-bindgen that fits the library.

use std::path::PathBuf;

use crate::failure::{Failure, Result};
use crate::process;
use crate::project::Project;

/// Where what cargo installs lies, to stand on the PATH.
pub fn tools(project: &Project) -> PathBuf {
    project.cache("tools").join("bin")
}

/// Makes sure of both programs: on the PATH with [`tools`] in front of it.
pub fn bindgen_and_pack(project: &Project) -> Result {
    let version = project.locked("wasm-bindgen")?;
    if !answers(project, "wasm-bindgen", &["--version"], &format!("wasm-bindgen {version}")) {
        install(project, "wasm-bindgen-cli", &["--version", &format!("={version}")])?;
    }
    // Those that are too old know no profiles but their own.
    if !answers(project, "wasm-pack", &["build", "--help"], "--profile") {
        install(project, "wasm-pack", &[])?;
    }
    Ok(())
}

/// Does the program say `expected` to `question`?
fn answers(project: &Project, program: &str, question: &[&str], expected: &str) -> bool {
    let said = process::ask(&mut process::command(tool(project, program), question));
    said.is_some_and(|said| said.contains(expected))
}

/// The program that cargo installed here, else the person's own.
pub fn tool(project: &Project, program: &str) -> PathBuf {
    let ours = tools(project).join(format!("{program}{}", std::env::consts::EXE_SUFFIX));
    if ours.exists() { ours } else { program.into() }
}

/// Not `--locked`: what their locks name may have been withdrawn. Not optimised either: they work for a second, and
/// compiling them would take minutes more.
fn install(project: &Project, package: &str, version: &[&str]) -> Result {
    let arguments = ["install", "--debug", "--root"];
    let mut install = process::cargo(arguments);
    install.arg(project.cache("tools")).arg(package).args(version).env("CARGO_PROFILE_DEV_DEBUG", "0");
    let words = [&[package], version].concat().join(" ");
    let advice = format!(
        "{package} is missing, and cargo could not install it: `cargo install {words}` does, where \
                          the crates' registry is in reach"
    );
    process::run(project, &mut install)
        .map(drop)
        .map_err(|failure| Failure { sentence: advice, output: failure.output })
}
