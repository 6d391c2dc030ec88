//! Toolchains, components and targets from rustup.

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::command;
use crate::error::{Error, Result};
use crate::process;
use crate::project::Project;

/// The compiler that builds releases.
pub const STABLE: &str = "1.95.0";
/// The nightly compiler of the smallest WebAssembly, and its commit, by which an undated toolchain is recognised.
const NIGHTLY: (&str, &str) = ("nightly-2026-05-20", "e50aa6fba");

/// The full name of an installed toolchain: `nightly` matches any nightly, `1.91` any `1.91.x`.
pub fn toolchain(project: &Project, wanted: &str) -> Result<String> {
    if let Some(name) = find_toolchain(wanted) {
        return Ok(name);
    }
    let install = ["toolchain", "install", wanted, "--profile", "minimal", "--no-self-update"];
    let missing = format!("toolchain {wanted} is missing, and rustup could not install it");
    bring(project, &install, &missing)?;
    find_toolchain(wanted).ok_or_else(|| Error::new(missing))
}

/// Installs a component if needed. `file` is one of its files, relative to the toolchain's directory.
pub fn component(project: &Project, toolchain: Option<&str>, name: &str, file: &str) -> Result {
    if sysroot(toolchain).is_some_and(|root| root.join(file).exists()) {
        return Ok(());
    }
    let mut add = vec!["component", "add", name];
    add.extend(toolchain.iter().flat_map(|toolchain| ["--toolchain", toolchain]));
    bring(project, &add, &format!("component {name} is missing, and rustup could not install it"))
}

/// The pinned nightly toolchain with the standard library's source, both installed if needed. Without a network any nightly does:
/// only releases need the same bytes everywhere.
pub fn nightly_with_source(project: &Project) -> Result<String> {
    if is_off() {
        return Err(Error::new("XTASK_NO_RUSTUP is set, so rustup installs no nightly toolchain"));
    }
    let nightly = nightly(project)?;
    component(project, Some(&nightly), "rust-src", "lib/rustlib/src/rust/library/Cargo.lock")?;
    Ok(nightly)
}

/// The pinned nightly toolchain, or another one if it cannot be installed.
pub fn nightly(project: &Project) -> Result<String> {
    pinned_nightly(project).or_else(|error| find_toolchain("nightly").ok_or(error))
}

/// The pinned nightly toolchain, installed if needed.
pub fn pinned_nightly(project: &Project) -> Result<String> {
    let (dated, commit) = NIGHTLY;
    let undated = find_toolchain("nightly");
    let pinned = undated.filter(|name| version(Some(name)).is_some_and(|version| version.contains(commit)));
    pinned.map_or_else(|| toolchain(project, dated), Ok)
}

/// Whether the current compiler has this version.
pub fn is_current(wanted: &str) -> bool {
    version(None).is_some_and(|version| version.split(' ').nth(1) == Some(wanted))
}

/// Flags of the compiler that keep the folders of the project and of its dependencies out of what it builds.
pub fn remapped(project: &Project) -> String {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo"))).unwrap_or_default();
    let (home, root) = (home.display(), project.root.display());
    format!("--remap-path-prefix={home}=cargo --remap-path-prefix={root}=b2nd")
}

/// Installs the current toolchain's library for a target if needed.
pub fn target(project: &Project, name: &str) -> Result {
    let installed =
        sysroot(None).is_some_and(|root| root.join("lib/rustlib").join(name).join("lib").exists());
    if installed && !is_off() {
        return Ok(());
    }
    let missing = format!("target {name} is missing, and rustup could not install it");
    bring(project, &["target", "add", name], &missing)
}

fn bring(project: &Project, arguments: &[&str], missing: &str) -> Result {
    // rustup does not expect another one.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let advice = format!(
        "{missing}: `rustup {}` does, with a network and a writable RUSTUP_HOME",
        arguments.join(" ")
    );
    if is_off() {
        return Err(Error::new(advice));
    }
    process::run(project, &mut command::command("rustup", arguments))
        .map(drop)
        .map_err(|error| Error { sentence: advice, output: error.output })
}

/// Simulates a missing rustup, for tests.
fn is_off() -> bool {
    env::var_os("XTASK_NO_RUSTUP").is_some_and(|value| value != "0")
}

fn sysroot(toolchain: Option<&str>) -> Option<PathBuf> {
    command::ask(rustc(toolchain).args(["--print", "sysroot"])).map(PathBuf::from)
}

fn version(toolchain: Option<&str>) -> Option<String> {
    command::ask(rustc(toolchain).arg("--version"))
}

fn rustc(toolchain: Option<&str>) -> Command {
    command::command("rustc", toolchain.map(|name| format!("+{name}")))
}

fn find_toolchain(wanted: &str) -> Option<String> {
    let list = command::ask(&mut command::command("rustup", ["toolchain", "list"]))?;
    // Behind a name stands whether it is the default. Before 1.28 rustup has no `--quiet`.
    let mut names = list.lines().filter_map(|line| line.split(' ').next());
    names.find(|name| is_toolchain(name, wanted)).map(str::to_owned)
}

fn is_toolchain(name: &str, wanted: &str) -> bool {
    name.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
}
