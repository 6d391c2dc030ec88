//! A cargo that can build for another target.

use std::env;
use std::path::Path;
use std::process::Command;

use super::{distribution, multivalue, rustup, wasm};
use crate::failure::{About, Failure, Result};
use crate::process;
use crate::project::Project;

pub const WASM: &str = "wasm32-unknown-unknown";
pub const CORTEX_M: &str = "thumbv7em-none-eabihf";
pub const CORTEX_M0: &str = "thumbv6m-none-eabi";
pub const RISCV: &str = "riscv32imc-unknown-none-elf";
pub const ARM64: &str = "aarch64-unknown-linux-gnu";
pub const X86_64: &str = "x86_64-unknown-linux-gnu";

/// Whose compiler builds for a target.
enum Compiler {
    Rustup,
    Distribution,
}

/// `cargo SUBCOMMAND --target TARGET` for code that needs `core` and `alloc`: rustup's, else the distribution's.
pub fn cargo(project: &Project, subcommand: &str, target: &str) -> Result<Command> {
    let arguments = [subcommand, "--target", target];
    Ok(match compiler(project, target)? {
        Compiler::Rustup => process::cargo(arguments),
        Compiler::Distribution => {
            let program = Path::new(distribution::PROGRAMS).join("cargo");
            let mut cargo = process::command(program, arguments);
            distribution::lend(cargo.arg(distribution::building("core,alloc")));
            cargo
        }
    })
}

/// `wasm-pack build ARGUMENTS` with what makes the smallest module: a nightly compiler, which leaves out what panics
/// would say and returns values in pairs; else with either of them.
pub fn wasm_pack(project: &Project, arguments: &[&str], flags: &str) -> Result<Command> {
    wasm::bindgen_and_pack(project)?;
    let mut pack = process::command(wasm::tool(project, "wasm-pack"), ["build"]);
    // Unless forced, it asks for targets as rustup has them.
    pack.args(arguments).args(["--mode", "force", "--"]).env("RUSTFLAGS", flags);
    let mut path = vec![wasm::tools(project)];
    if let Ok(nightly) = rustup::nightly_with_source(project) {
        pack.arg(distribution::building("core,alloc"));
        pack.args(["--config", "unstable.panic-immediate-abort=true"]);
        pack.args(["--config", "profile.web.panic='immediate-abort'"]);
        let mut flags = format!("{flags} -Zlocation-detail=none -Zshare-generics=no");
        if let Some(target) = multivalue::target(project, &nightly) {
            pack.arg("-Zjson-target-spec").arg("--target").arg(target);
            flags = format!("{flags} {}", multivalue::FLAGS);
        }
        pack.env("RUSTUP_TOOLCHAIN", nightly).env("RUSTFLAGS", flags);
    } else if let Compiler::Distribution = compiler(project, WASM)? {
        path.push(distribution::PROGRAMS.into());
        distribution::lend(pack.arg(distribution::building("std,panic_abort")));
    }
    path.extend(env::var_os("PATH").iter().flat_map(env::split_paths));
    pack.env("PATH", env::join_paths(path).map_err(std::io::Error::other).about("PATH")?);
    Ok(pack)
}

fn compiler(project: &Project, target: &str) -> Result<Compiler> {
    let Err(no_rustup) = rustup::target(project, target) else { return Ok(Compiler::Rustup) };
    distribution::install(project).map(|()| Compiler::Distribution).map_err(|failure| Failure {
        sentence: format!("{}, or, on Debian, `{}` does", no_rustup.sentence, distribution::INSTALL),
        output: no_rustup.output + &failure.output,
    })
}
