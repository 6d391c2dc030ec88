//! The distribution's compiler, for targets that rustup cannot bring: it has no libraries for them, but it has their
//! source, and builds them with the program.

use std::path::Path;
use std::process::Command;

use super::apt;
use crate::failure::Result;
use crate::project::Project;

const PACKAGES: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "lld-22"];

/// Where they put `cargo` and `rustc`.
pub const PROGRAMS: &str = "/usr/bin";

/// What installs it, for a person to type.
pub const INSTALL: &str = "apt-get install rustc-web cargo-web rust-web-src lld-22";

pub fn install(project: &Project) -> Result {
    apt::install(project, PACKAGES)
}

/// What its cargo, or a program that runs it, must find in its environment.
pub fn lend(command: &mut Command) -> &mut Command {
    let programs = Path::new(PROGRAMS);
    command.env("RUSTC", programs.join("rustc")).env("RUSTDOC", programs.join("rustdoc"));
    // Only what is unstable builds the standard library.
    command.env("RUSTC_BOOTSTRAP", "1");
    // For WebAssembly it looks for the linker that rustup's compiler carries with it.
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-22");
    // cargo runs us with the libraries of its own compiler in front.
    command.env_remove("LD_LIBRARY_PATH").env_remove("RUSTUP_TOOLCHAIN")
}

/// The option that builds these parts of the standard library with the program.
pub fn building(libraries: &str) -> String {
    format!("-Zbuild-std={libraries}")
}
