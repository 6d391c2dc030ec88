//! The distribution's compiler, for targets that rustup cannot install. It has no libraries for them, but has their
//! source, and compiles it together with the program.

use std::path::PathBuf;
use std::process::Command;

use super::debian;
use crate::failure::Result;
use crate::process;
use crate::project::Project;

const PACKAGES: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "lld-22"];

/// Debian's compiler, unpacked.
pub struct Compiler {
    /// The directory of `cargo` and `rustc`.
    programs: PathBuf,
    libraries: String,
}

pub fn compiler(project: &Project) -> Result<Compiler> {
    let root = debian::unpack(project, "a compiler with the library's source", PACKAGES)?;
    Ok(Compiler { programs: root.path().join("usr/bin"), libraries: root.libraries()? })
}

impl Compiler {
    /// Its cargo with these arguments.
    pub fn cargo(&self, arguments: [&str; 3]) -> Command {
        let mut command = process::command(self.programs.join("cargo"), arguments);
        command.env("RUSTC", self.programs.join("rustc")).env("RUSTDOC", self.programs.join("rustdoc"));
        // Building the standard library is unstable.
        command.env("RUSTC_BOOTSTRAP", "1");
        // For WebAssembly it needs the linker that rustup's compiler comes with.
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", self.programs.join("wasm-ld-22"));
        // cargo puts the libraries of its own compiler first in this process's path.
        command.env("LD_LIBRARY_PATH", &self.libraries).env_remove("RUSTUP_TOOLCHAIN");
        command.arg(building("core,alloc"));
        command
    }
}

/// The option that compiles these crates of the standard library with the program.
pub fn building(libraries: &str) -> String {
    format!("-Zbuild-std={libraries}")
}
