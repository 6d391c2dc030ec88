//! Child processes. They run in the project's root, unless they have a directory, with standard input closed. Their output is kept for error messages.

use std::ffi::OsStr;
use std::io::{Read, Write, pipe, stderr};
use std::process::{Command, Stdio};

use crate::console;
use crate::failure::{About, Failure, Result};
use crate::project::Project;

/// `cargo` with these arguments. Uses the one in PATH, since only rustup's supports `+nightly`.
pub fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    command("cargo", arguments)
}

pub fn command<S: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    arguments: impl IntoIterator<Item = S>,
) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// Runs a command as a step. Returns its output.
pub fn run(project: &Project, command: &mut Command) -> Result<String> {
    let line = describe(project, command);
    run_as(project, &line, command)
}

/// The same for a command that is too long to be shown.
pub fn run_as(project: &Project, line: &str, command: &mut Command) -> Result<String> {
    console::step(line, || {
        let (success, output) = finish(project, command)?;
        if success { Ok(output) } else { Err(Failure { sentence: format!("`{line}` failed"), output }) }
    })
}

/// Runs a command silently. Returns its output, or `None` if it is missing or fails.
pub fn ask(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a command with its output on the terminal.
pub fn show(project: &Project, command: &mut Command) -> Result {
    let line = describe(project, command);
    println!("\n$ {line}");
    let status = command.current_dir(&project.root).stdin(Stdio::null()).status().about(&line)?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("`{line}` failed"))) }
}

fn finish(project: &Project, command: &mut Command) -> Result<(bool, String)> {
    let name = command.get_program().display().to_string();
    let (reader, writer) = pipe().about("pipe")?;
    let copy = writer.try_clone().about("pipe")?;
    if command.get_current_dir().is_none() {
        command.current_dir(&project.root);
    }
    command.stdin(Stdio::null()).stdout(copy).stderr(writer);
    let mut child = command.spawn().about(&name)?;
    // The command owns the write ends of the pipe. Reading does not end until it is dropped.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let output = collect(reader, project.verbose).about(&name)?;
    Ok((child.wait().about(&name)?.success(), output))
}

fn collect(mut reader: impl Read, echo: bool) -> std::io::Result<String> {
    let mut output = Vec::new();
    let mut part = [0; 4096];
    loop {
        match reader.read(&mut part)? {
            0 => return Ok(String::from_utf8_lossy(&output).into_owned()),
            read => {
                output.extend_from_slice(&part[..read]);
                if echo {
                    stderr().write_all(&part[..read])?;
                }
            }
        }
    }
}

/// The command line, as typed in the project's root.
fn describe(project: &Project, command: &Command) -> String {
    // These are omitted, since they are longer than the rest.
    let set = command.get_envs().filter(|(key, _)| *key != "PATH" && *key != "LD_LIBRARY_PATH");
    let set = set.filter_map(|(key, value)| Some((key, value?)));
    let set = set.map(|(key, value)| format!("{}={}", key.display(), quote(value)));
    let words = core::iter::once(command.get_program()).chain(command.get_args()).map(quote);
    let line: Vec<String> = set.chain(words).collect();
    line.join(" ").replace(&format!("{}{}", project.root.display(), std::path::MAIN_SEPARATOR), "")
}

fn quote(word: &OsStr) -> String {
    let word = word.display().to_string();
    if word.is_empty() || word.contains([' ', '"', '\'', '*', '>', '&']) { format!("'{word}'") } else { word }
}
