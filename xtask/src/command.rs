//! Commands of other programs, and their answers.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

/// `cargo` with these arguments. Uses the one in PATH, since only rustup's supports `+nightly`.
pub fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    command("cargo", arguments)
}

/// Lets a `cargo` compile to a folder of its own. Steps of another queue, which run meanwhile, lock the usual one.
pub fn apart<'c>(target: &Path, cargo: &'c mut Command) -> &'c mut Command {
    cargo.env("CARGO_TARGET_DIR", target.join("checks"))
}

/// Lets a `cargo` that only checks waste no time on libraries of C, which build scripts compile.
pub fn unoptimized(cargo: &mut Command) -> &mut Command {
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
}

/// A `cargo` for another workspace, which compiles to a folder of its own.
pub fn workspace(manifest: &str, target: &Path, arguments: &[&str]) -> Command {
    let mut command = cargo([arguments[0], "--manifest-path", manifest]);
    command.args(&arguments[1..]).env("CARGO_TARGET_DIR", target);
    command
}

pub fn command<S: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    arguments: impl IntoIterator<Item = S>,
) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// Runs a command silently. Returns its output, or `None` if it is missing or fails.
pub fn ask(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
