//! `cargo xtask build`: the npm package, www/dist. `cargo xtask build MODULE`: the same, with one of its WebAssembly modules built anew.
//! `cargo xtask build c`: the libraries for C.
//!
//! `wasm-pack build www` works too, and `cargo xtask test --only wasm-pack` tests it. It does not build the package because its b2nd.wasm
//! would be 12 % larger: by gzip 70 600 bytes with `--profile web` and `wasm-opt -Oz`, and 92 400 with the profile `release`, instead of
//! 62 900. The standard library built by nightly (`setup/targets.rs`) saves 6 300 of these, the passes of `build/optimize.rs` 1 400, and
//! exports without glue (`build/exports.rs`) 1 900 more of JavaScript, which would come with each module.

pub mod c;
mod exports;
mod module;
mod optimize;
mod tool;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use crate::arguments::Arguments;
use crate::console;
use crate::error::{Error, Result};
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

/// In the order of building; the viewer needs the first five.
const VARIANTS: &[Variant] = &[
    Variant { name: "simd", target_features: "+simd128", arguments: &[], features: &["--enable-simd"] },
    // Arrays that are created or changed.
    Variant {
        name: "write",
        target_features: "+simd128",
        arguments: &["--no-default-features", "--features", "writer"],
        features: &["--enable-simd"],
    },
    // What stores, tables and objects mean; every engine runs it.
    Variant {
        name: "store",
        target_features: "-simd128",
        arguments: &["--no-default-features", "--features", "store"],
        features: &[],
    },
    // Values as files of other formats, for the viewer.
    Variant {
        name: "export",
        target_features: "-simd128",
        arguments: &["--no-default-features", "--features", "export"],
        features: &[],
    },
    // Expressions of arrays, whose operands the first module reads.
    Variant {
        name: "expression",
        target_features: "+simd128",
        arguments: &["--no-default-features", "--features", "expression"],
        features: &["--enable-simd"],
    },
    // Only chunks, for other formats.
    Variant {
        name: "codec",
        target_features: "+simd128",
        arguments: &["--no-default-features", "--features", "chunks,encode"],
        features: &["--enable-simd"],
    },
    // Parts of chunks of Zarr arrays.
    Variant {
        name: "zarr",
        target_features: "+simd128",
        arguments: &["--no-default-features", "--features", "zarr"],
        features: &["--enable-simd"],
    },
    // Reading of arrays, with ZFP.
    Variant {
        name: "zfp",
        target_features: "+simd128",
        arguments: &["--features", "zfp"],
        features: &["--enable-simd"],
    },
    // Archives with stores that are created or changed.
    Variant {
        name: "archive",
        target_features: "+simd128",
        arguments: &["--no-default-features", "--features", "archive"],
        features: &["--enable-simd"],
    },
    // For engines without SIMD.
    Variant { name: "scalar", target_features: "-simd128", arguments: &[], features: &[] },
];

pub fn build(project: &Project, arguments: &Arguments) -> Result<ExitCode> {
    match arguments.words() {
        [] => {
            package(project)?;
            sizes(project)?;
        }
        [name] if name == "c" => println!("{}", c::libraries(project, c::Profile::Release)?.display()),
        [name] => match VARIANTS.iter().position(|variant| variant.name == *name) {
            Some(at) => make(project, &VARIANTS[at..=at], &[])?,
            None => return Err(usage()),
        },
        _ => return Err(usage()),
    }
    Ok(ExitCode::SUCCESS)
}

fn usage() -> Error {
    let names: Vec<_> = VARIANTS.iter().map(|variant| variant.name).collect();
    Error::new(format!("usage: cargo xtask build [c|{}]", names.join("|")))
}

/// Brings www/dist up to date, once.
pub fn package(project: &Project) -> Result {
    static IS_BUILT: Mutex<bool> = Mutex::new(false);
    let mut is_built = IS_BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if !*is_built {
        make(project, VARIANTS, &[])?;
        *is_built = true;
    }
    Ok(())
}

/// Brings the part for the viewer and the command up to date, or everything if it was built before.
pub fn viewer(project: &Project) -> Result {
    let whole = VARIANTS.iter().all(|variant| optimize::path(project, variant.name).exists());
    if whole { package(project) } else { make(project, &VARIANTS[..5], &["--viewer"]) }
}

fn make(project: &Project, variants: &[Variant], flags: &[&str]) -> Result {
    console::announce("npm's packages", "5 s");
    let modules = node::packages(project)?;
    for variant in variants {
        console::announce(&format!("WebAssembly, {}", variant.name), "1 min");
        let module = module::build(project, variant)?;
        optimize::optimize(project, variant, &modules, &module)?;
    }
    if variants.len() == VARIANTS.len() {
        console::announce("WebAssembly, the tool", "4 min");
        tool::build(project, &modules)?;
    }
    console::announce("JavaScript", "70 s");
    let mut script = node::node(project, "www/build.mjs");
    run(project, script.arg("--modules").arg(home(project)).args(flags)).map(drop)
}

/// Prints the download size of each entry of the built package.
pub fn sizes(project: &Project) -> Result {
    show(project, &mut node::node(project, "www/sizes.mjs"))
}

/// The directory of the modules before packaging: simd.wasm, write.wasm, store.wasm, export.wasm,
/// expression.wasm, codec.wasm, zarr.wasm, zfp.wasm, archive.wasm, scalar.wasm, tool.wasm.
fn home(project: &Project) -> PathBuf {
    project.target.join("www")
}
