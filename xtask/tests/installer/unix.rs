//! `install.sh`. A script in the place of `curl` serves the release, and `uname` names a system with a binary.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

const INSTALLER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../.github/install.sh");
pub(crate) const TARGET: &str = "x86_64-unknown-linux-musl";
pub(crate) const PROGRAM: &str = "b2nd";
pub(crate) const FOLDER: &str = ".local/bin";

/// Writes the program of the release, and the stand-ins.
pub(crate) fn prepare(home: &Path, program: &Path) {
    script(program, "echo installed");
    fs::create_dir_all(home.join("bin")).unwrap();
    let served = "case $2 in *releases/latest/download/*|*releases/download/v1.2.3/*) ;; *) exit 22 ;; esac";
    script(&home.join("bin/curl"), &format!("{served}\ncp \"{}/release/${{2##*/}}\" .", home.display()));
    script(&home.join("bin/uname"), "case $1 in -s) echo Linux ;; *) echo x86_64 ;; esac");
}

pub(crate) fn checksum(file: &Path) -> String {
    let sum = "sha256sum \"$1\" 2>/dev/null || shasum -a 256 \"$1\"";
    let output = Command::new("sh").args(["-c", sum, "sh"]).arg(file).output().unwrap();
    String::from_utf8(output.stdout).unwrap().split(' ').next().unwrap().to_owned()
}

pub(crate) fn installer(home: &Path, arguments: &[&str]) -> Command {
    let path = format!("{}:{}", home.join("bin").display(), std::env::var("PATH").unwrap());
    let mut sh = Command::new("sh");
    sh.arg(INSTALLER).args(arguments).env("PATH", path).env("HOME", home.join("user"));
    sh
}

/// The output of the installed program.
pub(crate) fn content(program: &Path) -> String {
    let output = Command::new(program).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}
