//! The command-line tool, as a script runs it.

#![allow(dead_code, reason = "each test uses a part of it")]

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub(crate) fn golden(name: &str) -> PathBuf {
    super::manifest::folder().join(name)
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_b2nd"));
    command.args(arguments);
    command
}

pub(crate) fn b2nd(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the tool runs")
}

/// The tool with these bytes as its standard input.
pub(crate) fn piped(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut tool = command.spawn().expect("the tool runs");
    // It may fail before it has read all of its input.
    let mut pipe = tool.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        scope.spawn(move || pipe.write_all(input));
        tool.wait_with_output().expect("an end")
    })
}

/// A folder for one test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("b2nd-cli-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn status(arguments: &[&str]) -> i32 {
    b2nd(arguments).status.code().expect("an exit status")
}

pub(crate) fn json(arguments: &[&str]) -> Value {
    let output = b2nd(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

pub(crate) fn path(name: &str) -> String {
    golden(name).to_str().expect("a path in UTF-8").to_owned()
}

/// Runs the tool, which must succeed.
pub(crate) fn done(arguments: &[&str]) -> Vec<u8> {
    let output = b2nd(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Runs the tool with standard input.
pub(crate) fn done_with(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let output = piped(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The message of the tool, which fails with this status.
pub(crate) fn refused(arguments: &[&str], expected: i32) -> String {
    let output = b2nd(arguments);
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(expected), "{arguments:?}: {text}");
    text
}

pub(crate) fn raw(path: &str) -> Vec<u8> {
    done(&["get", path, "-f", "raw"])
}

/// 16-bit numbers.
pub(crate) fn numbers(range: core::ops::Range<u16>) -> Vec<u8> {
    range.flat_map(u16::to_le_bytes).collect()
}

/// The names in a folder.
pub(crate) fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(&folder.0).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().display().to_string()).collect();
    names.sort();
    names
}
