//! Compiles and links the crate in www/.

use std::fs;
use std::path::PathBuf;

use super::{Variant, exports, home};
use crate::error::{About, Result};
use crate::process::run_as;
use crate::project::Project;
use crate::setup::{self, targets};

const CRATE: &[&str] = &["--package", "b2nd-wasm", "--lib", "--profile", "web"];

/// The inlining threshold. LLVM's value for the smallest code, 5, leaves calls in inner loops, and codecs run at three quarters
/// of the speed. From 11 on they are as fast as with opt-level "s". Above 15 the module grows.
pub const INLINING: &str = "-Cllvm-args=-inline-threshold=15";

/// Makes target/www/VARIANT.linked.wasm. cargo decides whether anything needs to be compiled.
pub fn build(project: &Project, variant: &Variant) -> Result<PathBuf> {
    let flags =
        format!("-Ctarget-feature={} {INLINING} {}", variant.target_features, setup::remapped(project));
    let (mut cargo, target) = targets::wasm(project, &flags)?;
    // Variants need separate directories: cargo's output for WebAssembly has no hash in its name.
    let folder = home(project).join(variant.name);
    cargo.args(CRATE).args(variant.arguments).env("CARGO_TARGET_DIR", &folder);
    run_as(project, &format!("cargo build of {}.wasm", variant.name), &mut cargo)?;
    let linked = folder.join(target).join("web").join("b2nd_wasm.wasm");
    let module = exports::plain(&fs::read(&linked).about(linked.display())?)?;
    let path = home(project).join(variant.name).with_extension("linked.wasm");
    fs::write(&path, module).about(path.display())?;
    Ok(path)
}
