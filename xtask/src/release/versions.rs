//! The places that have the version of a release: manifests, what crates require of each other, and lock files.

use std::fs;

use serde_json::Value;

use super::CRATES;
use crate::command::{ask, command};
use crate::error::{About, Error, Result};
use crate::project::Project;

/// The manifests of all packages that are published, which have one version.
const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "derive/Cargo.toml",
    "refs/Cargo.toml",
    "cli/Cargo.toml",
    "capi/Cargo.toml",
    "python/Cargo.toml",
    "integrations/datafusion/Cargo.toml",
    "integrations/icechunk/Cargo.toml",
    "integrations/zarrs/Cargo.toml",
    "www/package.json",
    "www/jupyter/pyproject.toml",
    "www/vscode/package.json",
];
const NPM_LOCK: &str = "www/package-lock.json";

/// Checks all of them, and names those with another version in one error.
pub fn check(project: &Project, version: &str) -> Result {
    let read = |name: &str| fs::read_to_string(project.root.join(name)).about(name);
    let mut wrong = Vec::new();
    let mut note = |place: &str, found: &str| {
        if found != version {
            wrong.push(format!("{place} has version {found}"));
        }
    };
    for name in MANIFESTS {
        note(name, version_of(&read(name)?).unwrap_or("none"));
    }
    for name in tracked(project, "Cargo.toml")? {
        requirements(&read(&name)?).for_each(|(of, found)| note(&format!("{of} in {name}"), found));
    }
    for name in tracked(project, "Cargo.lock")? {
        locked(&read(&name)?).for_each(|(of, found)| note(&format!("{of} in {name}"), found));
    }
    locked_by_npm(&read(NPM_LOCK)?).iter().for_each(|found| note(NPM_LOCK, found));
    if wrong.is_empty() { Ok(()) } else { Err(Error::new(format!("not {version}: {}", wrong.join(", ")))) }
}

/// The files of the repository with this name.
fn tracked(project: &Project, name: &str) -> Result<Vec<String>> {
    let mut list = command("git", ["ls-files", "--", name, &format!("*/{name}")]);
    let files = ask(list.current_dir(&project.root))
        .ok_or_else(|| Error::new("`git ls-files` failed: releases are made of a repository"))?;
    Ok(files.lines().map(str::to_owned).collect())
}

/// The version in a manifest: the first that it has is that of the package.
fn version_of(manifest: &str) -> Option<&str> {
    manifest.lines().find_map(|line| {
        let line = line.trim();
        let value = line.strip_prefix("version = \"").or_else(|| line.strip_prefix("\"version\": \""))?;
        value.split('"').next()
    })
}

/// What a manifest requires of the published crates beside it, by name.
fn requirements(manifest: &str) -> impl Iterator<Item = (&str, &str)> {
    manifest.lines().filter_map(|line| {
        let (name, dependency) = line.split_once(" = {")?;
        let (_, version) = dependency.split_once("version = \"")?;
        let ours = CRATES.contains(&name) && dependency.contains("path = \"");
        ours.then_some((name, version.split('"').next()?))
    })
}

/// The versions that a lock file has of the published crates beside it.
fn locked(lock: &str) -> impl Iterator<Item = (&str, &str)> {
    lock.split("[[package]]").filter_map(|package| {
        let value = |key: &str| package.lines().find_map(|line| line.strip_prefix(key)?.strip_suffix('"'));
        let name = value("name = \"")?;
        let ours = CRATES.contains(&name) && value("source = \"").is_none();
        ours.then_some((name, value("version = \"")?))
    })
}

/// The versions that npm's lock file has of the package itself.
fn locked_by_npm(lock: &str) -> Vec<String> {
    let lock: Value = serde_json::from_str(lock).unwrap_or_default();
    let versions = [&lock["version"], &lock["packages"][""]["version"]];
    versions.map(|version| version.as_str().unwrap_or("none").to_owned()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_places_have_one_version() {
        let project = Project::open(false).unwrap();
        let manifest = fs::read_to_string(project.root.join("Cargo.toml")).unwrap();
        check(&project, version_of(&manifest).unwrap()).unwrap();
        let sentence = check(&project, "77.0.0").unwrap_err().sentence;
        for place in [
            "www/package.json has version",
            "b2nd in cli/Cargo.toml",
            "b2nd-derive in Cargo.toml",
            "b2nd in Cargo.lock",
            "b2nd in capi/Cargo.lock",
            "www/package-lock.json",
        ] {
            assert!(sentence.contains(place), "{place}: {sentence}");
        }
    }

    #[test]
    fn only_packages_of_the_repository_count() {
        let manifest = "[dependencies]\nb2nd = { version = \"0.2.0\", path = \"..\" }\nb2nd-refs = \"3\"\nserde = { version = \"1\", path = \"x\" }\n";
        assert_eq!(requirements(manifest).collect::<Vec<_>>(), [("b2nd", "0.2.0")]);
        let lock = "[[package]]\nname = \"b2nd\"\nversion = \"0.1.0\"\nsource = \"registry\"\n\n[[package]]\nname = \"b2nd\"\nversion = \"0.2.0\"\n";
        assert_eq!(locked(lock).collect::<Vec<_>>(), [("b2nd", "0.2.0")]);
        assert_eq!(locked_by_npm("{ \"version\": \"1.0.0\", \"packages\": {} }"), ["1.0.0", "none"]);
    }
}
