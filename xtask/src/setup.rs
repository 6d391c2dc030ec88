//! Set-up: gets what a step needs if it is missing. A program on the PATH that works is used; others are stored below
//! target/xtask.

pub mod chromium;
mod crates;
pub mod cyclonedx;
mod debian;
mod distribution;
pub mod engines;
pub mod musl;
pub mod node;
pub mod python;
pub mod qemu;
mod rustup;
pub mod semver_checks;
pub mod sounds;
pub mod targets;
pub mod wasm_pack;

use std::env;
use std::path::PathBuf;

use crate::command;

pub use rustup::{
    STABLE, component, is_current, nightly, nightly_with_source, pinned_nightly, remapped, target, toolchain,
};

/// The first program of these names on the PATH that starts with `argument`, which lets it end at once: programs of the PATH
/// may be scripts that only tell how to install them.
fn installed(names: &[&str], argument: &str) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let paths = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let starts = |path: &PathBuf| command::ask(&mut command::command(path, [argument])).is_some();
    paths.filter(|path| path.is_file()).find(starts)
}
