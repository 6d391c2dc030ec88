//! Builds each kind of artifacts.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::{Build, staged};
use crate::build;
use crate::command::{cargo, command};
use crate::error::{About, Error, Result};
use crate::process::run;
use crate::project::Project;
use crate::release::CRATES;
use crate::setup::{self, musl, python};

/// The documents beside the tool.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];
/// The packages whose components are listed, and their lists.
const SBOMS: [(&str, &str); 2] = [("cli", "b2nd-sbom.json"), ("python", "b2nd-python-sbom.json")];

impl Build {
    /// The crates as `cargo publish` uploads them.
    pub(super) fn crates(&self, project: &Project) -> Result {
        let packages = CRATES.iter().flat_map(|name| ["--package", name]);
        run(project, cargo(["package", "--no-verify", "--locked"]).args(packages))?;
        for name in CRATES {
            let file = format!("{name}-{}.crate", project.value("version")?);
            self.take(&project.target.join("package").join(&file), &file)?;
        }
        Ok(())
    }

    /// The npm package.
    pub(super) fn npm(&self, project: &Project) -> Result {
        setup::pinned_nightly(project)?;
        build::package(project)?;
        let mut pack = command("npm", ["pack", "--pack-destination"]);
        run(project, pack.arg(&self.out).current_dir(project.root.join("www"))).map(drop)
    }

    /// A wheel of the Python package for this system, which `pip` installs here.
    pub(super) fn wheel(&self, project: &Project) -> Result {
        let python = python::with_maturin(project)?;
        let mut maturin = command(python, ["-m", "maturin", "build", "--release", "--locked", "--strip"]);
        maturin.args(["--compatibility", "linux", "--target", &self.target, "--out"]).arg(&self.out);
        maturin.arg("--manifest-path").arg(staged::python(project)?.join("Cargo.toml"));
        run(project, self.anywhere(project, &mut maturin)).map(drop)
    }

    /// The command-line tool with its documents.
    pub(super) fn tool(&self, project: &Project) -> Result {
        musl::check(&self.target)?;
        setup::target(project, &self.target)?;
        let mut cargo = cargo(["build", "--profile", "dist", "--locked", "--package", "b2nd-cli"]);
        cargo.args(["--features", "parquet", "--target", &self.target]);
        run(project, self.anywhere(project, &mut cargo))?;
        let program = if self.target.contains("windows") { "b2nd.exe" } else { "b2nd" };
        let name = format!("b2nd-{}-{}", project.value("version")?, self.target);
        let folder = project.target.join("dist").join(&name);
        fs::create_dir_all(&folder).about(folder.display())?;
        let built = project.target.join(&self.target).join("dist").join(program);
        self.copy(&built, &folder.join(program))?;
        for document in DOCUMENTS {
            self.copy(&project.root.join(document), &folder.join(document))?;
        }
        // With all files named, their order is fixed.
        let files = DOCUMENTS.iter().chain([&program]).map(|file| format!("{name}/{file}"));
        let mut tar = command("tar", ["--format=ustar", "-czf"]);
        tar.arg(self.out.join(format!("{name}.tar.gz"))).arg("-C").arg(project.target.join("dist"));
        run(project, tar.args(files)).map(drop)
    }

    /// The components of the tool and of the wheel, as CycloneDX.
    pub(super) fn sbom(&self, project: &Project) -> Result {
        SBOMS.iter().try_for_each(|(folder, list)| self.components(project, folder, list))
    }

    fn components(&self, project: &Project, folder: &str, name: &str) -> Result {
        let program = setup::cyclonedx::program(project)?;
        let mut list = command(
            program,
            ["cyclonedx", "--format", "json", "--override-filename", name.trim_end_matches(".json")],
        );
        list.arg("--manifest-path").arg(project.root.join(folder).join("Cargo.toml"));
        run(project, list.env("SOURCE_DATE_EPOCH", self.epoch.to_string()))?;
        let made = project.root.join(folder).join(name);
        let text = fs::read_to_string(&made).about(made.display())?;
        // Packages of the workspace are named by their paths.
        let text = text.replace(&format!("file://{}", project.root.display()), "file:///b2nd");
        fs::write(self.out.join(name), text).about(name)?;
        // It makes lists for all packages of the workspace, in their folders.
        let entries = fs::read_dir(&project.root).about(project.root.display())?;
        let mut folders = entries
            .map(|entry| Ok(entry.about(project.root.display())?.path()))
            .collect::<Result<Vec<_>>>()?;
        folders.push(project.root.clone());
        for list in folders.iter().map(|folder| folder.join(name)).filter(|list| list.exists()) {
            fs::remove_file(&list).about(list.display())?;
        }
        Ok(())
    }

    /// Keeps the time, and the folders of the project and of dependencies, out of what a command builds.
    fn anywhere<'c>(&self, project: &Project, command: &'c mut Command) -> &'c mut Command {
        let flags = setup::remapped(project);
        command.env("RUSTFLAGS", flags).env("SOURCE_DATE_EPOCH", self.epoch.to_string())
    }

    fn take(&self, file: &Path, name: &str) -> Result {
        fs::copy(file, self.out.join(name)).about(file.display()).map(drop)
    }

    /// Copies a file with the time of the commit.
    fn copy(&self, from: &Path, to: &Path) -> Result {
        fs::copy(from, to).about(from.display())?;
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(self.epoch);
        let file = fs::File::options().write(true).open(to).about(to.display())?;
        file.set_modified(time).map_err(|error| Error::new(format!("{}: {error}", to.display())))
    }
}
