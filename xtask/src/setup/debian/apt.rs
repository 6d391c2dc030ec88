//! apt with its own lists and an empty list of installed packages, so that it reads the system's configuration but neither
//! changes nor regards what is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::command;
use crate::error::{About, Error, Result};
use crate::process;
use crate::project::Project;

pub struct Apt<'a> {
    project: &'a Project,
    home: PathBuf,
}

/// A version of a package.
#[derive(Debug, PartialEq)]
pub struct Package {
    pub name: String,
    version: String,
    /// The archive's name.
    pub file: String,
    /// The archive's length.
    pub bytes: u64,
}

impl<'a> Apt<'a> {
    /// Fetches the lists, once: older ones name versions that no longer exist.
    pub fn new(project: &'a Project, home: &Path) -> Result<Self> {
        if command::ask(&mut command::command("apt-get", ["--version"])).is_none() {
            return Err(Error::new("this system has no apt-get"));
        }
        let apt = Self { project, home: home.into() };
        for folder in ["state/lists/partial", "cache/archives/partial"] {
            let folder = home.join(folder);
            fs::create_dir_all(&folder).about(folder.display())?;
        }
        for (name, text) in [("status", String::new()), ("apt.conf", configuration(home))] {
            let path = home.join(name);
            fs::write(&path, text).about(path.display())?;
        }
        static UPDATED: OnceLock<()> = OnceLock::new();
        // Some of the user's sources may be out of reach; what is missing then shows when packages are looked for.
        UPDATED.get_or_init(|| drop(process::run(project, &mut apt.command(["update"]))));
        Ok(apt)
    }

    /// These packages and what they need.
    pub fn resolve(&self, packages: &[&str]) -> Result<Vec<Package>> {
        let mut list = self.command(["install", "--yes", "--no-install-recommends", "--print-uris"]);
        let output = process::run(self.project, list.args(packages)).map_err(|error| Error {
            sentence: format!("apt finds no {} that can be fetched", packages.join(" ")),
            output: error.output,
        })?;
        output.lines().filter(|line| line.starts_with('\'')).map(package).collect()
    }

    /// Downloads archives, which apt verifies. Returns their directory.
    pub fn download(&self, packages: &[Package]) -> Result<PathBuf> {
        let folder = self.home.join("archives");
        // An interrupted download may have left some that are incomplete.
        if folder.exists() {
            fs::remove_dir_all(&folder).about(folder.display())?;
        }
        fs::create_dir_all(&folder).about(folder.display())?;
        if packages.is_empty() {
            return Ok(folder);
        }
        let names = packages.iter().map(|package| format!("{}={}", package.name, package.version));
        let mut download = self.command(["download"]);
        let label = format!("apt-get download, of {} packages", packages.len());
        download.args(names).current_dir(&folder);
        process::run_as(self.project, &label, &mut download).map_err(|error| Error {
            sentence: "apt could not download packages: Debian's archive must be reachable".into(),
            output: error.output,
        })?;
        Ok(folder)
    }

    fn command<const N: usize>(&self, arguments: [&str; N]) -> Command {
        let mut apt = command::command("apt-get", ["--config-file"]);
        apt.arg(self.home.join("apt.conf")).args(arguments).env("LC_ALL", "C");
        apt
    }
}

/// apt's own state is below `home`. Hooks are cleared: they act on the system's lists and archives.
fn configuration(home: &Path) -> String {
    let home = home.display();
    format!(
        "Dir::State \"{home}/state\";\nDir::State::status \"{home}/status\";\nDir::Cache \"{home}/cache\";\n\
         #clear APT::Update::Pre-Invoke;\n#clear APT::Update::Post-Invoke;\n#clear APT::Update::Post-Invoke-Success;\n"
    )
}

/// A line of `--print-uris`: the address in quotes, the archive's name, its length, and perhaps a digest.
fn package(line: &str) -> Result<Package> {
    let parse = || {
        let mut words = line.strip_prefix('\'')?.split_once("' ")?.1.split(' ');
        let (file, bytes) = (words.next()?, words.next()?.parse().ok()?);
        let (name, rest) = file.strip_suffix(".deb")?.split_once('_')?;
        let version = rest.rsplit_once('_')?.0.replace("%3a", ":").replace("%5f", "_");
        Some(Package { name: name.into(), version, file: file.into(), bytes })
    };
    parse()
        .ok_or_else(|| Error::new(format!("apt-get printed `{line}`, which is not an address of a package")))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Package, configuration, package};

    /// Its lists, its archives and what it regards as installed are its own.
    #[test]
    fn apt_neither_reads_nor_changes_what_is_installed() {
        let text = configuration(Path::new("/a b"));
        for line in [
            "Dir::State \"/a b/state\";",
            "Dir::State::status \"/a b/status\";",
            "Dir::Cache \"/a b/cache\";",
        ] {
            assert!(text.lines().any(|each| each == line), "{text}");
        }
        assert_eq!(text.lines().filter(|line| line.starts_with("#clear APT::Update::")).count(), 3);
    }

    #[test]
    fn a_line_names_an_archive() {
        let line = "'http://a.example/pool/q/qemu_7.2%2bdfsg-7_amd64.deb' \
                    qemu-system-arm_1%3a7.2+dfsg-7_amd64.deb 8909216 MD5Sum:c1f13138b89bb7eb29ee6cf93ccca204";
        let read = Package {
            name: "qemu-system-arm".into(),
            version: "1:7.2+dfsg-7".into(),
            file: "qemu-system-arm_1%3a7.2+dfsg-7_amd64.deb".into(),
            bytes: 8_909_216,
        };
        assert_eq!(package(line).unwrap(), read);
        // Sources without digests.
        assert_eq!(package("'file:/b/x_2_all.deb' x_2_all.deb 10 ").unwrap().version, "2");
    }

    #[test]
    fn other_lines_are_refused() {
        for line in [
            "'http://a.example",
            "'x' x_2_all.deb many",
            "'x' x.deb 10",
            "'x' x_2.deb 10",
            "'x' x_2_all.tar 10",
        ] {
            assert!(package(line).unwrap_err().sentence.contains(line), "{line}");
        }
    }
}
