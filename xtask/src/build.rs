//! `cargo xtask build`: the npm package, www/dist.

mod exports;
mod module;
mod optimize;

use std::path::PathBuf;
use std::process::ExitCode;

use crate::arguments::Arguments;
use crate::console;
use crate::failure::{Failure, Result};
use crate::process::{run, show};
use crate::project::Project;
use crate::setup::node;

/// A build of the crate in www/.
struct Variant {
    name: &'static str,
    /// Target features beyond the baseline of wasm32.
    target_features: &'static str,
    /// Arguments for cargo.
    arguments: &'static [&'static str],
    /// Features that wasm-opt may use, beyond those of all variants.
    features: &'static [&'static str],
}

/// In the order of building; the viewer needs the first two.
const VARIANTS: &[Variant] = &[
    Variant { name: "simd", target_features: "+simd128", arguments: &[], features: &["--enable-simd"] },
    // Arrays that are created or changed.
    Variant {
        name: "write",
        target_features: "+simd128",
        arguments: &["--no-default-features", "--features", "writer"],
        features: &["--enable-simd"],
    },
    // Only chunks, for other formats.
    Variant {
        name: "codec",
        target_features: "+simd128",
        arguments: &["--no-default-features", "--features", "chunks,encode"],
        features: &["--enable-simd"],
    },
    // For engines without SIMD.
    Variant { name: "scalar", target_features: "-simd128", arguments: &[], features: &[] },
];

pub fn build(project: &Project, arguments: &Arguments) -> Result<ExitCode> {
    if !arguments.words().is_empty() {
        return Err(Failure::new("usage: cargo xtask build"));
    }
    package(project)?;
    sizes(project)?;
    Ok(ExitCode::SUCCESS)
}

/// Brings www/dist up to date.
pub fn package(project: &Project) -> Result {
    make(project, VARIANTS, &[])
}

/// Brings the part for the viewer and the command up to date, or everything if it was built before.
pub fn viewer(project: &Project) -> Result {
    let whole = VARIANTS.iter().all(|variant| optimize::path(project, variant).exists());
    if whole { package(project) } else { make(project, &VARIANTS[..2], &["--viewer"]) }
}

fn make(project: &Project, variants: &[Variant], flags: &[&str]) -> Result {
    console::announce("npm's packages", "5 s");
    let modules = node::packages(project)?;
    for variant in variants {
        console::announce(&format!("WebAssembly, {}", variant.name), "30 s");
        let module = module::build(project, variant)?;
        optimize::optimize(project, variant, &modules, &module)?;
    }
    console::announce("JavaScript", "10 s");
    let mut script = node::node(project, "www/build.mjs");
    run(project, script.arg("--modules").arg(home(project)).args(flags)).map(drop)
}

/// Prints the download size of each entry of the built package.
pub fn sizes(project: &Project) -> Result {
    show(project, &mut node::node(project, "www/sizes.mjs"))
}

/// The directory of the modules before packaging: simd.wasm, codec.wasm, write.wasm, scalar.wasm.
fn home(project: &Project) -> PathBuf {
    project.target.join("www")
}
