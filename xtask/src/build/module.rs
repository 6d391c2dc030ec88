//! A module of the crate in www/, by wasm-pack.

use std::path::PathBuf;

use super::{Variant, home};
use crate::failure::Result;
use crate::process::run;
use crate::project::Project;
use crate::setup::targets;

const OPTIONS: &[&str] = &[
    "www",
    "--target",
    "web",
    "--profile",
    "web",
    "--out-name",
    "b2nd",
    // What is told to npm and to TypeScript is written by hand, and we optimise with a version of our own.
    "--no-pack",
    "--no-typescript",
    "--no-opt",
];

/// LLVM's own threshold for the smallest code, 5, leaves calls in the inmost loops: codecs run at three quarters of the
/// speed. From 11 on they lose nothing beside opt-level "s", and above 15 the module grows.
const INLINING: &str = "-Cllvm-args=-inline-threshold=15";

/// What cargo and wasm-bindgen make of it. cargo decides whether there is something to do.
pub fn build(project: &Project, variant: &Variant) -> Result<PathBuf> {
    // Variants would take turns in one folder, and cargo would link again and again.
    let folder = home(project).join(variant.name);
    let package = folder.join("pkg");
    let out = package.display().to_string();
    let flags = format!("-Ctarget-feature={} {INLINING}", variant.target_features);
    let mut pack = targets::wasm_pack(project, &[OPTIONS, &["--out-dir", &out]].concat(), &flags)?;
    pack.args(variant.arguments);
    pack.env("CARGO_TARGET_DIR", folder.join("cargo"));
    run(project, &mut pack)?;
    Ok(package.join("b2nd_bg.wasm"))
}
