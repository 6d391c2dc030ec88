//! Debian packages, unpacked below target/xtask/debian. Nothing is installed, root is not needed, and nothing depends on what
//! is installed: of the packages that a program needs, only the C library is the system's, since its loader starts programs.
//!
//! A package is unpacked once. All packages are of the release that the system's apt is set up for, so those of one step also
//! suit another.

mod apt;
mod index;
mod script;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};

use crate::command;
use crate::console;
use crate::error::{About, Error, Result};
use crate::project::Project;
use crate::stamp;
use apt::Package;

pub use script::Place;

/// Packages of the C library.
const SYSTEM: &[&str] = &["libc6", "libc-bin"];
/// The description of a release; absent on systems without it, which have no apt either.
const RELEASE: &str = "/etc/os-release";

/// Raised when packages are treated differently, so that older directories are made anew.
const RECIPE: u32 = 1;

/// A directory like `/`, with the unpacked packages.
pub struct Root<'a> {
    /// Where the directory, scripts and stamps are.
    home: PathBuf,
    /// The name of what is wanted of it, for error messages.
    what: &'a str,
    packages: &'a [&'a str],
}

/// Unpacks packages with everything that they need, unless that was done before. `what` is a name for them in error messages.
pub fn unpack<'a>(project: &Project, what: &'a str, packages: &'a [&'a str]) -> Result<Root<'a>> {
    let root = Root { home: project.cache("debian"), what, packages };
    root.provide(project).map_err(|error| root.explain(error))?;
    Ok(root)
}

impl Root<'_> {
    pub fn path(&self) -> PathBuf {
        self.home.join("root")
    }

    /// A script that starts an unpacked program: `path` is relative to the root.
    pub fn script(&self, path: &str, place: Place) -> Result<PathBuf> {
        let folder = self.home.join("bin");
        fs::create_dir_all(&folder).about(folder.display())?;
        script::write(&self.path(), &folder, path, place).map_err(|error| self.explain(error))
    }

    /// The value of `LD_LIBRARY_PATH` for unpacked programs.
    pub fn libraries(&self) -> Result<String> {
        tree::libraries(&self.path())
    }

    fn explain(&self, Error { sentence, output }: Error) -> Error {
        let manual = format!("on Debian, `apt-get install {}` installs it", self.packages.join(" "));
        Error { sentence: format!("{} is missing: {sentence}; {manual}", self.what), output }
    }

    fn provide(&self, project: &Project) -> Result {
        fs::create_dir_all(&self.home).about(self.home.display())?;
        // Another `cargo xtask` may be unpacking.
        let _lock = stamp::lock(&self.home.with_extension("lock"))?;
        self.start_over_elsewhere()?;
        let stamp = self.home.join("complete").join(self.packages.join("+"));
        if stamp.exists() {
            return Ok(());
        }
        self.fetch(project)?;
        tree::relink(&self.path())?;
        script::write_fonts(&self.path())?;
        // A set without libraries has no programs, either.
        if tree::architecture(&self.path()).is_ok() {
            index::write(&self.path())?;
        }
        stamp::write(&stamp, "")
    }

    /// Removes everything if it is of another recipe, release or directory: scripts contain absolute paths.
    fn start_over_elsewhere(&self) -> Result {
        let release = fs::read_to_string(RELEASE).unwrap_or_default();
        let wanted = format!("{RECIPE}\n{}\n{release}", self.home.display());
        let stamp = self.home.join("made-for.txt");
        if stamp::holds(&stamp, &wanted) {
            return Ok(());
        }
        fs::remove_dir_all(&self.home).about(self.home.display())?;
        stamp::write(&stamp, &wanted)
    }

    fn fetch(&self, project: &Project) -> Result {
        let apt = apt::Apt::new(project, &self.home.join("apt"))?;
        let mut missing = apt.resolve(self.packages)?;
        missing.retain(|package| !SYSTEM.contains(&package.name.as_str()) && !self.mark(package).exists());
        let bytes: u64 = missing.iter().map(|package| package.bytes).sum();
        let what = format!("{} from {} Debian packages, {} MB", self.what, missing.len(), bytes / 1_000_000);
        // 20 MB/s, and 50 MB of packages are unpacked in 10 s.
        console::announce(&what, &format!("{} s", 1 + bytes / (4 << 20)));
        let archives = apt.download(&missing)?;
        let label = format!("unpack {} packages", missing.len());
        console::step(&label, || {
            missing.iter().try_for_each(|package| self.extract(&archives, package))?;
            Ok(((), None))
        })?;
        fs::remove_dir_all(&archives).about(archives.display())
    }

    fn extract(&self, archives: &Path, package: &Package) -> Result {
        let archive = archives.join(&package.file);
        let mut extract = command::command("dpkg-deb", ["--extract"]);
        let extracted = command::ask(extract.arg(&archive).arg(self.path()));
        extracted.ok_or_else(|| Error::new(format!("dpkg-deb could not unpack {}", archive.display())))?;
        stamp::write(&self.mark(package), "")
    }

    /// Exists once this version of the package is unpacked.
    fn mark(&self, package: &Package) -> PathBuf {
        self.home.join("unpacked").join(&package.file)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Root;
    use crate::error::Error;

    #[test]
    fn what_was_unpacked_elsewhere_is_not_used() {
        let home = std::env::temp_dir().join(format!("b2nd-xtask-debian-{}", std::process::id()));
        let unpacked = home.join("complete").join("qemu");
        let root = Root { home: home.clone(), what: "QEMU", packages: &["qemu"] };
        fs::create_dir_all(unpacked.parent().unwrap()).unwrap();
        fs::write(&unpacked, "").unwrap();
        // Nothing says what it was made for.
        root.start_over_elsewhere().unwrap();
        assert!(!unpacked.exists());
        fs::create_dir_all(unpacked.parent().unwrap()).unwrap();
        fs::write(&unpacked, "").unwrap();
        root.start_over_elsewhere().unwrap();
        assert!(unpacked.exists());
        // As after the directory was moved.
        fs::write(home.join("made-for.txt"), "elsewhere").unwrap();
        root.start_over_elsewhere().unwrap();
        assert!(!unpacked.exists());
        fs::remove_dir_all(&home).unwrap();
    }

    #[test]
    fn a_failure_names_the_manual_command() {
        let root = Root { home: "/".into(), what: "Xvfb", packages: &["xvfb", "x"] };
        let sentence = root.explain(Error::new("no network")).sentence;
        assert_eq!(sentence, "Xvfb is missing: no network; on Debian, `apt-get install xvfb x` installs it");
    }
}
