//! The tool on small files that ask for much takes little memory and time.
#![cfg(unix)]

#[path = "../../../tests/common/bombs.rs"]
mod crafted;

use crate::common::tool::Folder;
use crafted::Bomb;
use std::fs;
use std::process::Command;

/// The tool on all files, as a process that gets little memory and time. It must end by itself.
#[test]
fn the_tool_takes_little() {
    let folder = Folder::new("bombs");
    for Bomb { name, bytes, members } in crafted::all() {
        let path = folder.path(name);
        fs::write(&path, bytes).expect("a file");
        let is_store = !members.is_empty();
        let mut paths = vec![path.clone()];
        paths.extend(members.iter().filter(|key| !key.is_empty()).map(|key| format!("{path}/{key}")));
        for path in &paths {
            for arguments in [&["info"][..], &["verify"], &["get"], &["get", "-f", "json"]] {
                let selection: &[&str] = if arguments.len() > 1 { &["--", path, "-2:"] } else { &[path] };
                run(&[arguments, selection].concat());
            }
        }
        if is_store {
            run(&["ls", &path]);
        }
    }
}

/// A store is opened once, whatever is done with its members.
#[test]
fn many_members_are_no_bomb() {
    let folder = Folder::new("many-members");
    let path = folder.path("many.b2z");
    fs::write(&path, crafted::many_members()).expect("a file");
    for command in ["info", "ls", "verify"] {
        run(&[command, &path]);
    }
}

/// Runs the tool with 2 GiB of addresses, of which threads and libraries reserve most, and 5 s of processor time. What it
/// should take is a tenth.
fn run(arguments: &[&str]) {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "ulimit -v 2097152 -t 5; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_b2nd")])
        .args(arguments);
    let output = shell.output().expect("the tool runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some_and(|code| code < 4), "{arguments:?}: {:?} {said}", output.status);
}
