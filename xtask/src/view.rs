//! `cargo xtask view [FILE]`: what the command-line tool shows of a file.

use std::path::{Path, absolute};
use std::process::ExitCode;

use crate::failure::{About, Failure, Result};
use crate::process::{ask, cargo, command, run, show};
use crate::project::Project;

/// What there is to see without a file of one's own.
const SAMPLE: &str = "tests/golden/blosc2-4.14.1/sample.b2nd";

pub fn view(project: &Project, arguments: &[String]) -> Result<ExitCode> {
    let file = match arguments {
        [] => project.root.join(SAMPLE),
        // The person's folder need not be the project's.
        [file] => absolute(file).about(file)?,
        _ => return Err(Failure::new("usage: cargo xtask view [FILE]")),
    };
    run(project, &mut cargo(["build", "--release", "--features", "cli", "--bin", "b2nd"]))?;
    let tool = project.target.join("release").join("b2nd");
    show(project, command(&tool, ["info"]).arg(&file))?;
    let selection = corner(&facts(&tool, &file)?);
    show(project, command(&tool, ["get"]).arg(&file).arg(selection))?;
    Ok(ExitCode::SUCCESS)
}

fn facts(tool: &Path, file: &Path) -> Result<String> {
    ask(command(tool, ["info", "--json"]).arg(file))
        .ok_or_else(|| Failure::new(format!("`b2nd info --json {}` failed", file.display())))
}

/// The selection of a first few items, of at most a plane: `:1, :4, :4` of three dimensions.
fn corner(facts: &str) -> String {
    let Some(ndim) = ndim(facts) else { return ":8".into() };
    let selection: Vec<_> = (1..=ndim).rev().map(|left| if left > 2 { ":1" } else { ":4" }).collect();
    if selection.is_empty() { "...".into() } else { selection.join(", ") }
}

/// How many numbers stand in `"shape": [ … ]`; what is no array has none.
fn ndim(facts: &str) -> Option<usize> {
    let (_, rest) = facts.split_once("\"shape\"")?;
    let shape = rest.trim_start_matches([' ', ':']).strip_prefix('[')?.split(']').next()?.trim();
    Some(if shape.is_empty() { 0 } else { shape.split(',').count() })
}

#[cfg(test)]
mod tests {
    use super::corner;

    #[test]
    fn a_corner_suits_the_dimensions() {
        assert_eq!(corner(r#"{"shape": []}"#), "...");
        assert_eq!(corner(r#"{"kind": "array", "shape":[100], "chunks":[10]}"#), ":4");
        assert_eq!(corner("{\"shape\": [\n  7,\n  100,\n  3\n]}"), ":1, :4, :4");
        assert_eq!(corner(r#"{"kind": "chunk", "shape": null}"#), ":8");
    }
}
