//! The linker's scripts, and the samples.

fn main() {
    // The memory is that of the programs in tests/embedded.
    println!("cargo:rustc-link-arg-bins=-Tlink.x");
    println!("cargo:rustc-link-arg-bins=--nmagic");
    let samples = std::env::var("B2ND_SIGNALS").expect("the folder of the samples");
    println!("cargo:rustc-env=SAMPLES={samples}");
    println!("cargo:rerun-if-env-changed=B2ND_SIGNALS");
    println!("cargo:rerun-if-changed={samples}");
    println!("cargo:rerun-if-changed=build.rs");
}
