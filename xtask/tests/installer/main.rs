//! The installers of `.github` install what a release has, and nothing else. A stand-in for what downloads serves the release from a
//! folder.

#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use system::{FOLDER, PROGRAM, TARGET};

/// The archive of a release for a target, without its ending.
fn name(target: &str) -> String {
    format!("b2nd-1.2.3-{target}")
}

/// A folder with a release, removed at the end.
struct Release(PathBuf);

impl Release {
    fn new(test: &str) -> Self {
        let home = std::env::temp_dir().join(format!("b2nd-installer-{test}-{}", std::process::id()));
        let unpacked = name(TARGET);
        for folder in ["release", "user", &unpacked] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        system::prepare(&home, &home.join(&unpacked).join(PROGRAM));
        let release = Self(home);
        let archive = format!("release/{unpacked}.tar.gz");
        let tar = Command::new("tar").args(["-czf", &archive, &unpacked]).current_dir(&release.0).status();
        assert!(tar.unwrap().success());
        release.list(TARGET);
        release
    }

    fn archive(&self, target: &str) -> PathBuf {
        self.0.join("release").join(format!("{}.tar.gz", name(target)))
    }

    /// Writes the list of checksums, of the archive for this target.
    fn list(&self, target: &str) {
        let archive = self.archive(target);
        let line = format!("{}  {}.tar.gz\n", system::checksum(&archive), name(target));
        fs::write(self.0.join("release/SHA256SUMS"), line).unwrap();
    }

    fn install(&self, arguments: &[&str]) -> Output {
        system::installer(&self.0, arguments).current_dir(self.0.join("user")).output().unwrap()
    }

    fn program(&self, folder: &str) -> PathBuf {
        self.0.join("user").join(folder).join(PROGRAM)
    }

    /// Whether an installation fails with this sentence.
    fn fails(&self, sentence: &str) {
        let output = self.install(&["1.2.3"]);
        // PowerShell breaks long lines.
        let error = String::from_utf8_lossy(&output.stderr).replace(['\r', '\n'], "");
        assert!(!output.status.success() && error.contains(sentence), "{error}");
    }

    /// Whether an installation fails with this sentence and leaves no program.
    fn refuses(&self, sentence: &str) {
        self.fails(sentence);
        assert!(!self.program(FOLDER).exists());
    }
}

impl Drop for Release {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_version_and_the_latest_are_installed() {
    let release = Release::new("install");
    for (arguments, folder) in [(&[] as &[&str], FOLDER), (&["1.2.3", "elsewhere/bin"], "elsewhere/bin")] {
        let output = release.install(arguments);
        assert!(output.status.success(), "{output:?}");
        let program = release.program(folder);
        assert!(program.exists(), "{folder}");
        assert_eq!(system::content(&program), "installed");
    }
}

#[test]
fn an_earlier_program_is_replaced() {
    let release = Release::new("again");
    let program = release.program(FOLDER);
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::write(&program, "an earlier one").unwrap();
    assert!(release.install(&[]).status.success());
    assert_eq!(system::content(&program), "installed");
}

#[test]
fn a_directory_in_the_place_of_the_program_stays() {
    let release = Release::new("directory");
    let folder = release.program(FOLDER);
    fs::create_dir_all(&folder).unwrap();
    release.fails("is not a file");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn an_archive_with_another_checksum_is_not_installed() {
    let release = Release::new("checksum");
    let archive = release.archive(TARGET);
    let mut bytes = fs::read(&archive).unwrap();
    bytes.push(0);
    fs::write(archive, bytes).unwrap();
    release.refuses("another checksum");
}

#[test]
fn what_a_release_lacks_is_named() {
    let release = Release::new("lacks");
    let other = "riscv64gc-unknown-linux-gnu";
    fs::rename(release.archive(TARGET), release.archive(other)).unwrap();
    release.refuses("out of reach");
    release.list(other);
    release.refuses(&format!("no binary for {TARGET}"));
}

#[test]
fn archives_are_not_sought_in_other_folders() {
    let release = Release::new("folders");
    let line = format!("{}  b2nd-/../{}.tar.gz\n", "0".repeat(64), name(TARGET));
    fs::write(release.0.join("release/SHA256SUMS"), line).unwrap();
    release.refuses(&format!("no binary for {TARGET}"));
}
