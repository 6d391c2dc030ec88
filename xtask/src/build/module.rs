//! Compiles and links the crate in www/.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::{Variant, exports, home};
use crate::error::{About, Result};
use crate::process::run_as;
use crate::project::Project;
use crate::setup::{self, targets};
use crate::stamp;

const CRATE: &[&str] = &["--package", "b2nd-wasm", "--lib", "--profile", "web"];

/// The inlining threshold. LLVM's value for the smallest code, 5, leaves calls in inner loops, and codecs run at three quarters
/// of the speed. From 11 on they are as fast as with opt-level "s". Above 15 the module grows.
pub const INLINING: &str = "-Cllvm-args=-inline-threshold=15";

/// Makes target/www/VARIANT.linked.wasm. cargo decides whether anything needs to be compiled.
pub fn build(project: &Project, variant: &Variant) -> Result<PathBuf> {
    let flags =
        format!("-Ctarget-feature={} {INLINING} {}", variant.target_features, setup::remapped(project));
    let (mut cargo, target) = targets::wasm(project, &flags)?;
    let folder = cargo_folder(project, variant.target_features);
    cargo.args(CRATE).args(variant.arguments).env("CARGO_TARGET_DIR", &folder);
    let linked = folder.join(target).join("web").join("b2nd_wasm.wasm");
    let own = home(project).join(variant.name).with_extension("cargo.wasm");
    let shared = linked.with_file_name("deps").join("b2nd_wasm.wasm");
    // cargo links all variants to one name. It takes a file that is there for the one that it made, and so would another `cargo xtask`.
    fs::create_dir_all(&folder).about(folder.display())?;
    let _lock = stamp::lock(&folder.join("lock"))?;
    put(&own, &shared)?;
    run_as(project, &format!("cargo build of {}.wasm", variant.name), &mut cargo)?;
    let module = exports::plain(&fs::read(&linked).about(linked.display())?)?;
    put(&shared, &own)?;
    let path = home(project).join(variant.name).with_extension("linked.wasm");
    fs::write(&path, module).about(path.display())?;
    Ok(path)
}

/// The directory of what cargo compiles with these target features: the standard library and the macros, which all variants use, take
/// longer than the rest. cargo would compile them anew whenever the flags change.
pub fn cargo_folder(project: &Project, target_features: &str) -> PathBuf {
    home(project).join(format!("cargo{target_features}"))
}

/// Moves a file if it exists, and removes the one in its place.
fn put(from: &Path, to: &Path) -> Result {
    let found = |result: io::Result<()>| match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    };
    found(fs::remove_file(to)).about(to.display())?;
    found(fs::rename(from, to)).about(from.display())
}
