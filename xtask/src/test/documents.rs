//! The code in the documentation, and the corpus for other implementations.

use super::unit;
use crate::build;
use crate::command::command;
use crate::error::Result;
use crate::process::run;
use crate::project::Project;
use crate::setup::python;

/// Runs the code blocks of README.md and of docs.
const BLOCKS: &str = "docs/blocks.mjs";
/// The manifest of the corpus, and the page of results.
const GENERATED: [&str; 2] = ["conformance/make.py", "conformance/page.py"];
const RUNNER: &str = "conformance/run.py";
const ADAPTER: &str = "conformance/adapters/tool.py";
/// Parts of the corpus that take little time; other tests read all of it.
const PARTS: [&[&str]; 2] = [&["--file", "damaged"], &["--level", "stores", "--level", "tables"]];

pub fn blocks(project: &Project) -> Result {
    build::package(project)?;
    let python = python::with_reference(project)?;
    let mut node = command("node", [BLOCKS, "--tool"]);
    node.arg(unit::tool(project)?).arg("--python").arg(python);
    run(project, node.env("CARGO_TARGET_DIR", &project.target)).map(drop)
}

pub fn conformance(project: &Project) -> Result {
    let python = python::with_reference(project)?;
    for script in GENERATED {
        run(project, &mut command(&python, [script, "--check"]))?;
    }
    run(project, &mut command(&python, ["-m", "unittest", "discover", "conformance"]))?;
    let tool = unit::tool(project)?;
    for part in PARTS {
        let mut runner = command(&python, [RUNNER]);
        run(project, runner.args(part).arg("--").arg(&python).arg(ADAPTER).arg(&tool))?;
    }
    Ok(())
}
