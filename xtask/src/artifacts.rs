//! `cargo xtask artifacts`: what a release publishes, as far as one machine can build it, in target/artifacts.
//!
//! The compilers have fixed versions, and no output depends on where the project lies or when it is built. `--twice` shows that.

mod build;
mod staged;
mod twice;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::arguments::Arguments;
use crate::command::{ask, cargo, command};
use crate::error::{About, Error, Result};
use crate::process::show;
use crate::project::Project;
use crate::setup::{self, STABLE};

/// A kind of artifacts.
struct Kind {
    name: &'static str,
    /// Writes them to a folder.
    build: fn(&Build, &Project) -> Result,
}

const KINDS: &[Kind] = &[
    Kind { name: "crates", build: Build::crates },
    Kind { name: "npm", build: Build::npm },
    Kind { name: "wheel", build: Build::wheel },
    Kind { name: "tool", build: Build::tool },
    Kind { name: "sbom", build: Build::sbom },
];

/// The circumstances of a build.
struct Build {
    /// The folder for them.
    out: PathBuf,
    /// The time of the commit, in seconds since 1970, which stands for the time of building.
    epoch: u64,
    /// The target of the tool and the wheel.
    target: String,
}

pub fn artifacts(project: &Project, arguments: &Arguments) -> Result<ExitCode> {
    let kinds = select(&arguments.names())?;
    if arguments.has("twice") {
        twice::twice(project, &kinds)?;
    } else if setup::is_current(STABLE) {
        build(project, &kinds, arguments.target.as_deref())?;
    } else {
        again(project, arguments)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn select(names: &[&str]) -> Result<Vec<&'static Kind>> {
    if let Some(unknown) = names.iter().find(|name| !KINDS.iter().any(|kind| kind.name == **name)) {
        let known: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        return Err(Error::new(format!("there are no artifacts {unknown}; there are {}", known.join(", "))));
    }
    Ok(KINDS.iter().filter(|kind| names.is_empty() || names.contains(&kind.name)).collect())
}

/// Starts over with the compiler of releases.
fn again(project: &Project, arguments: &Arguments) -> Result {
    let toolchain = setup::toolchain(project, STABLE)?;
    let mut command = cargo([&format!("+{toolchain}"), "xtask", "artifacts"]);
    command.args(arguments.words());
    if let Some(target) = &arguments.target {
        command.args(["--target", target]);
    }
    show(project, &mut command)
}

fn build(project: &Project, kinds: &[&Kind], target: Option<&str>) -> Result {
    let out = project.target.join("artifacts");
    if out.exists() {
        fs::remove_dir_all(&out).about(out.display())?;
    }
    fs::create_dir_all(&out).about(out.display())?;
    let build =
        Build { out, epoch: epoch(project)?, target: target.map_or_else(host, |name| Ok(name.into()))? };
    for kind in kinds {
        (kind.build)(&build, project)?;
    }
    for (name, bytes) in contents(&build.out)? {
        println!("{:>12} {name}", bytes.len());
    }
    Ok(())
}

fn epoch(project: &Project) -> Result<u64> {
    let mut log = command("git", ["log", "-1", "--format=%ct"]);
    ask(log.current_dir(&project.root))
        .and_then(|seconds| seconds.parse().ok())
        .ok_or_else(|| Error::new("`git log` tells no time: artifacts are built of a commit"))
}

fn host() -> Result<String> {
    ask(&mut command("rustc", ["--print", "host-tuple"])).ok_or_else(|| Error::new("`rustc` names no host"))
}

/// The names and bytes of the files in a folder, in order.
fn contents(folder: &std::path::Path) -> Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).about(folder.display())? {
        let path = entry.about(folder.display())?.path();
        let name = path.file_name().unwrap_or_default().display().to_string();
        files.push((name, fs::read(&path).about(path.display())?));
    }
    files.sort();
    Ok(files)
}
