//! Takes zarrs' tests of its codec from its source, wherever Cargo has it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const FILE: &str = "src/array/codec/bytes_to_bytes/blosc.rs";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../Cargo.lock");
    let source = fs::read_to_string(zarrs().join(FILE)).expect("zarrs has this file");
    let (_, tests) = source.split_once("#[cfg(test)]\n").expect("it has tests");
    let out = env::var_os("OUT_DIR").expect("Cargo sets it");
    fs::write(Path::new(&out).join("tests.rs"), tests).expect("Cargo made the folder");
}

/// The folder with the source of zarrs.
fn zarrs() -> PathBuf {
    let cargo = env::var_os("CARGO").expect("Cargo sets it");
    let metadata = Command::new(cargo).args(["metadata", "--format-version", "1", "--offline"]).output();
    let metadata = metadata.expect("Cargo runs").stdout;
    let metadata: serde_json::Value = serde_json::from_slice(&metadata).expect("Cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("it has packages");
    let zarrs = packages.iter().find(|package| package["name"] == "zarrs").expect("zarrs is one");
    let manifest = zarrs["manifest_path"].as_str().expect("it has a manifest");
    Path::new(manifest).parent().expect("it is in a folder").to_owned()
}
