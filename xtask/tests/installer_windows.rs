//! `.github/install.ps1` installs what a release has, and nothing else. A function in the place of `Invoke-WebRequest` serves the
//! release from a folder.
#![cfg(windows)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const INSTALLER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../.github/install.ps1");
const NAME: &str = "b2nd-1.2.3-x86_64-pc-windows-msvc";
/// Serves `release` in the current folder, under the addresses of a version and of the latest.
const SERVED: &str = "$global:served = Join-Path (Get-Location) 'release'
function Invoke-WebRequest([switch]$UseBasicParsing, $Uri, $OutFile) {
    if ($Uri -notmatch '/releases/(latest/download|download/v1\\.2\\.3)/([^/]+)$') { throw 'not found' }
    Copy-Item -LiteralPath (Join-Path $global:served $Matches[2]) -Destination $OutFile -ErrorAction Stop
}
";

/// A folder with a release, removed at the end.
struct Release(PathBuf);

impl Release {
    fn new(test: &str) -> Self {
        let home = std::env::temp_dir().join(format!("b2nd-installer-{test}-{}", std::process::id()));
        for folder in ["release", NAME] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        fs::write(home.join(NAME).join("b2nd.exe"), "installed").unwrap();
        let release = Self(home);
        let archive = format!("release/{NAME}.tar.gz");
        assert!(release.run("tar", &["-czf", &archive, NAME]).status.success());
        release.sum(NAME);
        release
    }

    /// Writes the list of checksums: the sum of the archive that is there, under this name.
    fn sum(&self, name: &str) {
        let hash = format!("(Get-FileHash -Algorithm SHA256 release/{NAME}.tar.gz).Hash.ToLower()");
        let output = self.run("powershell", &["-NoProfile", "-Command", &hash]);
        let sum = String::from_utf8(output.stdout).unwrap();
        fs::write(self.0.join("release/SHA256SUMS"), format!("{}  {name}.tar.gz\n", sum.trim())).unwrap();
    }

    fn install(&self, arguments: &str) -> Output {
        let script = format!("{SERVED}& '{INSTALLER}' {arguments}");
        self.run("powershell", &["-NoProfile", "-ExecutionPolicy", "Bypass", "-Command", &script])
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.0).env("LOCALAPPDATA", self.0.join("user"));
        command.output().unwrap()
    }

    /// Whether an installation fails with this sentence and leaves no program.
    fn refuses(&self, sentence: &str) {
        let output = self.install("1.2.3");
        let error = String::from_utf8_lossy(&output.stderr).replace(['\r', '\n'], "");
        assert!(!output.status.success() && error.contains(sentence), "{error}");
        assert!(!self.program("user/Programs/b2nd").exists());
    }

    fn program(&self, folder: &str) -> PathBuf {
        self.0.join(folder).join("b2nd.exe")
    }
}

impl Drop for Release {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn a_version_and_the_latest_are_installed() {
    let release = Release::new("install");
    for (arguments, folder) in [("", "user/Programs/b2nd"), ("1.2.3 elsewhere/bin", "elsewhere/bin")] {
        let output = release.install(arguments);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(text(&release.program(folder)), "installed", "{output:?}");
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
    release.sum("b2nd-1.2.3-x86_64-apple-darwin");
    release.refuses("no binary for x86_64-pc-windows-msvc");
    release.sum(NAME);
    fs::remove_file(release.0.join("release").join(format!("{NAME}.tar.gz"))).unwrap();
    release.refuses("out of reach");
}
