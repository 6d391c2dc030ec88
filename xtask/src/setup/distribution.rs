//! The distribution's compiler, for targets that rustup cannot install. It has no libraries for them, but has their
//! source, and compiles it together with the program.

use std::path::PathBuf;
use std::process::Command;

use super::debian;
use crate::command;
use crate::error::Result;
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
        let mut command = command::command(self.programs.join("cargo"), arguments);
        command.env("RUSTC", self.programs.join("rustc")).env("RUSTDOC", self.programs.join("rustdoc"));
        // Building the standard library is unstable.
        command.env("RUSTC_BOOTSTRAP", "1");
        if let Some(linker) = linker(arguments[2]) {
            let name = arguments[2].to_uppercase().replace('-', "_");
            command.env(format!("CARGO_TARGET_{name}_LINKER"), self.programs.join(linker));
        }
        // cargo puts the libraries of its own compiler first in this process's path.
        command.env("LD_LIBRARY_PATH", &self.libraries).env_remove("RUSTUP_TOOLCHAIN");
        command.arg(building("core,alloc"));
        command
    }
}

/// The linker for a target without an operating system: rustup's compiler comes with one, this one does not.
fn linker(target: &str) -> Option<&'static str> {
    if target.starts_with("wasm32-") {
        return Some("wasm-ld-22");
    }
    target.contains("-none-").then_some("ld.lld-22")
}

/// The option that compiles these crates of the standard library with the program.
pub fn building(libraries: &str) -> String {
    format!("-Zbuild-std={libraries}")
}

#[cfg(test)]
mod tests {
    use super::linker;
    use crate::setup::targets::{ARM64, CORTEX_M, CORTEX_M0, RISCV, WASM, X86_64};

    #[test]
    fn targets_without_a_system_have_a_linker() {
        assert_eq!(linker(WASM), Some("wasm-ld-22"));
        assert!([CORTEX_M, CORTEX_M0, RISCV].iter().all(|target| linker(target) == Some("ld.lld-22")));
        assert_eq!((linker(ARM64), linker(X86_64)), (None, None));
    }
}
