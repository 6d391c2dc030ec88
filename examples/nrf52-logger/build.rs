//! Where the program and its data go.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::copy("memory.x", folder.join("memory.x")).expect("a folder to write to");
    println!("cargo:rustc-link-search={}", folder.display());
    println!("cargo:rerun-if-changed=memory.x");
    for script in ["--nmagic", "-Tlink.x", "-Tdefmt.x"] {
        println!("cargo:rustc-link-arg-bins={script}");
    }
}
