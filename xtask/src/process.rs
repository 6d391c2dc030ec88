//! Child processes. They run in the project's root, unless they have a directory, with standard input closed. Their output is kept for error messages.

use std::ffi::OsStr;
use std::io::{Read, Write, pipe, stderr};
use std::process::{Command, Stdio};
use std::time::Duration;

use wait4::Wait4;

use crate::console;
use crate::error::{About, Error, Result};
use crate::failures;
use crate::project::Project;

/// The longest line of a step, in characters: it fits a terminal, beside the time.
const MAX_LINE: usize = 68;

/// Runs a command as a step, which is shown as its command line, or the start of a long one. Returns its output.
pub fn run(project: &Project, command: &mut Command) -> Result<String> {
    let label = start(&describe(project, command, Environment::Without));
    run_as(project, &label, command)
}

/// Runs a command as a step with a name, for one whose command line tells a reader too little. Returns its output.
pub fn run_as(project: &Project, label: &str, command: &mut Command) -> Result<String> {
    let line = describe(project, command, Environment::With);
    if project.verbose {
        eprintln!("$ {line}");
    }
    console::step(label, || {
        let (success, output, processor) = finish(project, command)?;
        let error = || Error {
            sentence: format!("`{label}` failed{}", failures::named(&output)),
            output: format!("$ {line}\n{output}"),
        };
        if success { Ok((output, Some(processor))) } else { Err(error()) }
    })
}

/// Runs a command with its output on the terminal.
pub fn show(project: &Project, command: &mut Command) -> Result {
    let line = describe(project, command, Environment::With);
    println!("\n$ {line}");
    let status = command.current_dir(&project.root).stdin(Stdio::null()).status().about(&line)?;
    if status.success() { Ok(()) } else { Err(Error::new(format!("`{line}` failed"))) }
}

/// Returns whether the command succeeds, its output, and the processor time that it and its children take.
fn finish(project: &Project, command: &mut Command) -> Result<(bool, String, Duration)> {
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
    let ended = child.wait4().about(&name)?;
    Ok((ended.status.success(), output, ended.rusage.utime + ended.rusage.stime))
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

/// Whether a command line has the variables that the command sets.
#[derive(PartialEq)]
enum Environment {
    With,
    Without,
}

/// The command line, as typed in the project's root.
fn describe(project: &Project, command: &Command, environment: Environment) -> String {
    // These are omitted, since they are longer than the rest.
    let set = command.get_envs().filter(|(key, _)| *key != "PATH" && *key != "LD_LIBRARY_PATH");
    let set = set.filter(|_| environment == Environment::With);
    let set = set.filter_map(|(key, value)| Some((key, value?)));
    let set = set.map(|(key, value)| format!("{}={}", key.display(), quote(value)));
    let words = core::iter::once(command.get_program()).chain(command.get_args()).map(quote);
    let line: Vec<String> = set.chain(words).collect();
    line.join(" ").replace(&format!("{}{}", project.root.display(), std::path::MAIN_SEPARATOR), "")
}

/// As many words of a line as a step shows.
fn start(line: &str) -> String {
    if line.chars().count() <= MAX_LINE {
        return line.to_owned();
    }
    let mut start = String::new();
    for word in line.split(' ') {
        if start.chars().count() + word.chars().count() > MAX_LINE - 2 {
            break;
        }
        start = start + word + " ";
    }
    start + "…"
}

fn quote(word: &OsStr) -> String {
    let word = word.display().to_string();
    if word.is_empty() || word.contains([' ', '"', '\'', '*', '>', '&']) { format!("'{word}'") } else { word }
}

#[cfg(test)]
mod tests {
    use super::{Environment, MAX_LINE, describe, start};
    use crate::command::command;
    use crate::project::Project;

    #[test]
    fn a_step_is_one_line_of_a_terminal() {
        assert_eq!(start("cargo fmt --all --check"), "cargo fmt --all --check");
        let long = "node --test ".to_owned() + &"www/test/reading.test.mjs ".repeat(20);
        assert_eq!(start(&long), "node --test www/test/reading.test.mjs www/test/reading.test.mjs …");
        assert_eq!(start(&"ü".repeat(MAX_LINE + 1)), "…");
    }

    #[test]
    fn a_whole_line_can_be_typed() {
        let project = Project::open(false).unwrap();
        let mut node = command("node", [project.root.join("www").join("a b.mjs")]);
        node.env("A", "1 2").env("PATH", "/bin");
        let line = |environment| describe(&project, &node, environment);
        assert_eq!(line(Environment::With), "A='1 2' node 'www/a b.mjs'");
        assert_eq!(line(Environment::Without), "node 'www/a b.mjs'");
    }
}
