//! `.github/install.sh` installs what a release has, and nothing else. A script in the place of `curl` serves the release from a
//! folder, and `uname` names a system with a binary.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const INSTALLER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../.github/install.sh");
const NAME: &str = "b2nd-1.2.3-x86_64-unknown-linux-musl";

/// A folder with a release and scripts, removed at the end.
struct Release(PathBuf);

impl Release {
    fn new(test: &str) -> Self {
        let home = std::env::temp_dir().join(format!("b2nd-installer-{test}-{}", std::process::id()));
        for folder in ["bin", "release", "user", NAME] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        script(&home.join(NAME).join("b2nd"), "echo installed");
        run(&home, "tar", &["-czf", &format!("release/{NAME}.tar.gz"), NAME]);
        let served =
            "case $2 in *releases/latest/download/*|*releases/download/v1.2.3/*) ;; *) exit 22 ;; esac";
        script(&home.join("bin/curl"), &format!("{served}\ncp \"{}/release/${{2##*/}}\" .", home.display()));
        script(&home.join("bin/uname"), "case $1 in -s) echo Linux ;; *) echo x86_64 ;; esac");
        let release = Self(home);
        release.sum(&format!("{NAME}.tar.gz"));
        release
    }

    /// Writes the list of checksums, of this file of the release.
    fn sum(&self, file: &str) {
        let folder = self.0.join("release");
        let sums = "sha256sum \"$1\" 2>/dev/null || shasum -a 256 \"$1\"";
        let list = run(&folder, "sh", &["-c", sums, "sh", file]);
        assert!(list.status.success());
        fs::write(folder.join("SHA256SUMS"), list.stdout).unwrap();
    }

    fn install(&self, arguments: &[&str]) -> Output {
        let path = format!("{}:{}", self.0.join("bin").display(), std::env::var("PATH").unwrap());
        let mut sh = Command::new("sh");
        sh.arg(INSTALLER).args(arguments).env("PATH", path).env("HOME", self.0.join("user"));
        sh.current_dir(self.0.join("user")).output().unwrap()
    }

    /// Whether an installation fails with this sentence and leaves no program.
    fn refuses(&self, sentence: &str) {
        let output = self.install(&["1.2.3"]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(sentence), "{error}");
        assert!(!self.0.join("user/.local/bin/b2nd").exists());
    }
}

impl Drop for Release {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn a_version_and_the_latest_are_installed() {
    let release = Release::new("install");
    for (arguments, place) in
        [(&[] as &[&str], "user/.local/bin/b2nd"), (&["1.2.3", "elsewhere/bin"], "user/elsewhere/bin/b2nd")]
    {
        let output = release.install(arguments);
        assert!(output.status.success(), "{output:?}");
        let program = release.0.join(place);
        assert!(program.exists(), "{place}");
        assert_eq!(run(&release.0, program.to_str().unwrap(), &[]).stdout, b"installed\n");
    }
}

#[test]
fn an_archive_with_another_checksum_is_not_installed() {
    let release = Release::new("checksum");
    let archive = release.0.join("release").join(format!("{NAME}.tar.gz"));
    let mut bytes = fs::read(&archive).unwrap();
    bytes.push(0);
    fs::write(archive, bytes).unwrap();
    release.refuses("another checksum");
}

#[test]
fn what_a_release_lacks_is_named() {
    let release = Release::new("lacks");
    fs::rename(
        release.0.join("release").join(format!("{NAME}.tar.gz")),
        release.0.join("release/b2nd-1.2.3-x86_64-apple-darwin.tar.gz"),
    )
    .unwrap();
    release.refuses("out of reach");
    release.sum("b2nd-1.2.3-x86_64-apple-darwin.tar.gz");
    release.refuses("no binary for x86_64-unknown-linux-musl");
}
