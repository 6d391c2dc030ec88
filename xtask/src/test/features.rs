//! The manifest's promises: all feature combinations, and the minimum Rust version.

use super::capi;
use crate::command::{apart, ask, cargo, command};
use crate::error::Result;
use crate::process::run;
use crate::project::Project;
use crate::setup;

/// Features that are independent of the others are combined as one.
const GROUPS: [&str; 3] = [
    "lz4,zlib,snappy,ndlz,zfp,zstd,filters",
    "indexing,export",
    "arrow,bytes,defmt,derive,embedded-io,embedded-sdmmc,embedded-storage-async,expression,half,memmap2,ndarray,num-complex,object_store,object_store_013,rayon,serde",
];
/// It enables no others.
const ALONE: &str = "benchmarks";
/// Features of the command-line tool. The step *interop* compiles those with Parquet.
const TOOL: &str = "arrow,zstd-safe";

/// Features are additive: the library compiles with any two, with those of each group alone, and with all; and
/// `tests/features.rs`, written for no features, with each one that is in no group.
pub fn features(project: &Project) -> Result {
    let excluded = format!("default,nightly,{ALONE}");
    let hack = |checked: &[&str]| -> Result {
        let mut hack = command(setup::hack::program(project)?, ["hack", "check", "--package", "b2nd"]);
        hack.args(checked).args(["--exclude-features", &excluded]);
        GROUPS.iter().for_each(|group| _ = hack.args(["--group-features", group]));
        run(project, apart(&project.target, &mut hack)).map(drop)
    };
    hack(&["--lib", "--feature-powerset", "--depth", "2"])?;
    hack(&["--test", "features", "--feature-powerset", "--depth", "1"])?;
    let all = project.all_features();
    for choice in GROUPS.iter().flat_map(|group| group.split(',')).chain([ALONE, all.as_str()]) {
        let check = ["check", "--package", "b2nd", "--no-default-features", "--features", choice];
        run(project, apart(&project.target, &mut cargo(check)))?;
    }
    let tool = ["check", "--package", "b2nd-cli", "--features", TOOL];
    run(project, apart(&project.target, &mut cargo(tool))).map(drop)
}

/// All features hide what stands in for some of them.
pub fn msrv(project: &Project) -> Result {
    let version = project.rust_version()?;
    let current = ask(&mut command("rustc", ["--version"])).unwrap_or_default();
    let toolchain = if current.starts_with(&format!("rustc {version}.")) {
        None
    } else {
        Some(format!("+{}", setup::toolchain(project, version)?))
    };
    let all = project.all_features();
    let tool = ["--package", "b2nd-cli", "--features", &all];
    for choice in [&[][..], &["--no-default-features"], &tool] {
        let mut check = cargo(toolchain.as_deref());
        run(project, apart(&project.target, check.args(["check", "--package", "b2nd"])).args(choice))?;
    }
    capi::msrv(project, toolchain.as_deref())
}
