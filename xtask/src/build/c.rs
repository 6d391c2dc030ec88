//! `cargo xtask build c`: the libraries for C and HDF5, as they are installed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::cargo;
use crate::console;
use crate::error::{About, Error, Result};
use crate::process::run;
use crate::project::Project;

/// The workspace of the libraries.
pub const MANIFEST: &str = "capi/Cargo.toml";
/// The plugins of HDF5.
const PLUGINS: [&str; 2] = ["H5Zblosc", "H5Zblosc2"];

/// Whether to optimise what is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    Release,
    /// The profile of tests.
    Dev,
}

/// Builds the libraries and lays them out below a folder: `include`, `lib`, `lib/pkgconfig`, `lib/hdf5/plugin`. Returns it.
pub fn libraries(project: &Project, profile: Profile) -> Result<PathBuf> {
    if !cfg!(unix) {
        return Err(Error::new("the libraries for C are built on Linux and macOS only"));
    }
    let target = project.target.join("capi");
    let (folder, flags): (_, &[&str]) = match profile {
        Profile::Release => ("release", &["--release"]),
        Profile::Dev => ("debug", &[]),
    };
    console::announce("the libraries for C", "90 s");
    let mut build = cargo(["build", "--manifest-path", MANIFEST]);
    run(project, build.args(flags).env("CARGO_TARGET_DIR", &target))?;
    let prefix = target.join(folder).join("prefix");
    lay_out(project, &target.join(folder), &prefix)?;
    Ok(prefix)
}

fn lay_out(project: &Project, built: &Path, prefix: &Path) -> Result {
    if prefix.exists() {
        fs::remove_dir_all(prefix).about(prefix.display())?;
    }
    let (include, lib, plugins) =
        (prefix.join("include"), prefix.join("lib"), prefix.join("lib/hdf5/plugin"));
    for folder in [&include, &plugins, &lib.join("pkgconfig")] {
        fs::create_dir_all(folder).about(folder.display())?;
    }
    copy(&project.root.join("capi/blosc/include/blosc.h"), &include.join("blosc.h"))?;
    copy(&built.join("libblosc.a"), &lib.join("libblosc.a"))?;
    let (shared, versioned) = if cfg!(target_os = "macos") {
        ("libblosc.dylib", "libblosc.1.dylib")
    } else {
        ("libblosc.so", "libblosc.so.1")
    };
    copy(&built.join(shared), &lib.join(versioned))?;
    link(versioned, &lib.join(shared))?;
    for plugin in PLUGINS {
        let name = format!("{}{plugin}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        copy(&built.join(&name), &plugins.join(&name))?;
    }
    let description = lib.join("pkgconfig/blosc.pc");
    fs::write(&description, PKGCONFIG).about(description.display())
}

/// The file for pkg-config, which holds wherever the folder is moved.
const PKGCONFIG: &str = "prefix=${pcfiledir}/../..

Name: blosc
Description: The functions of Blosc's blosc.h in pure Rust
URL: https://github.com/b2nd/b2nd
Version: 1.21.6
Cflags: -I${prefix}/include
Libs: -L${prefix}/lib -lblosc
Libs.private: -lpthread -ldl -lm
";

fn copy(from: &Path, to: &Path) -> Result {
    fs::copy(from, to).about(from.display()).map(drop)
}

#[cfg(unix)]
fn link(target: &str, link: &Path) -> Result {
    std::os::unix::fs::symlink(target, link).about(link.display())
}

#[cfg(not(unix))]
fn link(target: &str, _: &Path) -> Result {
    Err(Error::new(format!("no link to {target} is made here")))
}
