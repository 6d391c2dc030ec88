//! A target for WebAssembly whose functions return two values where there are two, and write no memory for them.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::targets::WASM;
use crate::process::{ask, command};
use crate::project::Project;

/// What LLVM does if it is asked in the description of a target, and nowhere else.
const ABI: &str = r#""llvm-abiname": "experimental-mv","#;

/// Where a caller and a definition do not agree the linker puts a trap and a warning; here that is an error. They do not
/// for products of 128 bits, which are calls: the library does without.
pub const FLAGS: &str = "-Ctarget-feature=+multivalue -Clink-arg=--fatal-warnings";

const NAME: &str = "wasm32-multivalue";

/// The target's name and where it is described to this compiler, unless it understands no such thing.
pub fn target(project: &Project, toolchain: &str) -> Option<(&'static str, PathBuf)> {
    let usual = ask(rustc(toolchain).args(["target-spec-json", "--target", WASM]))?;
    let path = project.cache(NAME).with_extension("json");
    fs::create_dir_all(path.parent()?).ok()?;
    fs::write(&path, usual.replacen('{', &format!("{{{ABI}"), 1)).ok()?;
    ask(rustc(toolchain).args(["cfg", "--target"]).arg(&path))?;
    Some((NAME, path))
}

fn rustc(toolchain: &str) -> Command {
    command("rustc", [&format!("+{toolchain}"), "-Zunstable-options", "--print"])
}
