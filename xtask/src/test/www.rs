//! The npm package, as published.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build;
use crate::command::command;
use crate::error::{About, Error, Result};
use crate::process::{run, run_as};
use crate::project::Project;
use crate::setup::{chromium, engines, node, python};

const NODE: &str = "www/test";
const PACKAGE_LINT: &str = "www/node_modules/publint/src/cli.js";
/// A limit for tests that hang; the longest test takes seconds.
const TIMEOUT: &str = "--test-timeout=600000";
/// Node.js would leave a processor idle, though browsers wait most of the time.
const FILES_AT_ONCE: &str = "--test-concurrency=2";
const BROWSER: &str = "www/test/browser";
const ENGINES: &str = "www/test/engines";
const BUNDLERS: &str = "www/test/bundlers";
const JUPYTER: &str = "www/test/jupyter";

pub fn node(project: &Project) -> Result {
    let python = python::with_peers(project)?;
    tests(project, NODE, |node| _ = node.env("B2ND_PYTHON", python))?;
    // The linter and the formatter.
    run(project, &mut command("npm", ["--prefix", "www", "run", "--silent", "lint"]))?;
    // Checks that the package has what package.json promises, and that imports resolve.
    run(project, command("node", [PACKAGE_LINT]).args(["www", "--pack", "npm", "--strict"])).map(drop)
}

pub fn browser(project: &Project) -> Result {
    let chromium = chromium::chromium(project)?;
    // For comparisons with the viewer.
    let python = python::with_reference(project)?;
    tests(project, BROWSER, |node| _ = node.env("B2ND_CHROMIUM", chromium).env("B2ND_PYTHON", python))
}

/// Reading and showing arrays in Firefox and WebKit.
pub fn engines(project: &Project) -> Result {
    let (firefox, webkit) = (engines::firefox(project)?, engines::webkit(project)?);
    let python = python::with_reference(project)?;
    tests(project, ENGINES, |node| {
        node.env("B2ND_FIREFOX", firefox).env("B2ND_WEBKIT", webkit.driver);
        node.env("B2ND_MINIBROWSER", webkit.browser).env("B2ND_XVFB", webkit.screen);
        node.env("B2ND_PYTHON", python);
    })
}

/// The widget in JupyterLab.
pub fn jupyter(project: &Project) -> Result {
    let (chromium, python) = (chromium::chromium(project)?, python::with_jupyter(project)?);
    let package = project.root.join("www").join("jupyter");
    tests(project, JUPYTER, |node| {
        _ = node.env("B2ND_CHROMIUM", chromium).env("B2ND_JUPYTER", python).env("PYTHONPATH", package);
    })
}

pub fn bundlers(project: &Project) -> Result {
    let chromium = chromium::chromium(project)?;
    let tools = node::bundlers(project)?;
    tests(project, BUNDLERS, |node| _ = node.env("B2ND_CHROMIUM", chromium).env("B2ND_BUNDLERS", tools))
}

/// Runs the tests in a directory, with what `set` sets. They import the package by name.
fn tests(project: &Project, folder: &str, set: impl FnOnce(&mut Command)) -> Result {
    build::package(project)?;
    let files = find(&project.root.join(folder))?;
    if files.is_empty() {
        return Err(Error::new(format!("{folder} has no tests")));
    }
    let mut node = command("node", ["--test", TIMEOUT, FILES_AT_ONCE]);
    set(node.args(files).env("B2ND_GOLDEN", project.root.join("tests").join("golden")));
    run_as(project, &format!("node --test {folder}/*.test.mjs"), &mut node).map(drop)
}

/// The `*.test.mjs` files in the directory itself.
fn find(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).about(folder.display())?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<Vec<_>>>();
    let mut paths = paths.about(folder.display())?;
    paths.retain(|path| path.to_str().is_some_and(|name| name.ends_with(".test.mjs")));
    paths.sort();
    Ok(paths)
}
