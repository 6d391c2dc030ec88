//! The memory of the machine that QEMU plays.

use std::path::PathBuf;
use std::{env, fs};

/// Flash, RAM, in KiB, both where Cortex-M has them.
fn memory(target: &str) -> (u32, u32) {
    // The micro:bit, and a board for FPGAs with as much of both as one likes: what is measured runs there.
    let large = env::var_os("B2ND_LARGE").is_some() || !target.starts_with("thumbv6m");
    if large { (4096, 4096) } else { (256, 16) }
}

fn main() {
    let (flash, ram) = memory(&env::var("TARGET").expect("cargo sets it"));
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let script = format!(
        "MEMORY {{ FLASH : ORIGIN = 0x00000000, LENGTH = {flash}K\n RAM : ORIGIN = 0x20000000, LENGTH = {ram}K }}\n"
    );
    fs::write(folder.join("memory.x"), script).expect("a folder to write to");
    println!("cargo:rustc-link-search={}", folder.display());
    println!("cargo:rustc-link-arg-bins=-Tlink.x");
    println!("cargo:rustc-link-arg-bins=--nmagic");
    if env::var_os("CARGO_FEATURE_DEFMT").is_some() {
        // Where defmt keeps its texts.
        println!("cargo:rustc-link-arg-bins=-Tdefmt.x");
    }
    // Which of the images `measure` reads, or like which `logging` writes.
    let image = env::var("B2ND_IMAGE").unwrap_or_else(|_| "lz4".into());
    println!("cargo:rustc-env=IMAGE={image}");
    println!("cargo:rustc-check-cfg=cfg(blosclz)");
    if image == "blosclz" {
        println!("cargo:rustc-cfg=blosclz");
    }
    println!("cargo:rerun-if-env-changed=B2ND_IMAGE");
    println!("cargo:rerun-if-env-changed=B2ND_LARGE");
    println!("cargo:rerun-if-changed=build.rs");
}
