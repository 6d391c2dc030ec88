//! `cargo xtask release`: checks that a release can be made, and prints what has changed.

mod promises;
mod typescript;

use std::fs;
use std::process::ExitCode;

use crate::arguments::Arguments;
use crate::error::{Error, Result};
use crate::project::Project;
use promises::TYPESCRIPT;

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
/// The crates that are published, in the order of their dependencies.
pub const CRATES: [&str; 4] = ["b2nd-derive", "b2nd", "b2nd-refs", "b2nd-cli"];
const CHANGELOG: &str = "CHANGELOG.md";

pub fn release(project: &Project, arguments: &Arguments) -> Result<ExitCode> {
    let [version] = arguments.names()[..] else {
        return Err(Error::new("usage: cargo xtask release VERSION"));
    };
    let read = |name: &str| {
        fs::read_to_string(project.root.join(name)).map_err(|error| Error::new(format!("{name}: {error}")))
    };
    for name in MANIFESTS {
        match version_of(&read(name)?) {
            Some(found) if found == version => {}
            found => {
                let found = found.unwrap_or("none");
                return Err(Error::new(format!("{name} has version {found}, not {version}")));
            }
        }
    }
    let changelog = read(CHANGELOG)?;
    let notes = section(&changelog, version)
        .ok_or_else(|| Error::new(format!("{CHANGELOG} has no section \"## [{version}] - DATE\"")))?;
    promises::check(project, version, &read(TYPESCRIPT)?)?;
    println!("{notes}");
    Ok(ExitCode::SUCCESS)
}

/// The version in a manifest: the first that it has is that of the package.
fn version_of(manifest: &str) -> Option<&str> {
    manifest.lines().find_map(|line| {
        let line = line.trim();
        let value = line.strip_prefix("version = \"").or_else(|| line.strip_prefix("\"version\": \""))?;
        value.split('"').next()
    })
}

/// The changelog's section of a version that has a date.
fn section<'c>(changelog: &'c str, version: &str) -> Option<&'c str> {
    let (_, rest) = changelog.split_once(&format!("\n## [{version}] - "))?;
    let (_, body) = rest.split_once('\n')?;
    Some(body.split("\n## [").next().unwrap_or(body).trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn packages_have_one_version() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let version = |name: &&str| {
            let manifest = fs::read_to_string(root.join(name)).unwrap();
            version_of(&manifest).map(str::to_owned)
        };
        let versions: Vec<_> = MANIFESTS.iter().map(version).collect();
        assert!(versions.iter().all(|version| version.is_some() && *version == versions[0]), "{versions:?}");
    }

    #[test]
    fn notes_are_the_section_of_the_version() {
        let changelog = "# Changelog\n\n## [Unreleased]\n\n- c\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- b\n\n## [0.1.0] - 2026-11-01\n\n- a\n";
        assert_eq!(section(changelog, "0.2.0"), Some("### Added\n\n- b"));
        assert_eq!(section(changelog, "0.1.0"), Some("- a"));
        assert_eq!((section(changelog, "Unreleased"), section(changelog, "0.3.0")), (None, None));
    }
}
