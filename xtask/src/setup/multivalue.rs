//! A WebAssembly target whose functions return two values directly instead of through memory.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::targets::WASM;
use crate::process::{ask, command};
use crate::project::Project;

/// The LLVM ABI, which can only be set in a target specification.
const ABI: &str = r#""llvm-abiname": "experimental-mv","#;

/// The linker replaces a call that does not match its definition with a trap and warns; this makes it an error.
/// 128-bit products, which are library calls, do not match; the library avoids them.
pub const FLAGS: &str = "-Ctarget-feature=+multivalue -Clink-arg=--fatal-warnings";

const NAME: &str = "wasm32-multivalue";

/// The target's name and specification, if this compiler supports it.
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
