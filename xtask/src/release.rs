//! `cargo xtask release`: checks that a release can be made, and prints what has changed.

mod promises;
mod typescript;
mod versions;

use std::fs;
use std::process::ExitCode;

use crate::arguments::Arguments;
use crate::error::{Error, Result};
use crate::project::Project;
use promises::TYPESCRIPT;

/// The crates that are published, in the order of their dependencies.
pub const CRATES: [&str; 4] = ["b2nd-derive", "b2nd", "b2nd-refs", "b2nd-cli"];
const CHANGELOG: &str = "CHANGELOG.md";

pub fn release(project: &Project, arguments: &Arguments) -> Result<ExitCode> {
    let [version] = arguments.names()[..] else {
        return Err(Error::new("usage: cargo xtask release VERSION [--set]"));
    };
    let read = |name: &str| {
        fs::read_to_string(project.root.join(name)).map_err(|error| Error::new(format!("{name}: {error}")))
    };
    if arguments.has("set") {
        versions::set(project, version)?;
    }
    versions::check(project, version)?;
    let changelog = read(CHANGELOG)?;
    let notes = section(&changelog, version)
        .ok_or_else(|| Error::new(format!("{CHANGELOG} has no section \"## [{version}] - DATE\"")))?;
    promises::check(project, version, &read(TYPESCRIPT)?)?;
    println!("{notes}");
    Ok(ExitCode::SUCCESS)
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

    #[test]
    fn notes_are_the_section_of_the_version() {
        let changelog = "# Changelog\n\n## [Unreleased]\n\n- c\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- b\n\n## [0.1.0] - 2026-11-01\n\n- a\n";
        assert_eq!(section(changelog, "0.2.0"), Some("### Added\n\n- b"));
        assert_eq!(section(changelog, "0.1.0"), Some("- a"));
        assert_eq!((section(changelog, "Unreleased"), section(changelog, "0.3.0")), (None, None));
    }
}
