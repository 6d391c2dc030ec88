//! `cargo xtask view [FILE|URL] [--once]`: shows a file with the command-line tool and then with the npm package, each as soon
//! as it is built. Finally it serves the viewer with the file until interrupted.

use std::ffi::{OsStr, OsString};
use std::path::{Path, absolute};
use std::process::{ExitCode, Stdio};

use crate::arguments::Arguments;
use crate::build;
use crate::command::{ask, cargo, command};
use crate::console;
use crate::error::{About, Error, Result};
use crate::process::{run, show};
use crate::project::Project;
use crate::setup::node;
use serde_json::Value;

/// The file to show by default.
const SAMPLE: &str = "tests/golden/blosc2-4.14.1/sample.b2nd";

/// Shows the same in JavaScript, with the npm package.
const EXAMPLE: &str = "www/examples/node.mjs";

/// The command of the npm package, which serves the viewer.
const COMMAND: &str = "www/dist/cli.js";

/// With `--once` it ends before the viewer, for use in scripts.
pub fn view(project: &Project, arguments: &Arguments) -> Result<ExitCode> {
    let (place, remote) = place(project, arguments.words())?;
    // The Rust library does no network I/O.
    let native = if remote { Ok(()) } else { command_line(project, &place) };
    build::viewer(project)?;
    let shown = native.and_then(|()| show(project, node::node(project, EXAMPLE).arg(&place)));
    if arguments.has("once") {
        return shown.map(|()| ExitCode::SUCCESS);
    }
    // If the tool cannot decode something, the viewer still shows the rest.
    shown.unwrap_or_else(|error| error.report());
    serve(project, &place)
}

/// The location of the values, and whether it is a URL.
fn place(project: &Project, words: &[OsString]) -> Result<(OsString, bool)> {
    match words {
        [] => Ok((project.root.join(SAMPLE).into(), false)),
        [url] if url.to_str().is_some_and(|url| url.contains("://")) => Ok((url.clone(), true)),
        // The user's directory may differ from the project's.
        [file] => {
            let path = absolute(file).about(file.display())?;
            let there = path.try_exists().about(file.display())?;
            let missing = || Error::new(format!("there is no `{}`", file.display()));
            there.then(|| (path.into(), false)).ok_or_else(missing)
        }
        _ => Err(Error::new("usage: cargo xtask view [FILE|URL] [--once]")),
    }
}

fn command_line(project: &Project, place: &OsStr) -> Result {
    console::announce("the command-line tool", "3 min");
    run(project, &mut cargo(["build", "--release", "--package", "b2nd-cli"]))?;
    let tool = project.target.join("release").join("b2nd");
    show(project, command(&tool, ["info"]).arg(place))?;
    let selection = glimpse(&facts(&tool, place.as_ref())?);
    show(project, command(&tool, ["get"]).arg(place).arg(selection))
}

fn serve(project: &Project, place: &OsStr) -> Result<ExitCode> {
    println!("\nThe viewer, until Ctrl-C:");
    let mut node = node::node(project, COMMAND);
    node.arg("view").arg(place).arg("--until-closed").current_dir(&project.root).stdin(Stdio::piped());
    let mut server = node.spawn().about(COMMAND)?;
    // When this program ends, the server's standard input is closed, which ends the server.
    let _open = server.stdin.take();
    let status = server.wait().about(COMMAND)?;
    if status.success() {
        Ok(ExitCode::SUCCESS)
    } else {
        Err(Error::new("the server of the viewer has ended"))
    }
}

fn facts(tool: &Path, file: &Path) -> Result<Value> {
    ask(command(tool, ["info", "--json"]).arg(file))
        .and_then(|facts| serde_json::from_str(&facts).ok())
        .ok_or_else(|| Error::new(format!("`b2nd info --json {}` failed", file.display())))
}

/// A selection of a representative sample: evenly spaced items of the last two dimensions, the first of the others.
/// `0, ::5, ::7` for three dimensions.
fn glimpse(facts: &Value) -> String {
    let Some(shape) = facts["shape"].as_array() else { return ":8".into() };
    let leading = shape.len().saturating_sub(2);
    let lens = shape.iter().map(|len| len.as_u64().unwrap_or(0));
    let index = |(axis, len): (usize, u64)| match len.div_ceil(SHOWN).max(1) {
        _ if axis < leading && len > 0 => "0".into(),
        step => format!("::{step}"),
    };
    if shape.is_empty() { "...".into() } else { lens.enumerate().map(index).collect::<Vec<_>>().join(", ") }
}

/// Items per axis that fit on a terminal.
const SHOWN: u64 = 6;

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use serde_json::json;

    use super::{SAMPLE, glimpse, place};
    use crate::project::Project;

    #[test]
    fn a_place_is_the_sample_a_file_a_folder_or_a_url() {
        let project = Project::open(false).unwrap();
        let place = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            place(&project, &words).map_err(|error| error.sentence)
        };
        let url = "https://example.org/a.b2nd?b";
        assert_eq!(place(&[]), Ok((project.root.join(SAMPLE).into(), false)));
        assert_eq!(place(&[url]), Ok((url.into(), true)));
        // Tests run in xtask/.
        assert_eq!(place(&["src"]), Ok((project.root.join("xtask").join("src").into(), false)));
        assert_eq!(place(&["none.b2nd"]), Err("there is no `none.b2nd`".into()));
        assert!(place(&["a", "b"]).unwrap_err().starts_with("usage: "));
    }

    #[test]
    fn a_glimpse_suits_the_dimensions() {
        assert_eq!(glimpse(&json!({ "shape": [] })), "...");
        assert_eq!(glimpse(&json!({ "kind": "array", "shape": [100], "chunks": [10] })), "::17");
        assert_eq!(glimpse(&json!({ "shape": [7, 100, 3] })), "0, ::17, ::1");
        assert_eq!(glimpse(&json!({ "shape": [0, 5] })), "::1, ::1");
        assert_eq!(glimpse(&json!({ "kind": "chunk", "shape": null })), ":8");
    }
}
