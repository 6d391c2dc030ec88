//! The distribution's compiler, for targets that rustup cannot bring: it has no libraries for them, but it has their
//! source, and builds them with the program.

use std::process::Command;

use super::apt;
use crate::failure::Result;
use crate::process;
use crate::project::Project;

const PACKAGES: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "lld-22"];

/// What installs it, for a person to type.
pub const INSTALL: &str = "apt-get install rustc-web cargo-web rust-web-src lld-22";

/// `cargo SUBCOMMAND --target TARGET` of the distribution; `libraries` is what to build of the standard library.
pub fn cargo(project: &Project, subcommand: &str, target: &str, libraries: &str) -> Result<Command> {
    apt::install(project, PACKAGES)?;
    let build = format!("-Zbuild-std={libraries}");
    let mut cargo = process::command("/usr/bin/cargo", [subcommand, "--target", target, &build]);
    cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTDOC", "/usr/bin/rustdoc").env("RUSTC_BOOTSTRAP", "1");
    if target.starts_with("wasm32") {
        // It looks for the linker that rustup's compiler carries with it.
        cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-22");
    }
    // cargo runs us with the libraries of its own compiler in front.
    cargo.env_remove("LD_LIBRARY_PATH").env_remove("RUSTUP_TOOLCHAIN");
    Ok(cargo)
}
