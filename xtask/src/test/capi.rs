//! The libraries for C: their own tests, programs in C and C++, chunks exchanged with numcodecs,
//! frames with python-blosc2, and files with hdf5plugin.

use std::path::Path;
use std::process::Command;

use crate::build::c::{self, MANIFEST, Profile};
use crate::command::{self, cargo, command};
use crate::error::Result;
use crate::process::run;
use crate::project::Project;
use crate::setup::python;

/// A program that uses every function, in C and in C++.
const PROGRAM: &str = "capi/tests/program.c";
/// Exchanges chunks with numcodecs.
const PEERS: &str = "capi/tests/peers.py";
/// Exchanges files with hdf5plugin.
const HDF5: &str = "capi/tests/hdf5.py";
/// Compares libblosc2 with that of python-blosc2, by programs in C.
const FRAMES: &str = "capi/tests/frames.py";
const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-pedantic"];

pub fn capi(project: &Project) -> Result {
    run(project, &mut workspace(project, &["fmt", "--all", "--check"]))?;
    run(project, workspace(project, &["clippy"]).args(["--", "-D", "warnings"]))?;
    run(project, &mut workspace(project, &["test"]))?;
    let prefix = c::libraries(project, Profile::Dev)?;
    programs(project, &prefix)?;
    let python = python::with_peers(project)?;
    let library = if cfg!(target_os = "macos") { "libblosc.1.dylib" } else { "libblosc.so.1" };
    run(project, command(&python, [PEERS]).arg(prefix.join("lib").join(library)))?;
    run(project, command(&python, [FRAMES]).arg(&prefix))?;
    run(project, command(&python, [HDF5]).arg(prefix.join("lib/hdf5/plugin"))).map(drop)
}

/// Runs Miri on the functions as C calls them.
pub fn miri(project: &Project, nightly: &str) -> Result {
    let arguments = [
        "miri",
        "test",
        "--package",
        "b2nd-capi",
        "--package",
        "b2nd-capi2",
        "--package",
        "b2nd-hdf5",
        "--lib",
        "--",
        "ffi::",
        "plugin::",
    ];
    let mut miri = cargo([format!("+{nightly}")]);
    miri.args(&arguments[..2]).args(["--manifest-path", MANIFEST]).args(&arguments[2..]);
    miri.env("CARGO_TARGET_DIR", project.target.join("capi"));
    run(project, miri.env("MIRIFLAGS", "-Zmiri-strict-provenance -Zmiri-disable-isolation")).map(drop)
}

/// The minimum Rust version builds the libraries.
pub fn msrv(project: &Project, toolchain: Option<&str>) -> Result {
    let mut check = cargo(toolchain);
    check.args(["check", "--manifest-path", MANIFEST]);
    run(project, check.env("CARGO_TARGET_DIR", project.target.join("capi"))).map(drop)
}

/// A `cargo` for the workspace of these libraries.
pub(super) fn workspace(project: &Project, arguments: &[&str]) -> Command {
    command::workspace(MANIFEST, &project.target.join("capi"), arguments)
}

/// Programs with the shared library, and with the static one.
fn programs(project: &Project, prefix: &Path) -> Result {
    let lib = prefix.join("lib");
    let [shared, fixed] = ["shared", "static"].map(|name| prefix.join("program-".to_owned() + name));
    let mut cc = command("cc", ["-std=c11", "-D_DEFAULT_SOURCE", "-O1"]);
    cc.args(WARNINGS).arg("-I").arg(prefix.join("include")).args([PROGRAM, "-o"]).arg(&shared);
    let rpath = format!("-Wl,-rpath,{}", lib.display());
    run(project, cc.arg("-L").arg(&lib).args(["-lblosc", &rpath]))?;
    let mut cxx = command("c++", ["-O1"]);
    cxx.args(WARNINGS).arg("-I").arg(prefix.join("include")).args(["-x", "c++", PROGRAM, "-x", "none", "-o"]);
    run(project, cxx.arg(&fixed).arg(lib.join("libblosc.a")).args(["-lpthread", "-ldl", "-lm"]))?;
    run(project, &mut command(shared, [""; 0]))?;
    run(project, &mut command(fixed, [""; 0])).map(drop)
}
