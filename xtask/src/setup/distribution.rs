//! The distribution's compiler, for targets that rustup cannot install. It has no libraries for them, but has their
//! source, and compiles it together with the program.

use std::path::Path;
use std::process::Command;

use super::apt;
use crate::failure::Result;
use crate::project::Project;

const PACKAGES: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "lld-22"];

/// The directory of its `cargo` and `rustc`.
pub const PROGRAMS: &str = "/usr/bin";

/// The command that installs it, for error messages.
pub const INSTALL: &str = "apt-get install rustc-web cargo-web rust-web-src lld-22";

pub fn install(project: &Project) -> Result {
    apt::install(project, PACKAGES)
}

/// Sets the environment for its cargo.
pub fn configure(command: &mut Command) -> &mut Command {
    let programs = Path::new(PROGRAMS);
    command.env("RUSTC", programs.join("rustc")).env("RUSTDOC", programs.join("rustdoc"));
    // Building the standard library is unstable.
    command.env("RUSTC_BOOTSTRAP", "1");
    // For WebAssembly it needs the linker that rustup's compiler comes with.
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-22");
    // cargo puts the libraries of its own compiler first in this process's path.
    command.env_remove("LD_LIBRARY_PATH").env_remove("RUSTUP_TOOLCHAIN")
}

/// The option that compiles these crates of the standard library with the program.
pub fn building(libraries: &str) -> String {
    format!("-Zbuild-std={libraries}")
}
