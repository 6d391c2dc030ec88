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
        // With what the tests depend on, so that nothing is compiled twice.
        Profile::Dev => ("debug", &["--lib", "--tests"]),
    };
    console::announce("the libraries for C", "160 s");
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
    for library in &LIBRARIES {
        library.lay_out(project, built, prefix)?;
    }
    for plugin in PLUGINS {
        let name = format!("{}{plugin}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        copy(&built.join(&name), &plugins.join(&name))?;
    }
    Ok(())
}

/// A library that takes the place of one of C.
struct Library {
    name: &'static str,
    headers: &'static [&'static str],
    /// The version in its soname, and that of the interface.
    soname: u32,
    version: &'static str,
}

const LIBRARIES: [Library; 2] = [
    Library { name: "blosc", headers: &["blosc.h"], soname: 1, version: "1.21.6" },
    Library { name: "blosc2", headers: &["blosc2.h", "b2nd.h"], soname: 9, version: "3.3.5" },
];

impl Library {
    fn lay_out(&self, project: &Project, built: &Path, prefix: &Path) -> Result {
        let Self { name, headers, soname, .. } = self;
        let lib = prefix.join("lib");
        for header in *headers {
            let from = project.root.join("capi").join(name).join("include").join(header);
            copy(&from, &prefix.join("include").join(header))?;
        }
        let fixed = format!("lib{name}.a");
        copy(&built.join(&fixed), &lib.join(&fixed))?;
        let (shared, versioned) = if cfg!(target_os = "macos") {
            (format!("lib{name}.dylib"), format!("lib{name}.{soname}.dylib"))
        } else {
            (format!("lib{name}.so"), format!("lib{name}.so.{soname}"))
        };
        copy(&built.join(&shared), &lib.join(&versioned))?;
        link(&versioned, &lib.join(&shared))?;
        let description = lib.join("pkgconfig").join(format!("{name}.pc"));
        fs::write(&description, self.pkgconfig()).about(description.display())
    }

    /// The file for pkg-config, which holds wherever the folder is moved.
    fn pkgconfig(&self) -> String {
        let Self { name, version, .. } = self;
        format!(
            "prefix=${{pcfiledir}}/../..

Name: {name}
Description: The functions of Blosc's {name}.h in pure Rust
URL: https://github.com/b2nd/b2nd
Version: {version}
Cflags: -I${{prefix}}/include
Libs: -L${{prefix}}/lib -l{name}
Libs.private: -lpthread -ldl -lm
"
        )
    }
}

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
