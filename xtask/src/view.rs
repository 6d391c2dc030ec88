//! `cargo xtask view [FILE|URL]`: what the command-line tool shows of a file, and what the npm package does.

use std::ffi::OsStr;
use std::path::{Path, absolute};
use std::process::ExitCode;

use crate::build;
use crate::failure::{About, Failure, Result};
use crate::process::{ask, cargo, command, run, show};
use crate::project::Project;
use crate::setup::node;

/// What there is to see without a file of one's own.
const SAMPLE: &str = "tests/golden/blosc2-4.14.1/sample.b2nd";

/// The same in JavaScript, through the npm package.
const EXAMPLE: &str = "www/examples/node.mjs";

pub fn view(project: &Project, arguments: &[String]) -> Result<ExitCode> {
    match arguments {
        [] => view_file(project, &project.root.join(SAMPLE))?,
        // Rust leaves the network to those who use it.
        [url] if url.contains("://") => view_in_node(project, url.as_ref())?,
        // The person's folder need not be the project's.
        [file] => view_file(project, &absolute(file).about(file)?)?,
        _ => return Err(Failure::new("usage: cargo xtask view [FILE|URL]")),
    }
    Ok(ExitCode::SUCCESS)
}

fn view_file(project: &Project, file: &Path) -> Result {
    run(project, &mut cargo(["build", "--release", "--features", "cli", "--bin", "b2nd"]))?;
    let tool = project.target.join("release").join("b2nd");
    show(project, command(&tool, ["info"]).arg(file))?;
    let selection = glimpse(&facts(&tool, file)?);
    show(project, command(&tool, ["get"]).arg(file).arg(selection))?;
    view_in_node(project, file.as_os_str())
}

fn view_in_node(project: &Project, place: &OsStr) -> Result {
    build::package(project)?;
    show(project, node::node(project, EXAMPLE).arg(place))
}

fn facts(tool: &Path, file: &Path) -> Result<String> {
    ask(command(tool, ["info", "--json"]).arg(file))
        .ok_or_else(|| Failure::new(format!("`b2nd info --json {}` failed", file.display())))
}

/// A selection that shows what the whole is like: of the last two dimensions every so many items, of the others
/// the first. `0, ::5, ::7` of three dimensions.
fn glimpse(facts: &str) -> String {
    let Some(shape) = shape(facts) else { return ":8".into() };
    let leading = shape.len().saturating_sub(2);
    let index = |(axis, len): (usize, &u64)| match len.div_ceil(SHOWN).max(1) {
        _ if axis < leading && *len > 0 => "0".into(),
        step => format!("::{step}"),
    };
    if shape.is_empty() {
        "...".into()
    } else {
        shape.iter().enumerate().map(index).collect::<Vec<_>>().join(", ")
    }
}

/// Items along an axis that fit a terminal.
const SHOWN: u64 = 6;

/// The numbers in `"shape": [ … ]`; what is no array has none.
fn shape(facts: &str) -> Option<Vec<u64>> {
    let (_, rest) = facts.split_once("\"shape\"")?;
    let shape = rest.trim_start_matches([' ', ':']).strip_prefix('[')?.split(']').next()?.trim();
    if shape.is_empty() {
        Some(Vec::new())
    } else {
        shape.split(',').map(|len| len.trim().parse().ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::glimpse;

    #[test]
    fn a_glimpse_suits_the_dimensions() {
        assert_eq!(glimpse(r#"{"shape": []}"#), "...");
        assert_eq!(glimpse(r#"{"kind": "array", "shape":[100], "chunks":[10]}"#), "::17");
        assert_eq!(glimpse("{\"shape\": [\n  7,\n  100,\n  3\n]}"), "0, ::17, ::1");
        assert_eq!(glimpse(r#"{"kind": "array", "shape": [0, 5]}"#), "::1, ::1");
        assert_eq!(glimpse(r#"{"kind": "chunk", "shape": null}"#), ":8");
    }
}
