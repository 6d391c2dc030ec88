//! The tool as a module of WASI, which the package's command runs.

use std::path::Path;

use super::module::{self, INLINING};
use super::optimize;
use crate::error::Result;
use crate::process::run_as;
use crate::project::Project;
use crate::setup::{self, targets};

const TARGET_FEATURES: &str = "+simd128";
/// The passes for other modules take minutes for this one, which nobody downloads with a page.
const PASSES: &[&str] = &["--enable-simd", "--low-memory-unused", "-Oz"];

/// Makes target/www/tool.wasm.
pub fn build(project: &Project, modules: &Path) -> Result {
    let mut cargo = targets::wasi(project)?;
    let folder = module::cargo_folder(project, TARGET_FEATURES);
    // In Node.js the host opens URLs.
    cargo
        .args(["--package", "b2nd-cli", "--no-default-features", "--profile", "web"])
        .env("CARGO_TARGET_DIR", &folder);
    cargo.env(
        "RUSTFLAGS",
        format!("-Ctarget-feature={TARGET_FEATURES} {INLINING} {}", setup::remapped(project)),
    );
    run_as(project, "cargo build of tool.wasm", &mut cargo)?;
    let linked = folder.join(targets::WASI).join("web").join("b2nd.wasm");
    optimize::optimize_by(project, "tool", PASSES, modules, &linked)
}
