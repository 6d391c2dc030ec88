//! cargo for other targets.

use std::process::Command;

use super::{distribution, rustup};
use crate::command;
use crate::error::{Error, Result};
use crate::project::Project;

pub const WASM: &str = "wasm32-unknown-unknown";
pub const WASI: &str = "wasm32-wasip1";
pub const CORTEX_M: &str = "thumbv7em-none-eabihf";
pub const CORTEX_M0: &str = "thumbv6m-none-eabi";
pub const RISCV: &str = "riscv32imc-unknown-none-elf";
pub const ARM64: &str = "aarch64-unknown-linux-gnu";
pub const X86_64: &str = "x86_64-unknown-linux-gnu";

/// `cargo SUBCOMMAND --target TARGET` for code that needs `core` and `alloc`, with rustup's compiler or else the
/// distribution's.
pub fn cargo(project: &Project, subcommand: &str, target: &str) -> Result<Command> {
    let arguments = [subcommand, "--target", target];
    let Err(no_rustup) = rustup::target(project, target) else { return Ok(command::cargo(arguments)) };
    let compiler = distribution::compiler(project).map_err(|error| Error {
        sentence: format!("{}; {}", no_rustup.sentence, error.sentence),
        output: no_rustup.output + &error.output,
    })?;
    Ok(compiler.cargo(arguments))
}

/// Installs the library of the current compiler for WebAssembly if needed.
pub fn add_wasm(project: &Project) -> Result {
    rustup::target(project, WASM)
}

/// `cargo build` for programs of WASI, with rustup's compiler: it has the C library of the target.
pub fn wasi(project: &Project) -> Result<Command> {
    rustup::target(project, WASI)?;
    Ok(command::cargo(["build", "--target", WASI]))
}

/// `cargo build` for the smallest module, and cargo's directory name for the target. Uses the nightly compiler if rustup has it
/// or gets it: it builds the standard library for size and without panic messages. Of b2nd.wasm this saves 9 % by gzip,
/// 6 300 of 69 200 bytes; tests pass without it but for those of sizes. LLVM's ABI `experimental-mv`, which returns pairs of values directly, is not used although modules
/// would be smaller: LLVM 22 may read the second value before the call, so that errors are lost.
pub fn wasm(project: &Project, flags: &str) -> Result<(Command, String)> {
    let Ok(nightly) = rustup::nightly_with_source(project) else {
        let mut cargo = cargo(project, "build", WASM)?;
        cargo.env("RUSTFLAGS", flags);
        return Ok((cargo, WASM.into()));
    };
    let mut cargo = command::cargo([&format!("+{nightly}"), "build", &distribution::building("core,alloc")]);
    // Sorting and the formatting of numbers take half the code.
    cargo.arg("-Zbuild-std-features=optimize_for_size");
    cargo.args(["--config", "unstable.panic-immediate-abort=true"]);
    cargo.args(["--config", "profile.web.panic='immediate-abort'"]);
    let flags = format!("{flags} -Zlocation-detail=none -Zshare-generics=no");
    cargo.args(["--target", WASM]).env("RUSTFLAGS", flags);
    Ok((cargo, WASM.into()))
}
