//! The crate as published: its contents, the links of its README, and its examples, built only from the package.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{cargo, command};
use crate::error::{About, Error, Result};
use crate::process::run;
use crate::project::Project;

/// Non-default features that an example needs.
const FEATURES: &str = "derive,memmap2,object_store";
/// Prefixes of links to pages, pictures and directories, after the repository's address.
const PLACES: [&str; 3] = ["/blob/main/", "/raw/main/", "/tree/main/"];

pub fn package(project: &Project) -> Result {
    links(project)?;
    let packages = ["--package", "b2nd-derive", "--package", "b2nd"];
    run(project, cargo(["package", "--no-verify", "--allow-dirty"]).args(packages))?;
    let (derive, root) = (unpacked(project, "b2nd-derive")?, unpacked(project, "b2nd")?);
    contents(&root)?;
    // No registry need have it.
    let patch = format!("patch.crates-io.b2nd-derive.path={:?}", derive.display().to_string());
    for example in examples(&root)? {
        let mut cargo = cargo([
            "run",
            "--quiet",
            "--profile",
            "test",
            "--features",
            FEATURES,
            "--example",
            &example,
            "--manifest-path",
        ]);
        cargo.arg(root.join("Cargo.toml")).arg("--target-dir").arg(&project.target);
        cargo.args(["--config", &patch]);
        // No optimisation, as for dependencies in a user's debug build: the kernels must fit the stacks of threads there as
        // well. The profile of tests has most dependencies already.
        cargo.env("CARGO_PROFILE_TEST_OPT_LEVEL", "0");
        let output = run(project, &mut cargo)?;
        if output.trim().is_empty() {
            return Err(Error::new(format!("the example {example} prints nothing")));
        }
    }
    Ok(())
}

/// Unpacks a package.
fn unpacked(project: &Project, name: &str) -> Result<PathBuf> {
    let name = format!("{name}-{}", project.value("version")?);
    let folder = project.target.join("packaged");
    let root = folder.join(&name);
    if root.exists() {
        fs::remove_dir_all(&root).about(root.display())?;
    }
    fs::create_dir_all(&folder).about(folder.display())?;
    let archive = project.target.join("package").join(&name).with_added_extension("crate");
    run(project, command("tar", ["-xzf"]).arg(archive).arg("-C").arg(&folder))?;
    Ok(root)
}

/// The anchors of all headings.
fn headings(text: &str) -> impl Iterator<Item = String> + '_ {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| line.trim_start_matches(['#', ' ']).to_lowercase().replace(' ', "-"))
}

/// README.md and the page of the crate are shown outside the repository: their links are absolute, and those into the
/// repository lead to existing files. Links within them lead to headings.
fn links(project: &Project) -> Result {
    let repository = project.value("repository")?;
    for name in ["README.md", "src/lib.md"] {
        let text = fs::read_to_string(project.root.join(name)).about(name)?;
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let place = link.strip_prefix(repository);
            let file = place.and_then(|place| PLACES.iter().find_map(|kind| place.strip_prefix(kind)));
            let leads = match file {
                None if link.starts_with('#') => headings(&text).any(|heading| heading == link[1..]),
                Some(file) => project.root.join(file.split('#').next().unwrap_or(file)).exists(),
                None => place.is_none() && link.starts_with("https://"),
            };
            if !leads {
                return Err(Error::new(format!("{name}: the link {link} is broken")));
            }
        }
    }
    Ok(())
}

/// Checks that the package contains only what the manifest lists: no tests, no other package.
fn contents(root: &Path) -> Result {
    const EXPECTED: [&str; 13] = [
        ".cargo_vcs_info.json",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "Cargo.lock",
        "Cargo.toml",
        "Cargo.toml.orig",
        "LICENSE",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "SECURITY.md",
        "examples",
        "src",
    ];
    for name in names(root)? {
        if !EXPECTED.contains(&name.as_str()) {
            return Err(Error::new(format!("the package has {name}, which the manifest should leave out")));
        }
    }
    Ok(())
}

fn examples(root: &Path) -> Result<Vec<String>> {
    let mut names = names(&root.join("examples"))?;
    names.retain(|name| name.ends_with(".rs"));
    names.sort();
    Ok(names.iter().map(|name| name.trim_end_matches(".rs").to_owned()).collect())
}

fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).about(folder.display())?;
    entries.map(|entry| Ok(entry.about(folder.display())?.file_name().display().to_string())).collect()
}
