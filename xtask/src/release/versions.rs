//! The places that have the version of a release: manifests, what crates require of each other, and lock files.

use std::fs;
use std::path::Path;

use crate::command::{ask, command};
use crate::error::{About, Error, Result};
use crate::project::Project;

/// Manifests of other kinds than cargo's.
const OTHERS: [&str; 3] = ["www/package.json", "www/jupyter/pyproject.toml", "www/vscode/package.json"];
const NPM_LOCK: &str = "package-lock.json";
/// The version of packages that are never released.
const NEVER: &str = "0.0.0";

/// Checks all of them, and names the files with another version in one error.
pub fn check(project: &Project, version: &str) -> Result {
    let mut wrong = Vec::new();
    for name in files(project)? {
        let text = read(project, &name)?;
        if let Some(other) = places(&name, &text).into_iter().find(|found| *found != version) {
            wrong.push(format!("{name} has version {other}"));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let advice = format!("`cargo xtask release {version} --set` sets it");
    Err(Error::new(format!("not all versions are {version}: {}; {advice}", wrong.join(", "))))
}

/// Writes the version to all of them.
pub fn set(project: &Project, version: &str) -> Result {
    for name in files(project)? {
        let text = read(project, &name)?;
        let new = replace(&name, &text, version);
        if new != text {
            fs::write(project.root.join(&name), new).about(&name)?;
        }
    }
    Ok(())
}

fn read(project: &Project, name: &str) -> Result<String> {
    fs::read_to_string(project.root.join(name)).about(name)
}

/// The files that may have it. Those of git, since folders of builds have copies.
fn files(project: &Project) -> Result<Vec<String>> {
    let patterns = ["Cargo.toml", "*/Cargo.toml", "Cargo.lock", "*/Cargo.lock", "www/package-lock.json"];
    let mut list = command("git", ["ls-files", "--"]);
    let files = ask(list.args(patterns).args(OTHERS).current_dir(&project.root))
        .ok_or_else(|| Error::new("`git ls-files` failed: releases are made of a repository"))?;
    Ok(files.lines().map(str::to_owned).collect())
}

/// The versions in a file, as parts of its text.
fn places<'t>(name: &str, text: &'t str) -> Vec<&'t str> {
    let file = Path::new(name).file_name().unwrap_or_default();
    if file == NPM_LOCK {
        // That of the package itself, first of the file and then in the list of packages.
        return versions(text).take(2).collect();
    }
    if file == "Cargo.lock" {
        return text.split("[[package]]").filter_map(locked).collect();
    }
    // The first is that of the package.
    let own = versions(text).next().filter(|version| *version != NEVER);
    own.into_iter().chain(text.lines().filter_map(required)).collect()
}

/// The versions that have a line of their own.
fn versions(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim();
        let value = line.strip_prefix("version = \"").or_else(|| line.strip_prefix("\"version\": \""))?;
        value.split('"').next()
    })
}

/// The version that a line of a manifest requires of a crate of this repository.
fn required(line: &str) -> Option<&str> {
    let (name, dependency) = line.split_once(" = {")?;
    let (_, version) = dependency.split_once("version = \"")?;
    let ours = name.starts_with("b2nd") && dependency.contains("path = \"");
    version.split('"').next().filter(|_| ours)
}

/// The version in a lock file's entry, if it is a package of this repository, which has no source.
fn locked(package: &str) -> Option<&str> {
    let ours = package.trim_start().starts_with("name = \"b2nd") && !package.contains("\nsource = ");
    versions(package).next().filter(|version| ours && *version != NEVER)
}

/// The text with another version at all places.
fn replace(name: &str, text: &str, version: &str) -> String {
    let mut new = text.to_owned();
    // From the end, so that earlier places stay where they are.
    let mut places: Vec<_> = places(name, text)
        .iter()
        .map(|place| (place.as_ptr().addr() - text.as_ptr().addr(), place.len()))
        .collect();
    places.sort_unstable();
    for (start, len) in places.into_iter().rev() {
        new.replace_range(start..start + len, version);
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_have_one_version() {
        let project = Project::open(false).unwrap();
        let manifest = read(&project, "Cargo.toml").unwrap();
        let version = places("Cargo.toml", &manifest)[0].to_owned();
        check(&project, &version).unwrap();
        let sentence = check(&project, "77.0.0").unwrap_err().sentence;
        let some = ["Cargo.toml", "cli/Cargo.toml", "capi/Cargo.lock", "www/package-lock.json"];
        for name in some.iter().chain(&OTHERS) {
            assert!(sentence.contains(&format!(" {name} has version {version}")), "{name}: {sentence}");
        }
        for name in files(&project).unwrap() {
            let new = replace(&name, &read(&project, &name).unwrap(), "77.0.0");
            assert!(places(&name, &new).iter().all(|place| *place == "77.0.0"), "{name}");
        }
    }

    #[test]
    fn versions_of_others_stay() {
        let manifest = "[package]\nname = \"b2nd-x\"\nversion = \"0.1.0\"\n[dependencies]\nb2nd = { version = \"0.1.0\", path = \"..\" }\nserde = { version = \"1\", path = \"x\" }\nb2nd-refs = { version = \"3\" }\n";
        let new = manifest.replace("0.1.0", "0.2.0");
        assert_eq!(replace("x/Cargo.toml", manifest, "0.2.0"), new);
        let lock = "version = 4\n\n[[package]]\nname = \"b2nd\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"b2nd\"\nversion = \"0.1.1\"\nsource = \"registry\"\n\n[[package]]\nname = \"b2nd-fuzz\"\nversion = \"0.0.0\"\n";
        assert_eq!(replace("Cargo.lock", lock, "0.2.0"), lock.replace("0.1.0", "0.2.0"));
        let npm = "{\n  \"version\": \"0.1.0\",\n  \"x\": {\n    \"version\": \"0.1.0\"\n  },\n  \"y\": {\n    \"version\": \"0.1.0\"\n";
        assert_eq!(replace("www/package-lock.json", npm, "0.2.0").matches("0.2.0").count(), 2);
    }
}
